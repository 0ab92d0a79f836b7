"""Tells when the traffic of DRAM bounds the launch.

Speaks from 60 percent of the peak bandwidth on.

Estimated speedup: with less traffic the launch gets faster until the next busy
unit, at n percent, is in the way: 100 * (1 - n / d), of the whole launch; n is at
least half of d.
"""

from gpuprof_stock import DRAM, GLOBAL, L2, OPTIMIZATION, SM, Launch, percent


def get_identifier():
    return "DramUtilization"


def get_name():
    return "DRAM Utilization"


def get_description():
    return "DRAM near its peak bandwidth"


def get_section_identifier():
    return "MemoryWorkloadAnalysis"


def apply(handle):
    launch = Launch(handle)
    dram, sm = launch.need((DRAM, "dram__throughput.avg.pct_of_peak_sustained_elapsed"), SM)
    if dram < 60:
        return
    following = max(sm, launch.get(L2, 0.0), launch.get("l1tex__throughput.avg.pct_of_peak_sustained_elapsed", 0.0), dram / 2)
    read, write = launch.get("dram__bytes_read.sum"), launch.get("dram__bytes_write.sum")
    mix = ""
    if read is not None and write is not None and read + write > 0:
        mix = " {:.0f} % of the traffic are reads.".format(percent(read, read + write))
    launch.say(OPTIMIZATION, "DRAM Bound", "DRAM moves data at {:.0f} % of its peak bandwidth.{} Only less traffic helps: narrower types, data kept in caches or "
               "registers, kernels fused so that results need not go through memory.".format(dram, mix), 100 * (1 - min(following / dram, 1)), GLOBAL,
               [(DRAM, dram, "{:.1f} % of the peak".format(dram))])
