"""Finds memory units of an AMD GPU that wait.

With the percentages of the time in which the memory unit waits (MemUnitStalled,
before GCN FetchUnitStalled) and the write unit does (WriteUnitStalled). Speaks of
each from 10 on.

Estimated speedup (local): that share of the time.

Counters: GPUPerfAPI manual, compute counter tables (gpuopen.com).
"""

from gpuprof_stock import LOCAL, OPTIMIZATION, Launch


def get_identifier():
    return "AMDMemoryStalls"


def get_name():
    return "Memory Stalls (AMD)"


def get_description():
    return "Fetch and write units that wait for memory"


def get_section_identifier():
    return "AMDMemory"


def apply(handle):
    launch = Launch(handle)
    name = "MemUnitStalled" if launch.metric("MemUnitStalled") is not None else "FetchUnitStalled"
    stalled = launch.need(("MemUnitStalled", "FetchUnitStalled"))
    if stalled >= 10:
        busy = launch.get("MemUnitBusy", launch.get("FetchUnitBusy"))
        of = "" if busy is None else ", of the {:.0f} % that it is busy".format(busy)
        launch.say(OPTIMIZATION, "Memory Unit", "The memory unit waits {:.0f} % of the time{}. Fetch and write less, in fewer and larger pieces; let neighbouring work-items "
                   "take neighbouring addresses, keep in local memory what is read again.".format(stalled, of), stalled, LOCAL, [(name, stalled, "from 10 % on")])
    writes = launch.get("WriteUnitStalled", 0.0)
    if writes >= 10:
        launch.say(OPTIMIZATION, "Write Unit", "The write unit waits {:.0f} % of the time. Write less, in whole lines, and not from many wavefronts to the same "
                   "channel.".format(writes), writes, LOCAL, [("WriteUnitStalled", writes, "from 10 % on")])
