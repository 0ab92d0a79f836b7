"""Tells whether matrix instructions could be used, or used better.

Speaks when a GPU with a tensor pipe does not use it while half-precision
arithmetic keeps the other pipes busy for 40 percent or more of the time, and when
it is used for less than 50 percent of the time.

Estimated speedup (local): half of what the pipe is idle where it is used,
(100 - t) / 2; else half of the busy pipe's share.
"""

from gpuprof_stock import LOCAL, OPTIMIZATION, Launch


def get_identifier():
    return "TensorPipe"


def get_name():
    return "Tensor Pipe"


def get_description():
    return "Matrix instructions that are not used, or wait"


def get_section_identifier():
    return "ComputeWorkloadAnalysis"


PIPES = [
    "sm__inst_executed_pipe_tensor_op_{}.avg.pct_of_peak_sustained_active".format(op) for op in ("hmma", "imma", "dmma", "gmma")
] + [
    "sm__pipe_tensor_{}cycles_active.avg.pct_of_peak_sustained_active".format(op) for op in ("", "op_hmma_", "op_imma_", "op_gmma_")
]
HALF = ("sm__inst_executed_pipe_fp16.avg.pct_of_peak_sustained_active", "sm__pipe_fmaheavy_cycles_active.avg.pct_of_peak_sustained_active")


def apply(handle):
    launch = Launch(handle)
    found = {n: launch.get(n) for n in PIPES}
    found = {n: v for n, v in found.items() if v is not None}
    if not found:
        launch.lacks([PIPES[0]])
    name = max(found, key=found.get)
    used = found[name]
    if 1 <= used < 50:
        launch.say(OPTIMIZATION, "Idle Tensor Pipe", "Matrix instructions are used, and their pipe is busy {:.0f} % of the time. It waits for operands in the main: load the "
                   "next tiles while one is computed, and keep more of them in flight.".format(used), (100 - used) / 2, LOCAL, [(name, used, "below 50 %")])
    elif used < 1:
        half = launch.get(HALF[0])
        if half is not None and half >= 40:
            launch.say(OPTIMIZATION, "No Matrix Instructions", "Half-precision arithmetic keeps its pipe busy {:.0f} % of the time. If it multiplies matrices, matrix "
                       "instructions do that several times as fast.".format(half), half / 2, LOCAL, [(HALF[0], half, "at least 40 %"), (name, used, "not used")])
