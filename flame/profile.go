package flame

import (
	"cmp"
	"slices"

	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/trace/interval"
)

// A Profile is a tree of what ran inside what.
type Profile struct {
	Unit  string   // of weights: ns, cycle or sample
	Names []string // each function or range once

	// The nodes. A parent has a smaller number than its children.
	Parent []int32 // or -1 at an outermost node
	Name   []int32 // index of Names
	Self   []int64 // weight of the events that have the node innermost
	Count  []int64 // number of those

	// The events of the tree; those of a thread by Start.
	Start, End []int64 // ns
	Thread     []trace.GlobalID
	Node       []int32 // innermost
	Whole      bool    // an event is a box of its own node alone, as an NVTX range is

	// Rows whose times are not sound (package interval) are in no node, and Unsound is
	// how many; Open is how many had no end and last until the last of all ends.
	Unsound, Open int

	total []int64 // Self with all below, once asked for
}

// A Box is a rectangle of a picture.
type Box struct {
	X, Width int64 // in the unit of the profile; of TimeOrder ns
	Depth    int   // 0 for the outermost
	Name     string
	Self     int64
	Total    int64
	Count    int64
	Merged   int // of how many boxes it is made, as each is narrower than a pixel; 0: it is one of its own
}

// A View says which part of a picture is wanted, and how fine.
type View struct {
	From, To int64 // in the unit of the picture; both 0: all of it
	Pixels   int   // across; at least 1
}

// The bounds of a picture: pixels across, and boxes on top of each other. What
// is deeper is left out; the box around it has its weight.
const (
	maxPixels = 8192
	maxDepth  = 500
)

func (v View) span(all int64) (from, to int64, pixel float64) {
	from, to = v.From, v.To
	if from == 0 && to == 0 {
		to = all
	}
	return from, to, float64(to-from) / float64(min(max(v.Pixels, 1), maxPixels))
}

// Totals are the weights of the nodes with all that is below them.
func (p *Profile) Totals() []int64 {
	if p.total == nil {
		p.total = slices.Clone(p.Self)
		for n := len(p.Parent) - 1; n >= 0; n-- {
			if up := p.Parent[n]; up >= 0 {
				p.total[up] += p.total[n]
			}
		}
	}
	return p.total
}

// Weight is that of the whole profile.
func (p *Profile) Weight() int64 {
	var w int64
	for _, s := range p.Self {
		w += s
	}
	return w
}

// counts are the numbers of events of the nodes with all that is below them.
func (p *Profile) counts() []int64 {
	out := slices.Clone(p.Count)
	if p.Whole {
		return out // a range counts as itself, not as what is inside
	}
	for n := len(p.Parent) - 1; n >= 0; n-- {
		if up := p.Parent[n]; up >= 0 {
			out[up] += out[n]
		}
	}
	return out
}

// A Thread is one that has events.
type Thread struct {
	ID     trace.GlobalID
	Events int
}

// Threads are those of the events, the busiest first.
func (p *Profile) Threads() []Thread {
	n := map[trace.GlobalID]int{}
	for _, g := range p.Thread {
		n[g]++
	}
	out := make([]Thread, 0, len(n))
	for g, k := range n {
		out = append(out, Thread{g, k})
	}
	slices.SortFunc(out, func(a, b Thread) int {
		return cmp.Or(cmp.Compare(b.Events, a.Events), cmp.Compare(uint64(a.ID), uint64(b.ID)))
	})
	return out
}

// A builder grows the tree of a profile.
type builder struct {
	*Profile
	names map[string]int32
	nodes map[edge]int32
}

type edge struct{ parent, name int32 }

func newBuilder(unit string) *builder {
	return &builder{&Profile{Unit: unit}, map[string]int32{}, map[edge]int32{}}
}

// unsound counts a row that is in no node if that is because of its times, not of the
// filter.
func (b *builder) unsound(start, end int64) {
	if !interval.Sound(start, end) {
		b.Unsound++
	}
}

func (b *builder) name(s string) int32 {
	n, ok := b.names[s]
	if !ok {
		n = int32(len(b.Names))
		b.names[s], b.Names = n, append(b.Names, s)
	}
	return n
}

// node is the node of a name under a parent; parents come first.
func (b *builder) node(parent, name int32) int32 {
	e := edge{parent, name}
	n, ok := b.nodes[e]
	if !ok {
		n = int32(len(b.Parent))
		b.nodes[e] = n
		b.Parent, b.Name = append(b.Parent, parent), append(b.Name, name)
		b.Self, b.Count = append(b.Self, 0), append(b.Count, 0)
	}
	return n
}
