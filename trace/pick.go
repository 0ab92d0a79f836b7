package trace

import (
	"context"
	"regexp"
	"slices"
	"sync"
)

// A Selection says which events are looked at; what is empty selects all. Events
// that do not tell what a condition asks for, such as the device of a call of the
// operating system, are kept.
//
// Work of a GPU goes with the call that caused it, in both directions: of the
// calls of CUDA only those are kept that caused work on the Devices and Streams
// and of the names of Kernels, and of the work only what a call of the Threads
// caused, inside the Ranges.
type Selection struct {
	Processes []int64 // ids of the operating system
	Threads   []ThreadID
	Devices   []int64
	Streams   []int64
	Units     []Unit         // processes, each on one device or on all of them
	Kernels   *regexp.Regexp // names of kernels, long or short: other work of the GPU is left out
	Ranges    *regexp.Regexp // texts of NVTX events: of these only they are kept; of the rest what began inside such a range on its thread, or inside one of start and end in its process
	Fold      bool           // numbers in texts of NVTX events become N
}

// A ThreadID is a thread by the numbers of the operating system; PID -1: of any
// process.
type ThreadID struct{ PID, TID int64 }

func (t ThreadID) is(g GlobalID) bool { return t.TID == g.TID() && (t.PID < 0 || t.PID == g.PID()) }

func (s *Selection) hasThread(g GlobalID) bool {
	return len(s.Threads) == 0 || slices.ContainsFunc(s.Threads, func(t ThreadID) bool { return t.is(g) })
}

// A Unit is what one rank of a program uses.
type Unit struct {
	Process GlobalID
	Device  int64 // -1: all
}

// IsZero reports whether everything is selected, as it is.
func (s *Selection) IsZero() bool {
	return len(s.Processes)+len(s.Threads)+len(s.Devices)+len(s.Streams)+len(s.Units) == 0 && s.Kernels == nil && s.Ranges == nil && !s.Fold
}

// narrows reports whether anything is left out.
func (s *Selection) narrows() bool {
	all := *s
	all.Fold = false
	return !all.IsZero()
}

// byWork reports whether calls are selected by what they caused.
func (s *Selection) byWork() bool {
	return len(s.Devices)+len(s.Streams) > 0 || s.Kernels != nil || slices.ContainsFunc(s.Units, func(u Unit) bool { return u.Device >= 0 })
}

// byCall reports whether work is selected by what caused it.
func (s *Selection) byCall() bool { return len(s.Threads) > 0 || s.Ranges != nil }

// Pick returns a trace with the events of t that are selected. Rows keep their
// numbers. The two share texts, not what they have read.
func (t *Trace) Pick(s Selection) *Trace {
	n := New(t.File, &picked{base: t, sel: s, keep: map[string][]bool{}})
	n.Version, n.Tool, n.Strings = t.Version, t.Tool, t.Strings
	if n.fold = t.fold; s.Fold {
		n.fold = &folder{of: map[Sym]Sym{}, strings: t.Strings}
	}
	return n
}

// Picked reports whether the trace is a selection of another.
func (t *Trace) Picked() bool {
	p, ok := t.source.(*picked)
	return ok && (&p.sel).narrows()
}

// picked is a Source with some rows of a trace.
type picked struct {
	base *Trace
	sel  Selection

	mu     sync.Mutex
	keep   map[string][]bool // of the rows of a table; nil: all
	calls  []bool            // by conditions of their own, not yet by what they caused
	called bool
	within map[GlobalID][]stretch // of the ranges, by thread or process
}

type stretch struct{ start, end int64 }

// Tables lists those of the trace.
func (p *picked) Tables() []TableInfo { return p.base.Tables() }

// Problems are those of the trace.
func (p *picked) Problems() []error { return p.base.Problems() }

// Read reads columns of a table.
func (p *picked) Read(ctx context.Context, table string, columns []ColumnInfo, in *Strings) (*Table, []error, error) {
	keep, err := p.rows(ctx, table)
	if err != nil {
		return nil, nil, err
	}
	if keep == nil {
		return p.base.source.Read(ctx, table, columns, in)
	}
	t, err := p.base.Table(ctx, table, namesOf(columns)...)
	if err != nil {
		return nil, nil, err
	}
	return t.only(columns).where(keep), nil, nil
}

func namesOf(columns []ColumnInfo) []string {
	out := make([]string, len(columns))
	for i, c := range columns {
		out[i] = c.Name
	}
	return out
}

// only is the table with some of its columns, in their order.
func (t *Table) only(columns []ColumnInfo) *Table {
	out := &Table{Name: t.Name, Rows: t.Rows}
	for _, c := range columns {
		out.Columns = append(out.Columns, t.Col(c.Name))
	}
	return out
}

// Scan reads columns of a table in parts.
func (p *picked) Scan(ctx context.Context, table string, columns []ColumnInfo, in *Strings, yield func(*Table) error) ([]error, error) {
	keep, err := p.rows(ctx, table)
	if err != nil {
		return nil, err
	}
	at := 0
	return scan(ctx, p.base.source, table, columns, in, func(t *Table) error {
		if keep == nil {
			return yield(t)
		}
		from := at
		at += t.Rows
		return yield(t.where(keep[from:at]))
	})
}

// scan reads a table of a source in parts, or as one.
func scan(ctx context.Context, src Source, table string, columns []ColumnInfo, in *Strings, yield func(*Table) error) ([]error, error) {
	if s, ok := src.(scanner); ok {
		return s.Scan(ctx, table, columns, in, yield)
	}
	t, problems, err := src.Read(ctx, table, columns, in)
	if err != nil {
		return problems, err
	}
	return problems, yield(t)
}

// where returns the rows that are marked.
func (t *Table) where(keep []bool) *Table {
	out := &Table{Name: t.Name}
	for _, k := range keep[:t.Rows] {
		if k {
			out.Rows++
		}
	}
	for _, c := range t.Columns {
		out.Columns = append(out.Columns, &Column{Name: c.Name, Kind: c.Kind, Ints: marked(c.Ints, keep, out.Rows), Reals: marked(c.Reals, keep, out.Rows),
			Syms: marked(c.Syms, keep, out.Rows), Null: marked(c.Null, keep, out.Rows)})
	}
	return out
}

func marked[T any](v []T, keep []bool, n int) []T {
	if v == nil {
		return nil
	}
	out := make([]T, 0, n)
	for i, x := range v {
		if keep[i] {
			out = append(out, x)
		}
	}
	return out
}

// rows tells which rows of a table are kept; nil: all.
func (p *picked) rows(ctx context.Context, table string) ([]bool, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.kept(ctx, table)
}

func (p *picked) kept(ctx context.Context, table string) (keep []bool, err error) {
	if k, ok := p.keep[table]; ok {
		return k, nil
	}
	switch {
	case table == TableRuntime:
		if keep, err = p.callers(ctx); err == nil && p.sel.byWork() {
			keep, err = p.causes(ctx, keep)
		}
	case p.isWork(table):
		keep, err = p.work(ctx, table)
	case table == TableNvtx:
		keep, err = p.nvtx(ctx)
	case len(table) > 7 && table[:7] == "TARGET_":
	default:
		keep, err = p.own(ctx, table)
	}
	if err != nil {
		return nil, err
	}
	p.keep[table] = keep
	return keep, nil
}
