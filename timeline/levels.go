package timeline

import "container/heap"

// levels gives out depths: the lowest that is free. Slices come by start.
type levels struct {
	n    int32 // depths used so far
	open openHeap
	idle idleHeap
}

type openSlice struct {
	end   int64
	level int32
}

// take returns the depth of a slice. A depth is free from the end of its slice.
func (l *levels) take(start, end int64) int32 {
	for len(l.open) > 0 && l.open[0].end <= start {
		heap.Push(&l.idle, heap.Pop(&l.open).(openSlice).level)
	}
	var level int32
	if len(l.idle) > 0 {
		level = heap.Pop(&l.idle).(int32)
	} else {
		level = l.n
		l.n++
	}
	heap.Push(&l.open, openSlice{end, level})
	return level
}

type openHeap []openSlice

func (h openHeap) Len() int           { return len(h) }
func (h openHeap) Less(i, j int) bool { return h[i].end < h[j].end }
func (h openHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *openHeap) Push(v any)        { *h = append(*h, v.(openSlice)) }
func (h *openHeap) Pop() any {
	old := *h
	v := old[len(old)-1]
	*h = old[:len(old)-1]
	return v
}

type idleHeap []int32

func (h idleHeap) Len() int           { return len(h) }
func (h idleHeap) Less(i, j int) bool { return h[i] < h[j] }
func (h idleHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *idleHeap) Push(v any)        { *h = append(*h, v.(int32)) }
func (h *idleHeap) Pop() any {
	old := *h
	v := old[len(old)-1]
	*h = old[:len(old)-1]
	return v
}
