package stats

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/view"
)

var cudaAPISum = &Report{
	Name: "cuda_api_sum", Old: []string{"cudaapisum"}, Title: "CUDA API Summary",
	Short: "time in calls of the CUDA runtime and driver, by function",
	Build: func(ctx context.Context, q *Request) (*view.Table, error) {
		rows, err := apiSums(ctx, q)
		if err != nil {
			return nil, err
		}
		return sumTable("Num Calls", rows, text("Name")), nil
	},
}

// apiSums sums up the calls of each function.
func apiSums(ctx context.Context, q *Request) ([]sumRow, error) {
	t, err := q.table(ctx, "CUDA API calls", trace.TableRuntime, "start", "end", "nameId")
	if err != nil {
		return nil, err
	}
	return namedSums(q.Trace, t, "nameId", apiName), nil
}

// namedSums sums up durations by a column of StringIds; short is how a name is
// shown. As in nsys two names that are shown alike, such as two versions of a
// function, stay two rows.
func namedSums(tr *trace.Trace, t *trace.Table, column string, short func(string) string) []sumRow {
	g, ids := groupInts(t.Ints(column))
	g, names := merge(g, func(i int) string { return tr.NameText(ids[i]) })
	var rows []sumRow
	for i, d := range g.dists(durations(t)) {
		name := short(names[i])
		rows = append(rows, sumRow{d: d, name: name, cells: []view.Value{view.String(name)}})
	}
	return rows
}

// apiName drops the version that CUDA appends to the names of its functions:
// cudaLaunchKernel_v7000. As in nsys, only one of four digits.
func apiName(s string) string {
	if n := len(s); n > 6 && s[n-6:n-4] == "_v" {
		return s[:n-6]
	}
	return s
}

func same(s string) string { return s }

var cudaAPITrace = &Report{
	Name: "cuda_api_trace", Old: []string{"cudaapitrace"}, Title: "CUDA API Trace",
	Short: "every call of the CUDA runtime and driver",
	Build: func(ctx context.Context, q *Request) (*view.Table, error) {
		t, err := q.table(ctx, "CUDA API calls", trace.TableRuntime, "start", "end", "nameId", "returnValue", "correlationId", "globalTid")
		if err != nil {
			return nil, err
		}
		threads, err := q.Trace.Threads(ctx)
		if err != nil {
			return nil, err
		}
		out := table(nanoseconds("Start"), nanoseconds("Duration"), text("Name"), count("Result"), count("CorrID"),
			count("Pid"), count("Tid"), count("T-Pri"), text("Thread Name"))
		start, end, id, ret, corr, tid := t.Ints("start"), t.Ints("end"), t.Ints("nameId"), t.Ints("returnValue"), t.Ints("correlationId"), t.Ints("globalTid")
		order := byTime(start)
		out.More = func(yield func([]view.Value) bool) {
			row := make([]view.Value, 9)
			for _, i := range order {
				g := trace.GlobalID(tid[i])
				row = append(row[:0], view.Int(start[i], ns), view.Int(end[i]-start[i], ns), view.String(apiName(q.Trace.NameText(id[i]))),
					view.Int(ret[i], ""), view.Int(corr[i], ""), view.Int(g.PID(), ""), view.Int(g.TID(), ""))
				if !yield(append(row, threadCells(threads, g)...)) {
					return
				}
			}
		}
		return out, nil
	},
}

// threadCells are priority and name of a thread.
func threadCells(threads map[trace.GlobalID]trace.Thread, g trace.GlobalID) []view.Value {
	th, ok := threads[g]
	if !ok {
		return []view.Value{view.Null, view.Null}
	}
	prio := view.Null
	if th.Priority >= 0 {
		prio = view.Int(th.Priority, "")
	}
	return []view.Value{prio, view.String(strings.ToValidUTF8(th.Name, "\uFFFD"))}
}

// byTime returns the rows in the order of their start; rows that begin together
// stay as they are. Exports are mostly sorted already.
func byTime(start []int64) []int32 {
	order := make([]int32, len(start))
	sorted := true
	for i := range order {
		order[i] = int32(i)
		sorted = sorted && (i == 0 || start[i-1] <= start[i])
	}
	if !sorted {
		slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(start[a], start[b]) })
	}
	return order
}

var cudaAPIGPUSum = &Report{
	Name: "cuda_api_gpu_sum", Old: []string{"apigpusum"}, Title: "CUDA API / GPU Kernel / MemOps Summary",
	Short: "time in API calls, kernels and memory operations together",
	Args:  kernelArgs,
	Build: func(ctx context.Context, q *Request) (*view.Table, error) {
		rows, err := gpuSums(ctx, q)
		if err != nil {
			return nil, err
		}
		api, err := apiSums(ctx, q)
		if _, skip := err.(*Skip); err != nil && !skip {
			return nil, err
		}
		for _, r := range api {
			r.cells = []view.Value{view.String("CUDA_API"), view.String(r.name)}
			rows = append(rows, r)
		}
		if len(rows) == 0 {
			return nil, skipf("the trace has neither CUDA API calls nor work of a GPU")
		}
		return sumTable("Instances", rows, text("Category"), text("Operation")), nil
	},
}
