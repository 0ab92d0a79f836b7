package query

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gpuprof/gpuprof/trace"
)

// TestAround: the range around a call is that which looking at all ranges finds,
// however they overlap.
func TestAround(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		e, call := &pushed{}, &trace.Table{}
		for range rnd.IntN(12) {
			e.rows = append(e.rows, int32(len(e.start)))
			e.thread = append(e.thread, rnd.Int64N(3))
			e.start = append(e.start, rnd.Int64N(20))
			e.end = append(e.end, e.start[len(e.start)-1]+rnd.Int64N(20)-2)
		}
		e.sort()
		j := &join{call: call}
		var tid []int64
		var pairs []pair
		for i := range rnd.IntN(8) {
			tid = append(tid, rnd.Int64N(3))
			j.start = append(j.start, rnd.Int64N(25))
			j.end = append(j.end, j.start[i]+rnd.Int64N(10))
			pairs = append(pairs, pair{int32(rnd.IntN(i + 1)), 0})
		}
		call.Rows = len(tid)
		call.AddInts("globalTid", tid, nil)
		for i, got := range e.around(j, pairs) {
			c := pairs[i].call
			want := int32(-1)
			for x := range e.start {
				if e.thread[x] != tid[c] || e.start[x] > j.start[c] || e.end[x] < j.end[c] {
					continue
				}
				if want < 0 || cmp.Or(cmp.Compare(e.start[x], e.start[want]), cmp.Compare(e.end[want], e.end[x])) > 0 {
					want = int32(x)
				}
			}
			if got != want {
				t.Fatalf("call %d..%d of thread %d: range %d, want %d of\n%v\n%v\n%v", j.start[c], j.end[c], tid[c], got, want, e.thread, e.start, e.end)
			}
		}
	}
}

func TestFirst(t *testing.T) {
	j := &join{call: &trace.Table{Rows: 2}, kernel: &trace.Table{Rows: 2}, pid: []int64{1 << 24, 1 << 24}, corr: []int64{5, 6},
		find: trace.NewIndex([]int64{1<<24 + 1, 1<<24 + 1}, []int64{5, 6})}
	for _, c := range []struct {
		most, n int
		more    bool
	}{{0, 2, false}, {1, 1, true}, {2, 2, false}} {
		pairs, more, ok := j.first(c.most)
		if len(pairs) != c.n || more != c.more || !ok || !slices.IsSortedFunc(pairs, func(a, b pair) int { return cmp.Compare(a.kernel, b.kernel) }) {
			t.Error(c.most, pairs, more, ok)
		}
	}
}
