"""Build the tables of rules row by row.

    table = TableBuilder("Hot lines", "Where samples were taken")
    table.column("Line", str).column("Samples", int, tooltip="How often", descending=True)
    table.row("saxpy.cu:12", 345)
    table.show(frontend, message_id)
"""


class TableBuilder:
    """A table for IFrontend.generate_table."""

    def __init__(self, title="", description=""):
        self._config = {"title": title, "description": description, "per_column_configs": {}}
        self._header = []
        self._types = []
        self._rows = []

    def column(self, name, type=str, tooltip="", relative_width=None, bold=False, ascending=False, descending=False):
        """Add a column; ascending or descending sorts by it. Returns the builder."""
        self._header.append(name)
        self._types.append(type)
        c = {"tooltip": tooltip, "style": {"data": {"bold": bold}}}
        if relative_width is not None:
            c["relative_width"] = relative_width
        self._config["per_column_configs"][len(self._header) - 1] = c
        if ascending or descending:
            self._config["sort_by"] = {"column": name, "order": "descending" if descending else "ascending"}
        return self

    def row(self, *values):
        """Add a row; its values are converted to the types of the columns. Returns the builder."""
        if len(values) != len(self._header):
            raise ValueError("{} values for {} columns".format(len(values), len(self._header)))
        self._rows.append([t(v) for t, v in zip(self._types, values)])
        return self

    def __len__(self):
        return len(self._rows)

    def build(self):
        """The arguments of generate_table from the second on: header, rows, config."""
        return self._header, self._rows, self._config

    def show(self, frontend, message_id):
        """Show the table with a message, unless it is empty."""
        if self._rows:
            frontend.generate_table(message_id, *self.build())
