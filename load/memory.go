package load

import (
	"context"
	"sync"

	"github.com/gpuprof/gpuprof/trace"
)

// memory is a trace.Source whose cells are made from records when a column is
// asked for.
type memory struct{ tables []*memoryTable }

// A memoryTable has a row for each record of a kind.
type memoryTable struct {
	name    string
	rows    int
	columns []memoryColumn
}

// A memoryColumn makes a cell of a row: one of whole, real and text is set. null,
// where set, tells which cells are NULL.
type memoryColumn struct {
	name  string
	whole func(i int) int64
	real  func(i int) float64
	text  func(i int) string
	null  func(i int) bool
}

func (c *memoryColumn) kind() trace.Kind {
	switch {
	case c.whole != nil:
		return trace.Integers
	case c.real != nil:
		return trace.Reals
	}
	return trace.Texts
}

// add appends a table unless it has no rows.
func (m *memory) add(name string, rows int, columns ...memoryColumn) {
	if rows > 0 {
		m.tables = append(m.tables, &memoryTable{name, rows, columns})
	}
}

// Tables lists the tables.
func (m *memory) Tables() []trace.TableInfo {
	var out []trace.TableInfo
	for _, t := range m.tables {
		info := trace.TableInfo{Name: t.name}
		for i := range t.columns {
			info.Columns = append(info.Columns, trace.ColumnInfo{Name: t.columns[i].name, Kind: t.columns[i].kind()})
		}
		out = append(out, info)
	}
	return out
}

// Read makes columns of a table.
func (m *memory) Read(ctx context.Context, table string, columns []trace.ColumnInfo, s *trace.Strings) (*trace.Table, []error, error) {
	out := &trace.Table{Name: table}
	for _, t := range m.tables {
		if t.name != table {
			continue
		}
		out.Rows = t.rows
		for _, ask := range columns {
			if err := ctx.Err(); err != nil {
				return nil, nil, err
			}
			out.Columns = append(out.Columns, t.column(ask.Name, s))
		}
	}
	return out, nil, nil
}

// Rows is how many rows a table has.
func (m *memory) Rows(table string) int {
	for _, t := range m.tables {
		if t.name == table {
			return t.rows
		}
	}
	return 0
}

// column makes the cells of a column; rowid numbers the rows.
func (t *memoryTable) column(name string, s *trace.Strings) *trace.Column {
	src := memoryColumn{name: name, whole: func(i int) int64 { return int64(i) + 1 }}
	for _, c := range t.columns {
		if c.name == name {
			src = c
		}
	}
	c := &trace.Column{Name: name, Kind: src.kind()}
	if src.null != nil {
		c.Null = make([]bool, t.rows)
		for i := range c.Null {
			c.Null[i] = src.null(i)
		}
	}
	switch c.Kind {
	case trace.Integers:
		c.Ints = make([]int64, t.rows)
		for i := range c.Ints {
			c.Ints[i] = src.whole(i)
		}
	case trace.Reals:
		c.Reals = make([]float64, t.rows)
		for i := range c.Reals {
			c.Reals[i] = src.real(i)
		}
	case trace.Texts:
		c.Syms = s.InternTexts(t.rows, src.text)
	}
	return c
}

// ids numbers texts for the table StringIds.
type ids struct {
	of   map[string]int64
	list []string
}

func (d *ids) id(s string) int64 {
	n, ok := d.of[s]
	if !ok {
		if d.of == nil {
			d.of = map[string]int64{}
		}
		n = int64(len(d.list))
		d.of[s] = n
		d.list = append(d.list, s)
	}
	return n
}

// addTo adds the table StringIds. Nothing may be numbered afterwards.
func (d *ids) addTo(m *memory) {
	m.add("StringIds", len(d.list), memoryColumn{name: "id", whole: func(i int) int64 { return int64(i) }},
		memoryColumn{name: "value", text: func(i int) string { return d.list[i] }})
}

// The kinds of copies, ENUM_CUDA_MEMCPY_OPER of the catalogue.
const (
	copyUnknown = 0
	copyToGPU   = 1
	copyToHost  = 2
	copyOnGPU   = 8
)

// lateTables are tables that are made when they are first asked for.
type lateTables struct {
	make func() *memory
	once sync.Once
	made *memory
}

func (l *lateTables) all() *memory {
	l.once.Do(func() { l.made = l.make() })
	return l.made
}

// Tables lists the tables.
func (l *lateTables) Tables() []trace.TableInfo { return l.all().Tables() }

// Read makes columns of a table.
func (l *lateTables) Read(ctx context.Context, table string, columns []trace.ColumnInfo, s *trace.Strings) (*trace.Table, []error, error) {
	return l.all().Read(ctx, table, columns, s)
}

// Rows is how many rows a table has.
func (l *lateTables) Rows(table string) int { return l.all().Rows(table) }
