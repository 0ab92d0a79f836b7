package source

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gpuprof/gpuprof/format/sass"
	"github.com/gpuprof/gpuprof/format/sass/flow"
	"github.com/gpuprof/gpuprof/internal/cubingen"
)

// program is the function of cubingen for sm_80 with words put in place of others.
func program(edit func([][2]uint64) [][2]uint64) *flow.Program {
	var code []byte
	for _, w := range edit(cubingen.Add().Words) {
		for _, v := range w {
			for range 8 {
				code = append(code, byte(v))
				v >>= 8
			}
		}
	}
	return flow.Of(sass.NewDecoder(80), code, 0)
}

func TestDiffPrograms(t *testing.T) {
	same := func(w [][2]uint64) [][2]uint64 { return w }
	old := program(same)
	if got := DiffPrograms(old, program(same)); len(got) != 0 {
		t.Errorf("a program and itself: %v", got)
	}
	renamed := program(func(w [][2]uint64) [][2]uint64 {
		w[8][0] = w[8][0]&^0xff0000 | 7<<16 // IADD3 R7
		return w
	})
	if got := DiffPrograms(old, renamed); len(got) != 0 {
		t.Errorf("another register: %v", got)
	}
	changed := program(func(w [][2]uint64) [][2]uint64 {
		w = slices.Delete(w, 8, 9)       // IADD3
		return slices.Insert(w, 2, w[0]) // another MOV
	})
	if got, want := DiffPrograms(old, changed), []Change{{true, 2}, {false, 8}}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestShortest takes sequences apart and puts them together again.
func TestShortest(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 3000 {
		make_ := func() []string {
			s := make([]string, r.IntN(12))
			for i := range s {
				s[i] = string(rune('a' + r.IntN(3)))
			}
			return s
		}
		a, b := make_(), make_()
		changes := shortest(a, b)
		var kept []string
		gone, come := map[int]bool{}, map[int]bool{}
		for _, c := range changes {
			if c.Added {
				come[c.Index] = true
			} else {
				gone[c.Index] = true
			}
		}
		for i, x := range a {
			if !gone[i] {
				kept = append(kept, x)
			}
		}
		var want []string
		for i, x := range b {
			if !come[i] {
				want = append(want, x)
			}
		}
		if len(gone)+len(come) != len(changes) || !slices.Equal(kept, want) || len(kept) != common(a, b) {
			t.Fatalf("%q to %q: %v keeps %q", a, b, changes, kept)
		}
	}
}

// common is the length of the longest common subsequence.
func common(a, b []string) int {
	t := make([][]int, len(a)+1)
	for i := range t {
		t[i] = make([]int, len(b)+1)
	}
	for i := range a {
		for k := range b {
			if a[i] == b[k] {
				t[i+1][k+1] = t[i][k] + 1
			} else {
				t[i+1][k+1] = max(t[i][k+1], t[i+1][k])
			}
		}
	}
	return t[len(a)][len(b)]
}
