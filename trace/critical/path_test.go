package critical

import (
	"context"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/gpuprof/gpuprof/trace"
)

// rows is a source of one table of calls, one of kernels and one of waits.
type rows map[string]*trace.Table

func (r rows) Tables() (out []trace.TableInfo) {
	for name, t := range r {
		info := trace.TableInfo{Name: name}
		for _, c := range t.Columns {
			info.Columns = append(info.Columns, trace.ColumnInfo{Name: c.Name})
		}
		out = append(out, info)
	}
	return out
}

func (r rows) Read(_ context.Context, table string, columns []trace.ColumnInfo, _ *trace.Strings) (*trace.Table, []error, error) {
	from := r[table]
	out := &trace.Table{Name: table, Rows: from.Rows}
	for _, a := range columns {
		c := from.Col(a.Name)
		if c == nil {
			c = &trace.Column{Name: a.Name}
			for i := range from.Rows {
				c.Ints = append(c.Ints, int64(i+1))
			}
		}
		out.Columns = append(out.Columns, c)
	}
	return out, nil, nil
}

func tableOf(columns []string, cells ...[]int64) *trace.Table {
	t := &trace.Table{Rows: len(cells)}
	for k, c := range columns {
		v := make([]int64, len(cells))
		for i := range cells {
			v[i] = cells[i][k]
		}
		t.AddInts(c, v, nil)
	}
	return t
}

// TestPath walks random programs: steps meet, the last ends with the last event,
// and each lies within what it is a step of.
func TestPath(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var calls, kernels, waits [][]int64
		last := int64(-1)
		for i := range rapid.IntRange(0, 12).Draw(t, "calls") {
			corr := int64(i + 1)
			at, tid := rapid.Int64Range(0, 50).Draw(t, "at"), rapid.Int64Range(1, 3).Draw(t, "tid")
			end := at + rapid.Int64Range(0, 20).Draw(t, "takes")
			calls = append(calls, []int64{at, end, 1<<24 | tid, corr, 1})
			last = max(last, end)
			switch rapid.IntRange(0, 3).Draw(t, "does") {
			case 0, 1:
				start := at + rapid.Int64Range(0, 30).Draw(t, "queued")
				stop := start + rapid.Int64Range(1, 30).Draw(t, "runs")
				kernels = append(kernels, []int64{start, stop, 1 << 24, corr, 0, 0, rapid.Int64Range(7, 8).Draw(t, "stream"), 2})
				last = max(last, stop)
			case 2:
				waits = append(waits, []int64{at, 1 << 24, corr, rapid.Int64Range(1, 4).Draw(t, "type"), 0, rapid.Int64Range(7, 8).Draw(t, "on")})
			}
		}
		src := rows{
			trace.TableRuntime: tableOf([]string{"start", "end", "globalTid", "correlationId", "nameId"}, calls...),
			trace.TableKernel:  tableOf([]string{"start", "end", "globalPid", "correlationId", "deviceId", "contextId", "streamId", "shortName"}, kernels...),
			tableSync:          tableOf([]string{"start", "globalPid", "correlationId", "syncType", "contextId", "streamId"}, waits...),
		}
		path, err := Path(context.Background(), trace.New("made", src))
		if err != nil {
			t.Fatal(err)
		}
		for i, s := range path {
			if s.Start >= s.End || i > 0 && s.Start != path[i-1].End {
				t.Fatalf("step %d is %+v, after %+v", i, s, path[max(0, i-1)])
			}
			if s.Table == trace.TableKernel {
				if k := kernels[s.Row-1]; s.Start < k[0] || s.End > k[1] {
					t.Fatalf("step %+v of a kernel from %d to %d", s, k[0], k[1])
				}
			}
			_ = fmt.Sprint(s.Kind)
		}
		if n := len(path); n > 0 && path[n-1].End != last {
			t.Fatalf("the path ends at %d, the events at %d", path[n-1].End, last)
		}
	})
}

func TestBlocking(t *testing.T) {
	for name, want := range map[string]bool{"cudaDeviceSynchronize_v3020": true, "cudaMemcpy_v3020": true, "cudaMemcpyAsync_v3020": false, "cuMemcpyHtoD_v2": true,
		"cudaLaunchKernel_v7000": false, "cudaFree_v3020": true, "cudaFreeAsync": false, "cuMemFree_v2": true} {
		if blocking(name) != want {
			t.Errorf("%s: %v", name, !want)
		}
	}
}
