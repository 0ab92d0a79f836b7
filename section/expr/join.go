package expr

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/profile/metric"
)

func haveIDs(list []profile.Instance) bool {
	for i := range list {
		if list[i].ID.Kind() != metric.KindNone {
			return true
		}
	}
	return false
}

// join combines instances that have the same id and keeps the others, in
// ascending order of the ids. Where an id occurs several times, the first
// occurrences on both sides belong together, then the second ones. Of instances
// without id among others with one, those of the left side are kept: were those
// of both sides, a chain of definitions could double them without end.
func (c *combination) join(a, b []profile.Instance) []profile.Instance {
	kind := a[0].Value.Kind()
	if kind == metric.KindString {
		return a
	}
	if out := c.aligned(a, b); out != nil {
		return out
	}
	keep := c.rules == guide || c.op != opDivide
	a, b = byID(a), byID(b)
	out := make([]profile.Instance, 0, max(len(a), len(b)))
	for len(a) > 0 || len(b) > 0 {
		order := -1
		switch {
		case len(a) == 0:
			order = 1
		case len(b) > 0:
			order = compareIDs(a[0].ID, b[0].ID)
		}
		switch {
		case order > 0:
			if keep && b[0].ID.Kind() != metric.KindNone {
				out = append(out, profile.Instance{ID: b[0].ID, Value: convert(b[0].Value, kind)})
			}
			b = b[1:]
		case order < 0 || a[0].ID.Kind() == metric.KindNone: // what has no id has no partner
			out = append(out, a[0])
			a = a[1:]
		default:
			out = append(out, profile.Instance{ID: a[0].ID, Value: apply(c.op, a[0].Value, b[0].Value)})
			a, b = a[1:], b[1:]
		}
	}
	return out
}

// aligned joins what is mostly joined, the same ascending integers on both sides;
// nil if that is not so.
func (c *combination) aligned(a, b []profile.Instance) []profile.Instance {
	if len(a) != len(b) {
		return nil
	}
	for i := range a {
		x, y := &a[i].ID, &b[i].ID
		if !x.IsInteger() || !y.IsInteger() || x.Uint64() != y.Uint64() || i > 0 && a[i-1].ID.Uint64() >= x.Uint64() {
			return nil
		}
	}
	out := make([]profile.Instance, len(a))
	for i := range a {
		out[i].ID = a[i].ID
		out[i].Value = apply(c.op, a[i].Value, b[i].Value)
	}
	return out
}

// byID returns instances in the order of their ids, as they mostly are.
func byID(list []profile.Instance) []profile.Instance {
	order := func(a, b profile.Instance) int { return compareIDs(a.ID, b.ID) }
	if slices.IsSortedFunc(list, order) {
		return list
	}
	list = slices.Clone(list)
	slices.SortStableFunc(list, order)
	return list
}

// compareIDs orders ids: none, numbers by value, texts by their bytes.
func compareIDs(a, b metric.Value) int {
	if a.IsInteger() && b.IsInteger() {
		return cmp.Compare(a.Uint64(), b.Uint64())
	}
	if d := cmp.Compare(rank(a), rank(b)); d != 0 {
		return d
	}
	if d := strings.Compare(a.Text(), b.Text()); d != 0 {
		return d
	}
	return cmp.Compare(a.Double(), b.Double())
}

func rank(v metric.Value) int {
	switch v.Kind() {
	case metric.KindNone:
		return 0
	case metric.KindString:
		return 2
	}
	return 1
}
