package stats

import (
	"context"
	"fmt"

	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/trace/interval"
	"github.com/gpuprof/gpuprof/view"
)

var cudaGraphSum = &Report{
	Name: "cuda_graph_sum", Title: "CUDA Graph Summary",
	Short: "time in CUDA graphs that were traced as a whole, by graph and device; a report of gpuprof's own",
	Build: func(ctx context.Context, q *Request) (*view.Table, error) {
		t, err := q.table(ctx, "CUDA graphs traced as a whole", trace.TableGraph, "start", "end", "globalPid", "deviceId", "graphId", "graphExecId")
		if err != nil {
			return nil, err
		}
		pid, device, id, exec := t.Ints("globalPid"), t.Ints("deviceId"), t.Ints("graphId"), t.Ints("graphExecId")
		g := together(t.Rows, pid, device, id, exec)
		first := g.first()
		var rows []sumRow
		for i, d := range g.dists(durations(t)) {
			k := first[i]
			rows = append(rows, sumRow{d: d, name: fmt.Sprintf("%20d %20d", id[k], exec[k]), cells: []view.Value{
				view.Int(trace.GlobalID(pid[k]).PID(), ""), view.Int(device[k], ""), view.Int(id[k], ""), view.Int(exec[k], "")}})
		}
		return sumTable("Launches", rows, count("PID"), count("Device"), graphNumber("Graph"), graphNumber("Graph Exec")), nil
	},
}

func graphNumber(label string) view.Column {
	c := count(label)
	c.Role = view.RoleID
	return c
}

// tellGraphs tells of kernels that a report of kernels does not see.
func (q *Request) tellGraphs(ctx context.Context) error {
	if q.Note == nil {
		return nil
	}
	t, err := q.Trace.Table(ctx, trace.TableGraph, "start", "end")
	if err != nil || t == nil || t.Rows == 0 {
		return err
	}
	if t = q.Filter.Apply(t); t.Rows == 0 {
		return nil
	}
	var all int64
	d := durations(t)
	for i := range t.Rows {
		all = interval.Plus(all, d(i))
	}
	q.Note(fmt.Sprintf("%d launches of CUDA graphs were traced as a whole (%s in all): their kernels are in no report of kernels; cuda_graph_sum sums them up, and --cuda-graph-trace=node records their kernels",
		t.Rows, view.Words(view.Int(all, ns))))
	return nil
}
