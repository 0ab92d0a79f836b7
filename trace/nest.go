package trace

import (
	"cmp"
	"slices"
)

// A Nesting tells for each of some ranges which one directly encloses it.
type Nesting struct {
	Order    []int32 // the ranges by thread, then start, outer before inner
	Parent   []int32 // or -1
	Level    []int32 // 0 for an outermost range
	Children []int32 // number of ranges directly inside
}

// Nest finds the nesting of ranges on each thread with one sweep. Only the
// ranges that use accepts take part; the others have no parent and no level.
// A range encloses another if that one begins and ends within it.
func Nest(thread []GlobalID, start, end []int64, use func(i int) bool) *Nesting {
	n := &Nesting{Parent: make([]int32, len(start)), Level: make([]int32, len(start)), Children: make([]int32, len(start))}
	for i := range start {
		n.Parent[i] = -1
		if use == nil || use(i) {
			n.Order = append(n.Order, int32(i))
		}
	}
	slices.SortFunc(n.Order, func(a, b int32) int {
		if c := cmp.Compare(uint64(thread[a]), uint64(thread[b])); c != 0 {
			return c
		}
		if c := cmp.Compare(start[a], start[b]); c != 0 {
			return c
		}
		if c := cmp.Compare(end[b], end[a]); c != 0 {
			return c
		}
		return cmp.Compare(a, b)
	})
	var stack []int32
	for k, i := range n.Order {
		if k > 0 && thread[n.Order[k-1]] != thread[i] {
			stack = stack[:0]
		}
		for len(stack) > 0 && end[stack[len(stack)-1]] < end[i] {
			stack = stack[:len(stack)-1]
		}
		if m := len(stack); m > 0 {
			p := stack[m-1]
			n.Parent[i], n.Level[i] = p, int32(m)
			n.Children[p]++
		}
		stack = append(stack, i)
	}
	return n
}
