package annotate

import (
	"math"
	"math/big"
	"testing"

	"github.com/gpuprof/gpuprof/format/nvtxt"
	"pgregory.net/rapid"
)

func ptr(i int64) *int64 { return &i }

// TestLerpIsExact: in Guide both points map exactly, and all others as exact
// arithmetic has it, rounded toward the first point.
func TestLerpIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		times := rapid.Int64Range(0, math.MaxInt64)
		a, b := times.Draw(t, "a"), times.Draw(t, "b")
		nsA, nsB := times.Draw(t, "ns a"), times.Draw(t, "ns b")
		if a == b {
			return
		}
		a, b, nsA, nsB = min(a, b), max(a, b), min(nsA, nsB), max(nsA, nsB)
		opt := &LoadOptions{Mode: Mode{Kind: Lerp, NsA: &nsA, NsB: &nsB, NvtxtA: &a, NvtxtB: &b}}
		c, err := newClock(opt, 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, at := range []int64{a, b, rapid.Int64().Draw(t, "t")} {
			exact := new(big.Int).Sub(big.NewInt(at), big.NewInt(a))
			exact.Mul(exact, new(big.Int).Sub(big.NewInt(nsB), big.NewInt(nsA)))
			exact.Quo(exact, new(big.Int).Sub(big.NewInt(b), big.NewInt(a)))
			exactNs := new(big.Int).Add(exact, big.NewInt(nsA))
			got, err := c.ns(at, nvtxt.Manual)
			fits := exactNs.IsInt64() && exact.CmpAbs(big.NewInt(math.MaxInt64)) <= 0
			if fits != (err == nil) || fits && got != exactNs.Int64() {
				t.Fatalf("%d: got %d, %v, want %v", at, got, err, exactNs)
			}
		}
	})
}

func TestClock(t *testing.T) {
	session := &Window{Start: 1000, End: 2000}
	for _, c := range []struct {
		name string
		opt  LoadOptions
		t    int64
		base nvtxt.TimeBase
		want int64
	}{
		{"manual", LoadOptions{}, math.MaxInt64, nvtxt.Manual, math.MaxInt64},
		{"no base", LoadOptions{}, -5, nvtxt.NoTimeBase, -5},
		{"relative alone", LoadOptions{}, 5, nvtxt.Relative, 5},
		{"relative in a session", LoadOptions{Session: session}, 5, nvtxt.Relative, 1005},
		{"relative is left alone by a mode", LoadOptions{Session: session, Mode: Mode{Kind: Lin, NsA: ptr(0), NvtxtA: ptr(0), Freq: 1}}, 5, nvtxt.Relative, 1005},
		{"raw with its origin", LoadOptions{RawOrigin: ptr(-300)}, 500, nvtxt.ClockMonotonicRaw, 200},
		{"lin", LoadOptions{Mode: Mode{Kind: Lin, NsA: ptr(7), NvtxtA: ptr(10), Freq: 3}}, 11, nvtxt.Manual, 333333340},
		{"lin before its point", LoadOptions{Mode: Mode{Kind: Lin, NsA: ptr(7), NvtxtA: ptr(10), Freq: 1e9}}, 0, nvtxt.Manual, -3},
		{"lin with a fraction", LoadOptions{Mode: Mode{Kind: Lin, NsA: ptr(0), NvtxtA: ptr(0), Freq: 0.5}}, 3, nvtxt.Manual, 6e9},
		{"lin takes ticks", LoadOptions{Mode: Mode{Kind: Lin, NsA: ptr(0), NvtxtA: ptr(0), Freq: 1e6}}, 3, nvtxt.Qpc, 3000},
		{"qpc", LoadOptions{Frequency: 10e6}, -3, nvtxt.Qpc, -300},
		{"cntvct", LoadOptions{Frequency: 31.25e6}, 5, nvtxt.CNTVCT, 160},
	} {
		clk, err := newClock(&c.opt, 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := clk.ns(c.t, c.base); got != c.want || err != nil {
			t.Errorf("%s: got %d, %v, want %d", c.name, got, err, c.want)
		}
	}
}

func TestWholeMilliseconds(t *testing.T) {
	for _, c := range [][3]int64{
		{0, 0, 0}, {1, 0, ms}, {-1, -ms, 0}, {ms, ms, ms}, {1500000, ms, 2 * ms}, {-1500000, -2 * ms, -ms},
		{math.MaxInt64, math.MaxInt64 - 775807, math.MaxInt64}, {math.MinInt64, math.MinInt64, math.MinInt64 + 775808},
	} {
		if lo, hi := floorMs(c[0]), ceilMs(c[0]); lo != c[1] || hi != c[2] {
			t.Errorf("%d: got %d, %d, want %d, %d", c[0], lo, hi, c[1], c[2])
		}
	}
}

func TestWindow(t *testing.T) {
	const text = head + `Marker, 9, before
Marker, 10, first
RangeStartEnd, 5, 12, across
RangePush, 1, outer
RangePush, 15, "never popped"
RangePop, 16
RangePop, 25
RangeStartEnd, 21, 22, after
Marker, 20, last
`
	f := loadText(t, text, LoadOptions{Session: &Window{10, 20}})
	if got, want := textOf(f), `marker 10 "first" 100/7; start/end 5..12 "across" 100/7; push/pop 1..25 "outer" 100/7; push/pop 15..16 "never popped" 100/7; marker 20 "last" 100/7`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if f.Session != (Window{10, 20}) || f.Outside != 2 {
		t.Error(f.Session, f.Outside)
	}
	if m := linesOf(f); len(m) != 2 || m[0] != `8:1: loading warning: marker "before" at 9 ns is left out; expected a time in the session, from 10 to 20 ns` ||
		m[1] != `15:1: loading warning: start/end range "after" from 21 to 22 ns is left out; expected a time in the session, from 10 to 20 ns` {
		t.Error(m)
	}
	f = loadText(t, text, LoadOptions{Session: &Window{10, 20}, Widen: true})
	if f.Events.Len() != 7 || f.Session != (Window{0, ms}) || f.Outside != 0 {
		t.Error(textOf(f), f.Session)
	}
	f = loadText(t, "TimeBase=Manual\n@RangePush, Time\nRangePush, 5\nRangePush, 1500000\n", LoadOptions{})
	if e := f.Events.At(0); !e.Open || e.End != 2*ms || f.Session != (Window{0, 2 * ms}) {
		t.Errorf("%+v %v", e, f.Session)
	}
}

func TestParseTarget(t *testing.T) {
	for s, want := range map[string]Target{"0:1": {0, 1}, "255:3": {255, 3}} {
		if got, err := ParseTarget(s, nvtxt.Guide); got != want || err != nil {
			t.Error(s, got, err)
		}
	}
	for _, s := range []string{"", "1", ":", "1:", "a:b", "256:0", "-1:0", "1:2:3"} {
		if got, err := ParseTarget(s, nvtxt.Guide); err == nil {
			t.Error(s, got)
		}
	}
	if got, err := ParseTarget("256:257", nvtxt.Nsys); got != (Target{0, 1}) || err != nil {
		t.Error(got, err)
	}
	if id := (Target{3, 2}).GlobalThread(100, 7); id != 3<<56|2<<48|100<<24|7 {
		t.Errorf("%#x", id)
	}
}

func TestEventTable(t *testing.T) {
	var text = "@Marker, Time, Message, Payload\nTimeBase = Manual\n"
	for i := range 3 * blockRows {
		text += "Marker, " + string(rune('0'+i%7)) + ", m, 5\n"
	}
	f := loadText(t, text, LoadOptions{Session: &Window{3, 5}})
	if n := f.Events.Len(); n != f.Counts.Calls[nvtxt.CmdMarker]-f.Outside || n < blockRows {
		t.Fatal(n, f.Outside)
	}
	last := nvtxt.Event{}
	for i, j := range f.Events.ByStart() {
		e := f.Events.At(j)
		if i > 0 && (e.Start < last.Start || e.Start == last.Start && e.Line <= last.Line) || e.Payload.Int() != 5 || e.Text != "m" {
			t.Fatalf("%+v after %+v", e, last)
		}
		last = e
	}
}

const head = "TimeBase=Manual\nProcessId=100\nThreadId=7\n@RangePush, Time, Message\n@RangePop, Time\n@RangeStartEnd, Start, End, Message\n@Marker, Time, Message\n"
