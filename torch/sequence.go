package torch

import (
	"cmp"
	"slices"
	"strings"
)

// A Sequence is some kernels that follow each other on a stream again and again.
type Sequence struct {
	Kernels []string
	Count   int
	Time    int64 // ns, of all kernels in all its runs
	Gaps    int64 // ns between them
	Short   bool  // each takes less than ShortKernel on average: one kernel or a graph would save launches
}

// Sequences finds the sequences of length kernels that take part most often, on
// each stream by itself; those that overlap an earlier run do not count again.
// The answer has at most as many as asked, by the gaps that joining them would
// close.
func (t *Timeline) Sequences(length, most int) []Sequence {
	streams := map[stream][]int32{}
	var order []stream
	for i := range t.Work.Start {
		if t.Work.Kind[i] != Kernel {
			continue
		}
		k := t.Work.streamOf(i)
		if streams[k] == nil {
			order = append(order, k)
		}
		streams[k] = append(streams[k], int32(i))
	}
	found := map[string]*Sequence{}
	ends := map[string]int{}
	var key []byte
	for _, k := range order {
		list := streams[k]
		clear(ends)
		for i := 0; i+length <= len(list); i++ {
			key = key[:0]
			for _, w := range list[i : i+length] {
				id := uint64(t.Work.Name[w])
				key = append(key, byte(id), byte(id>>8), byte(id>>16), byte(id>>24))
			}
			if i < ends[string(key)] {
				continue
			}
			s := found[string(key)]
			if s == nil {
				s = &Sequence{}
				for _, w := range list[i : i+length] {
					s.Kernels = append(s.Kernels, t.WorkName(int(w)))
				}
				found[string(key)] = s
			}
			ends[string(key)] = i + length
			s.Count++
			for n, w := range list[i : i+length] {
				s.Time += t.Work.End[w] - t.Work.Start[w]
				if n > 0 {
					s.Gaps += max(0, t.Work.Start[w]-t.Work.End[list[i+n-1]])
				}
			}
		}
	}
	var out []Sequence
	for _, s := range found {
		if s.Count > 1 {
			s.Short = s.Time/int64(s.Count*length) < shortKernel
			out = append(out, *s)
		}
	}
	slices.SortFunc(out, func(a, b Sequence) int {
		return cmp.Or(cmp.Compare(b.Gaps, a.Gaps), cmp.Compare(b.Count, a.Count), strings.Compare(strings.Join(a.Kernels, "\x00"), strings.Join(b.Kernels, "\x00")))
	})
	return out[:min(most, len(out))]
}
