package annotate

import (
	"errors"
	"fmt"
	"math"
	"math/bits"

	"github.com/gpuprof/gpuprof/format/nvtxt"
)

// Window is a span of time on the session's clock, in ns, both ends inclusive.
type Window struct {
	Start, End int64
}

// ModeKind is how Manual times, in Guide also Qpc and CNTVCT times, become ns.
type ModeKind uint8

// The kinds of [Mode].
const (
	AsIs ModeKind = iota // times are ns already
	Lerp                 // two points of the file's clock and of the session's determine the line
	Lin                  // a point of both clocks and a frequency do
)

// ParseModeKind reads "lerp" or "lin"; "" is AsIs.
func ParseModeKind(s string) (ModeKind, error) {
	switch s {
	case "":
		return AsIs, nil
	case "lerp":
		return Lerp, nil
	case "lin":
		return Lin, nil
	}
	return 0, fmt.Errorf("unknown mode %q: expected lerp or lin", s)
}

// Mode maps the times of a file to the ns of the session. A nil point defaults
// to the least time of the file, NvtxtB to the greatest.
//
//	Lerp: ns = NsA + (t - NvtxtA) * (NsB - NsA) / (NvtxtB - NvtxtA)
//	Lin:  ns = NsA + (t - NvtxtA) * 1e9 / Freq
type Mode struct {
	Kind           ModeKind
	NsA, NsB       *int64 // ns of the session
	NvtxtA, NvtxtB *int64 // times of the file
	Freq           float64
}

// Validate reports what a mode lacks or contradicts.
func (m *Mode) Validate() error {
	for _, p := range []struct {
		name string
		v    *int64
	}{{"ns_a", m.NsA}, {"ns_b", m.NsB}, {"nvtxt_a", m.NvtxtA}, {"nvtxt_b", m.NvtxtB}} {
		if p.v != nil && *p.v < 0 && m.Kind != AsIs {
			return fmt.Errorf("%s is %d: expected 0 or more", p.name, *p.v)
		}
	}
	switch m.Kind {
	case AsIs:
		return nil
	case Lin:
		switch {
		case m.NsA == nil:
			return errors.New("mode lin needs ns_a")
		case !(m.Freq > 0) || math.IsInf(m.Freq, 0):
			return fmt.Errorf("mode lin needs a frequency above 0, got %v", m.Freq)
		}
		return nil
	case Lerp:
		switch {
		case m.NsA == nil:
			return errors.New("mode lerp needs ns_a")
		case m.NsB == nil:
			return errors.New("mode lerp needs ns_b")
		case (m.NvtxtA == nil) != (m.NvtxtB == nil):
			return errors.New("mode lerp needs both nvtxt_a and nvtxt_b, or none")
		case *m.NsB < *m.NsA:
			return fmt.Errorf("ns_b is %d: expected at least ns_a, which is %d", *m.NsB, *m.NsA)
		case m.NvtxtA != nil && *m.NvtxtB <= *m.NvtxtA:
			return fmt.Errorf("nvtxt_b is %d: expected more than nvtxt_a, which is %d", *m.NvtxtB, *m.NvtxtA)
		}
		return nil
	}
	return fmt.Errorf("unknown mode %d: expected lerp or lin", m.Kind)
}

// needsRange reports whether the least and greatest times of the file must be
// known before any can be converted.
func (m *Mode) needsRange() bool { return m.Kind != AsIs && m.NvtxtA == nil }

// clock converts the times of one file.
type clock struct {
	nsys    bool
	mode    *Mode
	a       int64   // resolved NvtxtA
	num     uint64  // Guide: ns = NsA + (t-a)*num/den
	den     uint64  // 0 when freq is no whole number
	k, b    float64 // Nsys: ns = t*k + b
	origin  int64   // session time of a Relative 0
	raw     int64   // session time of a ClockMonotonicRaw 0
	haveRaw bool
	freq    float64 // of Qpc and CNTVCT; 0 if unknown
}

var errRange = errors.New("the time lies beyond 64 bits of ns")

// newClock makes a clock; least and greatest are the extreme times of the file.
func newClock(o *LoadOptions, least, greatest int64) (*clock, error) {
	c := &clock{nsys: o.Dialect == nvtxt.Nsys, mode: &o.Mode, freq: o.Frequency, k: 1}
	if o.Session != nil {
		c.origin = o.Session.Start
	}
	if o.RawOrigin != nil {
		c.raw, c.haveRaw = *o.RawOrigin, true
	}
	m := &o.Mode
	if m.Kind == AsIs {
		return c, nil
	}
	c.a = least
	if m.NvtxtA != nil {
		c.a = *m.NvtxtA
	}
	if m.Kind == Lin {
		c.k = 1e9 / m.Freq
		c.num, c.den = 1e9, wholeFreq(m.Freq)
	} else {
		z := greatest
		if m.NvtxtB != nil {
			z = *m.NvtxtB
		}
		if z <= c.a {
			return nil, fmt.Errorf("mode lerp: all times of the file are %d, so they determine no line; expected two different times, or nvtxt_a and nvtxt_b", c.a)
		}
		c.num, c.den = uint64(*m.NsB)-uint64(*m.NsA), uint64(z)-uint64(c.a)
		c.k = (float64(*m.NsB) - float64(*m.NsA)) / (float64(z) - float64(c.a))
	}
	c.b = float64(*m.NsA) - float64(float64(c.a)*c.k)
	return c, nil
}

func wholeFreq(f float64) uint64 {
	if f == math.Trunc(f) && f < 1<<63 {
		return uint64(f)
	}
	return 0
}

// ns converts t. An error is about the time base or the size of t.
func (c *clock) ns(t int64, base nvtxt.TimeBase) (int64, error) {
	switch base {
	case nvtxt.Relative:
		return addTime(c.origin, t)
	case nvtxt.ClockMonotonicRaw:
		if !c.haveRaw && c.nsys {
			return 0, errors.New("the session has no relation to ClockMonotonicRaw")
		}
		return addTime(c.raw, t)
	case nvtxt.Qpc, nvtxt.CNTVCT:
		if c.nsys {
			return 0, fmt.Errorf("the session has no relation to %s", base)
		}
		if c.mode.Kind == AsIs && c.freq > 0 {
			return scale(t, 1e9, wholeFreq(c.freq), c.freq)
		}
	}
	if c.nsys {
		return truncate(float64(float64(t)*c.k) + c.b)
	}
	if c.mode.Kind == AsIs {
		return t, nil
	}
	// The difference of two int64 fits 64 bits and a sign.
	d := uint64(t) - uint64(c.a)
	neg := t < c.a
	if neg {
		d = -d
	}
	d, err := scaleMagnitude(d, c.num, c.den, c.mode.Freq)
	if err != nil {
		return 0, err
	}
	if neg {
		return addTime(*c.mode.NsA, -int64(d))
	}
	return addTime(*c.mode.NsA, int64(d))
}

// scale returns t*num/den, or with a den of 0 t*num/freq.
func scale(t int64, num, den uint64, freq float64) (int64, error) {
	mag := uint64(t)
	if t < 0 {
		mag = -mag
	}
	mag, err := scaleMagnitude(mag, num, den, freq)
	if t < 0 {
		return -int64(mag), err
	}
	return int64(mag), err
}

// scaleMagnitude returns mag*num/den rounded down, exactly; with a den of 0
// mag*num/freq as precise as a float64 is. The result fits an int64.
func scaleMagnitude(mag, num, den uint64, freq float64) (uint64, error) {
	if den == 0 {
		n, err := truncate(float64(mag) * (float64(num) / freq))
		return uint64(n), err
	}
	hi, lo := bits.Mul64(mag, num)
	if hi >= den {
		return 0, errRange
	}
	if mag, _ = bits.Div64(hi, lo, den); mag > math.MaxInt64 {
		return 0, errRange
	}
	return mag, nil
}

func addTime(a, b int64) (int64, error) {
	s := a + b
	if (s > a) != (b > 0) && b != 0 {
		return 0, errRange
	}
	return s, nil
}

func truncate(f float64) (int64, error) {
	if !(f > -(1<<63) && f < 1<<63) {
		return 0, errRange
	}
	return int64(f), nil
}

const ms = 1_000_000

// floorMs and ceilMs round to whole ms, as the session of a report does.
func floorMs(t int64) int64 {
	r := t % ms
	if r < 0 {
		r += ms
	}
	if t < math.MinInt64+r {
		return t
	}
	return t - r
}

func ceilMs(t int64) int64 {
	r := t % ms
	if r > 0 {
		r -= ms
	}
	if t > math.MaxInt64+r {
		return t
	}
	return t - r
}

// window returns the whole ms around the times from least to greatest.
func (c *clock) window(least, greatest int64) Window {
	if !c.nsys {
		return Window{Start: floorMs(least), End: ceilMs(greatest)}
	}
	// The end is computed in floating point and so loses ns at 1.7e18.
	end, err := truncate(math.Ceil(float64(greatest)/1e6) * 1e6)
	if err != nil {
		end = math.MaxInt64
	}
	return Window{Start: max(0, least-least%ms), End: end}
}
