package ranks

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpuprof/gpuprof/trace"
)

// TestThreadNames reads ranks out of the names of threads.
func TestThreadNames(t *testing.T) {
	const process = int64(1)<<48 | 100<<24
	at := func(n, tid int64) int64 { return process + n<<24 | tid }
	names := []string{"MPI Rank 3", "worker", "rank_4", "Rank 5", "Frank 6", "rank: 7", "rank12345678", "[rank-0]"}
	tids := []int64{at(0, 1), at(0, 2), at(1, 1), at(1, 2), at(2, 1), at(3, 1), at(4, 1), at(5, 1)}
	tr := trace.New("threads", nil)
	texts, ids := &trace.Column{Name: "value", Kind: trace.Texts}, &trace.Column{Name: "id"}
	for i, n := range names {
		texts.Syms, ids.Ints = append(texts.Syms, tr.Strings.Intern(n)), append(ids.Ints, int64(i))
	}
	src := memory{
		{Name: "StringIds", Rows: len(names), Columns: []*trace.Column{ids, texts}},
		{Name: "ThreadNames", Rows: len(names), Columns: []*trace.Column{{Name: "nameId", Ints: ids.Ints}, {Name: "globalTid", Ints: tids}}},
	}
	with := trace.New("threads", src)
	for _, n := range names { // the numbers of texts are those of the other
		with.Strings.Intern(n)
	}
	got, err := claims(t.Context(), with, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := map[trace.GlobalID][]Claim{
		trace.GlobalID(at(0, 0)): {{FromThread, 3, -1}},
		trace.GlobalID(at(3, 0)): {{FromThread, 7, -1}}, // the threads of the second disagree, and of the third and fifth none has a rank
		trace.GlobalID(at(5, 0)): {{FromThread, 0, -1}},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
}
