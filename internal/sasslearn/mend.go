package sasslearn

import (
	"maps"
	"slices"

	"github.com/gpuprof/gpuprof/format/sass"
	"github.com/gpuprof/gpuprof/format/sass/table"
)

// Mend is old with those of the learned operations in the place of its own that do better
// with words that neither met: more texts are exact, and no more are lies, which are
// those that are wrong and those of words that are no instructions. So a table gains from pairs of some
// operations without the pairs that the others were learned from. Those taken are told.
func Mend(old, learned []*table.Op, test []Pair, taken func(code int, was, now *Score)) ([]*table.Op, error) {
	before, err := decoder(old)
	if err != nil {
		return nil, err
	}
	after, err := decoder(learned)
	if err != nil {
		return nil, err
	}
	by := map[int][]Pair{}
	for _, p := range test {
		by[p.Word.Op()] = append(by[p.Word.Op()], p)
	}
	ops := map[int]*table.Op{}
	for _, op := range old {
		ops[op.Code] = op
	}
	for _, op := range learned {
		was, now := Measure(before, by[op.Code]), Measure(after, by[op.Code])
		if now.Exact > was.Exact && now.lies() <= was.lies() {
			ops[op.Code] = op
			taken(op.Code, was, now)
		}
	}
	return slices.SortedFunc(maps.Values(ops), func(a, b *table.Op) int { return a.Code - b.Code }), nil
}

func (s *Score) lies() int { return s.Wrong + s.Taken }

// decoder decodes as a table of these operations does once it was written and read.
func decoder(ops []*table.Op) (*sass.Decoder, error) {
	t, err := table.Decode(table.Encode(ops))
	if err != nil {
		return nil, err
	}
	return sass.NewDecoderFor(0, t), nil
}
