package load

import (
	"context"
	"slices"
	"sync"

	"github.com/gpuprof/gpuprof/format/amd"
	"github.com/gpuprof/gpuprof/trace"
)

// An amdOutline has the tables of a trace of which only the sizes and the GPUs are
// known. Whoever asks for more has the trace read.
type amdOutline struct {
	counts memory
	whole  func() (*memory, error)
}

// newAMDOutline lists the tables that amdTables will make of the trace.
func newAMDOutline(a *AMD) *amdOutline {
	o := a.outline
	rows := map[string]int{trace.TableRuntime: o.Calls, "AMD_CALLS": o.Calls, trace.TableKernel: o.Kernels, trace.TableMemcpy: o.Copies,
		"AMD_COMMANDS": o.Commands, "AMD_PACKETS": o.Packets, "AMD_SOURCES": o.Places, trace.TableNvtx: o.Ranges, "StringIds": o.Names}
	form := &memory{empty: true}
	form.addAMD(&amd.Trace{})
	m := &amdOutline{}
	for _, t := range form.tables {
		if t.name == tableGPU {
			gpus := &ids{}
			for _, d := range o.Devices {
				gpus.id(d)
			}
			m.counts.addGPUs(gpus)
			continue
		}
		m.counts.add(t.name, rows[t.name], t.columns...)
	}
	m.whole = sync.OnceValues(func() (*memory, error) {
		t, err := a.Trace()
		if err != nil {
			return nil, err
		}
		return amdTables(t), nil
	})
	return m
}

// Tables lists the tables.
func (m *amdOutline) Tables() []trace.TableInfo { return m.counts.Tables() }

// Read makes columns of a table.
func (m *amdOutline) Read(ctx context.Context, table string, columns []trace.ColumnInfo, s *trace.Strings) (*trace.Table, []error, error) {
	from := &m.counts
	if table != tableGPU && !onlyNumbers(columns) {
		var err error
		if from, err = m.whole(); err != nil {
			return nil, nil, err
		}
	}
	return from.Read(ctx, table, columns, s)
}

// Scan is Read in one part, but for the numbers of rows, which need no table.
func (m *amdOutline) Scan(ctx context.Context, table string, columns []trace.ColumnInfo, s *trace.Strings, yield func(*trace.Table) error) ([]error, error) {
	i := slices.IndexFunc(m.counts.tables, func(t *memoryTable) bool { return t.name == table })
	if i < 0 || !onlyNumbers(columns) {
		t, problems, err := m.Read(ctx, table, columns, s)
		if err != nil {
			return problems, err
		}
		return problems, yield(t)
	}
	numbers := make([]int64, 1<<16)
	for first, n := 0, m.counts.tables[i].rows; first < n; first += len(numbers) {
		part := numbers[:min(len(numbers), n-first)]
		for k := range part {
			part[k] = int64(first + k + 1)
		}
		err := yield(&trace.Table{Name: table, Rows: len(part), Columns: []*trace.Column{{Name: rowID, Kind: trace.Integers, Ints: part}}})
		if err != nil {
			return nil, err
		}
	}
	return nil, ctx.Err()
}

// rowID is the column that numbers the rows of every table.
const rowID = "rowid"

func onlyNumbers(columns []trace.ColumnInfo) bool {
	return !slices.ContainsFunc(columns, func(c trace.ColumnInfo) bool { return c.Name != rowID })
}

// placed reports whether the file is a trace that has stack traces.
func (a *AMD) placed() bool {
	if t := a.readTrace(); t != nil {
		return t.Placed()
	}
	return a != nil && a.outline != nil && a.outline.Places > 0
}
