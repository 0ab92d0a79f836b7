package section

import (
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/format/prototext"
)

// dropCycles takes out the sections that extend one another in a circle, with
// one error for each circle. index finds sections by identifier.
func (l *Library) dropCycles(index map[string]int) {
	const (
		fresh = iota
		onPath
		done
	)
	state := make([]int, len(l.Sections))
	drop := make([]bool, len(l.Sections))
	for i := range l.Sections {
		var path []int
		k, more := i, true
		for more && state[k] == fresh {
			state[k] = onPath
			path = append(path, k)
			k, more = index[l.Sections[k].Extends.Or("")]
		}
		if more && state[k] == onPath {
			circle := path[slices.Index(path, k):]
			for _, c := range circle {
				drop[c] = true
			}
			l.Failed = append(l.Failed, l.cycle(circle))
		}
		for _, k := range path {
			state[k] = done
		}
	}
	kept := l.Sections[:0]
	for i, s := range l.Sections {
		if !drop[i] {
			kept = append(kept, s)
		}
	}
	l.Sections = kept
}

func (l *Library) cycle(circle []int) error {
	var names []string
	for _, k := range circle {
		names = append(names, l.Sections[k].Identifier)
	}
	first := l.Sections[circle[0]]
	return &prototext.SyntaxError{File: first.Source, Pos: first.extends,
		Want: "Extends to lead to a section that extends none", Found: "the circle " + strings.Join(append(names, names[0]), " -> ")}
}
