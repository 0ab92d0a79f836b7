package launch

import (
	"github.com/gpuprof/gpuprof/section"
	"github.com/gpuprof/gpuprof/view"
)

// merge moves each section that extends another into that one, behind what it
// shows itself; several keep their order. One whose parent is not shown, and
// those that extend one another in a circle, stay where they are. defs are the
// definitions of the sections.
func merge(sections []view.Section, defs []*section.Definition) []view.Section {
	index := map[string]int{}
	for i, def := range defs {
		if _, dup := index[def.Identifier]; !dup && def.Identifier != "" {
			index[def.Identifier] = i
		}
	}
	parent := func(i int) (int, bool) {
		p, ok := index[defs[i].Extends.Or("")]
		return p, ok && p != i
	}
	children := map[int][]int{}
	var roots []int
	for i := range sections {
		if p, ok := parent(i); ok && !inCircle(i, len(defs), parent) {
			children[p] = append(children[p], i)
		} else {
			roots = append(roots, i)
		}
	}
	if len(children) == 0 {
		return sections
	}
	var whole func(i int) view.Section
	whole = func(i int) view.Section {
		s := sections[i]
		for _, c := range children[i] {
			s.Sections = append(s.Sections, whole(c))
		}
		return s
	}
	out := make([]view.Section, 0, len(roots))
	for _, i := range roots {
		out = append(out, whole(i))
	}
	return out
}

// inCircle reports whether the parents of i lead back to it.
func inCircle(i, n int, parent func(int) (int, bool)) bool {
	k := i
	for range n {
		p, ok := parent(k)
		if !ok {
			return false
		}
		if k = p; k == i {
			return true
		}
	}
	return false
}
