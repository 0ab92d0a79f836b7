"""Compares the busiest of equal units with the average one.

For multiprocessors, their parts, L1 and L2: active cycles x at most and a on
average. Speaks when (x - a) / x is more than 10 percent.

Estimated speedup: the time in which only the busier ones work, 100 * (x - a) / e
with e the elapsed cycles, or x if these are not known.
"""

from gpuprof_stock import GLOBAL, OPTIMIZATION, Launch, percent


def get_identifier():
    return "Imbalance"


def get_name():
    return "Workload Imbalance"


def get_description():
    return "Units that have more to do than others"


def get_section_identifier():
    return "WorkloadDistribution"


UNITS = (
    ("sm", "multiprocessor", "Blocks are of unequal length, or their number does not divide well"),
    ("smsp", "sub-partition of a multiprocessor", "Warps of a block are of unequal length, or too few"),
    ("l1tex", "L1 cache", "Memory accesses are concentrated in some blocks"),
    ("lts", "slice of L2", "Accesses are concentrated on few addresses or strides"),
)


def apply(handle):
    launch = Launch(handle)
    seen = False
    for unit, label, why in UNITS:
        most, mean = launch.get(unit + "__cycles_active.max"), launch.get(unit + "__cycles_active.avg")
        if most is None or mean is None:
            continue
        seen = True
        gap = percent(most - mean, most)
        elapsed = launch.get(unit + "__cycles_elapsed.max", most)
        if gap <= 10:
            continue
        launch.say(OPTIMIZATION, "Imbalance of " + unit.upper(), "The busiest {} works {:.0f} % longer than the average one. {}.".format(label, percent(most - mean, mean), why),
                   percent(most - mean, max(elapsed, most)), GLOBAL, [(unit + "__cycles_active.max", most, "{:.0f} on average".format(mean))])
    if not seen:
        launch.lacks(["sm__cycles_active.max"])
