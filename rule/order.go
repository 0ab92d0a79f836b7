package rule

import (
	"slices"
	"strings"
)

// inOrder returns rules so that each comes after its parents and the rules that
// it needs; otherwise the order stays. Of a circle, which no order suits, the
// rules keep their order, and circles tells of it.
func inOrder(rules []*Rule) (out []*Rule, circles []*LoadError) {
	byID := make(map[string]*Rule, len(rules))
	for _, r := range rules {
		byID[r.ID] = r
	}
	out = make([]*Rule, 0, len(rules))
	seen := map[*Rule]bool{}
	var path []string // identifiers of the rules that wait for the one that is visited
	var visit func(r *Rule)
	visit = func(r *Rule) {
		if r == nil {
			return
		}
		if at := slices.Index(path, r.ID); at >= 0 {
			circles = append(circles, &LoadError{File: r.File,
				Text: "expected parents that come before the rule, found the circle " + strings.Join(append(slices.Clone(path[at:]), r.ID), " -> ")})
			return
		}
		if seen[r] {
			return
		}
		seen[r] = true
		path = append(path, r.ID)
		for _, id := range r.Parents {
			visit(byID[id])
		}
		for _, id := range r.Rules {
			visit(byID[id])
		}
		path = path[:len(path)-1]
		out = append(out, r)
	}
	for _, r := range rules {
		visit(r)
	}
	return out, circles
}
