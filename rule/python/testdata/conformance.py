"""Calls every member of ncu_report and prints what comes back."""

import sys

import called
import ncu_occupancy
import ncu_report as n

calls = called.Calls()


def show(*parts):
    print(*[repr(p) for p in parts])


def fails(error, f, *arguments):
    try:
        f(*arguments)
    except error as e:
        show("fails", type(e).__name__)
    else:
        show("did not fail")


show([(e.__name__, [(m.name, int(m)) for m in e]) for e in (n.MsgType, n.MarkerKind, n.SpeedupType, n.FocusSeverity)])

show([(e.__name__, [(m.name, m.value) for m in e]) for e in (n.StallReason, n.ValueKind, n.MetricType, n.MetricSubtype, n.RollupOperation,
                                                           ncu_occupancy.OccupancyLimiter, ncu_occupancy.OccupancyVariable)])
show(n.metric_instances(n.IMutableMetric(None, "empty")))
for c in (n.vector_string, n.vector_double, n.vector_longlong, n.vector_ull):
    v = c([1, 2])
    v.push_back(3)
    show(v, v.size(), v.front(), v.back())
for c in (n.set_string, n.set_ull):
    v = c([1])
    v.append(2)
    show(sorted(v), v.size(), v.count(2))
m = n.map_string_double({"a": 1.5})
show(m.has_key("a"), m.asdict(), m.keys(), m.values(), m.items(), list(m.key_iterator()), list(m.value_iterator()), list(m.iterator()))
P = ncu_occupancy.OccupancyParameters
for cc in ((7, 0), (7, 5), (8, 0), (9, 0), (12, 0)):
    calculator = ncu_occupancy.OccupancyCalculator(*cc)
    for p in (P(), P(threads_per_block=1024), P(registers_per_thread=128), P(shared_mem_per_block=32768, shared_mem_size=65536)):
        show(p, calculator.get_sm_occupancy(p), [l.name for l in calculator.get_occupancy_limiters(p)], calculator.get_resource_utilization(p))
        show(calculator.get_optimal_occupancy(p), calculator.get_optimal_occupancy(p, list(ncu_occupancy.OccupancyVariable)[:2]))
    show(sorted(ncu_occupancy.get_gpu_data(*cc).items()))
show(P() == P(), P() == P(threads_per_block=64), P() == 1)
fails(ValueError, ncu_occupancy.OccupancyCalculator, 1, 0)
fails(ValueError, ncu_occupancy.get_gpu_data, 8, 99)
fails(ValueError, calculator.get_sm_occupancy, P(threads_per_block=1 << 20))
fails(ValueError, calculator.get_sm_occupancy, P(shared_mem_size=1 << 30))
fails(ValueError, calculator.get_sm_occupancy, P(num_block_barriers=17))
fails(ValueError, calculator.get_optimal_occupancy, P(), ncu_occupancy.OccupancyVariable)

context = n.load_report(sys.argv[1])
show(context.get_version() == n.get_version(), context.num_ranges(), len(context), context.range_by_idx(99))
fails(RuntimeError, context.handle_exception, "x")
fails(RuntimeError, n.load_report, "/no/such/report")
fails(IndexError, context.__getitem__, 99)
fails(TypeError, context.__getitem__, "x")
show(len(context[:]), len(list(context)), context[-1] is context[0], context.range_by_idx(0) is context[0])
range_ = context[0]
show(range_.num_actions(), len(range_), range_.action_by_idx(99), [a.name() for a in range_], [str(a) for a in range_[::-1]])
fails(IndexError, range_.__getitem__, 99)
fails(TypeError, range_.__getitem__, 1.5)
fails(ValueError, range_.actions_by_nvtx, ["a@b@c"], [])
show(range_.actions_by_nvtx([], []), range_.actions_by_nvtx(["run_test/*"], []), range_.actions_by_nvtx(["run_test/*"], ["run_test/*/daxpy"]))
for action in range_:
    show([action.name(b) for b in (action.NameBase_FUNCTION, action.NameBase_DEMANGLED, action.NameBase_MANGLED)], action.workload_type())
    show(len(action), len(action.metric_names()), sorted(action) == sorted(action.metric_names()), "no" in action, action.metric_by_name("no"))
    fails(KeyError, action.__getitem__, "no")
    fails(TypeError, action.__getitem__, 1)
    for name in action:
        m = action[name]
        last = m.num_instances()
        show(str(m), m.name(), m.unit(), m.kind(), m.has_value(), m.value(), m.as_double(), m.as_uint64(), m.as_string(), last,
             m.has_correlation_ids(), m.metric_type(), m.metric_subtype(), m.rollup_operation())
        ids = m.correlation_ids()
        show(m.kind(last), m.has_value(last), m.value(last), m.as_double(last), m.as_uint64(last), m.as_string(last), ids is None)
        if ids is not None:
            show([(m.kind(i), m.has_value(i), m.value(i), ids.kind(i), ids.value(i)) for i in range(min(last, 3))], ids.correlation_ids())
            show(len(m.values()), len(m.ids()), ids.num_instances())
    show(action["gpu__time_duration.sum"].description() != "")
    show(action.as_dict().get("launch__grid_size"), len(action.values()))
    pcs = action["inst_executed"].correlation_ids() if "inst_executed" in action else None
    for i in range(min(3, pcs.num_instances()) if pcs else 0):
        pc = pcs.as_uint64(i)
        info = action.source_info(pc)
        show(pc, info and (info.file_name(), info.line()), action.ptx_by_pc(pc), action.sass_by_pc(pc))
    show(action.source_info(1), action.sass_by_pc(1), action.ptx_by_pc(1))
    files = action.source_files()
    show(files.asdict(), dict(files), files.has_key("x"), "x" in files, list(files), list(files.iterkeys()), list(files.itervalues()), list(files.iteritems()))
    state = action.nvtx_state()
    if state is not None:
        show(state.domains(), len(state), list(state), state.domain_by_id(12345))
        fails(KeyError, state.__getitem__, 12345)
        for id in state:
            d = state[id]
            show(str(d), d.name(), d.push_pop_ranges(), d.start_end_ranges(), d.push_pop_range(99), d.start_end_range(99))
            ranges = [d.push_pop_range(i) for i in range(len(d.push_pop_ranges()))]
            for r in ranges + [d.start_end_range(i) for i in range(len(d.start_end_ranges()))]:
                show(r.name(), r.has_attributes(), r.category(), r.color(), r.message(), r.payload_type(), r.payload_as_uint64(),
                     r.payload_as_double(), r.payload_as_string())
    for r in action.rule_results():
        m = r.rule_message()
        show(r.rule_identifier(), r.name(), r.section_identifier(), r.has_rule_message(), m and (m.title, m.message, m.type.name),
             r.focus_metrics(), r.has_speedup_estimation(), r.speedup_estimation(), r.result_tables())
    show(action.rule_results_as_dicts())
    for s in action.source_markers():
        show(s.rule_identifier, s.section_identifier, s.kind.name, s.message_type.name, s.message, s.source_location, s.source_address)
    show(action.timed_warp_samples())
    sampled = [name for name in action if name.startswith("pmsampling:")]
    lines = action.timelines()
    show([(m and (m.name(), m.num_instances())) for m in map(lines.aligned_metric, sampled)], lines.aligned_metric("no"))
    M = n.IMetric
    show(action.add_integer_metric("i", M.ValueKind_UINT64, 7), action.add_double_metric("d", M.ValueKind_DOUBLE, 1.5),
         action.add_string_metric("s", M.ValueKind_STRING, "x"), action["i"].value(), action["d"].value(), action["s"].value())
    m = action.add_metric("mutable")
    ids = m.mutable_correlation_ids()
    show(m.set_double(M.ValueKind_FLOAT, 0.5), m.set_uint64(1, M.ValueKind_UINT32, 3), m.set_string(0, M.ValueKind_STRING, "y"),
         m.set_double(M.ValueKind_STRING, 1.0), ids.set_uint64(1, M.ValueKind_UINT64, 9), m.num_instances(), m.value(0), m.value(1),
         m.correlation_ids().value(1), "mutable" in action, "mutable" in list(action))
calls.report("ncu_report", "ncu_occupancy")
