"""Looks at the caches when memory is what is busy.

Speaks when the memory system is at 40 percent or more, L1 hits less than 50
percent of its sectors, and either L2 hits less than 50 percent too, or L2 is at
60 percent of its throughput.

Estimated speedup (local): what hitting half would take from the level below,
(50 - hit rate) / (100 - hit rate) of the throughput in percent of L2 or DRAM.
"""

from gpuprof_stock import DRAM, L2, LOCAL, MEMORY, OPTIMIZATION, Launch


def get_identifier():
    return "CacheHits"


def get_name():
    return "Cache Hits"


def get_description():
    return "Caches that help little while memory is busy"


def get_section_identifier():
    return "MemoryWorkloadAnalysis"


L1_HITS, L2_HITS = "l1tex__t_sector_hit_rate.pct", "lts__t_sector_hit_rate.pct"


def apply(handle):
    launch = Launch(handle)
    l1, l2, memory = launch.need(L1_HITS, L2_HITS, MEMORY)
    if memory < 40:
        return
    dram, below = launch.get(DRAM, 0.0), launch.get(L2, 0.0)
    if l2 < 50 and dram >= 40:
        launch.say(OPTIMIZATION, "Low L2 Hit Rate", "L2 finds {:.0f} % of what is asked of it, the rest comes from DRAM, which is at {:.0f} % of its peak. "
                   "Work on pieces that fit into L2, or let blocks that share data run at a time.".format(l2, dram), (50 - l2) / (100 - l2) * dram, LOCAL,
                   [(L2_HITS, l2, "below 50 %"), (DRAM, dram, "the busier DRAM, the more it costs")])
    if l1 < 50 and below >= 60:
        launch.say(OPTIMIZATION, "Low L1 Hit Rate", "L1 finds {:.0f} % of what is asked of it, and L2 is at {:.0f} % of its peak with the rest. Use shared "
                   "memory for what is read again, or walk data in tiles.".format(l1, below), (50 - l1) / (100 - l1) * below, LOCAL,
                   [(L1_HITS, l1, "below 50 %"), (L2, below, "the busier L2, the more it costs")])
