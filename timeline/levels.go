package timeline

import "math"

// levels gives out depths: the lowest that is free. Slices come by start. It is
// a tree over the depths in which each node has the first end below it, so that
// the lowest free depth is found in as many steps as the tree is high, however
// many slices overlap.
type levels struct {
	n     int32   // depths used so far
	leafs int32   // of the tree, a power of two
	first []int64 // node 1 is the root, nodes leafs to 2*leafs-1 are the depths
}

// take returns the depth of a slice. A depth is free from the end of its slice.
func (l *levels) take(start, end int64) int32 {
	if l.n == 0 {
		l.leafs, l.first = 1, []int64{0, math.MinInt64}
	}
	if l.n == l.leafs && l.first[1] > start {
		l.grow()
	}
	k := int32(1)
	for k < l.leafs {
		if k *= 2; l.first[k] > start {
			k++
		}
	}
	level := k - l.leafs
	for l.first[k] = end; k > 1; k /= 2 {
		l.first[k/2] = min(l.first[k], l.first[k^1])
	}
	l.n = max(l.n, level+1)
	return level
}

// grow doubles the depths. Those that were never used are free from the
// beginning.
func (l *levels) grow() {
	old := l.first[l.leafs:]
	l.leafs *= 2
	l.first = make([]int64, 2*l.leafs)
	for i := range l.leafs {
		l.first[l.leafs+i] = math.MinInt64
	}
	copy(l.first[l.leafs:], old)
	for k := l.leafs - 1; k > 0; k-- {
		l.first[k] = min(l.first[2*k], l.first[2*k+1])
	}
}
