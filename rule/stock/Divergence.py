"""Counts the lanes of warps that are at work.

With a lanes of 32 at work in an average instruction, after predication. Speaks
below 24.

Estimated speedup: the idle lanes' share of compute, (1 - a / 32) * throughput of
the multiprocessors in percent, of the whole launch.
"""

from gpuprof_stock import GLOBAL, OPTIMIZATION, SM, Launch


def get_identifier():
    return "Divergence"


def get_name():
    return "Thread Divergence"


def get_description():
    return "Warps in which few threads are at work"


def get_section_identifier():
    return "WarpStateStats"


ACTIVE = "smsp__thread_inst_executed_per_inst_executed.ratio"
TRUE = "smsp__thread_inst_executed_pred_on_per_inst_executed.ratio"


def apply(handle):
    launch = Launch(handle)
    active, true = launch.need(
        (ACTIVE, "smsp__thread_inst_executed_per_inst_executed"), (TRUE, "smsp__thread_inst_executed_not_pred_off_per_inst_executed")
    )
    if not 0 < true < 24:
        return
    uniform = launch.get("smsp__sass_average_branch_targets_threads_uniform.pct")
    how = ""
    if uniform is not None and uniform < 95:
        how = " {:.0f} % of the branches divide a warp.".format(100 - uniform)
    elif active - true > 4:
        how = " Most of the loss is predication: both sides of short branches are executed."
    launch.say(OPTIMIZATION, "Divergence", "Of the 32 threads of a warp, {:.1f} are active in an average instruction, and {:.1f} do something.{} Sort work so that "
               "threads of a warp take the same way.".format(active, true, how), (1 - true / 32) * launch.get(SM, 0.0), GLOBAL,
               [(TRUE, true, "{:.1f} of 32 threads".format(true))])
