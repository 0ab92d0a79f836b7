"""Applies rules: loads rule files and runs what gpuprof asks for, job by job."""

import os
import sys

import NvRules
from gpuprof_guest import beside


class _State:
    """What one rule does to one action."""

    def __init__(self, rule, folder, dicts, vault):
        self.rule = rule
        self.folder = folder
        self.dicts = dicts
        self.vault = vault
        self.result = {"messages": [], "markers": [], "tables": [], "charts": [], "proposals": []}

    def read_beside(self, name):
        """The text of a chart in the folder of the rule."""
        path = os.path.normpath(os.path.join(self.folder, name))
        if not path.startswith(self.folder.rstrip("/") + "/"):
            raise ValueError(name + " is not in the folder of the rule")
        with open(path, encoding="utf-8") as f:
            return f.read(1 << 20)


class _Rule:
    """A loaded rule file."""

    def __init__(self, number, module, path, helpers):
        self.number = number
        self.module = module
        self.path = path
        self.folder = path.rpartition("/")[0] or "/"
        self.helpers = helpers

    def __enter__(self):
        """Let the rule import what lies beside it."""
        for name in _HELPERS:  # a folder may bring its own
            sys.modules.pop(name, None)
        sys.path.insert(0, self.folder)
        beside.folders.add(self.folder)
        sys.modules.update(self.helpers)

    def __exit__(self, *error):
        sys.path.remove(self.folder)
        _withdraw(self.folder, self.helpers)


_HELPERS = ("MetricAggregation", "RequestedMetrics", "TableBuilder")


def _withdraw(folder, helpers):
    """Take modules of a folder out of sight: another folder may have others of that name."""
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None) or ""
        if file.startswith(folder.rstrip("/") + "/"):
            helpers[name] = sys.modules.pop(name)


def _call(module, name, default):
    f = getattr(module, name, None)
    return f() if f else default


def _failure(error, path):
    """An exception for gpuprof: the message, and the line of path where it came from."""
    line, text = 0, type(error).__name__
    if str(error):
        text += ": {}".format(error)
    if isinstance(error, NvRules.RuleError):
        text = str(error)
    if isinstance(error, ModuleNotFoundError) and sys.platform == "wasi":
        text += "; --python PATH runs rules in a Python of yours"
    if isinstance(error, SyntaxError) and error.filename == path:
        line, text = error.lineno or 0, "{}: {}".format(type(error).__name__, error.msg)
    tb = error.__traceback__
    while tb is not None:
        if tb.tb_frame.f_code.co_filename == path:
            line = tb.tb_lineno
        tb = tb.tb_next
    return {"text": text, "line": line, "raised": isinstance(error, NvRules.RuleError)}


def _code(job, path):
    """The code of a rule file: compiled, as text, or to be read."""
    if "code" in job:
        import binascii
        import marshal

        return marshal.loads(binascii.a2b_base64(job["code"]))
    text = job.get("text")
    if text is None:
        with open(path, "rb") as f:
            text = f.read()
    return compile(text, path, "exec")


class Host:
    """Keeps rules and applies them."""

    def __init__(self, connection):
        self._connection = connection
        self._rules = {}
        self._folders = {}

    def load(self, job):
        """Load a file and tell what rule it holds."""
        path, number = job["path"], job["number"]
        folder = path.rpartition("/")[0] or "/"
        name = path.rpartition("/")[2][: -len(".py")]
        module = type(sys)(name)
        module.__file__ = path
        rule = _Rule(number, module, path, self._folders.setdefault(folder, {}))
        answer = {"number": number, "error": None, "rule": None}
        try:
            with rule:
                exec(_code(job, path), module.__dict__)
                if hasattr(module, "get_identifier"):
                    answer["rule"] = self._describe(rule)
                    self._rules[number] = rule
        except (Exception, SystemExit) as e:
            answer["error"] = _failure(e, path)
        self._finish(answer, "loaded")

    def _describe(self, rule):
        m = rule.module
        identifier = m.get_identifier()
        if not isinstance(identifier, str) or not identifier:
            raise TypeError("get_identifier() must return a str that is not empty")
        if not callable(getattr(m, "apply", None)):
            raise AttributeError("a rule needs the function apply(handle)")
        handle = NvRules._Handle(identifier)
        if hasattr(m, "evaluate"):
            m.evaluate(handle)
        rule.identifier, rule.metrics, rule.rules = identifier, handle.metrics, handle.rules
        return {
            "id": identifier,
            "name": str(_call(m, "get_name", identifier)),
            "description": str(_call(m, "get_description", (m.__doc__ or "").strip())),
            "section": str(_call(m, "get_section_identifier", "")),
            "parents": [str(p) for p in _call(m, "get_parent_rules_identifiers", [])],
            "metrics": handle.metrics,
            "rules": handle.rules,
        }

    def apply(self, job):
        """Apply rules to an action, one after the other."""
        context = NvRules._Context(self._connection, job["place"])
        dicts, vault = job["dicts"], job["vault"]
        try:
            action = context[0][0]
        except Exception as e:
            for number in job["rules"]:
                self._connection.tell("begin", number=number)
                self._finish({"number": number, "error": _failure(e, ""), "result": None}, "applied")
            return
        for number in job["rules"]:
            self._connection.tell("begin", number=number)
            self._apply(self._rules[number], context, action, dicts, vault, job["trace"])

    def _apply(self, rule, context, action, dicts, vault, trace):
        identifier = rule.module.get_identifier()
        state = context._state = _State(identifier, rule.folder, dicts, vault)
        action.asked = {} if trace else None
        before = len(action._added)
        error = None
        try:
            self._require(rule, action)
            with rule:
                rule.module.apply(NvRules._Handle(identifier, context, state))
        except (Exception, SystemExit) as e:
            error = _failure(e, rule.path)
        answer = {"number": rule.number, "error": error, "result": state.result}
        if identifier in dicts:
            answer["dict"] = dicts[identifier]
        if vault:
            answer["vault"] = vault
        if len(action._added) > before:
            answer["added"] = [m.as_record() for m in list(action._added.values())[before:]]
        if trace:
            answer["asked"] = action.asked
        self._finish(answer, "applied")

    def _require(self, rule, action):
        """Stop a rule that lacks what it says in evaluate() that it needs."""
        lacking = [m for m in rule.metrics if action.metric_by_name(m) is None]
        if lacking:
            raise NvRules.RuleError("the rule requires metrics that the launch does not have: " + ", ".join(lacking))
        known = {r.identifier for r in self._rules.values()}
        lacking = [r for r in rule.rules if r not in known]
        if lacking:
            raise NvRules.RuleError("the rule requires rules that are not there: " + ", ".join(lacking))

    def _finish(self, answer, op):
        sys.stdout.flush()
        try:
            self._connection.tell(op, **answer)
        except (TypeError, ValueError) as e:  # something in it is not JSON
            number = answer["number"]
            self._connection.tell(op, number=number, error={"text": str(e), "line": 0, "raised": False})


def main(connection):
    host = Host(connection)
    while True:
        job = connection.call("next")
        if job is None:
            return 0
        getattr(host, job["job"])(job)
