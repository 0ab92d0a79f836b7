"""Compares the warps that were there with those that would fit.

Speaks when the achieved occupancy a is more than 10 points below the theoretical
one t: blocks or warps of unequal length, or too few of them.

Estimated speedup (local): 100 * (1 - a / t), at most the issue slots that are
empty.
"""

from gpuprof_stock import ISSUE, LOCAL, OPTIMIZATION, Launch


def get_identifier():
    return "AchievedOccupancyGap"


def get_name():
    return "Achieved Occupancy"


def get_description():
    return "Fewer warps at work than would fit"


def get_section_identifier():
    return "Occupancy"


def get_parent_rules_identifiers():
    return ["TheoreticalOccupancyLimit"]


def apply(handle):
    launch = Launch(handle)
    theoretical, achieved = launch.need(
        "sm__maximum_warps_per_active_cycle_pct",
        ("sm__warps_active.avg.pct_of_peak_sustained_active", "sm__active_warps_avg_per_active_cycle_pct"),
    )
    if theoretical <= 0 or theoretical - achieved <= 10:
        return
    gain, issue = 100 * (1 - achieved / theoretical), launch.get(ISSUE)
    if issue is not None:
        gain = min(gain, 100 * (1 - issue))
    launch.say(OPTIMIZATION, "Occupancy Gap", "{:.1f} % of the warps would fit, {:.1f} % were there on average. Blocks that end at different "
               "times, or a grid with too few of them, leave the rest empty.".format(theoretical, achieved), gain, LOCAL,
               [("sm__warps_active.avg.pct_of_peak_sustained_active", achieved, "{:.1f} of {:.1f} %".format(achieved, theoretical))])
