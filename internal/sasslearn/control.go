package sasslearn

import "github.com/gpuprof/gpuprof/format/sass/table"

// LearnControl adds what pairs tell of control bits to operations learned before.
// The pairs want words that differ in control bits alone, with and without a text.
func LearnControl(ops []*table.Op, pairs []Pair) {
	by := map[int][]Pair{}
	for _, p := range pairs {
		by[p.Word.Op()] = append(by[p.Word.Op()], p)
	}
	for _, o := range ops {
		if p := by[o.Code]; len(p) > 0 {
			o.Control = learnControl(p)
		}
	}
}

// An aspect is one of the things that control bits say, with what a word says.
type aspect struct {
	what  int // 0 stall, 1 and 2 scoreboards, 3 and above reuse bits, by kind
	value uint8
}

func aspects(w table.Word) [4]aspect {
	is := func(lo int) uint8 { // which scoreboard it is does not matter
		if w.Field(lo, 3) == 7 {
			return 0
		}
		return 1
	}
	return [4]aspect{{0, uint8(w.Field(105, 5))}, {1, is(110)}, {2, is(113)}, {3 + table.ReuseKind(w), uint8(w.Field(122, 3))}}
}

// learnControl learns from the pairs of an operation. A word that is no instruction
// tells something if it were one with other control bits, and if all that these say
// was seen in instructions but for one thing: that is what is wrong with it.
func learnControl(pairs []Pair) table.Control {
	legal, seen := map[table.Word]bool{}, map[aspect]bool{}
	for _, p := range pairs {
		if p.Text != "" {
			legal[plain(p.Word)] = true
			for _, a := range aspects(p.Word) {
				seen[a] = true
			}
		}
	}
	var c table.Control
	for _, p := range pairs {
		if p.Text != "" || !legal[plain(p.Word)] {
			continue
		}
		var wrong []aspect
		for _, a := range aspects(p.Word) {
			if !seen[a] {
				wrong = append(wrong, a)
			}
		}
		if len(wrong) != 1 {
			continue
		}
		switch a := wrong[0]; a.what {
		case 0:
			c.NoStall |= 1 << a.value
		case 1:
			c.NoWrite = c.NoWrite || a.value == 1
		case 2:
			c.NoRead = c.NoRead || a.value == 1
		default:
			c.NoReuse[a.what-3] |= 1 << a.value
		}
	}
	return c
}
