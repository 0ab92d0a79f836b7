package steps

import (
	"cmp"
	"math/bits"
	"slices"
)

// A Window is the time of a step on a device.
type Window struct {
	Step int // index of Found.Steps
	Span
}

// Windows are the windows of the steps that launched work on the device, in
// order. They meet.
func (d *Device) Windows(f *Found, o *Options) []Window {
	if f == nil || len(f.Steps) == 0 {
		return nil
	}
	if o != nil && o.HostWindows {
		return hostWindows(f)
	}
	first, last := make([]int64, len(f.Steps)), make([]int64, len(f.Steps))
	seen := make([]bool, len(f.Steps))
	for i := range d.Start {
		k := f.At(d.moment(i))
		if k < 0 {
			continue
		}
		if !seen[k] {
			first[k], last[k], seen[k] = d.Start[i], d.End[i], true
		}
		first[k], last[k] = min(first[k], d.Start[i]), max(last[k], d.End[i])
	}
	var out []Window
	for k := range f.Steps {
		if !seen[k] {
			continue
		}
		w := Window{Step: k, Span: Span{Start: first[k], End: last[k]}}
		if n := len(out); n > 0 {
			w.Start = max(w.Start, out[n-1].Start) // work of a later step that ran before that of an earlier one
			w.End = max(w.End, w.Start)
			out[n-1].End = w.Start
		}
		out = append(out, w)
	}
	return out
}

// moment is when a piece of work was launched, else when it began.
func (d *Device) moment(i int) int64 {
	if d.Launch[i] != NoTime {
		return d.Launch[i]
	}
	return d.Start[i]
}

func hostWindows(f *Found) (out []Window) {
	for k, s := range f.Steps {
		out = append(out, Window{k, s.Span})
	}
	return out
}

// Times say how long which kinds of work ran together in a window. All are ns.
type Times struct {
	Span
	// Together is the time in which exactly the kinds of the index ran, a bit each:
	// Together[1<<Compute|1<<Copy] is that of compute and copies without
	// communication. Together[0] is idle time.
	Together [1 << Kinds]int64
	// Gap is the longest idle span; of several the first.
	Gap Span
	// HostLate: the work after Gap was launched after the work before it had ended.
	HostLate bool
	Kernels  int // kernels that began in the window
	Launches int // calls that launched them; 0 where calls are not known
}

// sum is the time in which kinds of with ran and none of without.
func (t *Times) sum(with, without uint) (ns int64) {
	for k, v := range t.Together {
		if uint(k)&with != 0 && uint(k)&without == 0 {
			ns += v
		}
	}
	return ns
}

const (
	bitK = 1 << Compute
	bitC = 1 << Communication
	bitM = 1 << Copy
	bitG = 1 << Graph
)

// Wall is the length of the window.
func (t *Times) Wall() int64 { return t.End - t.Start }

// Busy is the time in which anything ran.
func (t *Times) Busy() int64 { return t.sum(bitK|bitC|bitM|bitG, 0) }

// Idle is the time in which nothing ran.
func (t *Times) Idle() int64 { return t.Together[0] }

// Of is the time in which a kind ran, overlap of its own counted once.
func (t *Times) Of(k Kind) int64 { return t.sum(1<<k, 0) }

// Exposed is the time of communication without computation. It means nothing if
// Of(Graph) is not 0: what a graph did beside it is not known.
func (t *Times) Exposed() int64 { return t.sum(bitC, bitK) }

// Hidden is the time of communication beside computation.
func (t *Times) Hidden() int64 { return t.Of(Communication) - t.Exposed() }

// Alone is the time of communication without computation and copies.
func (t *Times) Alone() int64 { return t.sum(bitC, bitK|bitM) }

// ExposedCopies is the time of copies without computation and communication.
func (t *Times) ExposedCopies() int64 { return t.sum(bitM, bitK|bitC) }

// Self is the wall time less that in which the device only communicated: what
// the rank did, or failed to do, by itself.
func (t *Times) Self() int64 { return t.Wall() - t.Alone() }

// Both is the time in which two kinds ran together; of twice the same, its time.
func (t *Times) Both(a, b Kind) (ns int64) {
	for k, v := range t.Together {
		if k>>a&1 == 1 && k>>b&1 == 1 {
			ns += v
		}
	}
	return ns
}

// A Matrix is the time in which two classes ran together, ns; the diagonal is the
// time of each.
type Matrix [Classes][Classes]int64

// Measure returns the times of windows, which must be sorted and may not overlap,
// and the overlap of classes over all of them. One sweep does all.
func (d *Device) Measure(windows []Window) ([]Times, *Matrix) {
	out := make([]Times, len(windows))
	for i, w := range windows {
		out[i].Span = w.Span
	}
	m := &Matrix{}
	s := newSweep(d.Unions())
	for i := range out {
		s.window(&out[i], m)
	}
	d.count(windows, out)
	for i := range out {
		out[i].HostLate = d.hostLate(out[i].Gap)
	}
	return out, m
}

// Whole is Measure of the span from the first work to the last.
func (d *Device) Whole() (Times, *Matrix) {
	if d.Len() == 0 {
		return Times{}, &Matrix{}
	}
	t, m := d.Measure([]Window{{Span: Span{Start: d.Start[0], End: slices.Max(d.End)}}})
	return t[0], m
}

// count numbers kernels and launches: a graph launches many kernels with one call.
func (d *Device) count(windows []Window, out []Times) {
	launches := make([][]int64, len(windows))
	for i, s := range d.Start {
		if c := d.Class[i].Kind(); c != Compute && c != Communication {
			continue
		}
		k, ok := slices.BinarySearchFunc(windows, s, func(w Window, t int64) int { return cmp.Compare(w.Start, t) })
		if !ok {
			k--
		}
		if k >= 0 && s < windows[k].End {
			out[k].Kernels++
			if d.Launch[i] != NoTime {
				launches[k] = append(launches[k], d.Launch[i])
			}
		}
	}
	for k, l := range launches {
		slices.Sort(l)
		out[k].Launches = len(slices.Compact(l))
	}
}

// hostLate reports whether the work after a gap was launched only after the gap
// had begun.
func (d *Device) hostLate(gap Span) bool {
	if gap.End <= gap.Start {
		return false
	}
	i, _ := slices.BinarySearch(d.Start, gap.End)
	return i < len(d.Start) && d.Launch[i] != NoTime && d.Launch[i] >= gap.Start
}

// A sweep walks over the edges of the unions of all classes.
type sweep struct {
	unions [Classes][]Span // what lies ahead
	used   []Class
}

func newSweep(u [Classes][]Span) *sweep {
	s := &sweep{unions: u}
	for c := range u {
		if len(u[c]) > 0 {
			s.used = append(s.used, Class(c))
		}
	}
	return s
}

// window adds up one window. Windows are to be asked for in order.
func (s *sweep) window(t *Times, m *Matrix) {
	idle := t.Start
	for at := t.Start; at < t.End; {
		next, on := t.End, uint32(0)
		for _, c := range s.used {
			u := s.unions[c]
			for len(u) > 0 && u[0].End <= at {
				u = u[1:]
			}
			s.unions[c] = u
			switch {
			case len(u) == 0:
			case u[0].Start <= at:
				on |= 1 << c
				next = min(next, u[0].End)
			default:
				next = min(next, u[0].Start)
			}
		}
		kinds := 0
		for rest := on; rest != 0; rest &= rest - 1 {
			a := Class(bits.TrailingZeros32(rest))
			kinds |= 1 << a.Kind()
			for other := on; other != 0; other &= other - 1 {
				m[a][bits.TrailingZeros32(other)] += next - at
			}
		}
		t.Together[kinds] += next - at
		if kinds != 0 {
			idle = next
		} else if next-idle > t.Gap.End-t.Gap.Start {
			t.Gap = Span{Start: idle, End: next}
		}
		at = next
	}
}
