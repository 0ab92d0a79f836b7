package sasslearn

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/format/sass/table"
)

// A learner learns one operation.
type learner struct {
	op      *table.Op
	samples []sample
	dropped int       // pairs whose text the grammar does not know
	ids     []tokenID // by token
	feats   map[table.Feature]int
	columns [][]uint8 // by feature: the answer for each sample
	flips   []flip
	numbers []table.Feature // fields of numbers, as features without a test
	options Options
	other   []int // see grower.others
}

// A sample is a pair taken apart.
type sample struct {
	word    table.Word
	reading reading
	illegal bool    // no instruction
	bad     bool    // no instruction, or one with a value that has no name: nothing but that is known of it
	tokens  []int32 // indices into learner.ids, in the order of the text
	slots   [256]bool
}

// A flip is two samples whose words differ in one bit.
type flip struct {
	a, b int32
	bit  uint8
}

// Options bound the learning.
type Options struct {
	Log     func(code int, what string)
	Lenient bool // leaves need not have seen both answers to each question that matters
}

// learnOp learns an operation from its pairs; nil if there is nothing to learn.
func learnOp(code int, pairs []Pair, opt Options) *table.Op {
	l := &learner{op: &table.Op{Code: code}, feats: map[table.Feature]int{}, options: opt}
	named, hidden := 0, 0
	guards := map[bool]int{} // by whether the guard is a uniform predicate
	alias := slices.ContainsFunc(pairs, func(p Pair) bool { return strings.Contains(p.Text, table.MoveAlias) })
	for _, p := range pairs {
		r, ok := reading{}, true
		if p.Text != "" {
			r, ok = read(p.Text)
		}
		if !ok {
			l.dropped++
			if opt.Log != nil {
				opt.Log(code, "unknown grammar: "+p.Text)
			}
			continue
		}
		if alias && p.Text != "" && bits.OnesCount64(p.Word.Field(122, 3)) != strings.Count(p.Text, ".reuse") {
			continue // a hint that is not shown may change the name of an IMAD
		}
		if !r.named {
			if p.Text == "" && !plainControl(p.Word) {
				continue
			}
			l.samples = append(l.samples, sample{word: p.Word, bad: true, illegal: p.Text == ""})
			continue
		}
		named++
		if p.Word.Field(12, 4) != 7 {
			guards[strings.Contains(r.guard, "U")]++
			if r.guard == "" {
				hidden++
			}
		}
		l.samples = append(l.samples, sample{word: p.Word, reading: r})
	}
	switch {
	case hidden > 0:
		l.op.Guard = table.NoGuard
	case guards[true] > guards[false]:
		l.op.Guard = table.UniformGuard
	}
	if named == 0 {
		return nil
	}
	sorted := l.untangle()
	if sorted == nil {
		if opt.Log != nil {
			opt.Log(code, "no order: "+pairs[0].Text)
		}
		return nil
	}
	for i := range l.samples {
		s := &l.samples[i]
		for _, t := range s.tokens {
			s.slots[l.ids[t].slot] = true
		}
	}
	l.findFlips()
	l.fitNumbers(sorted)
	l.validity()
	l.group(sorted)
	l.apart(sorted)
	l.fix()
	l.op.Control = learnControl(pairs)
	l.op.Compact()
	return l.op
}

// untangle numbers the tokens and returns them in the order of the text. Tokens
// that have no fixed order among each other (F2F.F32.F64, F2F.F64.F32) are told
// apart by how many of them stand before.
func (l *learner) untangle() []int32 {
	for range 3 {
		index := map[tokenID]int32{}
		l.ids = l.ids[:0]
		var ids []tokenID
		for i := range l.samples {
			for _, t := range l.samples[i].reading.tokens {
				if _, ok := index[t.tokenID]; !ok {
					index[t.tokenID] = 0
					ids = append(ids, t.tokenID)
				}
			}
		}
		slices.SortFunc(ids, compareIDs)
		for i, id := range ids {
			index[id] = int32(i)
		}
		l.ids = ids
		texts := make([][]int32, len(l.samples))
		for i := range l.samples {
			s := &l.samples[i]
			s.tokens = s.tokens[:0]
			for _, t := range s.reading.tokens {
				s.tokens = append(s.tokens, index[t.tokenID])
			}
			texts[i] = s.tokens
		}
		sorted, knots := order(len(ids), texts)
		if sorted != nil {
			return l.bySlot(sorted)
		}
		for i := range l.samples {
			s := &l.samples[i]
			seen := map[table.Slot]uint8{}
			for k := range s.reading.tokens {
				if t := &s.reading.tokens[k]; knots[s.tokens[k]] {
					t.occur = 100 + seen[t.slot]
					seen[t.slot]++
				}
			}
		}
	}
	return nil
}

// bySlot keeps the order but brings the tokens of a slot together.
func (l *learner) bySlot(sorted []int32) []int32 {
	slices.SortStableFunc(sorted, func(a, b int32) int { return cmp.Compare(slotRank(l.ids[a].slot), slotRank(l.ids[b].slot)) })
	return sorted
}

func slotRank(s table.Slot) int {
	if s == table.Tail {
		return 1000
	}
	return int(s)
}

func compareIDs(a, b tokenID) int {
	return cmp.Or(cmp.Compare(slotRank(a.slot), slotRank(b.slot)), cmp.Compare(a.part, b.part), cmp.Compare(partRank(a), partRank(b)), cmp.Compare(a.kind, b.kind), cmp.Compare(a.text, b.text), cmp.Compare(a.occur, b.occur))
}

// partRank is the order of the parts of an operand where no text tells it.
func partRank(t tokenID) int {
	switch {
	case t.kind != table.Literal:
		return 3
	case t.text == "-", t.text == "!", t.text == "~":
		return 1
	case t.text == "|" && t.occur == 0:
		return 2
	case t.text == "|":
		return 4
	case t.text == ".reuse":
		return 5
	}
	return 6
}

// plain is a word without guard and control bits, which change no other part of
// the text.
func plain(w table.Word) table.Word {
	return table.Word{Lo: w.Lo &^ 0xf000, Hi: w.Hi & (1<<41 - 1)}
}

func (l *learner) findFlips() {
	at := make(map[table.Word]int32, len(l.samples))
	for i := range l.samples {
		at[plain(l.samples[i].word)] = int32(i)
	}
	for i := range l.samples {
		w := plain(l.samples[i].word)
		if at[w] != int32(i) {
			continue
		}
		for b := 16; b < 105; b++ {
			if w.Bit(b) == 0 {
				if j, ok := at[w.Flip(b)]; ok {
					l.flips = append(l.flips, flip{int32(i), j, uint8(b)})
				}
			}
		}
	}
}

// fitNumbers finds the fields of the tokens that are numbers.
func (l *learner) fitNumbers(sorted []int32) {
	place := make([]int32, len(l.ids))
	for i, t := range sorted {
		place[t] = int32(i)
	}
	seen := make([][]sighting, len(sorted))
	for i := range l.samples {
		s := &l.samples[i]
		for k, t := range s.tokens {
			if l.ids[t].kind != table.Literal {
				n := &s.reading.tokens[k]
				seen[place[t]] = append(seen[place[t]], sighting{s.word, n.value, n.float})
			}
		}
	}
	for i, t := range sorted {
		id := l.ids[t]
		tok := table.Token{Slot: id.slot, Text: id.text, Kind: id.kind}
		if id.kind != table.Literal {
			if f, ok := fitField(id.kind, seen[i]); ok {
				tok.Fields = []table.Field{f}
			} else {
				tok.Fields = fitSeveral(id.kind, seen[i])
			}
			for _, f := range tok.Fields {
				for _, r := range f.Runs {
					l.numbers = append(l.numbers, table.Feature{Lo: r.Word, N: r.Len})
				}
			}
		}
		l.op.Tokens = append(l.op.Tokens, tok)
	}
	for _, lo := range []uint8{68, 77, 81, 84, 87} {
		l.numbers = append(l.numbers, table.Feature{Lo: lo, N: 3})
	}
	slices.SortFunc(l.numbers, func(a, b table.Feature) int { return cmp.Or(cmp.Compare(a.Lo, b.Lo), cmp.Compare(a.N, b.N)) })
	l.numbers = slices.Compact(l.numbers)
	for i := range l.op.Tokens {
		tok := &l.op.Tokens[i]
		if len(tok.Fields) > 1 {
			l.choose(tok, sorted[i])
		}
	}
}

// choose learns which of several fields holds a number.
func (l *learner) choose(tok *table.Token, id int32) {
	labels := l.blank()
	signs := signBits(tok.Fields)
	for i := range l.samples {
		s := &l.samples[i]
		k := slices.Index(s.tokens, id)
		if k < 0 {
			continue
		}
		n := &s.reading.tokens[k]
		fits, which, first := 0, 0, -1
		for j := range tok.Fields {
			if explains(&tok.Fields[j], tok.Kind, &sighting{s.word, n.value, n.float}) {
				fits++
				which = j
				if first < 0 {
					first = j
				}
			}
		}
		switch fits {
		case 0:
			labels[i] = int16(len(tok.Fields)) // a number that is in none of them
		case 1:
			labels[i] = int16(which)
		case len(tok.Fields):
			if len(signs) > 0 {
				labels[i] = int16(first)
			}
		}
	}
	var asked []int
	for _, f := range signs {
		asked = append(asked, l.feature(f))
	}
	tok.Choice = l.tree(labels, asked, false)
}

// signBits are the signs of fields that differ in whether they have one and in nothing
// else: where it is 0 either says what the number is.
func signBits(fields []table.Field) []table.Feature {
	for i := range fields {
		if fields[i].Form != table.Integer || !slices.Equal(fields[i].Runs, fields[0].Runs) || len(fields[i].Runs) != 1 {
			return nil
		}
	}
	r := fields[0].Runs[0]
	return []table.Feature{{Lo: r.Word + r.Len - 1, N: 1}}
}

// validity learns to tell instructions from words that are none.
func (l *learner) validity() {
	labels := make([]int16, len(l.samples))
	bad := false
	branches := slices.ContainsFunc(l.ids, func(t tokenID) bool { return t.kind == table.Relative })
	for i := range l.samples {
		labels[i] = 1
		switch {
		case !l.samples[i].bad:
		case branches && l.samples[i].illegal: // it may be where it leads to that is wrong
			labels[i] = -1
		default:
			labels[i] = 0
			bad = true
		}
	}
	if bad {
		t := l.tree(labels, nil, false)
		l.pardon(t, labels)
		l.op.Groups = append(l.op.Groups, table.Group{Slot: table.Validity, Tree: t})
	}
}

// minBad is how many words that are no instructions it takes to call others so.
const minBad = 4

// pardon makes leaves valid where few words say that they are not: what is wrong
// with a random word may be anything.
func (l *learner) pardon(t table.Tree, labels []int16) {
	count := make([][2]int, len(t))
	for i, x := range labels {
		if x >= 0 {
			count[l.op.Leaf(t, l.samples[i].word)][x]++
		}
	}
	for i := range t {
		if t[i].Feature < 0 && (count[i][0] < minBad || 9*count[i][1] > count[i][0]) {
			t[i].Label = 1
		}
	}
}

// plainControl reports whether control bits of a word are such as compilers make;
// others may be all that is wrong with it.
func plainControl(w table.Word) bool {
	return w.Field(122, 4) == 0 && w.Field(105, 5) != 0 && (w.Field(105, 5) < 16 || table.ReuseCounts(w))
}

// blank are labels that say nothing of any sample.
func (l *learner) blank() []int16 {
	labels := make([]int16, len(l.samples))
	for i := range labels {
		labels[i] = -1
	}
	return labels
}

// fix notes which bits never vary.
func (l *learner) fix() {
	or, and := table.Word{}, table.Word{Lo: ^uint64(0), Hi: ^uint64(0)}
	for i := range l.samples {
		if l.samples[i].bad {
			continue
		}
		w := l.samples[i].word
		or, and = or.Or(w), and.And(w)
	}
	same := table.Word{Lo: ^(or.Lo ^ and.Lo), Hi: ^(or.Hi ^ and.Hi)}
	l.op.Fixed = same.And(table.Mask(16, 89))
	l.op.Value = and.And(l.op.Fixed)
}
