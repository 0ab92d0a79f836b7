"""Sum up the instances of metrics by what their ids stand for.

    by_line = aggregate(action["smsp__pcsamp_sample_count"], source_line_of(action))
    for (file, line), samples in top(by_line, 5):
        ...
"""

from collections import defaultdict
from itertools import islice


def instances(metric):
    """Pairs of id and value of a metric's instances; the id is None where there is none."""
    if metric is None or metric.num_instances() == 0:
        return
    ids = metric.correlation_ids() if metric.has_correlation_ids() else None
    for i in range(metric.num_instances()):
        yield (ids.value(i) if ids is not None else None), metric.value(i)


def aggregate(metric, key=lambda id: id, combine=lambda a, b: a + b):
    """Combine the values of instances whose ids have the same key, as a dict; ids without key (None) are left out."""
    out = {}
    for id, value in instances(metric):
        k = key(id)
        if k is not None and value is not None:
            out[k] = combine(out[k], value) if k in out else value
    return out


def aggregate_many(metrics, key=lambda id: id):
    """Sums of several metrics by key: a dict from key to a dict from metric name to sum."""
    out = defaultdict(dict)
    for m in metrics:
        for k, v in aggregate(m, key).items():
            out[k][m.name()] = v
    return dict(out)


def source_line_of(action):
    """A key for ids that are addresses: (file, line), or None where that is not known."""

    def key(address):
        info = action.source_info(address)
        return (info.file_name(), info.line()) if info is not None else None

    return key


def top(sums, n):
    """The n largest entries of a dict, largest first."""
    return list(islice(sorted(sums.items(), key=lambda kv: kv[1], reverse=True), n))


def total(metric):
    """The sum of all instances, or of the metric itself if it has none."""
    if metric is None:
        return 0
    if metric.num_instances() == 0:
        return metric.value() or 0
    return sum(v for _, v in instances(metric) if v is not None)
