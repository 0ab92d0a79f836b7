"""What rules said, as scripts read it. Works in Python 3.6 and later."""

from enum import IntEnum

MsgType = IntEnum("MsgType", "NONE OK WARNING ERROR OPTIMIZATION", start=0)
MarkerKind = IntEnum("MarkerKind", "SASS SOURCE NONE", start=0)
SpeedupType = IntEnum("SpeedupType", "UNKNOWN LOCAL GLOBAL", start=0)
FocusSeverity = IntEnum("FocusSeverity", "DEFAULT LOW HIGH", start=0)


# The names are those of the metrics smsp__pcsamp_warps_issue_stalled_*. Of the numbers only that of LONG_SCOREBOARD is
# publicly known to be 7, which the order of the alphabet fits; the rest are guesses.
StallReason = IntEnum(
    "StallReason",
    "UNKNOWN BARRIER BRANCH_RESOLVING DISPATCH_STALL DRAIN IMC_MISS LG_THROTTLE LONG_SCOREBOARD MATH_PIPE_THROTTLE MEMBAR MIO_THROTTLE "
    "MISC NO_INSTRUCTIONS NOT_SELECTED SELECTED SHORT_SCOREBOARD SLEEPING TEX_THROTTLE WAIT GMMA WARPGROUP_ARRIVE",
    start=0,
)


class RuleResultMessage:
    """The message of a rule: title, message and type as attributes, and by key as in a dict."""

    def __init__(self, title, message, type):
        self.title = title
        self.message = message
        self.type = type

    def keys(self):
        return ["title", "message", "type"]

    def __getitem__(self, key):
        if key not in self.keys():
            raise KeyError(key)
        return getattr(self, key)

    def get(self, key, default=None):
        return getattr(self, key) if key in self.keys() else default


class IRuleResult:
    """One piece of advice: a message with what belongs to it."""

    def __init__(self, rule, message):
        self._rule = rule
        self._message = message

    def rule_identifier(self):
        """The identifier of the rule."""
        return self._rule["rule"]

    def name(self):
        """The name of the rule."""
        return self._rule["name"]

    def section_identifier(self):
        """The identifier of the section that the rule belongs to, or ""."""
        return self._rule["section"]

    def has_rule_message(self):
        """Whether there is a message."""
        return self._message is not None

    def rule_message(self):
        """The message as RuleResultMessage, or None."""
        m = self._message
        return RuleResultMessage(m["title"], m["text"], MsgType(m["type"])) if m else None

    def focus_metrics(self):
        """The metrics that the message rests on, as a list of dicts of name, value, severity and info."""
        return list(self._message["focus"]) if self._message else []

    def has_speedup_estimation(self):
        """Whether there is an estimate."""
        return bool(self._message and self._message["speedup"])

    def speedup_estimation(self):
        """The estimate as a dict of type (SpeedupType) and speedup in percent, or None."""
        if not self.has_speedup_estimation():
            return None
        e = self._message["speedup"]
        return {"type": SpeedupType(e["type"]), "speedup": e["speedup"]}

    def result_tables(self):
        """The tables that belong to the message, as a list of dicts: title, headers, data and more."""
        return list(self._message["tables"]) if self._message else list(self._rule["tables"])

    def as_dict(self):
        """All of it."""
        m = self.rule_message()
        d = {
            "rule_identifier": self.rule_identifier(),
            "name": self.name(),
            "section_identifier": self.section_identifier(),
            "rule_message": dict(m) if m else {},
            "focus_metrics": self.focus_metrics(),
            "result_tables": self.result_tables(),
        }
        if self.has_speedup_estimation():
            d["speedup_estimation"] = self.speedup_estimation()
        return d


class SourceMarker:
    """A message about an instruction or a line."""

    def __init__(self, rule, data):
        self.rule_identifier = rule["rule"]
        self.section_identifier = rule["section"]
        self.kind = MarkerKind(data["kind"])
        self.message_type = MsgType(data["type"])
        self.message = data["text"]
        self.source_location = (data["file"], data["line"]) if data["kind"] == MarkerKind.SOURCE else None
        self.source_address = data["address"] if data["kind"] == MarkerKind.SASS else None


def rule_results(data):
    """A tuple of IRuleResult, one a message."""
    return tuple(IRuleResult(r, m) for r in data for m in r["messages"] or [None])


def source_markers(data):
    """A tuple of SourceMarker."""
    return tuple(SourceMarker(r, m) for r in data for m in r["markers"])
