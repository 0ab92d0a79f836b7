"""Names what a kernel on an AMD GPU is busy with.

With c the percentage of the time in which vector ALU instructions are executed
(VALUBusy, before GCN ALUBusy) and m that in which the memory unit works or waits
(MemUnitBusy, before GCN FetchUnitBusy):

    max(c, m) >= 80   that unit limits the kernel
    max(c, m) < 60    neither does: wavefronts wait, and too few are there to hide it

Estimated speedup of the latter (local): 100 - max(c, m), what neither unit does.

Counters: GPUPerfAPI manual, compute counter tables (gpuopen.com).
"""

from gpuprof_stock import LOCAL, OK, OPTIMIZATION, Launch


def get_identifier():
    return "AMDBottleneck"


def get_name():
    return "Bottleneck (AMD)"


def get_description():
    return "Which unit of an AMD GPU limits the kernel, if any"


def get_section_identifier():
    return "AMDSpeedOfLight"


def apply(handle):
    launch = Launch(handle)
    compute, memory = launch.need(("VALUBusy", "ALUBusy"), ("MemUnitBusy", "FetchUnitBusy"))
    focus = [("VALUBusy", compute, "{:.1f} % of the time".format(compute)), ("MemUnitBusy", memory, "{:.1f} % of the time".format(memory))]
    if max(compute, memory) >= 80:
        unit, busy, hint = ("vector ALU", compute, "Do less arithmetic, or fill the lanes better.") if compute >= memory else (
            "memory unit", memory, "Move less data, or move it in larger and coalesced pieces.")
        launch.say(OK, "Busy Unit", "The {} is busy {:.0f} % of the time and limits the kernel. {}".format(unit, busy, hint), focus=focus)
    elif max(compute, memory) < 60:
        launch.say(OPTIMIZATION, "Latency", "The vector ALU is busy {:.0f} % of the time, the memory unit {:.0f} %: wavefronts wait most of the time. More of them in "
                   "flight, or more independent work in each, would hide it.".format(compute, memory), 100 - max(compute, memory), LOCAL, focus)
