package ncurep

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// sameData compares decoded data; a NaN equals itself, and nil an empty list.
var sameData = cmp.Options{
	cmp.Comparer(func(a, b Value) bool { return a == b }),
	cmpopts.EquateEmpty(),
	cmpopts.EquateNaNs(),
}

func open(t *testing.T, b []byte) *File {
	t.Helper()
	f, err := OpenBytes(b, "sample")
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Problems().err(); err != nil {
		t.Errorf("problems: %v", err)
	}
	return f
}

// TestReport writes a report made from nothing and reads it back.
func TestReport(t *testing.T) {
	want := sampleReport()
	f := open(t, encodeReport(t, want))
	if diff := cmp.Diff(want.Session, f.Session, sameData); diff != "" {
		t.Errorf("session (-want +got):\n%s", diff)
	}
	if len(f.Results) != 2 || len(f.Sources) != 1 || f.Header.Version != 7 {
		t.Fatalf("%d results, %d sources, version %d", len(f.Results), len(f.Sources), f.Header.Version)
	}
	for i, r := range f.Results {
		got, err := r.data()
		check(t, err)
		if diff := cmp.Diff(want.Results[i], got, sameData); diff != "" {
			t.Errorf("result %d (-want +got):\n%s", i, diff)
		}
		if diff := cmp.Diff(want.Process, r.Process, sameData); diff != "" {
			t.Errorf("process (-want +got):\n%s", diff)
		}
		if r.SourceOf() != f.Sources[0] {
			t.Errorf("result %d: source not found", i)
		}
	}
	got, err := f.Sources[0].Entries[0].data()
	check(t, err)
	if diff := cmp.Diff(want.Sources[0], got, sameData); diff != "" {
		t.Errorf("source (-want +got):\n%s", diff)
	}
}

// TestDuplicateMetrics checks which of several entries with one name counts.
func TestDuplicateMetrics(t *testing.T) {
	one := new(Instances)
	one.Append(Uint64Value(0), Uint64Value(5))
	tests := []struct {
		name string
		list []MetricData
		want uint64
	}{
		{"first without instances", []MetricData{{Name: "m", Value: Uint64Value(1)}, {Name: "m", Value: Uint64Value(2)}}, 1},
		{"the one with instances", []MetricData{{Name: "m", Value: Uint64Value(1)}, {Name: "m", Value: Uint64Value(2), Instances: one}}, 2},
		{"first with instances", []MetricData{{Name: "m", Value: Uint64Value(1), Instances: one}, {Name: "m", Value: Uint64Value(2), Instances: one}}, 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f := open(t, encodeReport(t, &Report{Results: []*ResultData{{Metrics: append([]MetricData{{Name: "other"}}, test.list...)}}}))
			ms, err := f.Results[0].Metrics()
			check(t, err)
			if len(ms.All) != 3 {
				t.Errorf("%d entries, want all 3", len(ms.All))
			}
			if got, _ := ms.Lookup("m").Value.Uint64(); got != test.want {
				t.Errorf("Lookup gives the entry of value %d, want %d", got, test.want)
			}
			if u := ms.Unique(); len(u) != 2 || u[0].Name != "other" || u[1] != ms.Lookup("m") {
				t.Errorf("Unique gives %d entries", len(u))
			}
			if ms.Lookup("absent") != nil {
				t.Error("Lookup finds what is not there")
			}
		})
	}
}

func TestValue(t *testing.T) {
	tests := []struct {
		v       Value
		str     string
		f       float64
		isFloat bool
		u       uint64
		isUint  bool
	}{
		{Value{}, "", 0, false, 0, false},
		{StringValue("x"), "x", 0, false, 0, false},
		{FloatValue(0.1), "0.1", float64(float32(0.1)), true, 0, false},
		{DoubleValue(3), "3", 3, true, 3, true},
		{DoubleValue(-3), "-3", -3, true, 0, false},
		{DoubleValue(math.Inf(1)), "+Inf", math.Inf(1), true, 0, false},
		{DoubleValue(1 << 63), "9.223372036854776e+18", 1 << 63, true, 1 << 63, true},
		{DoubleValue(1 << 64), "1.8446744073709552e+19", 1 << 64, true, 0, false},
		{Uint32Value(7), "7", 7, true, 7, true},
		{Uint64Value(1<<64 - 1), "18446744073709551615", 1 << 64, true, 1<<64 - 1, true},
	}
	for _, test := range tests {
		f, isFloat := test.v.Float64()
		u, isUint := test.v.Uint64()
		if f != test.f || isFloat != test.isFloat || u != test.u || isUint != test.isUint {
			t.Errorf("%v %v: got %v %v %v %v", test.v.Kind(), test.v, f, isFloat, u, isUint)
		}
		if s := test.v.String(); s != test.str {
			t.Errorf("%v: String gives %q, want %q", test.v.Kind(), s, test.str)
		}
	}
	if s := Kind(9).String(); s != "Kind(9)" {
		t.Errorf("unknown kind prints %q", s)
	}
}

// TestMixedColumn checks values of several kinds in one column.
func TestMixedColumn(t *testing.T) {
	want := []Value{Uint64Value(1), Uint64Value(2), StringValue("x"), {}, DoubleValue(2.5), StringValue("y")}
	var c Column
	for _, v := range want {
		c.append(v)
	}
	for i, w := range want {
		if got := c.at(i); got != w {
			t.Errorf("value %d: got %v %v, want %v %v", i, got.Kind(), got, w.Kind(), w)
		}
	}
	if c.Kinds == nil || c.len() != len(want) {
		t.Errorf("kinds %v, %d values", c.Kinds, c.len())
	}
}
