"""What the stock rules of gpuprof have in common: metrics, advice, sums over instances."""

import NvRules
from gpuprof_results import FocusSeverity, SpeedupType

OPTIMIZATION, WARNING, OK, NONE = (
    NvRules.MsgType.OPTIMIZATION,
    NvRules.MsgType.WARNING,
    NvRules.MsgType.OK,
    NvRules.MsgType.NONE,
)
LOCAL, GLOBAL = SpeedupType.LOCAL, SpeedupType.GLOBAL

SM = "sm__throughput.avg.pct_of_peak_sustained_elapsed"
MEMORY = "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"
L1 = "l1tex__throughput.avg.pct_of_peak_sustained_active"
L2 = "lts__throughput.avg.pct_of_peak_sustained_elapsed"
DRAM = "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"
ISSUE = "smsp__issue_active.avg.per_cycle_active"


class Launch:
    """One launch as a rule looks at it."""

    def __init__(self, handle):
        self.handle = handle
        self.context = NvRules.get_context(handle)
        self.action = self.context[0][0]
        self.frontend = self.context.frontend()

    def metric(self, name):
        """The metric of a name, or None if it is not there or has nothing to tell."""
        m = self.action.metric_by_name(name)
        if m is None or m.num_instances() == 0 and m.value() is None:
            return None
        return m

    def get(self, name, default=None):
        """The number of a metric that the rule can do without. NaN counts as missing."""
        m = self.metric(name)
        v = m.as_double() if m is not None and m.has_value() else None
        return default if v is None or v != v else v

    def warp(self):
        """The threads of a warp; ends the rule if they are not known, as on a GPU that has no warps."""
        size = self.get("device__attribute_warp_size")
        if size is None and any(n.startswith(("sm__", "smsp__", "device__attribute_")) for n in self.action):
            size = 32  # of all GPUs that count so
        if size is None:
            self.lacks(["device__attribute_warp_size"])
        return int(size)

    def need(self, *names):
        """The numbers of metrics; ends the rule if any is missing, with their names.

        A tuple of names in place of a name is for one that was called otherwise in
        other versions: the first that is there counts.
        """
        values, missing = [], []
        for n in names:
            value = None
            for one in n if isinstance(n, tuple) else (n,):
                value = self.get(one)
                if value is not None:
                    break
            else:
                missing.append(n[0] if isinstance(n, tuple) else n)
            values.append(value)
        if missing:
            self.lacks(missing)
        return values if len(values) > 1 else values[0]

    def need_instances(self, *names):
        """Metrics with instances; ends the rule if any is missing."""
        metrics = [self.action.metric_by_name(n) for n in names]
        missing = [n for n, m in zip(names, metrics) if m is None or m.num_instances() == 0]
        if missing:
            self.lacks(missing)
        return metrics if len(metrics) > 1 else metrics[0]

    def lacks(self, names):
        """End the rule: the report lacks metrics."""
        NvRules.raise_exception(self.handle, "needs metrics that the launch lacks: " + ", ".join(names))

    def say(self, kind, title, text, speedup=None, scope=LOCAL, focus=()):
        """Show a message with the metrics that it rests on: tuples of name, value, info and perhaps severity."""
        id = self.frontend.message(kind, text, title)
        if speedup is not None and speedup >= 0.005:
            self.frontend.speedup(id, scope, min(speedup, 100.0))
        for name, value, info, *severity in focus:
            self.frontend.focus_metric(id, name, value, severity[0] if severity else FocusSeverity.DEFAULT, info)
        return id


def percent(part, whole):
    """part of whole in percent; 0 of nothing is 0."""
    return 100.0 * part / whole if whole else 0.0


def by_id(metric):
    """Sums of a metric's instances by their ids."""
    ids, values = metric.correlation_ids(), {}
    if ids is None:
        return values
    for i in range(metric.num_instances()):
        v = metric.value(i)
        if v is not None and not isinstance(v, str):
            values[ids.value(i)] = values.get(ids.value(i), 0) + v
    return values


def place(action, address):
    """An address for people: file and line, or the address; and both as data (file, line)."""
    info = action.source_info(address)
    if info is None or not info.line():
        return "0x{:x}".format(address), None
    file = info.file_name()
    return "{}:{}".format(file.replace("\\", "/").rsplit("/", 1)[-1], info.line()), (file, info.line())


def mark(launch, address, text, kind=OPTIMIZATION):
    """Put a message at an instruction and, if it is known, at its source line."""
    launch.frontend.source_marker(text, address, NvRules.MarkerKind.SASS, kind)
    _, line = place(launch.action, address)
    if line is not None:
        launch.frontend.source_marker(text, line[1], NvRules.MarkerKind.SOURCE, line[0], kind)
