package load

import (
	"context"
	"fmt"
	"math"
	"sort"
	"strings"

	"github.com/gpuprof/gpuprof/format/nsysrep"
	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/trace/schema"
)

// nsysRepSource yields the events of a native report as the tables of its
// export.
type nsysRepSource struct {
	file    *nsysrep.File
	batches []*nsysrep.Batch
	tables  []repTable
	unknown map[nsysrep.Unknown]int
	texts   []string
	streams []nsysrep.Message
	mpi     map[[2]int64]bool // process and domain whose ranges are calls of MPI
}

// A repTable is a table made of a report.
type repTable struct {
	name string
	refs []repRef                 // of the events that are its rows, in the order of the file
	kind nsysrep.Kind             // of the events
	cols []repColumn              // from events
	made map[string]*trace.Column // columns that are made otherwise
	text map[string][]string      // texts that are made otherwise
	rows int
}

// A repRef is the place of an event.
type repRef struct{ batch, row int32 }

// A repColumn takes a column of a table from a field of its events.
type repColumn struct {
	name string
	slot int
	or   int  // column of Rows to take where slot is absent; -1: none
	null bool // NULL where the field is absent, else 0
	text bool // the number is one of Batch.Texts
}

func openNsysRep(f *File) error {
	file, err := nsysrep.Open(f.in, f.Size, f.Name)
	if err != nil {
		return err
	}
	s := &nsysRepSource{file: file, unknown: map[nsysrep.Unknown]int{}, mpi: map[[2]int64]bool{}}
	for _, p := range file.Problems() {
		f.problems = append(f.problems, p.Error())
	}
	if s.texts, s.streams, err = file.Strings(); err != nil {
		f.problems = append(f.problems, err.Error())
	}
	err = file.Decode(context.Background(), func(b *nsysrep.Batch) error {
		if b.Problem != nil {
			f.problems = append(f.problems, b.Problem.Error())
		}
		for k, n := range b.Unknown {
			s.unknown[k] += n
		}
		s.batches = append(s.batches, b)
		return nil
	})
	if err != nil {
		return err
	}
	s.build()
	f.problems = append(f.problems, s.notUnderstood()...)
	f.Trace = trace.New(f.Name, s)
	f.Trace.Version = schema.Newest
	ui, _ := file.Message("UI Data")
	f.Trace.Tool = strings.TrimSpace("NVIDIA Nsight Systems " + ui.Text(21))
	return nil
}

// notUnderstood tells of types of events that are not known, a line each.
// Fields of known events that are not known are left out silently.
func (s *nsysRepSource) notUnderstood() []string {
	var out []string
	for k, n := range s.unknown {
		if k.Field == 0 {
			out = append(out, fmt.Sprintf("%s: %d events of type %d (field %d) were not understood", s.file.Name, n, k.Type, k.Family))
		}
	}
	sort.Strings(out)
	return out
}

// Tables lists the tables that have rows.
func (s *nsysRepSource) Tables() []trace.TableInfo {
	var out []trace.TableInfo
	for i := range s.tables {
		t := &s.tables[i]
		known := schema.Lookup(t.name)
		info := trace.TableInfo{Name: t.name}
		for _, c := range known.Columns {
			if !c.Span.Has(schema.Newest) && t.column(c.Name) == nil && t.made[c.Name] == nil && t.text[c.Name] == nil {
				continue // given up since, and not in reports
			}
			info.Columns = append(info.Columns, trace.ColumnInfo{Name: c.Name, Kind: kindOf(c.Type)})
		}
		for name := range t.text { // one at most: OSRT_FILE_ACCESS_EVENTS.context
			if known.Column(name) == nil {
				info.Columns = append(info.Columns, trace.ColumnInfo{Name: name, Kind: trace.Texts})
			}
		}
		out = append(out, info)
	}
	return out
}

// Read makes columns of a table.
func (s *nsysRepSource) Read(ctx context.Context, table string, columns []trace.ColumnInfo, in *trace.Strings) (*trace.Table, []error, error) {
	for i := range s.tables {
		if s.tables[i].name == table {
			return s.read(&s.tables[i], 0, s.tables[i].rows, columns, in), nil, ctx.Err()
		}
	}
	return nil, nil, fmt.Errorf("%s: no table %s", s.file.Name, table)
}

// Scan makes a table in parts.
func (s *nsysRepSource) Scan(ctx context.Context, table string, columns []trace.ColumnInfo, in *trace.Strings, yield func(*trace.Table) error) ([]error, error) {
	const part = 1 << 16
	for i := range s.tables {
		if t := &s.tables[i]; t.name == table {
			for from := 0; from < t.rows; from += part {
				if err := ctx.Err(); err != nil {
					return nil, err
				}
				if err := yield(s.read(t, from, min(t.rows, from+part), columns, in)); err != nil {
					return nil, err
				}
			}
		}
	}
	return nil, nil
}

func (s *nsysRepSource) read(t *repTable, from, to int, columns []trace.ColumnInfo, in *trace.Strings) *trace.Table {
	out := &trace.Table{Name: t.name, Rows: to - from}
	for _, ci := range columns {
		c := &trace.Column{Name: ci.Name, Kind: ci.Kind}
		made, texts, col := t.made[ci.Name], t.text[ci.Name], t.column(ci.Name)
		switch {
		case ci.Name == "rowid":
			c.Ints = make([]int64, out.Rows)
			for i := range c.Ints {
				c.Ints[i] = int64(from + i + 1)
			}
		case texts != nil:
			c.Syms = make([]trace.Sym, out.Rows)
			for i := range c.Syms {
				c.Syms[i] = in.Intern(texts[from+i])
			}
			c.Null = nulls(made, from, to)
		case made != nil:
			c.Ints = made.Ints[from:to]
			c.Null = nulls(made, from, to)
		case col != nil:
			s.fill(c, t, col, from, to, in)
		default:
			empty(c, out.Rows)
		}
		out.Columns = append(out.Columns, c)
	}
	return out
}

// empty makes a column of n NULLs.
func empty(c *trace.Column, n int) {
	c.Null = make([]bool, n)
	for i := range c.Null {
		c.Null[i] = true
	}
	switch c.Kind {
	case trace.Integers:
		c.Ints = make([]int64, n)
	case trace.Reals:
		c.Reals = make([]float64, n)
	case trace.Texts:
		c.Syms = make([]trace.Sym, n)
	}
}

func (t *repTable) column(name string) *repColumn {
	for i := range t.cols {
		if t.cols[i].name == name {
			return &t.cols[i]
		}
	}
	return nil
}

// never bounds the ends of ranges that did not end: old tools wrote the largest
// number there, and shifted it as they shifted times (seen: by 65 ms).
const never = math.MaxInt64 - 1<<53

// fill takes a column from the events.
func (s *nsysRepSource) fill(c *trace.Column, t *repTable, col *repColumn, from, to int, in *trace.Strings) {
	n := to - from
	if col.text {
		c.Syms = make([]trace.Sym, n)
	} else if c.Ints = make([]int64, n); c.Kind == trace.Reals {
		c.Reals = make([]float64, n)
	}
	for i, ref := range t.refs[from:to] {
		b := s.batches[ref.batch]
		r, row, slot := b.Rows(t.kind), int(ref.row), col.slot
		if col.or >= 0 && !r.Has(slot, row) {
			slot = col.or
		}
		has := r.Has(slot, row)
		if col.null && col.name == "end" && r.Int(slot, row) > never {
			has = false
		}
		switch {
		case !has && col.null:
			if c.Null == nil {
				c.Null = make([]bool, n)
			}
			c.Null[i] = true
		case !has:
		case col.text:
			c.Syms[i] = in.Intern(b.Texts[r.Int(slot, row)])
		default:
			c.Ints[i] = r.Int(slot, row)
		}
	}
}

func nulls(c *trace.Column, from, to int) []bool {
	if c == nil || c.Null == nil {
		return nil
	}
	return c.Null[from:to]
}
