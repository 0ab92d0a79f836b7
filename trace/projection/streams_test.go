package projection

import (
	"context"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/gpuprof/gpuprof/trace"
)

// rows is a source of tables of numbers.
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
	out := &trace.Table{Name: table, Rows: r[table].Rows}
	for _, a := range columns {
		if c := r[table].Col(a.Name); c != nil {
			out.Columns = append(out.Columns, c)
		}
	}
	return out, nil, nil
}

func tableOf(columns []string, cells [][]int64) *trace.Table {
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

// TestOntoStreams compares with every range held against every operation.
func TestOntoStreams(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var calls, kernels [][]int64
		r := &trace.Ranges{}
		streams := rapid.SampledFrom([]int64{1, 3, 40}).Draw(t, "streams")
		for i := range rapid.IntRange(0, 60).Draw(t, "calls") {
			at, tid, corr := rapid.Int64Range(0, 50).Draw(t, "at"), 1<<24|rapid.Int64Range(1, 2).Draw(t, "tid"), int64(i/2+1)
			calls = append(calls, []int64{at, at + rapid.Int64Range(0, 9).Draw(t, "takes"), tid, corr})
			for range rapid.IntRange(0, 2).Draw(t, "work") {
				start := rapid.Int64Range(0, 90).Draw(t, "start")
				kernels = append(kernels, []int64{start, start + rapid.Int64Range(-1, 9).Draw(t, "runs"), 1 << 24, corr, 0, 1, rapid.Int64Range(1, streams).Draw(t, "stream")})
			}
		}
		for range rapid.IntRange(0, 5).Draw(t, "ranges") {
			at := rapid.Int64Range(0, 50).Draw(t, "at")
			r.Start, r.End = append(r.Start, at), append(r.End, at+rapid.Int64Range(0, 60).Draw(t, "takes"))
			r.Thread, r.EndThread = append(r.Thread, trace.GlobalID(1<<24|rapid.Int64Range(1, 2).Draw(t, "tid"))), append(r.EndThread, 0)
			r.PushPop = append(r.PushPop, rapid.Bool().Draw(t, "pushpop"))
		}
		tr := trace.New("made", rows{
			trace.TableRuntime: tableOf([]string{"start", "end", "globalTid", "correlationId"}, calls),
			trace.TableKernel:  tableOf([]string{"start", "end", "globalPid", "correlationId", "deviceId", "contextId", "streamId"}, kernels),
		})
		spans, where, err := OntoStreams(context.Background(), tr, r)
		if err != nil {
			t.Fatal(err)
		}
		type key struct {
			rng    int
			stream int64
		}
		want := map[key]Span{}
		for i := range r.Start {
			for _, c := range calls {
				if c[2] != int64(r.Thread[i]) || c[0] < r.Start[i] || c[1] > r.End[i] {
					continue
				}
				for _, k := range kernels {
					if k[3] != c[3] || k[1] < k[0] {
						continue
					}
					s, ok := want[key{i, k[6]}]
					if !ok {
						s = Span{Start: k[0], End: k[1]}
					}
					want[key{i, k[6]}] = Span{Start: min(s.Start, k[0]), End: max(s.End, k[1]), Ops: s.Ops + 1}
				}
			}
		}
		if len(spans) != len(want) {
			t.Fatalf("%d spans, want %d", len(spans), len(want))
		}
		for _, s := range spans {
			w := want[key{int(s.Range), where[s.Stream].Stream}]
			if s.Start != w.Start || s.End != w.End || s.Ops != w.Ops {
				t.Fatalf("%+v, want %+v", s, w)
			}
		}
		if !slices.IsSortedFunc(spans, func(a, b Span) int { return int(a.Start - b.Start) }) {
			t.Fatal("not by start")
		}
	})
}
