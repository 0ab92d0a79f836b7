package stats

import (
	"cmp"
	"context"
	"slices"

	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/view"
)

// failingTables are those whose returnValue is 0 where a call succeeded.
var failingTables = []string{trace.TableRuntime, "CUBLAS_EVENTS", "CUDNN_EVENTS"}

// cudaErrors are the codes of CUDA that are met most, the same in the runtime and
// the driver (CUresult, cudaError_t).
var cudaErrors = map[int64]string{1: "invalid value", 2: "out of memory", 3: "not initialized", 4: "deinitialized", 35: "insufficient driver", 36: "call requires newer driver",
	98: "invalid device function", 100: "no device", 101: "invalid device", 200: "invalid image", 201: "invalid context", 209: "no binary for the GPU", 218: "invalid PTX",
	222: "unsupported PTX version", 400: "invalid handle", 500: "not found", 600: "not ready", 700: "illegal address", 701: "out of resources at launch", 702: "launch timeout",
	704: "peer access already enabled", 705: "peer access not enabled", 709: "context destroyed", 710: "device assertion", 715: "illegal instruction", 716: "misaligned address",
	717: "invalid address space", 719: "launch failure", 720: "cooperative launch too large", 800: "not permitted", 801: "not supported", 802: "system not ready", 900: "capture unsupported",
	901: "capture invalidated", 999: "unknown"}

const notReady = 600 // an answer of cudaEventQuery and cudaStreamQuery, no failure

var failedCalls = &Report{
	Name: "failed_calls", Title: "Failed Calls",
	Short: "calls of CUDA, cuBLAS and cuDNN that did not return success, by function and code; a report of gpuprof's own",
	Args:  []Arg{{Name: "queries", Help: "also queries that answer: not ready"}},
	Build: func(ctx context.Context, q *Request) (*view.Table, error) {
		type key struct{ pid, name, code int64 }
		type failure struct {
			key
			table            string
			n, took          int64
			first, last, tid int64
		}
		var all []*failure
		calls := 0
		for _, name := range failingTables {
			t, err := q.table(ctx, "calls", name, "start", "end", "nameId", "returnValue", "globalTid")
			if _, skip := err.(*Skip); skip {
				continue
			}
			if err != nil {
				return nil, err
			}
			calls += t.Rows
			by := map[key]*failure{}
			start, tid, id, d := t.Ints("start"), t.Ints("globalTid"), t.Ints("nameId"), durations(t)
			for i, code := range t.Ints("returnValue") {
				if code == 0 || t.IsNull("returnValue", i) || code == notReady && name == trace.TableRuntime && !q.flag("queries") {
					continue
				}
				k := key{trace.GlobalID(tid[i]).PID(), id[i], code}
				f := by[k]
				if f == nil {
					f = &failure{key: k, table: name, first: start[i], last: start[i], tid: tid[i]}
					by[k] = f
					all = append(all, f)
				}
				if start[i] < f.first {
					f.first, f.tid = start[i], tid[i]
				}
				f.n, f.took, f.last = f.n+1, f.took+d(i), max(f.last, start[i])
			}
		}
		if calls == 0 {
			return nil, skipf("the trace has no calls of CUDA, cuBLAS or cuDNN")
		}
		slices.SortStableFunc(all, func(a, b *failure) int { return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(a.first, b.first)) })
		out := table(count("Calls"), nanoseconds("Total Time"), nanoseconds("First"), nanoseconds("Last"), count("PID"), count("TID"), text("Name"), count("Code"), text("Meaning"))
		for _, f := range all {
			meaning := view.Null
			if m := cudaErrors[f.code]; m != "" && f.table == trace.TableRuntime {
				meaning = view.String(m)
			}
			out.Rows = append(out.Rows, []view.Value{view.Int(f.n, ""), view.Int(f.took, ns), view.Int(f.first, ns), view.Int(f.last, ns), view.Int(f.pid, ""),
				view.Int(trace.GlobalID(f.tid).TID(), ""), view.String(apiName(q.Trace.NameText(f.name))), view.Int(f.code, ""), meaning})
		}
		return out, nil
	},
}
