"""Calls every member of NvRules and prints what comes back."""

import warnings

import NvRules
from MetricAggregation import aggregate, aggregate_many, instances, source_line_of, top, total
from RequestedMetrics import Importance, MetricRequest, RequestedMetricsParser
from TableBuilder import TableBuilder


def get_identifier():
    return "Conformance"


def get_name():
    return "All of it"


def get_description():
    return "Calls everything"


def get_section_identifier():
    return "SpeedOfLight"


def get_parent_rules_identifiers():
    return ["Parent", "Absent"]


def evaluate(handle):
    NvRules.require_metrics(handle, ["a", "b"])
    NvRules.require_rules(handle, ["Parent"])
    e = NvRules.get_evaluator(handle)
    e.require_metric("c")
    e.require_rule("Other")
    assert e.get_version() == NvRules.get_version(handle)
    fails(NvRules.RuleError, e.handle_exception, "x")


def show(*parts):
    print(*[repr(p) for p in parts])


def fails(error, f, *arguments):
    try:
        f(*arguments)
    except error as e:
        show("fails", type(e).__name__)
    else:
        show("did not fail", arguments)


FLAT = """MsgType_NONE MsgType_OK MsgType_OPTIMIZATION MsgType_WARNING MsgType_ERROR MsgType_ERR MarkerKind_SASS MarkerKind_SOURCE MarkerKind_NONE
RuleKind_DEFAULT RuleKind_GUIDED TableElementKind_INVALID TableElementKind_DOUBLE TableElementKind_INT TableElementKind_STRING
TableElementKind_CUSTOM""".split()
MEMBERS = {
    "IContext": "controller frontend num_ranges range_by_idx handle_exception get_version",
    "IFrontend": "message speedup focus_metric source_marker load_chart_from_file generate_table send_dict_to_children receive_dict_from_parent "
    "SpeedupType_LOCAL SpeedupType_GLOBAL Severity_SEVERITY_DEFAULT Severity_SEVERITY_LOW Severity_SEVERITY_HIGH",
    "IController": "propose_rule get_message_vault",
    "IMessageVault": "Put Get",
    "IEvaluator": "require_metric require_rule handle_exception get_version",
    "map_string_double": "has_key asdict iterkeys itervalues iteritems keys values items",
    "vector_table_column": "push_back",
}


def names():
    show([getattr(NvRules, f) for f in FLAT])
    context = type("C", (NvRules.IContext,), {"controller": 0, "frontend": 0})
    for cls, members in MEMBERS.items():
        for m in members.split():
            if not hasattr(context if cls == "IContext" else getattr(NvRules, cls), m):
                show("missing", cls, m)
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        F = NvRules.IFrontend
        show(F.MsgType_MSG_NONE, F.MsgType_MSG_OK, F.MsgType_MSG_OPTIMIZATION, F.MsgType_MSG_WARNING, F.MsgType_MSG_ERROR,
             F.MarkerKind_SASS, F.MarkerKind_SOURCE, F.MarkerKind_NONE, [w.category.__name__ for w in seen])
    for cls in "TableColumn TableColumnConfig TableConfig TableData TableSortInfo TableStyle IRuleResult RuleResultMessage SourceMarker".split():
        show(hasattr(NvRules, cls))


def containers():
    for c in (NvRules.vector_string, NvRules.vector_double, NvRules.vector_longlong, NvRules.vector_ull):
        v = c([1, 2])
        v.push_back(3)
        show(list(v), v.size(), v.empty(), v.front(), v.back(), list(v.iterator()))
        v.assign(2, 7)
        v.resize(3, 8)
        v.reserve(9)
        show(v, v.capacity())
    for c in (NvRules.set_string, NvRules.set_ull):
        s = c([1, 2])
        s.append(2)
        s.insert(3)
        s.erase(1)
        show(sorted(s), s.size(), s.count(3), s.empty(), sorted(s.iterator()))
    m = NvRules.map_string_double({"a": 1.0})
    m["b"] = 2.0
    show(m.has_key("a"), m.asdict(), dict(m), "b" in m, m.get("c", 5), m == {"a": 1.0, "b": 2.0}, m.keys(), m.values(), m.items(), len(m), m.size(), m.count("a"))
    show(list(m.key_iterator()), list(m.value_iterator()), list(m.iterator()), bool(m), m.empty())
    m.erase("a")
    del m["b"]
    m.swap(NvRules.map_string_double({"z": 0.0}))
    m.clear()
    show(m)
    fails(KeyError, m.__getitem__, "a")


def frontend(context, handle):
    f = context.frontend()
    show(f.message("plain"), f.message("named", "Title"), f.message(NvRules.MsgType.OK, "typed"), f.message(NvRules.MsgType_WARNING, "flat", "T"),
         f.message(str="by name", type=NvRules.MsgType.OPTIMIZATION, name="N"))
    fails(TypeError, f.message)
    fails(ValueError, f.message, 99, "x")
    show(f.speedup(1, NvRules.IFrontend.SpeedupType_LOCAL, 12.5), f.speedup(2, NvRules.SpeedupType.GLOBAL, 50), f.speedup(99, 1, 1.0))
    show(f.focus_metric(1, "m", 1.5, NvRules.IFrontend.Severity_SEVERITY_HIGH, "why"), f.focus_metric(1, "n", float("nan"), 0, ""), f.focus_metric(99, "m", 1, 0, ""))
    f.source_marker("sass", 0x100, NvRules.MarkerKind.SASS)
    f.source_marker("sass", 0x110, NvRules.MarkerKind.SASS, NvRules.MsgType.ERROR)
    f.source_marker("line", 12, NvRules.MarkerKind.SOURCE, "a.cu")
    f.source_marker("line", 13, NvRules.MarkerKind.SOURCE, "a.cu", NvRules.MsgType.OPTIMIZATION)
    fails(ValueError, f.source_marker, "line", 13, NvRules.MarkerKind.SOURCE)
    f.load_chart_from_file("bar.chart")
    fails(ValueError, f.load_chart_from_file, "../outside.chart")
    fails(ValueError, f.load_chart_from_file, "/etc/passwd")
    fails(OSError, f.load_chart_from_file, "none.chart")
    f.generate_table(1, ["int", "float", "str", "other"], [[1, 1.5, "x", (1,)], [2, float("inf"), "y", (2,)]],
                     {"title": "T", "description": "D", "sort_by": {"column": "int", "order": "descending"}, "style": {"bold": True},
                      "per_column_configs": {"int": {"tooltip": "t", "relative_width": 0.5, "style": {"header": {"italic": True}, "data": {"bold": True}}}, 1: {}}})
    for error, arguments in (
        (ValueError, ([], [])), (ValueError, (["a"], [[1, 2]])), (TypeError, (["a"], [[1], [1.0]])), (TypeError, (["a"], [[1], [True]])),
        (ValueError, (["a"], [[1]], {"nope": 1})), (ValueError, (["a"], [[1]], {"sort_by": {"column": "b"}})), (TypeError, (["a"], [[1]], [])),
        (ValueError, (["a"], [[1]], {"sort_by": {"column": 0, "order": "up"}})),
    ):
        fails(error, f.generate_table, 1, *arguments)
    parent = f.receive_dict_from_parent("Parent")
    show(parent.has_key("x"), parent.asdict(), f.receive_dict_from_parent("Absent").asdict())
    f.send_dict_to_children({"a": 1, "b": 2.5})
    controller = context.controller()
    controller.propose_rule("Other")
    vault = controller.get_message_vault()
    show(vault.Get("Parent").asdict(), vault.Get("nobody").asdict())
    vault.Put("Conformance", {"k": 1})
    vault.Put("Conformance", {"l": 2})
    show(vault.Get("Conformance").asdict())


def helpers(handle, action):
    requested = [MetricRequest("launch__grid_size", "grid"), MetricRequest("none__at.all", "o", Importance.OPTIONAL, 2.5),
                 MetricRequest("none__silent", None, Importance.OPTIONAL, None, False), MetricRequest("none__text", "t", Importance.OPTIONAL, "x", False),
                 MetricRequest("none__int", "i", Importance.OPTIONAL, 3, False)]
    m = RequestedMetricsParser(handle, action).parse(requested)
    show(sorted(m), m["grid"].value(), m["o"].value(), m["none__silent"], m["t"].value(), m["i"].value())
    fails(NvRules.RuleError, RequestedMetricsParser(handle, action).parse, [MetricRequest("none__required")])
    samples = action["inst_executed"]
    show(len(list(instances(samples))), sum(aggregate(samples).values()) == total(samples), top(aggregate(samples, lambda pc: pc % 64), 2),
         len(aggregate(samples, source_line_of(action))), sorted(aggregate_many([samples], lambda pc: "all").items()), total(action["launch__grid_size"]))
    show(NvRules.metric_instances(samples)[:2])
    t = TableBuilder("Built", "D").column("A", str, "tip", 0.5, True, ascending=True).column("B", int).row("x", 1)
    show(len(t), t.build())
    t.show(NvRules.get_context(handle).frontend(), 1)
    fails(ValueError, t.row, 1)


def apply(handle):
    context = NvRules.get_context(handle)
    show(NvRules.get_version(handle), context.get_version(), context.num_ranges(), len(context), context.range_by_idx(1), len(context[0]), context[0].num_actions())
    fails(NvRules.RuleError, context.handle_exception, "x")
    action = context.range_by_idx(0).action_by_idx(0)
    show(action is context[0][0], action.name(), str(action), action.workload_type() == NvRules.IAction.WorkloadType_KERNEL)
    show(context[0].actions_by_nvtx(["no such"], []), context[0].actions_by_nvtx([], []))
    for name in list(action)[:20]:
        m = action[name]
        show(m.name(), m.value(), m.kind(), m.unit())
    names()
    containers()
    frontend(context, handle)
    helpers(handle, action)
    NvRules.raise_exception(handle, "the end")
