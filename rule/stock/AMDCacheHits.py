"""Looks at the level 2 cache of an AMD GPU when memory is what is busy.

With h the percentage of requests that hit (L2CacheHit, or CacheHit of CodeXL) and m
that of the time in which the memory unit works or waits (MemUnitBusy, before GCN
FetchUnitBusy). Speaks when h < 50 and m >= 60.

Estimated speedup (local): (50 - h) / (100 - h) * m, what hitting half would take from
memory.

Counters: GPUPerfAPI manual, compute counter tables (gpuopen.com).
"""

from gpuprof_stock import LOCAL, OPTIMIZATION, Launch


def get_identifier():
    return "AMDCacheHits"


def get_name():
    return "Cache Hits (AMD)"


def get_description():
    return "A cache that helps little while memory is busy"


def get_section_identifier():
    return "AMDMemory"


def apply(handle):
    launch = Launch(handle)
    hits, busy = launch.need(("L2CacheHit", "CacheHit"), ("MemUnitBusy", "FetchUnitBusy"))
    if hits >= 50 or busy < 60:
        return
    name = "L2CacheHit" if launch.metric("L2CacheHit") is not None else "CacheHit"
    launch.say(OPTIMIZATION, "Low Hit Rate", "The cache finds {:.0f} % of what is asked of it while the memory unit is busy {:.0f} % of the time. Work on pieces that fit "
               "into it, or keep in local memory what is read again. Data that is read once cannot hit.".format(hits, busy),
               (50 - hits) / (100 - hits) * busy, LOCAL, [(name, hits, "below 50 %"), ("MemUnitBusy", busy, "from 60 % on")])
