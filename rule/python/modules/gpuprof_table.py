"""Tables that rules generate: checks the arguments of generate_table.

The header is a sequence of names, the data a sequence of rows. A column holds
values of exactly one type: int, float, str, or anything else, of which str() is
shown.
"""

from enum import IntEnum

TableElementKind = IntEnum("TableElementKind", "INVALID DOUBLE INT STRING CUSTOM", start=0)


class TableStyle:
    """Bold and italic."""

    def __init__(self, bold=False, italic=False):
        self.bold = bool(bold)
        self.italic = bool(italic)


class TableSortInfo:
    """The column to sort by and the order."""

    def __init__(self, column=-1, ascending=True):
        self.column = column
        self.ascending = ascending


class TableColumnConfig:
    """How a column looks."""

    def __init__(self, tooltip="", relative_width=0.0, header=None, data=None):
        self.tooltip = tooltip
        self.relative_width = relative_width
        self.header = header or TableStyle()
        self.data = data or TableStyle()


class TableColumn:
    """A column: a name, a kind and values."""

    def __init__(self, name="", kind=TableElementKind.INVALID, values=()):
        self.name = name
        self.kind = kind
        self.values = list(values)
        self.config = TableColumnConfig()


class TableConfig:
    """How a table looks."""

    def __init__(self, title="", description=""):
        self.title = title
        self.description = description
        self.sort = None
        self.style = TableStyle()


class TableData:
    """A table."""

    def __init__(self, columns=(), config=None):
        self.columns = list(columns)
        self.config = config or TableConfig()


def _take(config, known, what):
    """A copy of a dict that has no keys but the known ones."""
    if config is None:
        return {}
    if not isinstance(config, dict):
        raise TypeError("{} must be a dict, not {}".format(what, type(config).__name__))
    for key in config:
        if key not in known:
            raise ValueError("{} has no {!r}; it has {}".format(what, key, ", ".join(known)))
    return config


def _style(config, what):
    c = _take(config, ("bold", "italic"), what)
    return TableStyle(c.get("bold", False), c.get("italic", False))


def _column_at(key, header):
    if isinstance(key, str):
        if key not in header:
            raise ValueError("there is no column {!r}".format(key))
        return header.index(key)
    if isinstance(key, bool) or not isinstance(key, int):
        raise TypeError("a column is named by str or int, not " + type(key).__name__)
    if not 0 <= key < len(header):
        raise ValueError("there is no column {}".format(key))
    return key


_KINDS = {float: TableElementKind.DOUBLE, int: TableElementKind.INT, str: TableElementKind.STRING}


def _column(name, values):
    types = {type(v) for v in values}
    if len(types) > 1:
        raise TypeError(
            "column {!r} mixes {}".format(name, ", ".join(sorted(t.__name__ for t in types)))
        )
    kind = _KINDS.get(types.pop(), TableElementKind.CUSTOM) if types else TableElementKind.STRING
    if kind == TableElementKind.CUSTOM:
        values = [str(v) for v in values]
    return TableColumn(name, kind, values)


def _config(table, header, config):
    c = _take(config, ("title", "description", "sort_by", "style", "per_column_configs"), "config")
    table.config = TableConfig(str(c.get("title", "")), str(c.get("description", "")))
    table.config.style = _style(c.get("style"), "style")
    sort = _take(c.get("sort_by"), ("column", "order"), "sort_by")
    if sort:
        if "column" not in sort:
            raise ValueError("sort_by needs a column")
        order = sort.get("order", "ascending")
        if order not in ("ascending", "descending"):
            raise ValueError("order is ascending or descending, not {!r}".format(order))
        table.config.sort = TableSortInfo(_column_at(sort["column"], header), order == "ascending")
    for key, value in (c.get("per_column_configs") or {}).items():
        p = _take(value, ("tooltip", "relative_width", "style"), "per_column_configs")
        s = _take(p.get("style"), ("header", "data"), "style")
        table.columns[_column_at(key, header)].config = TableColumnConfig(
            str(p.get("tooltip", "")), float(p.get("relative_width", 0)), _style(s.get("header"), "style"), _style(s.get("data"), "style")
        )


def make_table(header, data_rows, config=None):
    """A TableData of the arguments of generate_table."""
    header = [str(h) for h in header]
    if not header:
        raise ValueError("a table needs a column")
    rows = [list(r) for r in data_rows]
    for i, r in enumerate(rows):
        if len(r) != len(header):
            raise ValueError("row {} has {} values, the header {}".format(i, len(r), len(header)))
    table = TableData([_column(h, [r[i] for r in rows]) for i, h in enumerate(header)])
    _config(table, header, config)
    return table


def build_table(header, data_rows, config=None):
    """The table as gpuprof takes it."""
    t = make_table(header, data_rows, config)

    def cell(v):
        return v if not isinstance(v, float) or v - v == 0 else repr(v)

    sort = t.config.sort
    return {
        "title": t.config.title,
        "description": t.config.description,
        "columns": [
            {
                "name": c.name,
                "kind": int(c.kind),
                "tooltip": c.config.tooltip,
                "width": c.config.relative_width,
                "values": [cell(v) for v in c.values],
            }
            for c in t.columns
        ],
        "sort": sort.column if sort else -1,
        "descending": bool(sort and not sort.ascending),
    }
