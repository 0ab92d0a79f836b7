package ranks

import "github.com/gpuprof/gpuprof/steps"

// A Heat is how busy each rank was over time, on the common clock, and how much it
// waited. The slices have a row for each rank and a share from 0 to 1 for each bin.
type Heat struct {
	Start, Bin    int64 // ns
	Busy, Waiting [][]float64
}

// Heat cuts the time of the run into bins.
func (run *Run) Heat(bins int) *Heat {
	h := &Heat{}
	end := int64(0)
	for i, r := range run.Ranks {
		s, e := r.At(r.Span.Start), r.At(r.Span.End)
		if i == 0 {
			h.Start, end = s, e
		}
		h.Start, end = min(h.Start, s), max(end, e)
	}
	h.Bin = max((end-h.Start+int64(bins)-1)/int64(bins), 1)
	index := map[*Rank]int{}
	for i, r := range run.Ranks {
		index[r] = i
		h.Busy, h.Waiting = append(h.Busy, make([]float64, bins)), append(h.Waiting, make([]float64, bins))
		for s := r.busy.reader(); s.next(); {
			h.add(h.Busy[i], steps.Span{Start: r.At(s.Start), End: r.At(s.End)})
		}
	}
	run.EachWait(func(r *Rank, wait steps.Span) { h.add(h.Waiting[index[r]], wait) })
	return h
}

// add spreads a span of the common clock over the bins of a row.
func (h *Heat) add(row []float64, s steps.Span) {
	for at := max(s.Start-h.Start, 0); at < s.End-h.Start; {
		k := at / h.Bin
		if k >= int64(len(row)) {
			return
		}
		to := min((k+1)*h.Bin, s.End-h.Start)
		row[k] = min(row[k]+float64(to-at)/float64(h.Bin), 1)
		at = to
	}
}

// EachWait calls do with the time, on the common clock, that each member of a
// collective that synchronises waited for the last of them; where reports of
// members lack, for the last of those that are there: so long at least.
func (run *Run) EachWait(do func(r *Rank, wait steps.Span)) {
	for _, g := range run.Groups {
		g.Each(func(c *Collective) {
			arrival, ok := c.Arrival()
			for k, r := range c.Ranks {
				if s := r.At(c.Calls[k].Start); ok && s < arrival {
					do(r, steps.Span{Start: s, End: arrival})
				}
			}
		})
	}
}

// Arrival is when the last member of a collective of which there is a report came,
// on the common clock; ok is false where there is only one or clocks are not known.
func (c *Collective) Arrival() (at int64, ok bool) {
	if len(c.Calls) < 2 || !c.Calls[0].Class.Synchronises() {
		return 0, false
	}
	for k, r := range c.Ranks {
		if r.Error < 0 {
			return 0, false
		}
		if s := r.At(c.Calls[k].Start); k == 0 || s > at {
			at = s
		}
	}
	return at, true
}
