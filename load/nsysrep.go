package load

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/gpuprof/gpuprof/format/nsysrep"
	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/trace/schema"
)

// nsysRepSource yields the events of a native report as the tables of its
// export. Its frames are counted when a table is asked for, or at once if the
// report is small, and decoded by each reading of a table.
type nsysRepSource struct {
	file    *nsysrep.File
	ctx     context.Context // ends the counting
	memory  int64           // bytes that it may take, all in all
	texts   []string
	streams []nsysrep.Message

	once     sync.Once
	index    *nsysrep.Index
	err      error
	problems []error
	tables   []repTable
	mpi      map[[2]int64]bool // process and domain whose ranges are calls of MPI
}

const (
	// smallReport is the size of reports, in bytes, that are counted when they are
	// opened: it takes less than a tenth of a second.
	smallReport = 16 << 20

	// defaultMemory is what reading a timeline may take if nothing else is said.
	defaultMemory = 2 << 30

	ownMemory = 64 << 20 // of the program, and of what it writes
)

// A repTable is a table made of a report.
type repTable struct {
	name   string
	rows   int
	kind   nsysrep.Kind // of the events that are its rows
	stacks bool         // its rows are the frames of their stacks
	cols   []repColumn
	keep   func(b *nsysrep.Batch, i int) bool // which events; nil: all
	need   uint64                             // columns that keep looks at

	made map[string]*trace.Column // columns that are made otherwise
	text map[string][]string      // texts that are made otherwise
}

func openNsysRep(f *File) error {
	file, err := nsysrep.Open(f.in, f.Size, f.Name)
	if err != nil {
		return err
	}
	s := &nsysRepSource{file: file, ctx: f.opening, memory: defaultMemory, mpi: map[[2]int64]bool{}}
	for _, p := range file.Problems() {
		f.problems = append(f.problems, p.Error())
	}
	f.rep = s
	f.Trace = trace.New(f.Name, s)
	f.Trace.Version = schema.Newest
	ui, _ := file.Message("UI Data")
	f.Trace.Tool = strings.TrimSpace("NVIDIA Nsight Systems " + ui.Text(21))
	if f.Size <= smallReport {
		s.ready()
		for _, p := range s.problems {
			f.problems = append(f.problems, p.Error())
		}
		s.problems = nil
		return s.err
	}
	return nil
}

// SetMemory bounds what reading a timeline may take, in bytes, and fails if that
// is too little. It is for native reports, before a table is read; other formats
// take what their tables do.
func (f *File) SetMemory(bytes int64) error {
	s := f.rep
	if s == nil {
		return nil
	}
	if need := s.file.Need() + ownMemory; need > bytes {
		return fmt.Errorf("%s: reading it takes about %d MiB, more than the %d MiB that it may (--memory)", s.file.Name, need>>20+1, bytes>>20)
	}
	if s.index != nil && bytes < s.memory { // counted with more; its problems were told
		s.once, s.index, s.tables, s.problems = sync.Once{}, nil, nil, nil
		s.memory = bytes
		s.ready()
		s.problems = nil
	}
	s.memory = bytes
	return s.err
}

// ready counts the events and finds the tables, once.
func (s *nsysRepSource) ready() {
	s.once.Do(func() {
		var err error
		if s.texts, s.streams, err = s.file.Strings(); err != nil {
			s.problems = append(s.problems, err)
		}
		// The rest is for batches, for the tables read, and for garbage.
		if s.index, s.err = s.file.Index(s.ctx, (s.memory-ownMemory)/8*5); s.err != nil {
			s.problems = append(s.problems, s.err)
			return
		}
		s.problems = append(s.problems, s.index.Problems...)
		s.err = s.build()
		s.problems = append(s.problems, s.notUnderstood()...)
	})
}

// Problems are the defects met when the frames were counted.
func (s *nsysRepSource) Problems() []error { return s.problems }

// notUnderstood tells of events that are not known, a line for each type. Fields
// of known events that are not known are left out silently.
func (s *nsysRepSource) notUnderstood() []error {
	var out []error
	for u, n := range s.index.Unknown {
		if u.Field == 0 {
			out = append(out, fmt.Errorf("%s: %d %v were not understood", s.file.Name, n, u))
		}
	}
	slices.SortFunc(out, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	return out
}

// Tables lists the tables that have rows.
func (s *nsysRepSource) Tables() []trace.TableInfo {
	s.ready()
	if s.err != nil {
		return nil
	}
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
		out = append(out, info)
	}
	return out
}

func (s *nsysRepSource) table(name string) (*repTable, error) {
	s.ready()
	if s.err != nil {
		return nil, s.err
	}
	for i := range s.tables {
		if s.tables[i].name == name {
			return &s.tables[i], nil
		}
	}
	return nil, fmt.Errorf("%s: no table %s", s.file.Name, name)
}

// Read makes columns of a table.
func (s *nsysRepSource) Read(ctx context.Context, table string, columns []trace.ColumnInfo, in *trace.Strings) (*trace.Table, []error, error) {
	t, err := s.table(table)
	if err != nil {
		return nil, nil, err
	}
	out, err := s.readTable(ctx, t, columns, in)
	return out, nil, err
}

func (s *nsysRepSource) readTable(ctx context.Context, t *repTable, columns []trace.ColumnInfo, in *trace.Strings) (*trace.Table, error) {
	if !t.fromEvents() {
		return t.small(0, t.rows, columns, in), ctx.Err()
	}
	out := &trace.Table{Name: t.name}
	for _, ci := range columns {
		out.Columns = append(out.Columns, &trace.Column{Name: ci.Name, Kind: ci.Kind})
	}
	err := s.scanEvents(ctx, t, columns, in, func(part *trace.Table) error {
		for i, c := range part.Columns {
			join(out.Columns[i], c, out.Rows, part.Rows, t.rows)
		}
		out.Rows += part.Rows
		return nil
	})
	return out, err
}

// join puts n cells behind those of a column, which will have total.
func join(to, from *trace.Column, at, n, total int) {
	switch from.Kind {
	case trace.Integers:
		to.Ints = append(slices.Grow(to.Ints, total-at), from.Ints[:n]...)
	case trace.Reals:
		to.Reals = append(slices.Grow(to.Reals, total-at), from.Reals[:n]...)
	case trace.Texts:
		to.Syms = append(slices.Grow(to.Syms, total-at), from.Syms[:n]...)
	}
	if from.Null != nil {
		if to.Null == nil {
			to.Null = make([]bool, total)
		}
		copy(to.Null[at:], from.Null[:n])
	}
}

// Scan makes a table in parts.
func (s *nsysRepSource) Scan(ctx context.Context, table string, columns []trace.ColumnInfo, in *trace.Strings, yield func(*trace.Table) error) ([]error, error) {
	t, err := s.table(table)
	if err != nil {
		return nil, err
	}
	return nil, s.scanTable(ctx, t, columns, in, yield)
}

func (s *nsysRepSource) scanTable(ctx context.Context, t *repTable, columns []trace.ColumnInfo, in *trace.Strings, yield func(*trace.Table) error) error {
	if t.fromEvents() {
		return s.scanEvents(ctx, t, columns, in, yield)
	}
	const part = 1 << 16
	for from := 0; from < t.rows; from += part {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := yield(t.small(from, min(t.rows, from+part), columns, in)); err != nil {
			return err
		}
	}
	return nil
}
