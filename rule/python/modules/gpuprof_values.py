"""Metrics, and the containers that the interface has in place of Python's.

Works in Python 3.6 and later.
"""

from enum import IntEnum

KIND_UNKNOWN, KIND_ANY, KIND_STRING, KIND_FLOAT, KIND_DOUBLE, KIND_UINT32, KIND_UINT64 = range(7)

# These hold before 2025 as integers in the classes, after it as enums beside them.
_SUBTYPES = (
    "NONE PEAK_SUSTAINED PEAK_SUSTAINED_ACTIVE PEAK_SUSTAINED_ACTIVE_PER_SECOND PEAK_SUSTAINED_ELAPSED "
    "PEAK_SUSTAINED_ELAPSED_PER_SECOND PEAK_SUSTAINED_FRAME PEAK_SUSTAINED_FRAME_PER_SECOND PEAK_SUSTAINED_REGION "
    "PEAK_SUSTAINED_REGION_PER_SECOND PER_CYCLE_ACTIVE PER_CYCLE_ELAPSED PER_CYCLE_IN_FRAME PER_CYCLE_IN_REGION "
    "PER_SECOND PCT_OF_PEAK_SUSTAINED_ACTIVE PCT_OF_PEAK_SUSTAINED_ELAPSED PCT_OF_PEAK_SUSTAINED_FRAME "
    "PCT_OF_PEAK_SUSTAINED_REGION MAX_RATE PCT RATIO"
).split()

ValueKind = IntEnum("ValueKind", "UNKNOWN ANY STRING FLOAT DOUBLE UINT32 UINT64", start=0)
MetricType = IntEnum("MetricType", "OTHER COUNTER RATIO THROUGHPUT", start=0)
MetricSubtype = IntEnum("MetricSubtype", _SUBTYPES, start=0)
RollupOperation = IntEnum("RollupOperation", "NONE AVG MAX MIN SUM", start=0)


def flat(cls, enum, prefix):
    """Give cls the members of an enum as integers: prefix_NAME."""
    for m in enum:
        setattr(cls, "{}_{}".format(prefix, m.name), int(m))


class Scalars:
    """What the metrics of many actions have in common, a column for each property."""

    __slots__ = ("names", "index", "kinds", "units", "types", "subtypes", "rollups")

    def __init__(self, columns):
        self.names = tuple(columns["names"])
        self.index = {n: i for i, n in enumerate(self.names)}
        self.kinds = columns["kinds"]
        self.units = columns["units"]
        self.types = columns["types"]
        self.subtypes = columns["subtypes"]
        self.rollups = columns["rollups"]


def as_double(kind, value):
    return float(value) if kind >= KIND_FLOAT and value is not None else 0.0


def as_uint64(kind, value):
    if kind >= KIND_UINT32 and value is not None:
        return value
    if kind >= KIND_FLOAT and value is not None and 0 <= value < 2.0**64:
        return int(value)
    return 0


class IMetric:
    """A value with a name, and for some metrics an instance for each unit, opcode or instruction."""

    __slots__ = ("_action", "_scalars", "_at", "_value", "_count", "_instances")

    def __init__(self, action, scalars, at, value, count):
        self._action = action
        self._scalars = scalars
        self._at = at
        self._value = value
        self._count = count
        self._instances = None

    def name(self):
        """The name of the metric."""
        return self._scalars.names[self._at]

    __str__ = name

    def unit(self):
        """The unit, such as byte_per_second; "" if there is none."""
        return self._scalars.units[self._at]

    def description(self):
        """What the metric counts; "" if that is not known."""
        return self._action._connection.call("describe", metric=self.name())

    def metric_type(self):
        """One of MetricType_*."""
        return self._scalars.types[self._at]

    def metric_subtype(self):
        """One of MetricSubtype_*, or None."""
        return self._scalars.subtypes[self._at] or None

    def rollup_operation(self):
        """One of RollupOperation_*, or None."""
        return self._scalars.rollups[self._at] or None

    def num_instances(self):
        """The number of instances."""
        return self._count

    def _all(self):
        if self._instances is None:
            self._instances = self._action._ask("instances", metric=self.name())
        return self._instances

    def _get(self, instance):
        """Kind and value of the metric or of an instance; the value is None if there is none."""
        if instance is None:
            return self._scalars.kinds[self._at], self._value
        if not 0 <= instance < self._count:
            return KIND_UNKNOWN, None
        data = self._all()
        kinds = data["kinds"]
        return (kinds if isinstance(kinds, int) else kinds[instance]), data["values"][instance]

    def kind(self, instance=None):
        """The kind of the value: one of ValueKind_*."""
        return self._get(instance)[0]

    def has_value(self, instance=None):
        """Whether there is a value."""
        return self._get(instance)[1] is not None

    def value(self, instance=None):
        """The value as its kind has it: int, float or str; None if there is none."""
        if instance is None:
            return self._value
        return self._get(instance)[1]

    def as_double(self, instance=None):
        """The value as float; 0.0 if it is no number."""
        return as_double(*self._get(instance))

    def as_uint64(self, instance=None):
        """The value as int; 0 if it is no number."""
        return as_uint64(*self._get(instance))

    def as_string(self, instance=None):
        """The value as str; None if it is none."""
        kind, value = self._get(instance)
        return value if kind == KIND_STRING else None

    def has_correlation_ids(self):
        """Whether instances have ids."""
        return self._count > 0

    def correlation_ids(self):
        """The ids of the instances as the instances of an IMetric, or None."""
        if not self._count:
            return None
        data = self._all()
        return _Ids(self, data["ids"], data["id_kinds"])

    def values(self):
        """The values of all instances as a list. Not part of the interface of Nsight Compute."""
        return list(self._all()["values"]) if self._count else []

    def ids(self):
        """The ids of all instances as a list. Not part of the interface of Nsight Compute."""
        return list(self._all()["ids"]) if self._count else []


for _enum, _prefix in (
    (ValueKind, "ValueKind"),
    (MetricType, "MetricType"),
    (MetricSubtype, "MetricSubtype"),
    (RollupOperation, "RollupOperation"),
):
    flat(IMetric, _enum, _prefix)


_BARE = Scalars({"names": [""], "kinds": [KIND_UNKNOWN], "units": [""], "types": [0], "subtypes": [0], "rollups": [0]})


class _Ids(IMetric):
    """The ids of a metric's instances."""

    __slots__ = ()

    def __init__(self, metric, ids, kinds):
        IMetric.__init__(self, metric._action, _BARE, 0, None, len(ids))
        self._instances = {"values": ids, "kinds": kinds, "ids": [], "id_kinds": KIND_UNKNOWN}

    def description(self):
        return ""

    def has_correlation_ids(self):
        return False

    def correlation_ids(self):
        return None


class IMutableMetric(IMetric):
    """A metric that a script made."""

    __slots__ = ("_name", "_kind", "_ids")

    def __init__(self, action, name):
        IMetric.__init__(self, action, _BARE, 0, None, 0)
        self._name = name
        self._kind = KIND_UNKNOWN
        self._ids = None
        self._instances = {"values": [], "kinds": []}

    def name(self):
        return self._name

    __str__ = name

    def _get(self, instance):
        if instance is None:
            return self._kind, self._value
        if not 0 <= instance < self._count:
            return KIND_UNKNOWN, None
        return self._instances["kinds"][instance], self._instances["values"][instance]

    def _set(self, arguments, convert, kinds):
        instance, kind, value = arguments if len(arguments) == 3 else (None,) + tuple(arguments)
        kind, value = int(kind), convert(value)
        if kind not in kinds and kind != KIND_ANY:
            return False
        if kind == KIND_ANY:
            kind = kinds[-1]
        if instance is None:
            self._kind, self._value = kind, value
            return True
        if not 0 <= instance < 1 << 24:
            return False
        values, kinds_ = self._instances["values"], self._instances["kinds"]
        while len(values) <= instance:
            values.append(None)
            kinds_.append(KIND_UNKNOWN)
        values[instance], kinds_[instance] = value, kind
        self._count = len(values)
        return True

    def set_double(self, *arguments):
        """set_double([instance,] kind, value) sets a floating-point value; False if the kind is none."""
        return self._set(arguments, float, (KIND_FLOAT, KIND_DOUBLE))

    def set_uint64(self, *arguments):
        """set_uint64([instance,] kind, value) sets an integer; False if the kind is none."""
        return self._set(arguments, int, (KIND_UINT32, KIND_UINT64))

    def set_string(self, *arguments):
        """set_string([instance,] kind, value) sets a text; False if the kind is none."""
        return self._set(arguments, str, (KIND_STRING,))

    def mutable_correlation_ids(self):
        """The ids of the instances as a metric to be filled."""
        if self._ids is None:
            self._ids = IMutableMetric(self._action, "")
        return self._ids

    def has_correlation_ids(self):
        return self._ids is not None and self._ids._count > 0

    def correlation_ids(self):
        return self._ids

    def description(self):
        return ""

    def values(self):
        return list(self._instances["values"])

    def ids(self):
        return self._ids.values() if self._ids is not None else []

    def as_record(self):
        """The metric as gpuprof takes it."""
        return {
            "name": self._name,
            "kind": self._kind,
            "value": self._value,
            "values": self._instances["values"],
            "kinds": self._instances["kinds"],
            "ids": self.ids(),
        }


class _Map(dict):
    """A dict with the names that containers wrapped by SWIG have."""

    def asdict(self):
        """A copy as a dict."""
        return dict(self)

    def has_key(self, key):
        return key in self

    def keys(self):
        return list(dict.keys(self))

    def values(self):
        return list(dict.values(self))

    def items(self):
        return list(dict.items(self))

    def key_iterator(self):
        return iter(self)

    iterkeys = iterator = key_iterator

    def value_iterator(self):
        return iter(dict.values(self))

    itervalues = value_iterator

    def iteritems(self):
        return iter(dict.items(self))

    size = dict.__len__

    def empty(self):
        return not self

    def count(self, key):
        return int(key in self)

    def erase(self, key):
        self.pop(key, None)

    def swap(self, other):
        mine = dict(self)
        self.clear()
        self.update(other)
        other.clear()
        other.update(mine)

    def __repr__(self):
        return "{}({})".format(type(self).__name__, dict.__repr__(self))


class map_string_string(_Map):
    """A mapping from str to str."""


class map_string_double(_Map):
    """A mapping from str to float."""


class _Set(set):
    def append(self, item):
        self.add(item)

    insert = append

    def size(self):
        return len(self)

    def empty(self):
        return not self

    def count(self, item):
        return int(item in self)

    def erase(self, item):
        self.discard(item)

    def iterator(self):
        return iter(self)


class set_string(_Set):
    """A set of str."""


class set_ull(_Set):
    """A set of int."""


class _Vector(list):
    push_back = list.append

    def size(self):
        return len(self)

    def empty(self):
        return not self

    def front(self):
        return self[0]

    def back(self):
        return self[-1]

    def iterator(self):
        return iter(self)

    def assign(self, n, value):
        self[:] = [value] * n

    def resize(self, n, value=None):
        self[n:] = [value] * (n - len(self))

    def reserve(self, n):
        pass

    def capacity(self):
        return len(self)

    def swap(self, other):
        self[:], other[:] = list(other), list(self)


class vector_string(_Vector):
    """A list of str."""


class vector_double(_Vector):
    """A list of float."""


class vector_longlong(_Vector):
    """A list of int."""


class vector_ull(_Vector):
    """A list of int that are not negative."""


class vector_table_column(_Vector):
    """A list of columns of a table."""
