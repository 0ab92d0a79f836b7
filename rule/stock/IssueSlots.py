"""Tells how many cycles a scheduler issues in, and why not in more.

Speaks when less than 60 percent of the cycles issue an instruction and the
launch is not bound by memory near its peak.

Estimated speedup (local): the cycles without an instruction, 100 * (1 - issued a
cycle), but no more than is left to the peak of the busier unit, if that is known.
"""

from gpuprof_stock import ISSUE, LOCAL, OPTIMIZATION, Launch


def get_identifier():
    return "IssueSlots"


def get_name():
    return "Issue Slots"


def get_description():
    return "Cycles in which a scheduler has no warp to issue from"


def get_section_identifier():
    return "SchedulerStats"


def get_parent_rules_identifiers():
    return ["SpeedOfLightBottleneck"]


def apply(handle):
    launch = Launch(handle)
    issue = launch.need((ISSUE, "smsp__issue_active_avg_per_active_cycle"))
    active, eligible = launch.need(
        ("smsp__warps_active.avg.per_cycle_active", "smsp__active_warps_avg_per_active_cycle"),
        ("smsp__warps_eligible.avg.per_cycle_active", "smsp__eligible_warps_avg_per_active_cycle"),
    )
    if issue >= 0.6 or issue <= 0:
        return
    gain, parent = 100 * (1 - issue), launch.frontend.receive_dict_from_parent("SpeedOfLightBottleneck")
    if parent.has_key("top"):
        gain = min(gain, 100 - parent["top"])
    why = "Of {:.1f} warps that are there, {:.2f} can go on in an average cycle. ".format(active, eligible)
    if active < 2:
        why += "More warps are what is missing: see @section:Occupancy:Occupancy@."
    else:
        why += "What they wait for is in @section:WarpStateStats:Warp State Statistics@."
    launch.say(OPTIMIZATION, "Empty Issue Slots", "A scheduler issues an instruction every {:.1f} cycles, and could do so in each. ".format(1 / issue) + why,
               gain, LOCAL, [(ISSUE, issue, "{:.2f} a cycle".format(issue)), ("smsp__warps_eligible.avg.per_cycle_active", eligible, "warps that can go on")])
