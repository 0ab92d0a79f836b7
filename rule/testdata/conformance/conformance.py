"""Calls every member of NvRules and prints what comes back."""

import warnings

import NvRules
import called
from MetricAggregation import aggregate, aggregate_many, instances, source_line_of, top, total
from RequestedMetrics import Importance, MetricRequest, RequestedMetricsParser
from TableBuilder import TableBuilder

calls = called.Calls()


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
    NvRules.require_metrics(handle, ["launch__block_size", "launch__grid_size"])
    NvRules.require_rules(handle, ["Parent"])
    e = NvRules.get_evaluator(handle)
    e.require_metric("gpu__time_duration.sum")
    e.require_rule("GpuArch")
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


def deprecated():
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        F = NvRules.IFrontend
        show(F.MsgType_MSG_NONE, F.MsgType_MSG_OK, F.MsgType_MSG_OPTIMIZATION, F.MsgType_MSG_WARNING, F.MsgType_MSG_ERROR,
             F.MarkerKind_SASS, F.MarkerKind_SOURCE, F.MarkerKind_NONE, [w.category.__name__ for w in seen])


def tables():
    style = NvRules.TableStyle(bold=True)
    column = NvRules.TableColumn("c", NvRules.TableElementKind.INT, [1, 2])
    column.config = NvRules.TableColumnConfig("tip", 0.5, style, style)
    columns = NvRules.vector_table_column([column])
    columns.push_back(NvRules.TableColumn())
    table = NvRules.TableData(columns, NvRules.TableConfig("T", "D"))
    table.config.sort = NvRules.TableSortInfo(0, False)
    show(columns.size(), columns.front().name, columns.back().kind, table.columns[0].values, table.config.title, table.config.description,
         table.config.sort.column, table.config.sort.ascending, column.config.tooltip, column.config.relative_width,
         column.config.header.bold, column.config.data.italic)


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


def code(action):
    pcs = action["inst_executed"].correlation_ids()
    for i in range(2):
        pc = pcs.as_uint64(i)
        info = action.source_info(pc)
        show(pc, info and (info.file_name(), info.line()), action.ptx_by_pc(pc), action.sass_by_pc(pc))
    place = NvRules.ISourceInfo("a.cu", 3)  # this report has no lines
    show(place.file_name(), place.line(), action.source_files().asdict())
    files = NvRules.map_string_string({"a": "b"})
    show(files.has_key("a"), files.asdict(), list(files.iterkeys()), list(files.itervalues()), list(files.iteritems()))


def nvtx(action):
    state = action.nvtx_state()
    show(state.domains(), len(state), list(state))
    for id in state:
        d = state.domain_by_id(id)
        show(d is not None, state[id].name(), str(d), d.push_pop_ranges(), d.start_end_ranges(), d.start_end_range(0))
        for i in range(len(d.push_pop_ranges())):
            r = d.push_pop_range(i)
            show(r.name(), r.has_attributes(), r.category(), r.color(), r.message(), r.payload_type(), r.payload_as_uint64(),
                 r.payload_as_double(), r.payload_as_string())


def said(action):
    for r in action.rule_results():
        m = r.rule_message()
        show(r.rule_identifier(), r.name(), r.section_identifier(), r.has_rule_message(), m and (m.title, m.message, int(m.type)),
             r.focus_metrics(), r.has_speedup_estimation(), r.speedup_estimation(), r.result_tables())
    show([s.message for s in action.source_markers()])
    message = NvRules.RuleResultMessage("t", "m", NvRules.MsgType.OK)
    show(message.title, message.message, message.type)


def mutable(action):
    M = NvRules.IMetric
    m = action.add_metric("mutable")
    ids = m.mutable_correlation_ids()
    show(m.set_double(M.ValueKind_FLOAT, 0.5), m.set_uint64(1, M.ValueKind_UINT32, 3), m.set_string(0, M.ValueKind_STRING, "y"),
         ids.set_uint64(1, M.ValueKind_UINT64, 9), m.num_instances(), m.value(0), m.correlation_ids().value(1))
    show(action.add_integer_metric("i", M.ValueKind_UINT64, 7), action.add_double_metric("d", M.ValueKind_DOUBLE, 1.5),
         action.add_string_metric("s", M.ValueKind_STRING, "x"), len(action), len(action.metric_names()))
    m = action["gpu__time_duration.sum"]
    show(m.description() != "", m.has_value(), m.as_double(), m.as_uint64(), m.as_string(), m.has_correlation_ids(), m.metric_type(),
         m.metric_subtype(), m.rollup_operation(), str(m))


def apply(handle):
    context = NvRules.get_context(handle)
    show(NvRules.get_version(handle), context.get_version(), context.num_ranges(), len(context), context.range_by_idx(1), len(context[0]), context[0].num_actions())
    fails(NvRules.RuleError, context.handle_exception, "x")
    fails(RuntimeError, NvRules.IBaseContext().handle_exception, "x")
    fails(RuntimeError, NvRules.IContext.handle_exception, context, "x")
    show(len(list(context)), len(list(context[0])), len(context[:]), len(context[0][:]))
    action = context.range_by_idx(0).action_by_idx(0)
    show(action is context[0][0], action.name(), str(action), action.workload_type() == NvRules.IAction.WorkloadType_KERNEL)
    show(context[0].actions_by_nvtx(["no such"], []), context[0].actions_by_nvtx([], []))
    for name in list(action)[:20]:
        m = action[name]
        show(m.name(), m.value(), m.kind(), m.unit())
    deprecated()
    tables()
    containers()
    frontend(context, handle)
    helpers(handle, action)
    code(action)
    nvtx(action)
    said(action)
    mutable(action)
    fails(NvRules.RuleError, NvRules.raise_exception, handle, "x")
    import api_names  # a rule reads no text beside it, but modules

    calls.report("NvRules", "RequestedMetrics", names=api_names.TEXT)
    NvRules.raise_exception(handle, "the end")
