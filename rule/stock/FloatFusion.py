"""Counts additions and multiplications that could be one instruction.

With f fused and n separate instructions of a precision, executed by a pipe that is
busy p percent of the time. Two separate ones may become one fused. Speaks when
n / (n + f) is more than 10 percent and p more than 10.

Estimated speedup: n / (2 (n + f)) * p percent of the whole launch.
"""

from gpuprof_stock import GLOBAL, OPTIMIZATION, Launch, by_id, percent


def get_identifier():
    return "FloatFusion"


def get_name():
    return "Floating-Point Fusion"


def get_description():
    return "Additions and multiplications that are not fused"


def get_section_identifier():
    return "InstructionStats"


PIPES = {
    "fp32": ("FADD", "FMUL", "FFMA", ("sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_active",
                                      "sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active")),
    "fp64": ("DADD", "DMUL", "DFMA", ("sm__pipe_fp64_cycles_active.avg.pct_of_peak_sustained_active",
                                      "sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_active")),
    "fp16": ("HADD2", "HMUL2", "HFMA2", ("sm__pipe_fmaheavy_cycles_active.avg.pct_of_peak_sustained_active",
                                         "sm__inst_executed_pipe_fp16.avg.pct_of_peak_sustained_active")),
}


def apply(handle):
    launch = Launch(handle)
    counts = by_id(launch.need_instances("sass__inst_executed_per_opcode"))
    for label, (add, mul, fma, pipes) in PIPES.items():
        separate, fused = counts.get(add, 0) + counts.get(mul, 0), counts.get(fma, 0)
        share = percent(separate, separate + fused)
        busy = next((v for v in map(launch.get, pipes) if v is not None), None)
        if busy is None or share <= 10 or busy <= 10:
            continue
        launch.say(OPTIMIZATION, "Separate {} Operations".format(label), "{:.0f} {} instructions add or multiply alone, {:.0f} do both ({:.0f} % are not fused); their "
                   "pipe is busy {:.0f} % of the time. Write a * b + c where it is meant, and allow contraction.".format(separate, label, fused, share, busy),
                   share / 200 * busy, GLOBAL, [("sass__inst_executed_per_opcode", separate, "{:.0f} fused".format(fused)), (pipes[0], busy, "the busier the pipe, the more it costs")])
