"""Ask for the metrics of a rule in one place, with what to do when they are missing.

    requested = [
        MetricRequest("sm__throughput.avg.pct_of_peak_sustained_elapsed", "sm"),
        MetricRequest("launch__waves_per_multiprocessor", "waves", Importance.OPTIONAL, 0.0),
    ]

    def apply(handle):
        action = NvRules.get_context(handle)[0][0]
        metrics = RequestedMetricsParser(handle, action).parse(requested)
        print(metrics["sm"].value())
"""

from collections import UserDict
from enum import IntEnum

import NvRules


class Importance(IntEnum):
    """Whether a rule can do without a metric."""

    OPTIONAL = 1
    REQUIRED = 2


class MetricRequest:
    """A metric that a rule wants, and the name that it uses for it."""

    def __init__(self, name, alias=None, importance=Importance.REQUIRED, default_value=0.0, warn_when_missing=True):
        self.name = name
        self.alias = alias
        self.importance = importance
        self.default_value = default_value
        self.warn_when_missing = warn_when_missing

    def key(self):
        """The name in the result of parse()."""
        return self.alias or self.name


class RequestedMetrics(UserDict):
    """Metrics by alias or name."""


class RequestedMetricsParser:
    """Looks up metrics."""

    def __init__(self, handle, action):
        self.handle = handle
        self.action = action

    def parse(self, requests):
        """Return the metrics by alias or name.

        Aborts the rule when one is missing that is required. One that is optional
        is replaced by a metric of its default value, or by None.
        """
        found, required, optional = RequestedMetrics(), [], []
        for r in requests:
            m = self.action.metric_by_name(r.name)
            if m is None:
                if r.importance == Importance.REQUIRED:
                    required.append(r.name)
                    continue
                if r.warn_when_missing:
                    optional.append(r.name)
                m = self._fallback(r)
            found[r.key()] = m
        frontend = NvRules.get_context(self.handle).frontend()
        if required:
            text = "The report lacks metrics that this rule needs: {}.".format(", ".join(required))
            frontend.message(NvRules.MsgType.ERROR, text, "Missing Metrics")
            NvRules.raise_exception(self.handle, text)
        if optional:
            frontend.message(
                NvRules.MsgType.WARNING,
                "The report lacks some metrics, results may be less exact: {}.".format(", ".join(optional)),
                "Missing Metrics",
            )
        return found

    def _fallback(self, request):
        value = request.default_value
        if value is None:
            return None
        m = self.action.add_metric(request.name)
        if isinstance(value, str):
            m.set_string(NvRules.IMetric.ValueKind_STRING, value)
        elif isinstance(value, int):
            m.set_uint64(NvRules.IMetric.ValueKind_UINT64, value)
        else:
            m.set_double(NvRules.IMetric.ValueKind_DOUBLE, value)
        return m
