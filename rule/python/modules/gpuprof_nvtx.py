"""The NVTX state of an action. Works in Python 3.6 and later."""


class INvtxState:
    """The open ranges: a mapping from ids of domains to INvtxDomainInfo."""

    def __init__(self, state):
        self._domains = {d["id"]: INvtxDomainInfo(d) for d in state["domains"]}

    def domains(self):
        """The ids of the domains, as a tuple."""
        return tuple(self._domains)

    def domain_by_id(self, id):
        """The domain of an id, or None."""
        return self._domains.get(id)

    def __getitem__(self, id):
        return self._domains[id]

    def __len__(self):
        return len(self._domains)

    def __iter__(self):
        return iter(self._domains)

    def __contains__(self, id):
        return id in self._domains


class INvtxDomainInfo:
    """The open ranges of one domain."""

    def __init__(self, data):
        self._name = data["name"]
        self._push_pop = [INvtxRange(r) for r in data["push_pop"]]
        self._start_end = [INvtxRange(r) for r in data["start_end"]]

    def name(self):
        """The name of the domain."""
        return self._name

    __str__ = name

    def push_pop_ranges(self):
        """The names of the stacked ranges, outermost first, as a tuple."""
        return tuple(r.name() for r in self._push_pop)

    def push_pop_range(self, idx):
        """The stacked range of an index as INvtxRange, or None."""
        return self._push_pop[idx] if 0 <= idx < len(self._push_pop) else None

    def start_end_ranges(self):
        """The names of the ranges with a start and an end, as a tuple."""
        return tuple(r.name() for r in self._start_end)

    def start_end_range(self, idx):
        """The range with a start and an end of an index as INvtxRange, or None."""
        return self._start_end[idx] if 0 <= idx < len(self._start_end) else None


_PAYLOADS = "PAYLOAD_UNKNOWN PAYLOAD_UINT64 PAYLOAD_INT64 PAYLOAD_DOUBLE PAYLOAD_UINT32 PAYLOAD_INT32 PAYLOAD_FLOAT PAYLOAD_JSON".split()


class INvtxRange:
    """An open range."""

    def __init__(self, data):
        self._data = data

    def name(self):
        """The name."""
        return self._data["name"]

    __str__ = name

    def has_attributes(self):
        """Whether it has more than a name."""
        return self._data["attributes"]

    def category(self):
        """The category."""
        return self._data["category"]

    def color(self):
        """The colour as 0xAARRGGBB."""
        return self._data["color"]

    def message(self):
        """The message."""
        return self._data["message"]

    def payload_type(self):
        """One of PayloadType_*."""
        return self._data["payload_type"]

    def payload_as_uint64(self):
        """The payload as int."""
        p = self._data["payload"]
        return int(p) & (1 << 64) - 1 if isinstance(p, (int, float)) else 0

    def payload_as_double(self):
        """The payload as float."""
        p = self._data["payload"]
        return float(p) if isinstance(p, (int, float)) else 0.0

    def payload_as_string(self):
        """The payload as str."""
        p = self._data["payload"]
        return "" if p is None else str(p)


for _i, _name in enumerate(_PAYLOADS):
    setattr(INvtxRange, "PayloadType_" + _name, _i)
