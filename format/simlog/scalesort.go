package simlog

import (
	"container/heap"
	"io"
)

// sortedTrace returns the rows of a trace in the order of their cycles. A trace
// file is a series of sorted parts that overlap: the last results drain to DRAM
// while an earlier batch still does, and the file holds one after the other.
type sortedTrace struct {
	r     *TraceReader
	ahead rowHeap
	held  int // addresses in ahead
	spare [][]uint64
	seq   int64
	over  bool
	err   error // why the file broke off, if it did
	late  int64 // rows that came too late to be put in order
	last  int64
	any   bool
}

// lookAhead is how many addresses are held back for sorting: 4 MB of them.
const lookAhead = 1 << 19

type traceRow struct {
	cycle, seq int64
	addrs      []uint64
}

// next returns the row with the smallest cycle of those held; false at the end.
// The caller gives the row back with recycle.
func (s *sortedTrace) next() (traceRow, bool) {
	for !s.over && s.held < lookAhead {
		cycle, addrs, err := s.r.Next()
		if err != nil {
			s.over = true
			if err != io.EOF {
				s.err = err
			}
			break
		}
		row := traceRow{cycle: cycle, seq: s.seq}
		if n := len(s.spare); n > 0 {
			row.addrs, s.spare = s.spare[n-1][:0], s.spare[:n-1]
		}
		row.addrs = append(row.addrs, addrs...)
		s.seq++
		s.held += len(addrs)
		heap.Push(&s.ahead, row)
	}
	if len(s.ahead) == 0 {
		return traceRow{}, false
	}
	row := heap.Pop(&s.ahead).(traceRow)
	s.held -= len(row.addrs)
	if s.any && row.cycle < s.last {
		s.late++
		row.cycle = s.last
	}
	s.last, s.any = row.cycle, true
	return row, true
}

func (s *sortedTrace) recycle(addrs []uint64) {
	if addrs != nil {
		s.spare = append(s.spare, addrs)
	}
}

// rowHeap is a heap by cycle, then by place in the file.
type rowHeap []traceRow

func (h rowHeap) Len() int { return len(h) }
func (h rowHeap) Less(i, j int) bool {
	return h[i].cycle < h[j].cycle || h[i].cycle == h[j].cycle && h[i].seq < h[j].seq
}
func (h rowHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *rowHeap) Push(x any)   { *h = append(*h, x.(traceRow)) }
func (h *rowHeap) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	return x
}
