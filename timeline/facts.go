package timeline

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/gpuprof/gpuprof/trace"
)

// Details are what the row of a slice tells beside its name, time and place.
type Details struct {
	RowID int64        // number of the row, as SQL knows it
	Facts []trace.Fact // in the order of columns; bytes, bandwidth and correlation last
}

var errFound = errors.New("found")

// Details reads the row of a slice; nil where there is no such slice.
func (x *Index) Details(ctx context.Context, id SliceID) (*Details, error) {
	if id < 0 || int(id) >= len(x.start) {
		return nil, nil
	}
	d := &Details{RowID: x.rowID(id)}
	table := x.tables[x.set[id]]
	if table == tableCritical {
		d.Facts = x.stepFacts(int(x.row[id]))
		return d, nil
	}
	facts := x.factsOf(table)
	err := x.tr.ScanColumns(ctx, table, append([]string{"rowid"}, facts.columns...), func(t *trace.Table) error {
		i := rowWith(t.Ints("rowid"), d.RowID)
		if i < 0 {
			return ctx.Err()
		}
		var err error
		if d.Facts, err = facts.of(ctx, t, i, x.end[id]-x.start[id]); err != nil {
			return err
		}
		return errFound
	})
	if err != nil && !errors.Is(err, errFound) {
		return nil, err
	}
	return d, nil
}

// rowWith is the row of a number, -1 if there is none. Numbers mostly follow each
// other.
func rowWith(ids []int64, id int64) int {
	if len(ids) > 0 {
		if i := id - ids[0]; i >= 0 && i < int64(len(ids)) && ids[i] == id {
			return int(i)
		}
	}
	for i, v := range ids {
		if v == id {
			return i
		}
	}
	return -1
}

// A teller tells the facts of rows of a table.
type teller struct {
	columns []string
	of      func(ctx context.Context, t *trace.Table, i int, ns int64) ([]trace.Fact, error)
}

func (x *Index) factsOf(table string) teller {
	if table == trace.TableNvtx {
		return teller{[]string{"globalTid", "domainId", "category", "color"}, x.nvtxFacts}
	}
	for _, a := range x.tr.SliceTables() {
		if a.Table == table {
			return teller{append([]string{"bytes", "correlationId"}, x.tr.FactColumns(a)...), func(ctx context.Context, t *trace.Table, i int, ns int64) ([]trace.Fact, error) {
				out := x.tr.Facts(ctx, a, t)(i)
				if v, ok := cell(t, "bytes", i); ok {
					out = append(out, trace.SizeFacts(v, ns)...)
				}
				if v, ok := cell(t, "correlationId", i); ok && v != 0 {
					out = append(out, trace.Fact{Name: "correlation", Number: v})
				}
				if a.Table != trace.TableKernel {
					return out, nil
				}
				more, err := x.occupancyFact(ctx, out)
				return append(out, more...), err
			}}
		}
	}
	return teller{nil, func(context.Context, *trace.Table, int, int64) ([]trace.Fact, error) { return nil, nil }}
}

func cell(t *trace.Table, column string, i int) (int64, bool) {
	c := t.Col(column)
	if c == nil || c.Kind != trace.Integers || c.IsNull(i) {
		return 0, false
	}
	return c.Ints[i], true
}

// nvtxFacts are domain, category and colour of an NVTX event.
func (x *Index) nvtxFacts(ctx context.Context, t *trace.Table, i int, _ int64) ([]trace.Fact, error) {
	domains, err := x.tr.Domains(ctx)
	if err != nil {
		return nil, err
	}
	tid, _ := cell(t, "globalTid", i)
	g := trace.GlobalID(tid)
	out := []trace.Fact{{Name: "thread", Number: g.TID()}}
	domain, _ := cell(t, "domainId", i)
	if name := domains.Name(g, domain); name != "" {
		out = append(out, trace.Fact{Name: "domain", Text: name, IsText: true})
	}
	if v, ok := cell(t, "category", i); ok && v != 0 {
		name := domains.Category(g, domain, v)
		if name == "" {
			name = strconv.FormatInt(v, 10)
		}
		out = append(out, trace.Fact{Name: "category", Text: name, IsText: true})
	}
	if v, ok := cell(t, "color", i); ok {
		out = append(out, trace.Fact{Name: "color", Text: fmt.Sprintf("#%06X", v&0xffffff), IsText: true})
	}
	return out, nil
}

// stepFacts are those of a step of the critical path.
func (x *Index) stepFacts(row int) []trace.Fact {
	s := x.path[row]
	out := []trace.Fact{{Name: "step", Text: s.Kind.String(), IsText: true}}
	if s.Table != "" {
		out = append(out, trace.Fact{Name: "table", Text: s.Table, IsText: true}, trace.Fact{Name: "row", Number: s.Row})
	}
	if s.Stream >= 0 {
		out = append(out, trace.Fact{Name: "deviceId", Number: s.Device}, trace.Fact{Name: "streamId", Number: s.Stream})
	}
	if s.Thread != 0 {
		out = append(out, trace.Fact{Name: "thread", Number: s.Thread.TID()})
	}
	return out
}
