package rcp

import (
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/format/amd"
	"github.com/gpuprof/gpuprof/view"
)

// apiTotal sums the calls of an API.
type apiTotal struct {
	name          string
	calls         uint64
	timed         uint64
	sum, max, min uint64
}

// apiSummary is CLAPISummary and HSAAPISummary.
func (a *Analysis) apiSummary(module string) *view.Table {
	totals := make([]apiTotal, len(a.trace.APIs))
	var all uint64
	a.each(module, func(c *call) {
		t := &totals[c.api]
		t.name = c.name
		t.calls++
		if c.end < c.start || c.end == 0 && c.start == 0 && !a.o.Compat {
			return
		}
		d := c.end - c.start
		all += d
		t.sum += d
		if t.timed++; t.timed == 1 {
			t.max, t.min = d, d
		}
		t.max, t.min = max(t.max, d), min(t.min, d)
	})
	if module == amd.HSA && a.o.Compat {
		// AMD adds the time of kernels to that of calls.
		ks := a.kernels(amd.HSA)
		for i := range ks.len() {
			if start, end := ks.times(i); end >= start {
				all += end - start
			}
		}
	}
	totals = slices.DeleteFunc(totals, func(t apiTotal) bool { return t.calls == 0 })
	if len(totals) == 0 {
		return nil
	}
	slices.SortFunc(totals, func(x, y apiTotal) int {
		if x.sum != y.sum {
			return descending(x.sum, y.sum)
		}
		if a.o.Compat {
			return strings.Compare(y.name, x.name)
		}
		return strings.Compare(x.name, y.name)
	})
	t := &view.Table{Columns: columns(texts("API Name"), numbers("Cumulative Time(ms)", "% of Total Time", "# of Calls",
		"Avg Time(ms)", "Max Time(ms)", "Min Time(ms)"))}
	for i := range totals {
		s := &totals[i]
		divisor := s.timed
		if a.o.Compat {
			divisor = s.calls
		}
		row := []view.Value{view.String(s.name), a.ms(s.sum), a.percent(s.sum, all, 5), a.count(s.calls)}
		if s.timed == 0 && !a.o.Compat {
			row = append(row, notAvailable, notAvailable, notAvailable)
		} else {
			row = append(row, a.ms(s.sum/max(divisor, 1)), a.ms(s.max), a.ms(s.min))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func descending(x, y uint64) int {
	switch {
	case x > y:
		return -1
	case x < y:
		return 1
	}
	return 0
}
