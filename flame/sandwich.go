package flame

import (
	"cmp"
	"slices"
)

// A Function is what a name adds up to wherever it stands.
type Function struct {
	Name        string
	Self, Total int64 // a function within itself counts once
	Count       int64 // events in which it is
}

// Functions are all names, the heaviest in total first.
func (p *Profile) Functions() []Function {
	out := make([]Function, len(p.Names))
	total, counts := p.Totals(), p.counts()
	for i, n := range p.Names {
		out[i].Name = n
	}
	inner := p.recursive()
	for n, name := range p.Name {
		f := &out[name]
		f.Self += p.Self[n]
		if !inner[n] {
			f.Total += total[n]
			f.Count += counts[n]
		}
	}
	slices.SortFunc(out, func(a, b Function) int {
		return cmp.Or(cmp.Compare(b.Total, a.Total), cmp.Compare(a.Name, b.Name))
	})
	return out
}

// recursive tells of each node whether one of the same name is around it.
func (p *Profile) recursive() []bool {
	out := make([]bool, len(p.Parent))
	first := p.below()
	open := make([]int32, len(p.Names))
	var path []int32
	leave := func(to int32) {
		for len(path) > 0 && path[len(path)-1] != to {
			open[p.Name[path[len(path)-1]]]--
			path = path[:len(path)-1]
		}
	}
	stack := slices.Clone(first[0])
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		leave(p.Parent[n])
		out[n] = open[p.Name[n]] > 0
		open[p.Name[n]]++
		path = append(path, n)
		stack = append(stack, first[n+1]...)
	}
	return out
}

// below are the nodes directly below each, in no order: those of n at n+1.
func (p *Profile) below() [][]int32 {
	out := make([][]int32, len(p.Parent)+1)
	for n, up := range p.Parent {
		out[up+1] = append(out[up+1], int32(n))
	}
	return out
}

// Callees is the profile of what ran inside a function, wherever it was called.
func (p *Profile) Callees(name string) *Profile {
	b := newBuilder(p.Unit)
	b.Whole = p.Whole // its ranges count as they did
	inner := p.recursive()
	at := make([]int32, len(p.Parent)) // the node of each in the new tree; -1: not in it
	for n, up := range p.Parent {
		own := p.Names[p.Name[n]]
		switch {
		case up >= 0 && at[up] >= 0:
			at[n] = b.node(at[up], b.name(own))
		case own == name && !inner[n]:
			at[n] = b.node(-1, b.name(own))
		default:
			at[n] = -1
			continue
		}
		b.Self[at[n]] += p.Self[n]
		b.Count[at[n]] += p.Count[n]
	}
	return b.Profile
}

// Callers is the profile of where a function was called from, upside down: the
// function is outermost, its callers are inside.
func (p *Profile) Callers(name string) *Profile {
	b := newBuilder(p.Unit)
	total, counts, inner := p.Totals(), p.counts(), p.recursive()
	for n := range p.Parent {
		if p.Names[p.Name[n]] != name || inner[n] {
			continue
		}
		at, depth := int32(-1), 0
		for up := int32(n); up >= 0 && depth < maxDepth; up, depth = p.Parent[up], depth+1 {
			at = b.node(at, b.name(p.Names[p.Name[up]]))
		}
		b.Self[at] += total[n]
		b.Count[at] += counts[n]
	}
	return b.Profile
}
