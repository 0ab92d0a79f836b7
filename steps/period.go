package steps

import (
	"cmp"
	"math"
	"slices"

	"github.com/gpuprof/gpuprof/trace"
)

// Bounds of the search for a period.
const (
	leastPeriods = 3       // fewer repetitions are no period
	mostPeriods  = 1 << 16 // an operation that occurs more often marks no step
	mostMarks    = 64      // operations that are tried
	leastAlike   = 0.9     // how alike the parts must be
	leastCover   = 0.6     // of the operations that lie between the first mark and the last
	spread       = 0.2     // how far distances may be from their median
)

// period finds the steps of a device by the period of its operations, in the
// order in which they were launched: an operation that occurs n times at regular
// distances, with nearly the same operations between. Distances are numbers of
// operations, not times, so that a stall does not hide the period. Of several
// periods the shortest is taken. It is nil if there is none.
//
// A step begins where the repetition begins: operations before it, such as those
// that set things up, differ from those before later steps. A recording that
// begins in the middle of a step hides that place; then a step begins behind the
// optimizer or, without one, behind the longest pause of the launches.
func (d *Device) period() *Found {
	order := d.launchOrder()
	if len(order) < 2*leastPeriods {
		return nil
	}
	at := map[trace.Sym][]int32{}
	for k, i := range order {
		if l := at[d.Name[i]]; len(l) <= mostPeriods {
			at[d.Name[i]] = append(l, int32(k))
		}
	}
	var marks []trace.Sym
	for name, l := range at {
		if len(l) >= leastPeriods && len(l) <= mostPeriods && regular(l) {
			marks = append(marks, name)
		}
	}
	slices.SortFunc(marks, func(a, b trace.Sym) int { // most frequent first: the shortest period
		return cmp.Or(-cmp.Compare(len(at[a]), len(at[b])), cmp.Compare(at[a][0], at[b][0]))
	})
	for _, name := range marks[:min(len(marks), mostMarks)] {
		l := at[name]
		if float64(l[len(l)-1]-l[0]) < leastCover*float64(len(order)) {
			continue
		}
		if l[1]-l[0] < 3 && len(order) > 64 { // a kernel that is launched over and over is no step
			continue
		}
		if alike := d.alike(order, l); alike >= leastAlike {
			return d.cut(order, l, d.Texts.Text(name), alike)
		}
	}
	return nil
}

// launchOrder is the work in the order of its launches.
func (d *Device) launchOrder() []int32 {
	order := make([]int32, 0, d.Len())
	for i := range d.Start {
		order = append(order, int32(i))
	}
	compare := func(a, b int32) int {
		return cmp.Or(cmp.Compare(d.moment(int(a)), d.moment(int(b))), cmp.Compare(a, b))
	}
	if !slices.IsSortedFunc(order, compare) {
		slices.SortFunc(order, compare)
	}
	return order
}

// regular reports whether the distances of sorted places are alike.
func regular(l []int32) bool {
	m := medianDistance(l)
	for i := 1; i < len(l); i++ {
		if math.Abs(float64(l[i]-l[i-1])-m) > spread*m {
			return false
		}
	}
	return true
}

func medianDistance(l []int32) float64 {
	var gaps []int32
	for i := 1; i < len(l); i++ {
		gaps = append(gaps, l[i]-l[i-1])
	}
	slices.Sort(gaps)
	return float64(gaps[len(gaps)/2])
}

// alike says how alike the parts between marks are: 1 less the share of
// operations, counted by name, that a part does not have in common with the one
// before it. It is an upper bound of what an edit distance would say.
func (d *Device) alike(order, l []int32) float64 {
	var differ, all float64
	count := map[trace.Sym]int{}
	for p := 1; p+1 < len(l); p++ {
		clear(count)
		for _, i := range order[l[p-1]:l[p]] {
			count[d.Name[i]]++
		}
		for _, i := range order[l[p]:l[p+1]] {
			count[d.Name[i]]--
		}
		for _, n := range count {
			differ += math.Abs(float64(n)) / 2
		}
		all += float64(l[p+1]-l[p-1]) / 2
	}
	return 1 - differ/max(all, 1)
}

// cut makes the steps of marks.
func (d *Device) cut(order, l []int32, name string, alike float64) *Found {
	back, whole := d.back(order, l)
	if !whole {
		back = d.pause(order, l, back)
	}
	f := &Found{Source: Periodic, Text: name, Alike: alike, Length: int(medianDistance(l))}
	var starts []int
	for _, at := range l {
		if k := int(at) - back; k >= 0 && k < len(order) {
			starts = append(starts, k)
		}
	}
	for j, k := range starts {
		s := Step{Span: Span{Start: d.moment(int(order[k])), End: math.MaxInt64}, Number: int64(j)}
		if next := d.next(order, starts, j); next < len(order) {
			s.End = d.moment(int(order[next]))
		} else if float64(len(order)-k) < leastAlike*float64(f.Length) {
			break // cut off by the end of the recording
		}
		f.Steps = append(f.Steps, s)
	}
	if len(f.Steps) < 2 {
		return nil
	}
	return f
}

// next is the place behind step j: where the next one begins, and for the last
// behind as many operations as the one before it has.
func (d *Device) next(order []int32, starts []int, j int) int {
	if j+1 < len(starts) {
		return starts[j+1]
	}
	if j == 0 {
		return len(order)
	}
	return starts[j] + starts[j] - starts[j-1]
}

// back is how many operations before the mark a step begins; whole is false where
// the recording begins before that place was seen.
func (d *Device) back(order, l []int32) (n int, whole bool) {
	for {
		a, b := int(l[0])-n-1, int(l[1])-n-1
		if b <= int(l[0]) {
			return n, true
		}
		if a < 0 {
			return n, b == int(l[0])
		}
		if d.Name[order[a]] != d.Name[order[b]] || d.Stream[order[a]] != d.Stream[order[b]] {
			return n, true
		}
		n++
	}
}

// pause is how many operations before the mark a step begins, of those that the
// first step has, judged by the optimizer or by pauses.
func (d *Device) pause(order, l []int32, most int) int {
	best, longest := most, int64(-1)
	var gaps []int64
	for n := -(int(l[1]-l[0]) - most - 1); n <= most; n++ {
		gaps = gaps[:0]
		optimizer := true
		for _, at := range l {
			k := int(at) - n
			if k < 1 || k >= len(order) {
				continue
			}
			gaps = append(gaps, d.moment(int(order[k]))-d.moment(int(order[k-1])))
			optimizer = optimizer && d.Class[order[k-1]] == Optimizer && d.Class[order[k]] != Optimizer
		}
		if len(gaps) == 0 {
			continue
		}
		slices.Sort(gaps)
		gap := gaps[len(gaps)/2]
		if optimizer {
			gap += most64
		}
		if gap > longest {
			best, longest = n, gap
		}
	}
	return best
}

const most64 = 1 << 61
