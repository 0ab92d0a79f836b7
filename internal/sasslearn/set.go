package sasslearn

import (
	"math/rand/v2"

	"github.com/gpuprof/gpuprof/format/sass/table"
)

// A Set is what a table is learned from.
type Set struct {
	Whole   [][]Pair // all taken
	Sampled [][]Pair // taken until an operation has Most pairs, evenly
	Most    int
}

// Pairs chooses the pairs to learn from; the same set gives the same pairs.
func (s *Set) Pairs() []Pair {
	var out []Pair
	have, more := map[int]int{}, map[int]int{}
	for _, f := range s.Whole {
		out = append(out, f...)
		for i := range f {
			have[f[i].Word.Op()]++
		}
	}
	for _, f := range s.Sampled {
		for i := range f {
			more[f[i].Word.Op()]++
		}
	}
	r := rand.New(rand.NewPCG(1, 1))
	for _, f := range s.Sampled {
		for i := range f {
			op := f[i].Word.Op()
			if r.IntN(more[op]) < s.Most-have[op] {
				out = append(out, f[i])
			}
		}
	}
	return out
}

// Fold holds part k of n of the first sampled file back. Words that are among them
// are taken out of the rest too.
func (s *Set) Fold(k, n int) (rest *Set, held []Pair) {
	out := map[table.Word]bool{}
	rest = &Set{Most: s.Most}
	if len(s.Sampled) > 0 {
		r := rand.New(rand.NewPCG(2, 2))
		for _, p := range s.Sampled[0] {
			if r.IntN(n) == k {
				held = append(held, p)
				out[p.Word] = true
			}
		}
	}
	without := func(files [][]Pair) [][]Pair {
		var list [][]Pair
		for _, f := range files {
			kept := make([]Pair, 0, len(f))
			for _, p := range f {
				if !out[p.Word] {
					kept = append(kept, p)
				}
			}
			list = append(list, kept)
		}
		return list
	}
	rest.Whole, rest.Sampled = without(s.Whole), without(s.Sampled)
	return rest, held
}
