package export

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/format/nsysdb"
	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/trace/schema"
)

// A renamed is a table that versions of the schema know by two names.
type renamed struct {
	from, to string
	only     string // a column that the rows of from have where they are those of to; "": all are
}

// renames lead both ways where both are listed.
var renames = []renamed{
	{from: "FECS_EVENTS", to: "GPU_CONTEXT_SWITCH_EVENTS"},
	{from: "GPU_CONTEXT_SWITCH_EVENTS", to: "FECS_EVENTS"},
	{from: "EXPORT_META_DATA", to: "META_DATA_EXPORT"},
	{from: "META_DATA_EXPORT", to: "EXPORT_META_DATA"},
	{from: "CUDA_GRAPH_NODE_EVENTS", to: "CUDA_GRAPH_EVENTS"},
	{from: "CUDA_GRAPH_EVENTS", to: "CUDA_GRAPH_NODE_EVENTS", only: "graphNodeId"},
	{from: "ETW_EVENTS_DEPRECATED_TABLE", to: "ETW_EVENTS"},
	{from: "ETW_EVENTS", to: "ETW_EVENTS_DEPRECATED_TABLE", only: "providerName"},
	{from: "TARGET_INFO_CUDA_GPU", to: "TARGET_INFO_GPU"},
}

// has reports whether a version has a table, with columns.
func has(table string, v schema.Version) bool {
	known := schema.Lookup(table)
	return known != nil && known.Span.Has(v) && len(known.At(v)) > 0
}

// carriedAs is the name under which a version has the rows of a table: its own, or
// that of another version; "" where it has none.
func carriedAs(tr *trace.Trace, table string, v schema.Version) string {
	for _, r := range renames {
		if !strings.EqualFold(r.from, table) || !has(r.to, v) {
			continue
		}
		switch to := schema.Lookup(r.to); {
		case r.only != "":
			// The name has another meaning since: the column tells.
			if to.Column(r.only) != nil && tr.HasColumn(table, r.only) && !keeps(table, r.only, v) && !tr.Has(r.to) {
				return r.to
			}
		case !has(table, v) && !tr.Has(r.to):
			return r.to
		}
	}
	if has(table, v) {
		return table
	}
	return ""
}

// keeps reports whether a table has a column in a version.
func keeps(table, column string, v schema.Version) bool {
	known := schema.Lookup(table)
	return known != nil && slices.ContainsFunc(known.At(v), func(c schema.Column) bool { return c.Name == column })
}

// respelled is the trace with columns in the spelling of a version: texts where that
// has no numbers of StringIds for them, and the other way round. Numbers without text
// are told.
func respelled(ctx context.Context, tr *trace.Trace, v schema.Version, told func(string)) (*trace.Trace, error) {
	var as []trace.Respelling
	for _, info := range tr.Tables() {
		known, to := schema.Lookup(info.Name), carriedAs(tr, info.Name, v)
		if known == nil || to == "" {
			continue
		}
		for _, c := range info.Columns {
			other := known.OtherSpelling(c.Name)
			if other == nil || c.Kind == trace.Reals || (c.Kind == trace.Texts) == (other.Type == "TEXT") || keeps(to, c.Name, v) || !keeps(to, other.Name, v) || tr.HasColumn(info.Name, other.Name) {
				continue
			}
			as = append(as, trace.Respelling{Table: info.Name, Column: c.Name, As: other.Name})
		}
	}
	if len(as) == 0 {
		return tr, nil
	}
	out, lost, err := tr.Respell(ctx, as)
	for i, n := range lost {
		if n > 0 {
			told(fmt.Sprintf("%s.%s: %d numbers lead to no text of StringIds and are left out", as[i].Table, as[i].Column, n))
		}
	}
	return out, err
}

// A loss counts what a version cannot hold of a table.
type loss struct {
	columns []string
	cells   []int // of each, that are not NULL
}

// count adds up the cells of a part of the table that are in columns of no use.
func (l *loss) count(t *trace.Table, cols []schema.Column) {
	for _, c := range t.Columns {
		if slices.ContainsFunc(cols, func(k schema.Column) bool { return strings.EqualFold(k.Name, c.Name) }) {
			continue
		}
		n := t.Rows
		for i := range c.Null {
			if c.Null[i] {
				n--
			}
		}
		k := slices.Index(l.columns, c.Name)
		if k < 0 {
			k = len(l.columns)
			l.columns, l.cells = append(l.columns, c.Name), append(l.cells, 0)
		}
		l.cells[k] += n
	}
}

func (l *loss) tell(table string, v schema.Version, told func(string)) {
	for i, c := range l.columns {
		if l.cells[i] > 0 {
			told(fmt.Sprintf("schema %v has no column %s.%s: %d values are left out", v, table, c, l.cells[i]))
		}
	}
}

// Losses tells what a version of the schema cannot hold of a trace in the newest:
// tables and columns, with the number of rows and values. It is for sources that write
// any version by themselves, as native reports do; [Restated] tells as it writes.
func Losses(ctx context.Context, tr *trace.Trace, v schema.Version, told func(string)) error {
	for _, info := range tr.Tables() {
		known := schema.Lookup(info.Name)
		if known == nil || strings.HasPrefix(info.Name, "ENUM_") {
			continue // what no version has is written as it is, enumerations as each has them
		}
		to := carriedAs(tr, info.Name, v)
		if to == "" {
			if err := tellDropped(ctx, tr, info.Name, v, told); err != nil {
				return err
			}
			continue
		}
		keeps := schema.Lookup(to).At(v)
		var gone []string
		for _, c := range known.At(schema.Newest) {
			if !slices.ContainsFunc(keeps, func(k schema.Column) bool { return strings.EqualFold(k.Name, c.Name) }) {
				gone = append(gone, c.Name)
			}
		}
		if len(gone) == 0 {
			continue
		}
		l := &loss{}
		if err := tr.ScanColumns(ctx, info.Name, gone, func(t *trace.Table) error { l.count(t, keeps); return nil }); err != nil {
			return err
		}
		i := slices.IndexFunc(l.columns, func(c string) bool { return strings.EqualFold(c, "rowid") })
		if i >= 0 { // of a file that has none of them
			l.cells[i] = 0
		}
		l.tell(info.Name, v, told)
	}
	return nil
}

// tellDropped tells of a table that a version does not have.
func tellDropped(ctx context.Context, tr *trace.Trace, table string, v schema.Version, told func(string)) error {
	rows := 0
	err := tr.ScanColumns(ctx, table, []string{"rowid"}, func(t *trace.Table) error { rows += t.Rows; return nil })
	if err == nil && rows > 0 {
		told(fmt.Sprintf("schema %v has no table %s: %d rows are left out", v, table, rows))
	}
	return err
}

// writeEnums writes the enumerations as a version has them.
func writeEnums(w *nsysdb.Writer, v schema.Version) error {
	for _, e := range schema.Enums() {
		if !e.Span.Has(v) {
			continue
		}
		out, err := w.Table(e.Create())
		if err != nil {
			return err
		}
		var id []int64
		var name, label []string
		for _, x := range e.At(v) {
			id, name, label = append(id, x.ID), append(name, x.Name), append(label, x.Label)
		}
		if err := out.Append(len(id), []nsysdb.Vector{nsysdb.Integers(id, nil), nsysdb.Texts(name, nil), nsysdb.Texts(label, nil)}); err != nil {
			return err
		}
	}
	return nil
}

// restate writes the version of the schema into a table of names and values that
// tells it.
func restate(tr *trace.Trace, t *trace.Table, v schema.Version) {
	name, value := t.Col("name"), t.Col("value")
	if name == nil || value == nil || name.Kind != trace.Texts || value.Kind != trace.Texts {
		return
	}
	parts := map[string]int{"EXPORT_SCHEMA_VERSION_MAJOR": v.Major, "EXPORT_SCHEMA_VERSION_MINOR": v.Minor, "EXPORT_SCHEMA_VERSION_MICRO": v.Micro}
	value.Syms = slices.Clone(value.Syms)
	for i, y := range name.Syms {
		n := tr.Strings.Text(y)
		if part, ok := parts[n]; ok {
			value.Syms[i] = tr.Strings.Intern(fmt.Sprint(part))
		} else if n == "EXPORT_SCHEMA_VERSION" {
			value.Syms[i] = tr.Strings.Intern(v.String())
		}
	}
}
