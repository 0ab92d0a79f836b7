package stats

import (
	"context"

	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/view"
)

// mpiSources name the tables of calls of MPI. The vendor's documents speak of the
// source of an event and name only those of messages; the words for the other
// two are guesses.
var mpiSources = map[string]string{"MPI_COLLECTIVES_EVENTS": "coll", "MPI_P2P_EVENTS": "p2p", "MPI_START_WAIT_EVENTS": "start_wait", "MPI_OTHER_EVENTS": "other"}

// mpiKey is a function of MPI and where its numbers come from.
type mpiKey struct{ source, name string }

var mpiEventSum = &Report{
	Name: "mpi_event_sum", Title: "MPI Event Summary", Short: "time in calls of MPI, by function",
	Build: func(ctx context.Context, q *Request) (*view.Table, error) {
		rows, err := mpiSums(ctx, q, "calls of MPI", func(table string, t *trace.Table, add func(source string, i int, v int64)) {
			end, d := t.Col("end"), durations(t)
			for i := range t.Rows {
				if end != nil && !end.IsNull(i) {
					add(mpiSources[table], i, d(i))
				}
			}
		})
		if err != nil {
			return nil, err
		}
		return sumTable("Instances", rows, text("Source"), text("Name")), nil
	},
}

var mpiMsgSizeSum = &Report{
	Name: "mpi_msg_size_sum", Title: "MPI Message Size Summary", Short: "bytes of messages of MPI, by function; what collectives send and receive apart",
	Build: func(ctx context.Context, q *Request) (*view.Table, error) {
		rows, err := mpiSums(ctx, q, "calls of MPI that tell the size of a message", func(table string, t *trace.Table, add func(source string, i int, v int64)) {
			one := func(column, source string) {
				if c := t.Col(column); c != nil && c.Kind == trace.Integers {
					for i, v := range c.Ints {
						if !c.IsNull(i) {
							add(source, i, v)
						}
					}
				}
			}
			switch table {
			case "MPI_P2P_EVENTS":
				one("size", "p2p")
			case "MPI_COLLECTIVES_EVENTS":
				one("size", "coll_send")
				one("recvSize", "coll_recv")
			}
		})
		if err != nil {
			return nil, err
		}
		sizes := func(label string) view.Column {
			c := decimal(label + " (B)")
			c.Name, c.Unit = name(label), octet
			return c
		}
		t := table(append(append([]view.Column{sizes("Total Message Volume"), count("Instances")}, distColumns(sizes)...), text("Source"), text("Name"))...)
		for _, i := range bySum(rows) {
			r := &rows[i]
			row := append([]view.Value{view.Int(r.d.sum, octet), view.Int(r.d.n, "")}, r.d.values(octet)...)
			t.Rows = append(t.Rows, append(row, r.cells...))
		}
		return t, nil
	},
}

// mpiSums sums up what each hands to add, by function and source; what says what
// there was to be.
func mpiSums(ctx context.Context, q *Request, what string, each func(table string, t *trace.Table, add func(source string, i int, v int64))) ([]sumRow, error) {
	values := map[mpiKey][]int64{}
	var order []mpiKey
	for _, name := range mpiTables {
		t, err := q.table(ctx, "calls of MPI", name, "start", "end", "textId", "size", "recvSize")
		if _, skip := err.(*Skip); skip {
			continue
		}
		if err != nil {
			return nil, err
		}
		id := t.Ints("textId")
		each(name, t, func(source string, i int, v int64) {
			k := mpiKey{source, q.Trace.NameText(id[i])}
			if values[k] == nil {
				order = append(order, k)
			}
			values[k] = append(values[k], v)
		})
	}
	if len(order) == 0 {
		return nil, skipf("the trace has no %s%s", what, q.Filter.suffix())
	}
	var rows []sumRow
	for _, k := range order {
		rows = append(rows, sumRow{d: distOf(values[k]), name: k.name, cells: []view.Value{view.String(k.source), view.String(k.name)}})
	}
	return rows, nil
}
