package timeline

import (
	"context"
	"errors"

	"github.com/gpuprof/gpuprof/trace"
)

// Details are what the row of a slice tells beside its name, time and place.
type Details struct {
	RowID int64        // number of the row, as SQL knows it
	Facts []trace.Fact // in the order of columns; bytes and bandwidth last
}

var errFound = errors.New("found")

// Details reads the row of a slice; nil where there is no such slice. Marks and
// ranges of NVTX have no facts here.
func (x *Index) Details(ctx context.Context, id SliceID) (*Details, error) {
	if id < 0 || int(id) >= len(x.start) {
		return nil, nil
	}
	table, row := x.tables[x.set[id]], int(x.row[id])
	a := trace.SliceTable{Table: table}
	for _, s := range x.tr.SliceTables() {
		if s.Table == table {
			a = s
		}
	}
	columns := []string{"rowid"}
	if a.Start != "" {
		columns = append(append(columns, "bytes"), x.tr.FactColumns(a)...)
	}
	d := &Details{}
	at := 0
	err := x.tr.ScanColumns(ctx, table, columns, func(t *trace.Table) error {
		i := row - at
		at += t.Rows
		if i >= t.Rows {
			return ctx.Err()
		}
		d.RowID = t.Ints("rowid")[i]
		if a.Start == "" {
			return errFound
		}
		d.Facts = x.tr.Facts(ctx, a, t)(i)
		if c := t.Col("bytes"); c != nil && c.Kind == trace.Integers && !c.IsNull(i) {
			d.Facts = append(d.Facts, trace.SizeFacts(c.Ints[i], x.end[id]-x.start[id])...)
		}
		return errFound
	})
	if err != nil && !errors.Is(err, errFound) {
		return nil, err
	}
	return d, nil
}
