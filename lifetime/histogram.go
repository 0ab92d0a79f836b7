package lifetime

import "math"

// Bin is one bin of a histogram over lifetimes: From included, To not.
type Bin struct {
	FromNS, ToNS float64
	N            uint64  // lifetimes
	Time         float64 // their sum, in cycles
}

// binsPerDecade divides each power of ten evenly on the logarithmic scale.
const binsPerDecade = 5

// Histogram counts lifetimes in logarithmic bins, five for each decade of ns. A
// first bin from 0 holds those shorter than one cycle.
func (m *Machine) Histogram(d *Distribution) []Bin {
	if d.N() == 0 {
		return nil
	}
	period := m.period()
	first := int(math.Floor(math.Log10(period) * binsPerDecade))
	bins := []Bin{{FromNS: 0, ToNS: edge(first)}}
	d.each(func(cycles int64, n uint64) {
		ns, at := float64(cycles)*period, 0
		if cycles > 0 {
			at = int(math.Floor(math.Log10(ns)*binsPerDecade)) - first + 1
			for edge(first+at) <= ns { // where the logarithm was rounded
				at++
			}
			for edge(first+at-1) > ns {
				at--
			}
		}
		for len(bins) <= at {
			bins = append(bins, Bin{FromNS: edge(first + len(bins) - 1), ToNS: edge(first + len(bins))})
		}
		bins[at].N += n
		bins[at].Time += float64(cycles) * float64(n)
	})
	if bins[0].N == 0 {
		bins = bins[1:]
	}
	for len(bins) > 1 && bins[0].N == 0 {
		bins = bins[1:]
	}
	return bins
}

// edge is the lower edge of bin i: 10 to the power i/5 ns.
func edge(i int) float64 {
	if i%binsPerDecade == 0 {
		return math.Pow10(i / binsPerDecade)
	}
	return math.Pow(10, float64(i)/binsPerDecade)
}

// Point is a point of a cumulative distribution.
type Point struct {
	NS    float64
	Share float64 // of lifetimes at most so long, in [0, 1]
	Time  float64 // the same, weighted by length: share of the occupied memory
}

// CDF returns the exact cumulative distribution, thinned to at most n points that
// are evenly spread over the shares. The last has shares of 1.
func (m *Machine) CDF(d *Distribution, n int) []Point {
	if d.N() == 0 || n < 1 {
		return nil
	}
	total, sum := float64(d.N()), d.Sum()
	var points []Point
	var seen uint64
	time, next := 0.0, 0.0
	d.each(func(cycles int64, k uint64) {
		seen += k
		time += float64(cycles) * float64(k)
		p := Point{NS: m.NS(float64(cycles)), Share: float64(seen) / total, Time: 1}
		if sum > 0 {
			p.Time = min(time/sum, 1)
		}
		if p.Share >= next || seen == d.N() {
			points = append(points, p)
			next = p.Share + 1/float64(n)
		}
	})
	if len(points) > n {
		points = append(points[:n-1], points[len(points)-1])
	}
	return points
}

// ShareWithin is the share of lifetimes shorter than a retention time: those that
// a memory which forgets after so many ns holds without a refresh.
func (m *Machine) ShareWithin(d *Distribution, ns float64) float64 {
	cycles := int64(math.Ceil(ns/m.period())) - 1
	for float64(cycles+1)*m.period() < ns {
		cycles++
	}
	for cycles >= 0 && float64(cycles)*m.period() >= ns {
		cycles--
	}
	n, _ := d.Within(cycles)
	return float64(n) / float64(d.N())
}
