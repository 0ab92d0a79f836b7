"""Reports as Python sees them: IContext, IRange, IAction, IMetric and so on.

The classes that ncu_report and NvRules have in common, in the method style
(action.metric_by_name(name).as_double()) and the Python style
(action[name].value()). Works in Python 3.6 and later.
"""

import operator

from gpuprof_nvtx import INvtxState
from gpuprof_values import (
    IMetric,
    IMutableMetric,
    Scalars,
    map_string_string,
)


def _position(index, length, what):
    i = operator.index(index)
    if i < 0:
        i += length
    if not 0 <= i < length:
        raise IndexError("{} index out of range".format(what))
    return i


class IBaseContext:
    """What contexts have in common."""

    def handle_exception(self, msg):
        """Abort with a message."""
        raise RuntimeError(msg)

    def get_version(self):
        """The version of the interface, as year.major.minor."""
        return VERSION


VERSION = "2026.3.0"


class IContext(IBaseContext):
    """A report: a sequence of ranges."""

    def __init__(self, connection, report, actions):
        self._connection = connection
        self._report = report
        self._ranges = [self._new_range(i, n) for i, n in enumerate(actions)]

    def _new_range(self, index, length):
        return IRange(self, index, length)

    def num_ranges(self):
        """The number of ranges."""
        return len(self._ranges)

    def range_by_idx(self, idx):
        """The range of an index, or None."""
        return self._ranges[idx] if 0 <= idx < len(self._ranges) else None

    def __len__(self):
        return len(self._ranges)

    def __iter__(self):
        return iter(self._ranges)

    def __getitem__(self, key):
        if isinstance(key, slice):
            return self._ranges[key]
        return self._ranges[_position(key, len(self._ranges), "range")]


class IRange:
    """A sequence of actions."""

    def __init__(self, context, index, length):
        self._context = context
        self._index = index
        self._actions = [None] * length

    def _new_action(self, index):
        c = self._context
        return IAction(c._connection, {"report": c._report, "range": self._index, "action": index})

    def num_actions(self):
        """The number of actions."""
        return len(self._actions)

    def action_by_idx(self, idx):
        """The action of an index, or None."""
        if not 0 <= idx < len(self._actions):
            return None
        if self._actions[idx] is None:
            self._actions[idx] = self._new_action(idx)
        return self._actions[idx]

    def actions_by_nvtx(self, includes, excludes):
        """The indices of the actions whose NVTX state matches, as a tuple.

        The expressions are those of --nvtx-include and --nvtx-exclude.
        """
        c = self._context
        return tuple(
            c._connection.call(
                "by_nvtx", report=c._report, range=self._index, includes=list(includes), excludes=list(excludes)
            )
        )

    def __len__(self):
        return len(self._actions)

    def __iter__(self):
        return (self.action_by_idx(i) for i in range(len(self._actions)))

    def __getitem__(self, key):
        if isinstance(key, slice):
            return [self.action_by_idx(i) for i in range(len(self._actions))[key]]
        return self.action_by_idx(_position(key, len(self._actions), "action"))


class ISourceInfo:
    """A place in the source code."""

    def __init__(self, file_name, line):
        self._file_name = file_name
        self._line = line

    def file_name(self):
        """The path of the file as the compiler knew it."""
        return self._file_name

    def line(self):
        """The line, from 1."""
        return self._line


class IAction:
    """What was measured of one workload: a mapping from names to metrics."""

    NameBase_FUNCTION = 0
    NameBase_DEMANGLED = 1
    NameBase_MANGLED = 2
    WorkloadType_KERNEL = 0
    WorkloadType_RANGE = 1
    WorkloadType_CMDLIST = 2
    WorkloadType_GRAPH = 3
    WorkloadType_SUBGRID_SCHEDULE = 4

    def __init__(self, connection, key):
        self._connection = connection
        self._key = key
        self._data = connection.call("action", **key)
        if "set" in self._data:
            connection.metric_sets[self._data["schema"]] = Scalars(self._data.pop("set"))
        self._scalars = connection.metric_sets[self._data["schema"]]
        self._values = self._data["values"]
        self._counts = dict(self._data["counts"])
        self._metrics = {}
        self._added = {}
        self._places = {}
        self._sass = {}

    def _ask(self, op, **arguments):
        return self._connection.call(op, **dict(self._key, **arguments))

    # Names.

    def name(self, name_base=NameBase_FUNCTION):
        """The name of the workload in one of three forms."""
        return self._data["names"][name_base]

    def workload_type(self):
        """The type of the workload."""
        return self._data["workload"]

    def __str__(self):
        return self.name()

    # Metrics.

    def metric_names(self):
        """The names of all metrics, as a tuple."""
        if self._added:
            return self._scalars.names + tuple(n for n in self._added if n not in self._scalars.index)
        return self._scalars.names

    def metric_by_name(self, name):
        """The metric of a name, or None."""
        m = self._metrics.get(name)
        if m is None:
            i = self._scalars.index.get(name)
            if i is None:
                if name.startswith("device_attribute_"):  # as the customization guide prints it
                    return self.metric_by_name("device__" + name[len("device_") :])
                return None
            m = self._metrics[name] = IMetric(self, self._scalars, i, self._values[i], self._counts.get(i, 0))
        return m

    def __getitem__(self, key):
        if not isinstance(key, str):
            raise TypeError("metric names are str, not " + type(key).__name__)
        m = self.metric_by_name(key)
        if m is None:
            raise KeyError(key)
        return m

    def __iter__(self):
        return iter(self.metric_names())

    def __len__(self):
        return len(self.metric_names())

    def __contains__(self, name):
        return name in self._scalars.index or name in self._added

    def values(self):
        """The values of all metrics in the order of metric_names(), as a list.

        Faster than asking metric by metric: a row for numpy or pandas. Metrics
        without a value are None. Not part of the interface of Nsight Compute.
        """
        return list(self._values) + [m.value() for n, m in self._added.items() if n not in self._scalars.index]

    def as_dict(self):
        """All metrics as a dict from names to values; see values()."""
        return dict(zip(self.metric_names(), self.values()))

    def add_metric(self, name):
        """Add a metric, or replace one, and return it to be filled."""
        m = IMutableMetric(self, name)
        self._metrics[name] = self._added[name] = m
        return m

    def add_integer_metric(self, name, kind, value):
        """Add a metric with an integer value."""
        return self.add_metric(name).set_uint64(kind, value)

    def add_double_metric(self, name, kind, value):
        """Add a metric with a floating-point value."""
        return self.add_metric(name).set_double(kind, value)

    def add_string_metric(self, name, kind, value):
        """Add a metric with a text."""
        return self.add_metric(name).set_string(kind, value)

    # Code.

    def _place(self, address):
        p = self._places.get(address)
        if p is None:
            p = self._places[address] = self._ask("place", address=operator.index(address))
        return p

    def source_info(self, address):
        """The source line of an instruction as ISourceInfo, or None."""
        p = self._place(address)
        return ISourceInfo(p["file"], p["line"]) if p["line"] else None

    def source_files(self):
        """The source files that the code is from: paths and, where the report has it, content."""
        return map_string_string(self._ask("source_files"))

    def sass_by_pc(self, address):
        """The instruction at an address, or ""; it needs nvdisasm of the CUDA toolkit on the PATH of gpuprof."""
        text = self._sass.get(address)
        if text is None:
            text = self._sass[address] = self._ask("place", address=operator.index(address), sass=True)["sass"]
        return text

    def ptx_by_pc(self, address):
        """The line of intermediate code for an instruction, or ""."""
        return self._place(address)["ptx"]

    # State and results.

    def nvtx_state(self):
        """The NVTX ranges at the launch as INvtxState, or None."""
        state = self._ask("nvtx")
        return INvtxState(state) if state is not None else None

    def rule_results(self):
        """What rules said of the action, as a tuple of IRuleResult."""
        from gpuprof_results import rule_results

        return rule_results(self._ask("rule_results"))

    def rule_results_as_dicts(self):
        """What rules said of the action, as a list of dicts."""
        return [r.as_dict() for r in self.rule_results()]

    def source_markers(self):
        """What rules said of single lines and instructions, as a tuple of SourceMarker."""
        from gpuprof_results import source_markers

        return source_markers(self._ask("rule_results"))

    def timed_warp_samples(self):
        """Samples of warps with their time: dicts of timestamp in ns, pc, stall_reason (StallReason) and not_issued.

        Where reports keep them is not known, so there are none.
        """
        return []

    def timelines(self):
        """What was sampled over time, as ITimelines. Not part of the interface of Nsight Compute."""
        return ITimelines(self)


class ITimelines:
    """The metrics of an action that were sampled over time.

    Of Nsight Compute's class no more than the name aligned_metric is publicly
    known; what it takes and returns here is a guess.
    """

    def __init__(self, action):
        self._action = action

    def aligned_metric(self, name):
        """The IMetric of that name, with an instance for each point in time; None if it was not sampled."""
        m = self._action.metric_by_name(name if name.startswith("pmsampling:") else "pmsampling:" + name)
        return m if m is not None and m.num_instances() else None


def open_report(connection, file_name, context=IContext):
    """Open a file and return a context of the given class."""
    r = connection.call("open", file=str(file_name))
    return context(connection, r["report"], r["actions"])


__all__ = ["IBaseContext", "IContext", "IRange", "IAction", "ISourceInfo", "open_report"]
