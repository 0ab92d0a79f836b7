package sasslearn

import (
	"math"
	"slices"

	"github.com/gpuprof/gpuprof/format/sass/table"
)

// feature numbers a feature and asks it of all samples.
func (l *learner) feature(f table.Feature) int {
	if i, ok := l.feats[f]; ok {
		return i
	}
	i := len(l.op.Features)
	l.feats[f] = i
	l.op.Features = append(l.op.Features, f)
	c := make([]uint8, len(l.samples))
	for k := range l.samples {
		if f.Holds(l.samples[k].word) {
			c[k] = 1
		}
	}
	l.columns = append(l.columns, c)
	return i
}

// tests are the questions about the fields of numbers.
func (l *learner) tests() []table.Feature {
	var out []table.Feature
	for _, n := range l.numbers {
		if n.N < 2 {
			continue
		}
		out = append(out, table.Feature{Test: table.Ones, Lo: n.Lo, N: n.N}, table.Feature{Test: table.Zero, Lo: n.Lo, N: n.N})
		if n.N == 32 {
			out = append(out, table.Feature{Test: table.Shift, Lo: n.Lo, N: n.N})
		}
		if n.N >= 16 {
			out = append(out, table.Feature{Test: table.One, Lo: n.Lo, N: n.N}, table.Feature{Test: table.Pow2, Lo: n.Lo, N: n.N})
		}
	}
	return out
}

// matter are the features that change a label: for the flips that change it, the
// tests that explain them, fewest first, then the bits themselves.
func (l *learner) matter(labels []int16) []int {
	var open []flip
	for _, f := range l.flips {
		if labels[f.a] >= 0 && labels[f.b] >= 0 && labels[f.a] != labels[f.b] {
			open = append(open, f)
		}
	}
	if len(open) == 0 {
		return nil
	}
	var out []int
	tests := l.tests()
	for len(open) > 0 {
		best, most := -1, 0
		for i, t := range tests {
			n := 0
			for _, f := range open {
				if t.Lo <= f.bit && f.bit < t.Lo+t.N && t.Holds(l.samples[f.a].word) != t.Holds(l.samples[f.b].word) {
					n++
				}
			}
			if n > most {
				best, most = i, n
			}
		}
		if best < 0 {
			break
		}
		t := tests[best]
		// A test is worth it if it explains all that its bits do.
		rest := open[:0:0]
		bits := 0
		for _, f := range open {
			switch {
			case f.bit < t.Lo || f.bit >= t.Lo+t.N:
				rest = append(rest, f)
			case t.Holds(l.samples[f.a].word) == t.Holds(l.samples[f.b].word):
				rest = append(rest, f)
				bits++
			}
		}
		tests = slices.Delete(tests, best, best+1)
		if bits > most && t.Test != table.One {
			continue
		}
		out = append(out, l.feature(t))
		open = rest
	}
	for _, f := range open {
		if k := l.feature(table.Feature{Lo: f.bit, N: 1}); !slices.Contains(out, k) {
			out = append(out, k)
		}
	}
	return out
}

// tree learns which label a sample has; those with a negative label say nothing.
// It asks the features that matter and those given, and others where these do not
// suffice. A strict tree is undecided where it has not seen both answers to a
// question that matters; each is where samples differ that no question tells apart.
func (l *learner) tree(labels []int16, more []int, strict bool) table.Tree {
	feats := l.matter(labels)
	for _, f := range more {
		if !slices.Contains(feats, f) {
			feats = append(feats, f)
		}
	}
	return l.treeOf(labels, feats, strict, true)
}

// treeOf is tree with the features given; free allows others.
func (l *learner) treeOf(labels []int16, feats []int, strict, free bool) table.Tree {
	var in []int32
	most := int16(0)
	for i, x := range labels {
		if x >= 0 {
			in = append(in, int32(i))
			most = max(most, x)
		}
	}
	for range maxGuessed {
		g := &grower{learner: l, labels: labels, feats: feats, free: free, strict: strict && !l.options.Lenient, count: make([]int, most+1)}
		g.grow(in, make([]bool, len(l.op.Features)+1024), 0)
		if g.samples == 0 {
			return g.tree
		}
		// What had to be guessed matters: begin again with it.
		feats = append(slices.Clone(feats), g.guess)
	}
	g := &grower{learner: l, labels: labels, feats: feats, strict: strict && !l.options.Lenient, count: make([]int, most+1)}
	g.grow(in, make([]bool, len(l.op.Features)+1024), 0)
	return g.tree
}

type grower struct {
	*learner
	labels         []int16
	feats          []int
	free           bool // other features may be asked where those do not suffice
	strict         bool
	tree           table.Tree
	count          []int
	guess, samples int // the feature asked of the most samples that was not known to matter
}

const maxDepth = 60

// minGuess is how many samples it takes to ask what no flip has shown to matter.
const minGuess = 8

// maxGuessed is how many features may be asked that no flip has shown to matter;
// more tell that the labels follow no rule that could be learned.
const maxGuessed = 10

// grow adds the subtree for the samples and returns its index. used are the
// features asked above.
func (g *grower) grow(in []int32, used []bool, depth int) int32 {
	at := int32(len(g.tree))
	g.tree = append(g.tree, table.Node{Feature: -1, Label: table.Undecided})
	if len(in) == 0 {
		return at
	}
	f := -1
	if label, pure := g.pure(in); pure {
		if f = g.unseen(in, used); f < 0 {
			g.tree[at].Label = int32(label)
			return at
		}
	} else if depth < maxDepth {
		f = g.best(in, used, g.feats)
		if f < 0 && g.free {
			if len(in) >= minGuess {
				f = g.best(in, used, g.others())
			} else {
				f = g.best(in, used, g.limits(table.Mnemonic))
			}
			if f >= 0 && len(in) > g.samples {
				g.guess, g.samples = f, len(in)
			}
		}
	}
	if f < 0 {
		return at
	}
	var half [2][]int32
	for _, i := range in {
		b := g.columns[f][i]
		half[b] = append(half[b], i)
	}
	used[f] = true
	no := g.grow(half[0], used, depth+1)
	yes := g.grow(half[1], used, depth+1)
	used[f] = false
	g.tree[at] = table.Node{Feature: int32(f), No: no, Yes: yes}
	return at
}

func (g *grower) pure(in []int32) (int16, bool) {
	x := g.labels[in[0]]
	for _, i := range in {
		if g.labels[i] != x {
			return 0, false
		}
	}
	return x, true
}

// unseen is a feature that matters and to which all samples have one answer: what
// the other one would mean is not known here.
func (g *grower) unseen(in []int32, used []bool) int {
	if !g.strict {
		return -1
	}
	for _, f := range g.feats {
		if used[f] {
			continue
		}
		c := g.columns[f]
		same := true
		for _, i := range in[1:] {
			if c[i] != c[in[0]] {
				same = false
				break
			}
		}
		if same {
			return f
		}
	}
	return -1
}

// best is the feature that tells the labels apart best, -1 if none does.
func (g *grower) best(in []int32, used []bool, feats []int) int {
	n := len(g.count)
	both := make([]int, 2*n)
	best, gain := -1, -math.MaxFloat64
	for _, f := range feats {
		if used[f] {
			continue
		}
		clear(both)
		c := g.columns[f]
		for _, i := range in {
			both[int(c[i])*n+int(g.labels[i])]++
		}
		e0, n0 := entropy(both[:n])
		e1, n1 := entropy(both[n:])
		if n0 == 0 || n1 == 0 {
			continue
		}
		if s := -(e0 + e1); s > gain {
			best, gain = f, s
		}
	}
	return best
}

// entropy is the entropy of counts times their sum, and the sum.
func entropy(c []int) (float64, int) {
	n := 0
	e := 0.0
	for _, x := range c {
		if x > 0 {
			n += x
			e -= float64(x) * math.Log2(float64(x))
		}
	}
	if n > 0 {
		e += float64(n) * math.Log2(float64(n))
	}
	return e, n
}

// others are tests, and all bits that are no part of a number, for labels that the
// features that matter do not tell apart.
func (g *grower) others() []int {
	if g.learner.other != nil {
		return g.learner.other
	}
	var numbers table.Word
	for i := range g.op.Tokens {
		for k := range g.op.Tokens[i].Fields {
			numbers = numbers.Or(g.op.Tokens[i].Fields[k].Mask())
		}
	}
	var out []int
	for b := uint8(16); b < 105; b++ {
		if numbers.Bit(int(b)) == 0 {
			out = append(out, g.feature(table.Feature{Lo: b, N: 1}))
		}
	}
	for _, t := range g.tests() {
		out = append(out, g.feature(t))
	}
	for b := uint8(122); b < 125; b++ { // an IMAD of a reused RZ is not called MOV
		out = append(out, g.feature(table.Feature{Test: table.Reuse, Lo: b, N: 1}))
	}
	g.learner.other = out
	return out
}
