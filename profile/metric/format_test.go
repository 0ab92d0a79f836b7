package metric_test

import (
	"math"
	"strconv"
	"testing"

	"github.com/gpuprof/gpuprof/profile/metric"
	"pgregory.net/rapid"
)

func TestStyles(t *testing.T) {
	negativeNaN := math.Copysign(math.NaN(), -1)
	for _, tt := range []struct {
		v                   float64
		compact, six, fixed string
	}{
		{0, "0", "0.000000", "0.00"},
		{math.Copysign(0, -1), "0", "-0.000000", "-0.00"},
		{32, "32", "32.000000", "32.00"},
		{-3, "-3", "-3.000000", "-3.00"},
		{0.125, "0.12", "0.125000", "0.12"}, // halves go to even
		{0.375, "0.38", "0.375000", "0.38"},
		{2.675, "2.67", "2.675000", "2.67"}, // below the half as a double
		{1e-9, "0.00", "0.000000", "0.00"},
		{-0.001, "-0.00", "-0.001000", "-0.00"},
		{99.999, "100.00", "99.999000", "100.00"},
		{1 << 60, "1152921504606846976", "1152921504606846976.000000", "1152921504606846976.00"},
		{math.NaN(), "nan", "nan", "nan"},
		{negativeNaN, "nan", "-nan", "nan"},
		{math.Inf(1), "inf", "inf", "inf"},
		{math.Inf(-1), "-inf", "-inf", "-inf"},
	} {
		for st, want := range map[metric.Style]string{metric.Compact: tt.compact, metric.SixDecimals: tt.six, metric.Fixed: tt.fixed} {
			if got := string(st.AppendNumber(nil, tt.v)); got != want {
				t.Errorf("style %d of %v: got %q, want %q", st, tt.v, got, want)
			}
		}
	}
}

func TestAuto(t *testing.T) {
	for _, tt := range []struct {
		unit                 string
		v                    float64
		value, old, newUnits string
	}{
		{"byte", 999, "999", "byte", "byte"},
		{"byte", 1000, "1", "Kbyte", "Kbyte"},
		{"byte", 32768, "32.77", "Kbyte", "Kbyte"},
		{"byte", 999999, "1000.00", "Kbyte", "Kbyte"},
		{"byte", 1e16, "10000", "Tbyte", "Tbyte"}, // no prefix beyond
		{"byte", -2500, "-2.50", "Kbyte", "Kbyte"},
		{"byte_per_block", 1024, "1.02", "Kbyte/block", "Kbyte/block"},
		{"byte_per_second", 1816151961335, "1.82", "Tbyte/second", "Tbyte/s"},
		{"%_per_byte", 2614, "2.61", "%/Kbyte", "%/Kbyte"}, // the prefix is on the wrong side, as in ncu
		{"%_per_1", 5706, "5706", "%/", "%/"},
		{"second", 500, "500", "nsecond", "ns"},
		{"second", 70464, "70.46", "usecond", "us"},
		{"second", 1e7, "10", "msecond", "ms"},
		{"second", 8.5e13, "85000", "second", "s"},
		{"cycle_per_second", 12, "12", "cycle/second", "hz"},
		{"cycle_per_second", 1500, "1.50", "cycle/msecond", "Khz"},
		{"cycle_per_second", 999.41e6, "999.41", "cycle/usecond", "Mhz"},
		{"cycle_per_second", 7.07e9, "7.07", "cycle/nsecond", "Ghz"},
		{"1_per_second", 7.2e13, "72000", "/nsecond", "/ns"},
		{"sector_per_second", 36138, "36.14", "sector/msecond", "sector/ms"},
		{"inst", 5346432, "5346432", "inst", "inst"}, // counts take no prefix
		{"inst_per_cycle", 10752, "10752", "inst/cycle", "inst/cycle"},
		{"", 42505273344, "42505273344", "", ""},
		{"second", math.NaN(), "nan", "nsecond", "ns"},
		{"byte", math.Inf(1), "inf", "byte", "byte"},
	} {
		s := metric.ParseUnit(tt.unit).Auto(tt.v)
		if got := string(metric.Compact.Append(nil, metric.Double(tt.v), s)); got != tt.value {
			t.Errorf("%v %s: got %q, want %q", tt.v, tt.unit, got, tt.value)
		}
		if got := s.UnitString(metric.Compat2024); got != tt.old {
			t.Errorf("%v %s: got unit %q, want %q", tt.v, tt.unit, got, tt.old)
		}
		if got := s.UnitString(metric.Current); got != tt.newUnits {
			t.Errorf("%v %s: got unit %q, want %q", tt.v, tt.unit, got, tt.newUnits)
		}
	}
}

func TestColumn(t *testing.T) {
	nan := metric.Double(math.NaN())
	for _, tt := range []struct {
		name   string
		column metric.Column
		values []metric.Value
		unit   string
		want   []string
	}{
		{"the largest value chooses the unit", metric.Column{Unit: metric.ParseUnit("byte")},
			[]metric.Value{metric.Double(10), nan, metric.Uint64(2_000_000)}, "Mbyte", []string{"0.000010", "nan", "2.000000"}},
		{"nothing above zero is zero", metric.Column{Unit: metric.ParseUnit("%")},
			[]metric.Value{metric.Double(-3), nan, metric.Double(0)}, "%", []string{"0.000000", "0.000000", "0.000000"}},
		{"no unit, no decimals", metric.Column{},
			[]metric.Value{metric.Double(157), metric.Double(0.5), nan, metric.Uint64(math.MaxUint64)}, "", []string{"157", "0.50", "nan", "18446744073709551615"}},
		{"base units with two decimals", metric.Column{Unit: metric.ParseUnit("second"), Base: true, FP: true},
			[]metric.Value{metric.Double(6624), nan, metric.Uint64(7)}, "nsecond", []string{"6624.00", "nan", "7.00"}},
		{"strings and gaps", metric.Column{},
			[]metric.Value{metric.String("No-CC"), {}}, "", []string{"No-CC", "no data"}},
	} {
		for _, v := range tt.values {
			tt.column.Add(v)
		}
		if got := tt.column.Scale().UnitString(metric.Compat2024); got != tt.unit {
			t.Errorf("%s: got unit %q, want %q", tt.name, got, tt.unit)
		}
		for i, v := range tt.values {
			if got := string(tt.column.Append(nil, v)); got != tt.want[i] {
				t.Errorf("%s: got %q, want %q", tt.name, got, tt.want[i])
			}
		}
	}
}

func TestCell(t *testing.T) {
	list := func(pairs ...metric.Value) metric.Instances {
		return metric.Instances{Len: len(pairs) / 2, At: func(i int) (id, value metric.Value) { return pairs[2*i], pairs[2*i+1] }}
	}
	u, d, s := metric.Uint64, metric.Double, metric.String
	byteUnit := metric.ParseUnit("byte").Auto(25165824)
	for _, tt := range []struct {
		cell  metric.Cell
		v     metric.Value
		in    metric.Instances
		scale metric.Scale
		want  string
	}{
		{metric.Cell{}, u(25165824), list(u(0), u(0), u(16), u(6291456)), byteUnit, "25.17 (0; 6.29)"},
		{metric.Cell{IDs: metric.IDPlain}, u(25165824), list(u(0), u(0), u(16), u(6291456)), byteUnit, "25.17 (0: 0; 16: 6.29)"},
		{metric.Cell{IDs: metric.IDPlain}, u(6), list(s("FFMA"), d(4), s("LDG"), d(2)), metric.Scale{}, "6 (FFMA: 4; LDG: 2)"},
		{metric.Cell{IDs: metric.IDAddress}, u(64), list(u(0x7f91b4fb36b0), u(64)), metric.Scale{}, "64 (0x7f91b4fb36b0: 64)"},
		{metric.Cell{IDs: metric.IDTime}, s(""), list(u(1000), d(0), u(2504), d(0.5)), metric.Scale{}, "(1000 (+0): 0; 2504 (+1504): 0.50)"},
		{metric.Cell{IDs: metric.IDPlain}, s("all"), list(u(0), s("all")), metric.Scale{}, "all (0: all)"},
		{metric.Cell{Text: true}, d(3.5), list(u(0), d(3.5), u(1), d(math.NaN())), metric.Scale{}, "(!) 3.50 (3.50; nan)"},
		{metric.Cell{}, d(3.5), list(u(0), d(3.5), u(1), d(math.NaN())), metric.Scale{}, "3.50 (3.50; nan)"},
		{metric.Cell{}, u(1), list(u(0), metric.Value{}), metric.Scale{}, "1 (no data)"},
		{metric.Cell{Text: true}, d(math.NaN()), metric.Instances{}, metric.Scale{}, "(!) nan"},
		{metric.Cell{}, metric.Value{}, metric.Instances{}, metric.Scale{}, "no data"},
	} {
		if got := string(tt.cell.Append(nil, tt.v, tt.in, tt.scale)); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}

// TestAutoScaleIsSound checks, for any value, that the scaled value times its
// power of a thousand is the value again, and that it is below 1000 unless the
// prefixes have run out.
func TestAutoScaleIsSound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		unit := metric.ParseUnit(rapid.SampledFrom([]string{"byte", "second", "cycle_per_second", "byte_per_second", "inst", "%_per_byte", ""}).Draw(t, "unit"))
		v := rapid.Float64().Draw(t, "value")
		s := unit.Auto(v)
		scaled := s.Apply(v)
		if back := scaled * math.Pow(1000, float64(s.Step)); math.Abs(back-v) > 1e-12*math.Abs(v) {
			t.Errorf("%v became %v in steps %d", v, scaled, s.Step)
		}
		if s.Step > 0 && math.Abs(scaled) < 1 {
			t.Errorf("%v became %v, too small", v, scaled)
		}
		if most := unit.Auto(math.MaxFloat64).Step; s.Step < most && math.Abs(scaled) >= 1000 {
			t.Errorf("%v became %v, too large", v, scaled)
		}
	})
}

// TestCompactReadsBack checks that what Compact prints is the value, to the
// printed decimals.
func TestCompactReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.Float64().Draw(t, "value")
		text := string(metric.Compact.AppendNumber(nil, v))
		back, err := strconv.ParseFloat(text, 64)
		if err != nil || math.Abs(back-v) > 0.00500001+1e-15*math.Abs(v) {
			t.Errorf("%v is printed as %q", v, text)
		}
		if again := string(metric.Compact.AppendNumber(nil, back)); math.Trunc(v) == v && again != text {
			t.Errorf("%v is printed as %q and then %q", v, text, again)
		}
	})
}
