"""Looks for shared accesses that take more passes than their bytes need.

With n wavefronts of shared accesses and i that would do, by instruction counts.
Speaks when the excess is more than 10 percent.

Estimated speedup: (n - i) / n of the L1 cache's throughput in percent.
"""

from gpuprof_stock import GLOBAL, L1, OPTIMIZATION, Launch, by_id, mark, percent, place


def get_identifier():
    return "SharedCoalescing"


def get_name():
    return "Shared Memory Coalescing"


def get_description():
    return "Shared accesses that take more passes than needed"


def get_section_identifier():
    return "SourceCounters"


def apply(handle):
    launch = Launch(handle)
    actual, ideal = launch.need_instances("memory_l1_wavefronts_shared", "memory_l1_wavefronts_shared_ideal")
    throughput = launch.get(L1, 0.0)
    done, due = by_id(actual), by_id(ideal)
    n, excess = sum(done.values()), {pc: v - due.get(pc, v) for pc, v in done.items()}
    lost = sum(v for v in excess.values() if v > 0)
    share = percent(lost, n)
    if share <= 10:
        return
    top = sorted((pc for pc in excess if excess[pc] > 0), key=lambda pc: -excess[pc])[:5]
    launch.say(OPTIMIZATION, "Excess Shared Wavefronts", "{:.0f} of {:.0f} wavefronts of shared accesses ({:.0f} %) are there only because threads of a "
               "warp meet in banks or access badly aligned data; most of them at {}.".format(lost, n, share, place(launch.action, top[0])[0]),
               share / 100 * throughput, GLOBAL, [("memory_l1_wavefronts_shared", n, "{:.0f} would do".format(n - lost))])
    for pc in top:
        mark(launch, pc, "{:.0f} of {:.0f} shared wavefronts are in excess".format(excess[pc], done[pc]))
