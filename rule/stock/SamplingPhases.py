"""Divides the launch into phases by what its multiprocessors did over time.

A sample is idle if the multiprocessors did less than a fifth of what they did in
the 95th percentile of samples; a phase is a run of idle or busy samples. Speaks
when idle phases make up more than 15 percent of the launch.

Estimated speedup: the share of the idle samples, of the whole launch.
"""

from gpuprof_stock import GLOBAL, OPTIMIZATION, Launch, percent


def get_identifier():
    return "SamplingPhases"


def get_name():
    return "Phases"


def get_description():
    return "Times in which the multiprocessors have little to do"


def get_section_identifier():
    return "PmSampling"


# The first that was sampled counts. Before the name stands pmsampling: or, by GPU
# and version, a unit and a set of counters: SM.TriageA.
SERIES = (
    "sm__inst_executed_realtime.avg.pct_of_peak_sustained_elapsed",
    "sm__inst_executed_realtime.avg.per_cycle_active",
    "sm__cycles_active.avg",
)


def sampled(action):
    """The name of the metric to look at, or None."""
    for series in SERIES:
        for name in action:
            if name.endswith((":" + series, "." + series)) and action[name].num_instances() > 0:
                return name
    return None


def apply(handle):
    launch = Launch(handle)
    name = sampled(launch.action)
    if name is None:
        launch.lacks(["pmsampling:" + SERIES[0]])
    values = [v for v in launch.action[name].values() if v is not None and v == v]
    if len(values) < 20:
        return
    while values and values[0] <= 0:  # before and after the launch
        values.pop(0)
    while values and values[-1] <= 0:
        values.pop()
    if not values:
        return
    limit = sorted(values)[int(0.95 * (len(values) - 1))] / 5
    phases, start = [], 0
    for i in range(1, len(values) + 1):
        if i == len(values) or (values[i] < limit) != (values[start] < limit):
            phases.append((values[start] < limit, i - start))
            start = i
    idle = sum(n for low, n in phases if low)
    share = percent(idle, len(values))
    if share <= 15:
        return
    longest = max(n for low, n in phases if low)
    launch.say(OPTIMIZATION, "Idle Phases", "In {:.0f} % of the samples the multiprocessors did less than a fifth of their usual work; the longest such phase is {:.0f} % of the "
               "launch, of {} phases in all.".format(share, percent(longest, len(values)), len(phases)), share, GLOBAL,
               [(name, share, "{} of {} samples".format(idle, len(values)))])
