"""Finds bank conflicts in the local data share of an AMD GPU.

With c the percentage of the time that conflicts take (LDSBankConflict); speaks from
5 on. Where a profile has the counters of the hardware in its place, s = 100 *
SQ_LDS_BANK_CONFLICT / SQ_LDS_IDX_ACTIVE is the share of the cycles of local memory
that conflicts take; speaks from 10 on.

Estimated speedup (local): c; of s it does not follow.

Counters: GPUPerfAPI manual, compute counter tables (gpuopen.com); ROCm, "MI300 and
MI200 series performance counters and metrics" (rocm.docs.amd.com).
"""

from gpuprof_stock import LOCAL, OPTIMIZATION, Launch, percent


def get_identifier():
    return "AMDLocalMemoryConflicts"


def get_name():
    return "Local Memory Conflicts (AMD)"


def get_description():
    return "Accesses to local memory that hit the same bank"


def get_section_identifier():
    return "AMDLocalMemory"


ADVICE = "Work-items of a wavefront that access different rows of one bank wait for one another: pad rows by an element, or swizzle indices."


def apply(handle):
    launch = Launch(handle)
    time = launch.get("LDSBankConflict")
    if time is not None:
        if time >= 5:
            launch.say(OPTIMIZATION, "Bank Conflicts", "Bank conflicts in local memory take {:.0f} % of the time. {}".format(time, ADVICE), time, LOCAL,
                       [("LDSBankConflict", time, "from 5 % on")])
        return
    conflicts, active = launch.need("SQ_LDS_BANK_CONFLICT", "SQ_LDS_IDX_ACTIVE")
    share = percent(conflicts, active)
    if share >= 10:
        launch.say(OPTIMIZATION, "Bank Conflicts", "Bank conflicts take {:.0f} % of the cycles of local memory. {}".format(share, ADVICE),
                   focus=[("SQ_LDS_BANK_CONFLICT", conflicts, "{:.0f} % of {:.0f}".format(share, active))])
