package timeline

import (
	"cmp"
	"slices"
	"sort"
)

// A counter holds the samples of a counter by time.
type counter struct {
	Min, Max float64
	at       []int64
	value    []float64
	sums     [][]sampleSum
}

// A sampleSum summarizes a run of samples.
type sampleSum struct {
	min, max, sum float64
	n             int
}

// A Sample summarizes the samples from Start to the start of the next one.
type Sample struct {
	Start          int64 `json:",string"`
	Min, Max, Mean float64
	Count          int
}

func (s *sampleSum) add(o sampleSum) {
	if s.n == 0 {
		*s = o
		return
	}
	s.min, s.max, s.sum, s.n = min(s.min, o.min), max(s.max, o.max), s.sum+o.sum, s.n+o.n
}

func (c *counter) finish() {
	order := make([]int, len(c.at))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(c.at[i], c.at[j]) })
	at, value := make([]int64, len(order)), make([]float64, len(order))
	for k, i := range order {
		at[k], value[k] = c.at[i], c.value[i]
	}
	c.at, c.value = at, value
	c.Min, c.Max = slices.Min(value), slices.Max(value)
	level := make([]sampleSum, (len(value)+fan-1)/fan)
	for i, v := range value {
		level[i/fan].add(sampleSum{v, v, v, 1})
	}
	for len(level) > 0 {
		c.sums = append(c.sums, level)
		if len(level) == 1 {
			break
		}
		up := make([]sampleSum, (len(level)+fan-1)/fan)
		for i, s := range level {
			up[i/fan].add(s)
		}
		level = up
	}
}

// run summarizes samples i to j.
func (c *counter) run(i, j int) sampleSum {
	var out sampleSum
	for i < j {
		if i%fan != 0 || j-i < fan {
			v := c.value[i]
			out.add(sampleSum{v, v, v, 1})
			i++
			continue
		}
		l, step := 0, fan
		for l+1 < len(c.sums) && i%(step*fan) == 0 && j-i >= step*fan {
			l, step = l+1, step*fan
		}
		out.add(c.sums[l][i/step])
		i += step
	}
	return out
}

// View returns at most one sample for each of so many pixels of the window from
// t0 to t1, and the sample before the window, which lasts into it.
func (c *counter) View(t0, t1 int64, pixels int) []Sample {
	i := sort.Search(len(c.at), func(k int) bool { return c.at[k] >= t0 })
	end := sort.Search(len(c.at), func(k int) bool { return c.at[k] >= t1 })
	var out []Sample
	if i > 0 {
		v := c.value[i-1]
		out = append(out, Sample{c.at[i-1], v, v, v, 1})
	}
	w := newWindow(t0, t1, pixels)
	for i < end {
		j := gallop(c.at, i+1, end, w.after(c.at[i]), 1)
		s := c.run(i, j)
		out = append(out, Sample{c.at[i], s.min, s.max, s.sum / float64(s.n), s.n})
		i = j
	}
	return out
}
