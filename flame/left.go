package flame

import (
	"cmp"
	"slices"
)

// LeftHeavy draws the tree with equal stacks as one, the heaviest on the left.
// X is in the unit of weights. A parent's box comes before those inside it.
func (p *Profile) LeftHeavy(v View) []Box {
	total, counts := p.Totals(), p.counts()
	from, to, pixel := v.span(p.Weight())
	children := p.children()
	var out []Box
	type task struct {
		nodes []int32 // siblings, the heaviest first
		x     int64
		depth int
	}
	tasks := []task{{nodes: children[0]}}
	for len(tasks) > 0 {
		t := tasks[len(tasks)-1]
		tasks = tasks[:len(tasks)-1]
		if len(t.nodes) == 0 || t.x >= to {
			continue
		}
		n := t.nodes[0]
		w := total[n]
		if float64(w) < pixel { // and so are all after it
			if b := p.merge(t.nodes, counts, t.x, t.depth); b.X+b.Width > from && b.Width > 0 {
				out = append(out, b)
			}
			continue
		}
		if t.x+w > from && w > 0 {
			out = append(out, Box{X: t.x, Width: w, Depth: t.depth, Name: p.Names[p.Name[n]], Self: p.Self[n], Total: w, Count: counts[n]})
			tasks = append(tasks, task{t.nodes[1:], t.x + w, t.depth})
			if t.depth+1 < maxDepth {
				tasks = append(tasks, task{children[n+1], t.x, t.depth + 1})
			}
			continue
		}
		tasks = append(tasks, task{t.nodes[1:], t.x + w, t.depth})
	}
	return out
}

// merge makes one box of siblings.
func (p *Profile) merge(nodes []int32, counts []int64, x int64, depth int) Box {
	b := Box{X: x, Depth: depth, Merged: len(nodes), Name: p.Names[p.Name[nodes[0]]]}
	for _, n := range nodes {
		b.Width += p.total[n]
		b.Self += p.Self[n]
		b.Count += counts[n]
	}
	b.Total = b.Width
	return b
}

// children are the nodes below each: those of node n at n+1, the outermost at 0;
// the heaviest first, equal ones by name.
func (p *Profile) children() [][]int32 {
	total := p.Totals()
	out := make([][]int32, len(p.Parent)+1)
	for n, up := range p.Parent {
		out[up+1] = append(out[up+1], int32(n))
	}
	for _, ns := range out {
		slices.SortFunc(ns, func(a, b int32) int {
			return cmp.Or(cmp.Compare(total[b], total[a]), cmp.Compare(p.Names[p.Name[a]], p.Names[p.Name[b]]))
		})
	}
	return out
}
