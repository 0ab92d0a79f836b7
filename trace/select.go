package trace

import (
	"context"
	"slices"
)

// Select returns a trace with those tables of t that keep wants, and with tables
// without rows behind them where t has none of the name. The two do not share
// what they have read.
func (t *Trace) Select(keep func(table string) bool, empty []TableInfo) *Trace {
	s := &selected{base: t, keep: keep}
	for _, info := range empty {
		if !t.Has(info.Name) && keep(info.Name) {
			s.empty = append(s.empty, info)
		}
	}
	n := New(t.File, s)
	n.Version, n.Tool = t.Version, t.Tool
	return n
}

// selected is a Source with some tables of a trace.
type selected struct {
	base  *Trace
	keep  func(string) bool
	empty []TableInfo
}

// Tables lists those wanted, then those without rows.
func (s *selected) Tables() []TableInfo {
	var out []TableInfo
	for _, info := range s.base.Tables() {
		if s.keep(info.Name) {
			out = append(out, info)
		}
	}
	return append(out, s.empty...)
}

func (s *selected) isEmpty(table string) bool {
	return slices.ContainsFunc(s.empty, func(i TableInfo) bool { return i.Name == table })
}

func nothing(table string, columns []ColumnInfo) *Table {
	t := &Table{Name: table}
	for _, c := range columns {
		t.Columns = append(t.Columns, &Column{Name: c.Name, Kind: c.Kind})
	}
	return t
}

// Read reads columns of a table.
func (s *selected) Read(ctx context.Context, table string, columns []ColumnInfo, in *Strings) (*Table, []error, error) {
	if s.isEmpty(table) {
		return nothing(table, columns), nil, ctx.Err()
	}
	return s.base.source.Read(ctx, table, columns, in)
}

// Scan reads columns of a table in parts.
func (s *selected) Scan(ctx context.Context, table string, columns []ColumnInfo, in *Strings, yield func(*Table) error) ([]error, error) {
	if s.isEmpty(table) {
		return nil, ctx.Err()
	}
	return scan(ctx, s.base.source, table, columns, in, yield)
}

// Problems are those of the trace.
func (s *selected) Problems() []error { return s.base.Problems() }
