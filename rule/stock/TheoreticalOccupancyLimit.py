"""Names what limits the number of warps that fit on a multiprocessor.

The limits are blocks a multiprocessor: by registers, shared memory, warps, blocks
and barriers; the smallest counts. Speaks below 80 percent.

Estimated speedup (local): more warps can at most fill the issue slots that are
empty now: min(100 - theoretical occupancy, 100 - issue slots in use).
"""

from gpuprof_stock import ISSUE, LOCAL, OPTIMIZATION, Launch


def get_identifier():
    return "TheoreticalOccupancyLimit"


def get_name():
    return "Theoretical Occupancy"


def get_description():
    return "What limits the number of warps that fit on a multiprocessor"


def get_section_identifier():
    return "Occupancy"


LIMITS = (
    ("registers", "the registers that a thread needs", "use fewer of them (__launch_bounds__, smaller live ranges)"),
    ("shared_mem", "the shared memory that a block needs", "use less of it, or let more threads share it"),
    ("warps", "the number of warps in a block", "choose a block size that divides the room better"),
    ("blocks", "the number of blocks that a multiprocessor takes", "make blocks larger"),
    ("barriers", "the barriers that a block uses", "use fewer of them"),
)


def apply(handle):
    launch = Launch(handle)
    occupancy = launch.need("sm__maximum_warps_per_active_cycle_pct")
    limits = {}
    for name, *_ in LIMITS:
        value = launch.get("launch__occupancy_limit_" + name)
        if value:
            limits[name] = value
    if not limits:
        launch.lacks(["launch__occupancy_limit_registers"])
    least = min(limits.values())
    issue = launch.get(ISSUE)
    launch.frontend.send_dict_to_children({"occupancy": occupancy})
    if occupancy >= 80:
        return
    which = [l for l in LIMITS if limits.get(l[0]) == least]
    gain = 100 - occupancy
    if issue is not None:
        gain = min(gain, 100 * (1 - issue))
    launch.say(OPTIMIZATION, "Occupancy Limit", "At most {:.1f} % of the warps that a multiprocessor can hold fit on it, {:.0f} {} at a time: "
               "limited by {}. To hold more, {}.".format(occupancy, least, "block" if least == 1 else "blocks", " and ".join(l[1] for l in which),
                                                      "; or ".join(l[2] for l in which)), gain, LOCAL,
               [("sm__maximum_warps_per_active_cycle_pct", occupancy, "below 80 %")]
               + [("launch__occupancy_limit_" + l[0], least, "blocks a multiprocessor") for l in which])
