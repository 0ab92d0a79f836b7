package trace

import (
	"context"
	"slices"
	"strings"
)

// Append returns a trace that has the rows of add behind those of t, and the
// tables and columns of both. Where only one of them has a column, the rows of
// the other are NULL in it. The tables named in replace are those of add alone.
func (t *Trace) Append(add Source, replace ...string) *Trace {
	n := New(t.File, &appended{base: t.source, add: add, replace: replace})
	n.Version, n.Tool = t.Version, t.Tool
	n.problems = slices.Clone(t.Problems())
	return n
}

// appended is a Source with the rows of two.
type appended struct {
	base, add Source
	replace   []string
}

func find(src Source, table string) *TableInfo {
	for _, info := range src.Tables() {
		if strings.EqualFold(info.Name, table) {
			return &info
		}
	}
	return nil
}

// halves tells which of both sources have the table.
func (a *appended) halves(table string) (base, add *TableInfo) {
	add = find(a.add, table)
	if add == nil || !slices.ContainsFunc(a.replace, func(r string) bool { return strings.EqualFold(r, table) }) {
		base = find(a.base, table)
	}
	return base, add
}

// Tables lists those of the first source, then what the second has beyond.
func (a *appended) Tables() []TableInfo {
	var out []TableInfo
	for _, info := range a.base.Tables() {
		base, add := a.halves(info.Name)
		if base == nil {
			out = append(out, *add)
			continue
		}
		if add != nil {
			info.Columns = slices.Clone(info.Columns)
			for _, c := range add.Columns {
				if info.column(c.Name) == nil {
					info.Columns = append(info.Columns, c)
				}
			}
		}
		out = append(out, info)
	}
	for _, info := range a.add.Tables() {
		if find(a.base, info.Name) == nil {
			out = append(out, info)
		}
	}
	return out
}

// own are those of the columns asked for that a source has in the same kind.
// The rowid tells how many rows there are where it has none of them.
func own(info *TableInfo, ask []ColumnInfo) []ColumnInfo {
	var out []ColumnInfo
	for _, c := range ask {
		if have := info.column(c.Name); have != nil && have.Kind == c.Kind {
			out = append(out, *have)
		}
	}
	return append(out, ColumnInfo{Name: "rowid"})
}

// Read reads the rows of both.
func (a *appended) Read(ctx context.Context, table string, columns []ColumnInfo, s *Strings) (*Table, []error, error) {
	var parts []*Table
	var problems []error
	base, add := a.halves(table)
	if base != nil {
		t, p, err := a.base.Read(ctx, base.Name, own(base, columns), s)
		if err != nil {
			return nil, nil, err
		}
		parts, problems = append(parts, t), p
	}
	if add != nil {
		t, p, err := a.add.Read(ctx, add.Name, own(add, columns), s)
		if err != nil {
			return nil, nil, err
		}
		if len(parts) > 0 {
			shiftRows(t, slices.Max(append([]int64{0}, parts[0].Ints("rowid")...)))
		}
		parts, problems = append(parts, t), append(problems, p...)
	}
	out := &Table{Name: table}
	for _, p := range parts {
		out.Rows += p.Rows
	}
	for _, ask := range columns {
		c := newColumn(ask, out.Rows)
		for _, p := range parts {
			c.extend(p, ask)
		}
		out.Columns = append(out.Columns, c)
	}
	return out, problems, nil
}

// Scan yields the rows of the first source in parts, then those of the second.
func (a *appended) Scan(ctx context.Context, table string, columns []ColumnInfo, s *Strings, yield func(*Table) error) ([]error, error) {
	base, add := a.halves(table)
	whole := func(p *Table) error {
		out := &Table{Name: table, Rows: p.Rows}
		for _, ask := range columns {
			if c := p.Col(ask.Name); c != nil {
				out.Columns = append(out.Columns, c)
				continue
			}
			c := newColumn(ask, p.Rows)
			c.extend(p, ask)
			out.Columns = append(out.Columns, c)
		}
		return yield(out)
	}
	var problems []error
	for _, half := range []struct {
		src  Source
		info *TableInfo
	}{{a.base, base}, {a.add, add}} {
		if half.info == nil {
			continue
		}
		asks := own(half.info, columns)
		if sc, ok := half.src.(scanner); ok {
			p, err := sc.Scan(ctx, half.info.Name, asks, s, whole)
			problems = append(problems, p...)
			if err != nil {
				return problems, err
			}
			continue
		}
		t, p, err := half.src.Read(ctx, half.info.Name, asks, s)
		problems = append(problems, p...)
		if err == nil {
			err = whole(t)
		}
		if err != nil {
			return problems, err
		}
	}
	return problems, nil
}

// shiftRows numbers the rows after those before.
func shiftRows(t *Table, by int64) {
	ids := slices.Clone(t.Ints("rowid"))
	for i := range ids {
		ids[i] += by
	}
	if c := t.Col("rowid"); c != nil {
		c.Ints = ids
	}
}

func newColumn(info ColumnInfo, capacity int) *Column {
	c := &Column{Name: info.Name, Kind: info.Kind}
	switch info.Kind {
	case Integers:
		c.Ints = make([]int64, 0, capacity)
	case Reals:
		c.Reals = make([]float64, 0, capacity)
	case Texts:
		c.Syms = make([]Sym, 0, capacity)
	}
	return c
}

// extend adds the cells of the column of the same name, or as many NULLs.
func (c *Column) extend(p *Table, ask ColumnInfo) {
	n, from := c.len(), p.Col(ask.Name)
	if from != nil && from.Kind != c.Kind {
		from = nil
	}
	if (from == nil || from.Null != nil) && c.Null == nil {
		c.Null = make([]bool, n, n+p.Rows)
	}
	switch {
	case c.Null == nil:
	case from == nil:
		c.Null = append(c.Null, slices.Repeat([]bool{true}, p.Rows)...)
	case from.Null == nil:
		c.Null = append(c.Null, make([]bool, p.Rows)...)
	default:
		c.Null = append(c.Null, from.Null...)
	}
	if from == nil {
		from = &Column{}
		switch c.Kind {
		case Integers:
			from.Ints = make([]int64, p.Rows)
		case Reals:
			from.Reals = make([]float64, p.Rows)
		case Texts:
			from.Syms = make([]Sym, p.Rows)
		}
	}
	c.Ints, c.Reals, c.Syms = append(c.Ints, from.Ints...), append(c.Reals, from.Reals...), append(c.Syms, from.Syms...)
}
