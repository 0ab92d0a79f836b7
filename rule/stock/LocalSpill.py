"""Finds traffic of local memory: spilled registers, arrays that are indexed.

With l sectors of local accesses in s sectors of all accesses through L1. Speaks
when there are any that matter: more than 1 percent.

Estimated speedup (local): l / s of the L1 cache's throughput in percent.
"""

from gpuprof_stock import L1, LOCAL, OPTIMIZATION, Launch, percent


def get_identifier():
    return "LocalSpill"


def get_name():
    return "Local Memory"


def get_description():
    return "Registers that spill to memory"


def get_section_identifier():
    return "MemoryWorkloadAnalysis_Tables"


SECTORS = "l1tex__t_sectors_pipe_lsu_mem_{}_op_{}.sum"


def apply(handle):
    launch = Launch(handle)
    load, store = launch.need(SECTORS.format("local", "ld"), SECTORS.format("local", "st"))
    local = load + store
    rest = sum(launch.get(SECTORS.format("global", op), 0) for op in ("ld", "st", "atom", "red"))
    share = percent(local, local + rest)
    if share <= 1:
        return
    registers = launch.get("launch__registers_per_thread")
    at = " at {:.0f} registers a thread".format(registers) if registers else ""
    launch.say(OPTIMIZATION, "Local Memory Traffic", "{:.0f} sectors ({:.0f} % of those through L1) belong to local memory{}: registers spill, or arrays are indexed "
               "by variables. Allow more registers, shorten live ranges, or unroll so that indices are constant.".format(local, share, at),
               share / 100 * launch.get(L1, 0.0), LOCAL,
               [(SECTORS.format("local", "ld"), load, "sectors read"), (SECTORS.format("local", "st"), store, "sectors written")])
