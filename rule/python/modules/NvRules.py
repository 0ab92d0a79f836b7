"""The interface between rules and gpuprof, that of Nsight Compute.

A rule is a file with the functions get_identifier() and apply(handle):

    import NvRules

    def get_identifier():
        return "LongKernel"

    def apply(handle):
        action = NvRules.get_context(handle)[0][0]
        if action["gpu__time_duration.sum"].value() > 1e6:
            NvRules.get_context(handle).frontend().message("Takes more than a millisecond")
"""

import warnings as _warnings

from gpuprof_nvtx import INvtxDomainInfo, INvtxRange, INvtxState
from gpuprof_report import IAction, IBaseContext, IContext, IRange, ISourceInfo, ITimelines, VERSION
from gpuprof_results import FocusSeverity, IRuleResult, MarkerKind, MsgType, RuleResultMessage, SourceMarker, SpeedupType
from gpuprof_table import (
    TableColumn,
    TableColumnConfig,
    TableConfig,
    TableData,
    TableElementKind,
    TableSortInfo,
    TableStyle,
    build_table as _build_table,
)
from gpuprof_values import (
    IMetric,
    IMutableMetric,
    MetricSubtype,
    MetricType,
    RollupOperation,
    ValueKind,
    flat as _flat,
    map_string_double,
    map_string_string,
    set_string,
    set_ull,
    vector_double,
    vector_longlong,
    vector_string,
    vector_table_column,
    vector_ull,
)

MsgType_NONE, MsgType_OK, MsgType_WARNING, MsgType_ERROR, MsgType_OPTIMIZATION = map(int, MsgType)
MsgType_ERR = MsgType_ERROR
MarkerKind_SASS, MarkerKind_SOURCE, MarkerKind_NONE = map(int, MarkerKind)
RuleKind_DEFAULT, RuleKind_GUIDED = 0, 1
TableElementKind_INVALID, TableElementKind_DOUBLE, TableElementKind_INT, TableElementKind_STRING, TableElementKind_CUSTOM = map(
    int, TableElementKind
)


class RuleError(Exception):
    """Ends a rule; raised by raise_exception."""


class _Handle:
    """What apply() and evaluate() of a rule are given."""

    def __init__(self, rule, context=None, state=None):
        self.rule = rule
        self.context = context
        self.state = state
        self.metrics = []
        self.rules = []


def get_context(h):
    """The context that a rule is applied in, as IContext."""
    return h.context


def get_evaluator(h):
    """The evaluator, as IEvaluator."""
    return IEvaluator(h)


def get_version(h):
    """The version of the interface, as year.major.minor."""
    return VERSION


def raise_exception(h, msg):
    """Abort the rule with a message."""
    raise RuleError(msg)


def require_metrics(h, metrics):
    """Declare metrics that the rule needs; for evaluate()."""
    for m in metrics:
        h.metrics.append(str(m))


def require_rules(h, rules):
    """Declare rules that have to be applied before this one; for evaluate()."""
    for r in rules:
        h.rules.append(str(r))


def metric_instances(metric):
    """The instances of a metric as a list of values."""
    return metric.values()


class IEvaluator(IBaseContext):
    """Takes the declarations of evaluate()."""

    def __init__(self, handle):
        self._handle = handle

    def handle_exception(self, msg):
        raise RuleError(msg)

    def require_metric(self, name):
        """Declare a metric that the rule needs."""
        require_metrics(self._handle, [name])

    def require_rule(self, rule):
        """Declare a rule that has to be applied before this one."""
        require_rules(self._handle, [rule])


class IMessageVault:
    """What rules leave for each other: a dict for each rule."""

    def __init__(self, vault):
        self._vault = vault

    def Put(self, rule_id, values):
        """Merge values into the dict of a rule."""
        self._vault.setdefault(str(rule_id), {}).update((str(k), float(v)) for k, v in dict(values).items())

    def Get(self, rule_id):
        """The dict of a rule; empty if there is none."""
        return map_string_double(self._vault.get(rule_id, {}))


class IController:
    """Steers the evaluation of rules."""

    def __init__(self, state):
        self._state = state

    def propose_rule(self, rule):
        """Advise the user to apply a rule."""
        self._state.result["proposals"].append(str(rule))

    def get_message_vault(self):
        """What rules leave for each other, as IMessageVault."""
        return IMessageVault(self._state.vault)


class _Deprecated:
    """A number that stood in a class before there were enums."""

    def __init__(self, name, value):
        self._name = name
        self._value = int(value)

    def __get__(self, instance, owner):
        _warnings.warn("IFrontend.{} is deprecated, use the enum".format(self._name), DeprecationWarning, stacklevel=2)
        return self._value


def _number(x):
    """A float that JSON can carry."""
    x = float(x)
    return x if x - x == 0 else repr(x)


class IFrontend:
    """What a rule shows."""

    def __init__(self, state):
        self._state = state

    def message(self, *arguments, **named):
        """message([type,] text[, name]) shows a text and returns its id."""
        arguments = list(arguments)
        if arguments and not isinstance(arguments[0], str):
            named["type"] = arguments.pop(0)
        for key in ("str", "name"):
            if arguments:
                named[key] = arguments.pop(0)
        text = named.pop("str", named.pop("message", None))
        kind, name = named.pop("type", MsgType.NONE), named.pop("name", "")
        if arguments or named or text is None:
            raise TypeError("message([type,] str[, name])")
        messages = self._state.result["messages"]
        messages.append({"type": int(MsgType(kind)), "text": str(text), "name": str(name), "speedup": None, "focus": []})
        return len(messages)

    def _message(self, id):
        messages = self._state.result["messages"]
        return messages[id - 1] if 1 <= id <= len(messages) else None

    def speedup(self, message_id, type, estimated_speedup):
        """Say what following a message would gain, in percent from 0 to 100; False if there is no such message."""
        m = self._message(message_id)
        if m is None:
            return False
        if not 0 <= float(estimated_speedup) <= 100:
            raise ValueError("speedup({}): expected percent from 0 to 100".format(estimated_speedup))
        m["speedup"] = {"type": int(SpeedupType(type)), "percent": _number(estimated_speedup)}
        return True

    def focus_metric(self, message_id, metric_name, value, severity, info):
        """Say what metric a message rests on; False if there is no such message."""
        m = self._message(message_id)
        if m is None:
            return False
        m["focus"].append(
            {"name": str(metric_name), "value": _number(value), "severity": int(FocusSeverity(severity)), "info": str(info)}
        )
        return True

    def source_marker(self, str_, address_or_line, kind, *rest, **named):
        """source_marker(text, address or line, kind[, file_name][, type]) marks a place in the code."""
        rest = list(rest)
        file_name = named.pop("file_name", rest.pop(0) if rest and isinstance(rest[0], str) else "")
        type_ = named.pop("type", rest.pop(0) if rest else MsgType.NONE)
        if rest or named:
            raise TypeError("source_marker(str, address_or_line, kind[, file_name][, type])")
        kind = MarkerKind(kind)
        if kind == MarkerKind.SOURCE and not file_name:
            raise ValueError("a marker of a source line needs the name of the file")
        self._state.result["markers"].append(
            {
                "text": str(str_),
                "place": int(address_or_line),
                "kind": int(kind),
                "file": file_name,
                "type": int(MsgType(type_)),
            }
        )

    def load_chart_from_file(self, file):
        """Show the chart that a file beside the rule describes."""
        self._state.result["charts"].append({"file": str(file), "text": self._state.read_beside(str(file))})

    def generate_table(self, message_id, header, data_rows, config=None):
        """Show a table with a message."""
        table = _build_table(header, data_rows, config)
        table["message"] = int(message_id)
        self._state.result["tables"].append(table)

    def send_dict_to_children(self, values):
        """Leave numbers for the rules that name this one as a parent."""
        self._state.dicts.setdefault(self._state.rule, {}).update((str(k), _number(v)) for k, v in dict(values).items())

    def receive_dict_from_parent(self, parent_id):
        """The numbers that a parent left; empty if there is none."""
        return map_string_double((k, float(v)) for k, v in self._state.dicts.get(str(parent_id), {}).items())


_flat(IFrontend, SpeedupType, "SpeedupType")
_flat(IFrontend, FocusSeverity, "Severity_SEVERITY")
for _name, _value in (
    ("MsgType_MSG_NONE", MsgType.NONE),
    ("MsgType_MSG_OK", MsgType.OK),
    ("MsgType_MSG_OPTIMIZATION", MsgType.OPTIMIZATION),
    ("MsgType_MSG_WARNING", MsgType.WARNING),
    ("MsgType_MSG_ERROR", MsgType.ERROR),
    ("MarkerKind_SASS", MarkerKind.SASS),
    ("MarkerKind_SOURCE", MarkerKind.SOURCE),
    ("MarkerKind_NONE", MarkerKind.NONE),
):
    setattr(IFrontend, _name, _Deprecated(_name, _value))


class _Action(IAction):
    """An action that notes which metrics a rule asked for."""

    asked = None

    def metric_by_name(self, name):
        m = IAction.metric_by_name(self, name)
        if self.asked is not None:
            self.asked[name] = m is not None
        return m


class _Range(IRange):
    """The range of a rule: it has one action."""

    def __init__(self, context, place):
        IRange.__init__(self, context, place["range"], 1)
        self._place = place

    def _new_action(self, index):
        return _Action(self._context._connection, self._place)

    def actions_by_nvtx(self, includes, excludes):
        return (0,) if self._place["action"] in IRange.actions_by_nvtx(self, includes, excludes) else ()


class _Context(IContext):
    """The context of a rule: one range with the action that it is applied to."""

    def __init__(self, connection, place):
        self._connection = connection
        self._report = place["report"]
        self._ranges = [_Range(self, place)]
        self._state = None

    def handle_exception(self, msg):
        raise RuleError(msg)

    def controller(self):
        """What steers the evaluation, as IController."""
        return IController(self._state)

    def frontend(self):
        """What the rule shows, as IFrontend."""
        return IFrontend(self._state)
