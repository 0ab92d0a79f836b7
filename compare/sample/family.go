package sample

import (
	"math"
	"slices"
)

// Side is the question that a test asks.
type Side uint8

// The sides.
const (
	More   Side = iota // do the new runs take more?
	Less               // do they take less?
	Either             // do they differ?
)

// A Family is the kernels and metrics that are judged together, each measured in
// the same runs. It keeps the chance that any of them is called different
// though none is at alpha, however many there are.
type Family struct {
	n, m int
	rows []row
	s0   map[string]float64
}

// row is a kernel of a family. A row that is not tested has no x.
type row struct {
	x    []float64 // logarithms, or values in a unit, about the first; old runs, then new
	unit string    // "" for logarithms
	sst  float64   // squares about the common mean
}

// NewFamily makes a family of n old and m new runs.
func NewFamily(n, m int) *Family {
	return &Family{n: n, m: m}
}

// AddRatio adds a kernel whose values are compared as ratios, and returns its
// number. One that is missing in a run, or not positive, is numbered but not
// tested: its p is NaN and it is no part of the family.
func (f *Family) AddRatio(old, new []float64) int {
	v := slices.Concat(old, new)
	ok := len(old) == f.n && len(new) == f.m
	for _, y := range v {
		ok = ok && y > 0 && !math.IsInf(y, 0)
	}
	if !ok {
		return f.add(row{})
	}
	first, whole := v[0], math.Log(v[0])
	for i, y := range v {
		if q := y / first; q > 1e-300 && q < 1e300 {
			v[i] = math.Log(q)
		} else {
			v[i] = math.Log(y) - whole
		}
	}
	return f.add(row{x: v})
}

// AddShift adds values that are compared in their unit, zeros allowed.
func (f *Family) AddShift(old, new []float64, unit string) int {
	v := slices.Concat(old, new)
	ok := len(old) == f.n && len(new) == f.m
	for _, y := range v {
		ok = ok && !math.IsNaN(y) && !math.IsInf(y, 0)
	}
	if !ok {
		return f.add(row{})
	}
	first := v[0]
	for i := range v {
		v[i] -= first
	}
	return f.add(row{x: v, unit: "[" + unit + "]"})
}

func (f *Family) add(r row) int {
	if len(r.x) > 0 {
		mean := 0.0
		for _, v := range r.x {
			mean += v
		}
		mean /= float64(len(r.x))
		for _, v := range r.x {
			r.sst += (v - mean) * (v - mean)
		}
	}
	f.rows = append(f.rows, r)
	f.s0 = nil
	return len(f.rows) - 1
}

// Len is the number of kernels, those that are not tested included.
func (f *Family) Len() int { return len(f.rows) }

// Tested reports whether a kernel takes part.
func (f *Family) Tested(i int) bool { return len(f.rows[i].x) > 0 }

// half is nm/N, which scales a difference of means.
func (f *Family) half() float64 { return float64(f.n) * float64(f.m) / float64(f.n+f.m) }

// floor is s0 of the kernels that are compared in a unit, "" for ratios: the
// median over kernels of the standard error that labels do not change. Added
// to each kernel's own it keeps one quiet kernel from shouting.
func (f *Family) floor(unit string) float64 {
	if unit != "" {
		unit = "[" + unit + "]"
	}
	f.floors()
	return f.s0[unit]
}

func (f *Family) floors() {
	if f.s0 != nil {
		return
	}
	by := map[string][]float64{}
	for _, r := range f.rows {
		if len(r.x) > 0 {
			by[r.unit] = append(by[r.unit], math.Sqrt(r.sst/float64(f.n+f.m-1)/f.half()))
		}
	}
	f.s0 = map[string]float64{}
	for unit, s := range by {
		f.s0[unit] = Median(s)
	}
}

// t is the statistic of a kernel when the runs in labels are called new.
func (f *Family) t(r *row, labels []int, s0, total float64) float64 {
	sum := 0.0
	for _, i := range labels {
		sum += r.x[i]
	}
	d := sum/float64(f.m) - (total-sum)/float64(f.n)
	ssw := r.sst - f.half()*d*d
	s := 0.0
	if ssw > 1e-12*r.sst {
		s = math.Sqrt(ssw / float64(f.n+f.m-2) / f.half())
	}
	switch {
	case r.sst == 0 || d == 0:
		return 0
	case s+s0 == 0:
		return math.Inf(int(math.Copysign(1, d)))
	}
	return d / (s + s0)
}

// T are the observed statistics, NaN for kernels that are not tested.
func (f *Family) T() []float64 {
	f.floors()
	labels := make([]int, f.m)
	for i := range labels {
		labels[i] = f.n + i
	}
	out := nans(len(f.rows))
	for i := range f.rows {
		if r := &f.rows[i]; len(r.x) > 0 {
			out[i] = f.t(r, labels, f.s0[r.unit], sumOf(r.x))
		}
	}
	return out
}

func sumOf(v []float64) float64 {
	s := 0.0
	for _, x := range v {
		s += x
	}
	return s
}

// P are the p values of the step-down maximum test of Westfall and Young, NaN
// for kernels that are not tested; drawn says that the relabellings are a
// sample, because there are more than MostRelabellings.
func (f *Family) P(side Side) (p []float64, drawn bool) {
	p = nans(len(f.rows))
	toward := func(t float64) float64 {
		switch side {
		case Less:
			return -t
		case Either:
			return math.Abs(t)
		}
		return t
	}
	observed := f.T()
	var order []int
	for i := range f.rows {
		if f.Tested(i) {
			order = append(order, i)
			observed[i] = toward(observed[i])
		}
	}
	if len(order) == 0 || f.n == 0 || f.m == 0 {
		return p, false
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case observed[a] > observed[b]:
			return -1
		case observed[a] < observed[b]:
			return 1
		}
		return 0
	})
	// What is equal in exact arithmetic, as mirrored labels are, may differ in the
	// last bits.
	least, s0, total := make([]float64, len(order)), make([]float64, len(order)), make([]float64, len(order))
	for k, i := range order {
		least[k] = observed[i] - 1e-9*math.Abs(observed[i]) - 1e-12
		if math.IsInf(observed[i], 0) {
			least[k] = observed[i]
		}
		s0[k], total[k] = f.s0[f.rows[i].unit], sumOf(f.rows[i].x)
	}
	hits := make([]int, len(order))
	count, drawn := relabellings(f.n, f.m, func(labels []int) {
		most := math.Inf(-1)
		for k := len(order) - 1; k >= 0; k-- {
			if t := toward(f.t(&f.rows[order[k]], labels, s0[k], total[k])); t > most {
				most = t
			}
			if most >= least[k] {
				hits[k]++
			}
		}
	})
	above := 0.0
	for k, i := range order {
		above = max(above, float64(hits[k])/float64(count))
		p[i] = above
	}
	return p, drawn
}

// Spread is the standard deviation of one run of a kernel about the mean of its
// side, as a share for ratios; NaN with fewer than three runs.
func (f *Family) Spread(i int) float64 {
	r := &f.rows[i]
	if len(r.x) == 0 || f.n+f.m < 3 {
		return math.NaN()
	}
	s := 0.0
	for _, side := range [][]float64{r.x[:f.n], r.x[f.n:]} {
		mean := sumOf(side) / float64(len(side))
		for _, v := range side {
			s += (v - mean) * (v - mean)
		}
	}
	return math.Sqrt(s / float64(f.n+f.m-2))
}
