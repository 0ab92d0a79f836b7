package sasslearn

import (
	"slices"

	"github.com/gpuprof/gpuprof/format/sass/table"
)

// group forms groups of tokens that exclude each other and learns when each of
// them is there.
func (l *learner) group(sorted []int32) {
	have := make([][]uint64, len(l.ids)) // by token: the samples that show it
	words := (len(l.samples) + 63) / 64
	for i := range have {
		have[i] = make([]uint64, words)
	}
	for i := range l.samples {
		for _, t := range l.samples[i].tokens {
			have[t][i/64] |= 1 << (i % 64)
		}
	}
	for from := 0; from < len(sorted); {
		to := from
		slot := l.ids[sorted[from]].slot
		for to < len(sorted) && l.ids[sorted[to]].slot == slot {
			to++
		}
		l.groupSlot(slot, sorted[from:to], from, have)
		from = to
	}
}

// groupSlot groups the tokens of a slot, which begin at op.Tokens[at].
func (l *learner) groupSlot(slot table.Slot, tokens []int32, at int, have [][]uint64) {
	present := make([]uint64, len(have[tokens[0]]))
	for _, t := range tokens {
		for i, w := range have[t] {
			present[i] |= w
		}
	}
	inside := l.blank() // 0 where the slot is there
	labels := make([]int16, len(l.samples))
	everywhere := true
	for i := range l.samples {
		if l.samples[i].bad {
			labels[i] = -1
			continue
		}
		if slot < table.FirstOperand || present[i/64]>>(i%64)&1 == 1 {
			inside[i] = 0
		}
		labels[i] = int16(present[i/64] >> (i % 64) & 1)
		everywhere = everywhere && labels[i] == 1
	}
	if slot >= table.FirstOperand && !everywhere {
		l.op.Groups = append(l.op.Groups, table.Group{Slot: slot, Presence: true, Tree: l.tree(labels, l.limits(slot), true)})
	}
	type bundle struct {
		have   []uint64
		tokens []int // indices into op.Tokens
	}
	var bundles []bundle
	for i, t := range tokens {
		k := slices.IndexFunc(bundles, func(b bundle) bool { return slices.Equal(b.have, have[t]) })
		if k < 0 {
			k = len(bundles)
			bundles = append(bundles, bundle{have: have[t]})
		}
		bundles[k].tokens = append(bundles[k].tokens, at+i)
	}
	var groups []group
	for i, b := range bundles {
		causes := l.causesOf(b.have, inside)
		alone := slot == table.Tail || l.ids[tokens[b.tokens[0]-at]].text == ".reuse"
		k := slices.IndexFunc(groups, func(g group) bool {
			return !alone && !g.alone && disjoint(g.have, b.have) && related(g.causes, causes)
		})
		if k < 0 {
			k = len(groups)
			groups = append(groups, group{have: make([]uint64, len(b.have)), causes: map[int]bool{}, alone: alone})
		}
		groups[k].add(b.have, []int{i}, causes)
	}
	groups = l.joinWhole(groups, inside)
	for _, g := range groups {
		labels := slices.Clone(inside)
		for n, k := range g.bundles {
			for i := range l.samples {
				if bundles[k].have[i/64]>>(i%64)&1 == 1 {
					labels[i] = int16(n + 1)
				}
			}
			for _, t := range bundles[k].tokens {
				l.op.Tokens[t].Group = int32(len(l.op.Groups))
				l.op.Tokens[t].Label = int32(n + 1)
			}
		}
		var tree table.Tree
		switch {
		case slot == table.Tail:
			tree = l.tail(labels)
		case l.ids[tokens[bundles[g.bundles[0]].tokens[0]-at]].text == ".reuse":
			tree = l.reuse(labels)
		default:
			if slices.ContainsFunc(g.bundles, func(k int) bool {
				return slices.ContainsFunc(bundles[k].tokens, func(t int) bool { return l.op.Tokens[t].Kind != table.Literal })
			}) {
				tree = l.tree(labels, l.limits(slot), true)
			} else {
				tree = l.tree(labels, nil, true)
			}
		}
		l.op.Groups = append(l.op.Groups, table.Group{Slot: slot, Tree: tree})
	}
}

// A group that is being formed.
type group struct {
	have    []uint64 // the samples that show one of its tokens
	bundles []int
	causes  map[int]bool
	alone   bool // decided by control bits
}

func (g *group) add(have []uint64, bundles []int, causes map[int]bool) {
	for i, w := range have {
		g.have[i] |= w
	}
	g.bundles = append(g.bundles, bundles...)
	for c := range causes {
		g.causes[c] = true
	}
}

// joinWhole makes one group of those that exclude each other and of which every
// sample shows one, as the shapes of matrices: no word is without.
func (l *learner) joinWhole(groups []group, inside []int16) []group {
	for i := range groups {
		if groups[i].alone {
			continue
		}
		whole := group{have: slices.Clone(groups[i].have), causes: map[int]bool{}}
		var others []int
		for j := i + 1; j < len(groups); j++ {
			if !groups[j].alone && disjoint(whole.have, groups[j].have) {
				whole.add(groups[j].have, nil, nil)
				others = append(others, j)
			}
		}
		if len(others) == 0 || !covers(whole.have, inside) {
			continue
		}
		for _, j := range others {
			groups[i].add(groups[j].have, groups[j].bundles, groups[j].causes)
		}
		for _, j := range slices.Backward(others) {
			groups = slices.Delete(groups, j, j+1)
		}
		break
	}
	return groups
}

// covers reports whether all samples inside are among those given.
func covers(have []uint64, inside []int16) bool {
	for i, x := range inside {
		if x >= 0 && have[i/64]>>(i%64)&1 == 0 {
			return false
		}
	}
	return true
}

// sameGap reports whether two slots are predicates between the same operands.
func sameGap(a, b table.Slot) bool {
	return a >= table.FirstOperand && a&^15 == b&^15 && a&15 != 15 && b&15 != 15
}

// limits are the questions that often decide whether a number of the slot is
// shown: whether it, or a predicate beside it, is RZ, URZ, PT or 0. For the slot of
// the mnemonic they are those of all slots.
func (l *learner) limits(slot table.Slot) []int {
	var out []int
	for i := range l.op.Tokens {
		t := &l.op.Tokens[i]
		if slot != table.Mnemonic && t.Slot != slot && !sameGap(t.Slot, slot) {
			continue
		}
		for _, f := range t.Fields {
			if f.Form != table.Integer || len(f.Runs) == 0 {
				continue
			}
			test := table.Feature{Test: table.Ones, Lo: f.Runs[0].Word, N: f.Runs[0].Len}
			switch t.Kind {
			case table.Hex:
				test.Test = table.Zero
			case table.Reg, table.UReg, table.Pred, table.UPred:
			default:
				continue
			}
			if test.N < 2 || test.N > 24 {
				continue
			}
			if k := l.feature(test); !slices.Contains(out, k) {
				out = append(out, k)
			}
		}
	}
	return out
}

// tail is the tree of the blank before the semicolon. It is missing where the
// control bits say nothing; which of them count is for the operation to tell.
func (l *learner) tail(labels []int16) table.Tree {
	feats := l.matter(labels)
	for _, f := range []table.Feature{{Test: table.Zero, Lo: 105, N: 5}, {Test: table.Zero, Lo: 116, N: 6}, {Test: table.Ones, Lo: 110, N: 3}, {Test: table.Ones, Lo: 113, N: 3}} {
		feats = append(feats, l.feature(f))
	}
	return l.treeOf(labels, feats, true, false)
}

// reuse is the tree of a reuse hint. Most operands have a reuse bit of their own; for
// the index of sparse matrices it is another bit.
func (l *learner) reuse(labels []int16) table.Tree {
	var feats []int
	for b := uint8(122); b < 125; b++ {
		f := l.feature(table.Feature{Test: table.Reuse, Lo: b, N: 1})
		feats = append(feats, f)
		fits := true
		for i, x := range labels {
			fits = fits && (x < 0 || int16(l.columns[f][i]) == x)
		}
		if fits {
			return table.Tree{{Feature: int32(f), No: 1, Yes: 2}, {Feature: -1, Label: 0}, {Feature: -1, Label: 1}}
		}
	}
	return l.treeOf(labels, append(l.matter(labels), feats...), true, false)
}

func disjoint(a, b []uint64) bool {
	for i := range a {
		if a[i]&b[i] != 0 {
			return false
		}
	}
	return true
}

// related reports whether two sets of causes have most of the smaller one in common.
func related(a, b map[int]bool) bool {
	n := 0
	for c := range b {
		if a[c] {
			n++
		}
	}
	return n > 0 && 2*n >= min(len(a), len(b))
}

// causesOf are the bits of which a flip brings or takes a token.
func (l *learner) causesOf(have []uint64, inside []int16) map[int]bool {
	c := map[int]bool{}
	for _, f := range l.flips {
		if inside[f.a] >= 0 && inside[f.b] >= 0 && (have[f.a/64]>>(f.a%64)^have[f.b/64]>>(f.b%64))&1 == 1 {
			c[int(f.bit)] = true
		}
	}
	return c
}
