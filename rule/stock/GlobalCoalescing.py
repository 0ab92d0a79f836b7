"""Looks at how much of what global accesses move is used.

A sector has 32 bytes, of which an access uses u on average. Speaks below 24.

Estimated speedup: the unused share of the L1 cache's work in the launch,
(1 - u / 32) * throughput of L1 in percent, for loads and stores by their part of
all sectors.
"""

from gpuprof_stock import GLOBAL, L1, OPTIMIZATION, Launch


def get_identifier():
    return "GlobalCoalescing"


def get_name():
    return "Global Memory Coalescing"


def get_description():
    return "Global accesses that use little of the sectors that they move"


def get_section_identifier():
    return "MemoryWorkloadAnalysis_Tables"


USED = "smsp__sass_average_data_bytes_per_sector_mem_global_op_{}.ratio"
SECTORS = "l1tex__t_sectors_pipe_lsu_mem_global_op_{}.sum"
REQUESTS = "l1tex__t_requests_pipe_lsu_mem_global_op_{}.sum"


def apply(handle):
    launch = Launch(handle)
    throughput = launch.need((L1, "l1tex__throughput.avg.pct_of_peak_sustained_elapsed"))
    seen, missing = False, []
    all_sectors = sum(launch.get(SECTORS.format(op), 0) for op in ("ld", "st"))
    for op, label in (("ld", "loads"), ("st", "stores")):
        used, sectors = launch.get(USED.format(op)), launch.get(SECTORS.format(op))
        if used is None or sectors is None:
            missing.append(USED.format(op))
            continue
        seen = True
        if sectors == 0 or not 0 < used < 24:
            continue
        requests = launch.get(REQUESTS.format(op), 0)
        gain = (1 - used / 32) * throughput * (sectors / all_sectors if all_sectors else 1)
        each = " An access touches {:.1f} sectors.".format(sectors / requests) if requests else ""
        launch.say(OPTIMIZATION, "Uncoalesced Global " + label.capitalize(), "Global {} use {:.1f} of the 32 bytes of each sector that they move.{} Let "
                   "neighbouring threads access neighbouring addresses. @section:SourceCounters:Source Counters@ shows where.".format(label, used, each),
                   gain, GLOBAL, [(USED.format(op), used, "{:.1f} of 32 bytes".format(used)), (L1, throughput, "the busier L1, the more it costs")])
    if not seen:
        launch.lacks(missing)
