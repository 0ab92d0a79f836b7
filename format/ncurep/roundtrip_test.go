package ncurep

import (
	"bytes"
	"fmt"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// drawInto fills v, a message or part of one, with random content. The zero of
// an absent field stays, so that tables which forget a field of their struct are
// found out.
func drawInto(t *rapid.T, v reflect.Value, depth int) {
	if v.CanAddr() {
		switch p := v.Addr().Interface().(type) {
		case *Unknown:
			if rapid.IntRange(0, 9).Draw(t, "unknown") == 0 {
				*p = appendString(nil, 1000+rapid.IntRange(0, 50).Draw(t, "number"), "news")
			}
			return
		case *Value:
			*p = drawValue(t)
			return
		}
	}
	switch v.Kind() {
	case reflect.Struct:
		if set := v.FieldByName("Set"); set.IsValid() { // an Opt
			if !rapid.Bool().Draw(t, "set") {
				return
			}
			set.SetBool(true)
			v = v.FieldByName("Value")
			drawInto(t, v, depth)
			return
		}
		for i := range v.NumField() {
			drawInto(t, v.Field(i), depth)
		}
	case reflect.Pointer:
		if depth > 0 && rapid.IntRange(0, 2).Draw(t, "present") > 0 {
			v.Set(reflect.New(v.Type().Elem()))
			drawInto(t, v.Elem(), depth-1)
		}
	case reflect.Slice:
		if depth > 0 {
			drawList(t, v, depth)
		}
	default:
		drawScalar(t, v)
	}
}

// drawList makes a short list.
func drawList(t *rapid.T, v reflect.Value, depth int) {
	n := rapid.IntRange(0, 2).Draw(t, "length")
	s := reflect.MakeSlice(v.Type(), n, n)
	for i := range n {
		e := s.Index(i)
		if e.Kind() == reflect.Pointer {
			e.Set(reflect.New(e.Type().Elem()))
			e = e.Elem()
		}
		drawInto(t, e, depth-1)
	}
	v.Set(s)
}

// drawScalar makes a text or number.
func drawScalar(t *rapid.T, v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(rapid.StringN(0, 8, 20).Draw(t, "string"))
	case reflect.Bool:
		v.SetBool(rapid.Bool().Draw(t, "bool"))
	case reflect.Int32, reflect.Int64:
		v.SetInt(rapid.Int64().Draw(t, "int"))
		if v.Kind() == reflect.Int32 {
			v.SetInt(int64(int32(v.Int())))
		}
	case reflect.Uint32:
		v.SetUint(uint64(rapid.Uint32().Draw(t, "uint32")))
	case reflect.Uint64:
		v.SetUint(rapid.Uint64().Draw(t, "uint64"))
	case reflect.Float32:
		v.SetFloat(float64(rapid.Float32().Draw(t, "float")))
	case reflect.Float64:
		v.SetFloat(rapid.Float64().Draw(t, "double"))
	default:
		panic("no way to fill " + v.Type().String())
	}
}

func drawValue(t *rapid.T) Value {
	switch rapid.IntRange(0, 5).Draw(t, "kind") {
	case 1:
		return StringValue(rapid.String().Draw(t, "string"))
	case 2:
		return FloatValue(rapid.Float32().Draw(t, "float"))
	case 3:
		return DoubleValue(rapid.Float64().Draw(t, "double"))
	case 4:
		return Uint32Value(rapid.Uint32().Draw(t, "uint32"))
	case 5:
		return Uint64Value(rapid.Uint64().Draw(t, "uint64"))
	}
	return Value{}
}

// roundTrip encodes random messages of a type and decodes them.
func roundTrip[M any](t *testing.T) {
	t.Run(reflect.TypeFor[M]().Name(), func(t *testing.T) {
		rapid.Check(t, func(rt *rapid.T) {
			want := new(M)
			drawInto(rt, reflect.ValueOf(want).Elem(), 4)
			b := appendMessage[M](nil, want)
			d := newDecoder("", 0, b)
			d.budget += 1 << 20 // random messages are emptier than real ones
			got := newMessage[M](d, wireValue{b: b})
			if err := d.problems.err(); err != nil {
				rt.Fatal(err)
			}
			if diff := cmp.Diff(want, got, sameData); diff != "" {
				rt.Fatalf("(-want +got):\n%s", diff)
			}
		})
	})
}

// TestRoundTripMessages covers every field of every table: nested messages are
// filled as well.
func TestRoundTripMessages(t *testing.T) {
	roundTrip[blockHeader](t)
	roundTrip[Session](t)
	roundTrip[ResultHeader](t)
	roundTrip[SourceHead](t)
	roundTrip[SourceFiles](t)
	roundTrip[Section](t)
	roundTrip[BodyItem](t)
	roundTrip[RooflineChart](t)
	roundTrip[RuleResult](t)
	roundTrip[NvtxState](t)
	roundTrip[CallStack](t)
	roundTrip[Comment](t)
}

// drawReport makes a report of random content.
func drawReport(t *rapid.T) *Report {
	r := &Report{Session: new(Session)}
	drawInto(t, reflect.ValueOf(r.Session).Elem(), 3)
	r.Session.Unknown = nil
	for i := range rapid.IntRange(0, 2).Draw(t, "sources") {
		s := &SourceData{Binary: rapid.SliceOfN(rapid.Byte(), 0, 50).Draw(t, "binary"), Code: rapid.String().Draw(t, "code")}
		drawInto(t, reflect.ValueOf(&s.SourceHead).Elem(), 3)
		s.Reference = Some(uint64(i))
		r.Sources = append(r.Sources, s)
	}
	for range rapid.IntRange(1, 3).Draw(t, "results") {
		d := new(ResultData)
		drawInto(t, reflect.ValueOf(&d.ResultHeader).Elem(), 3)
		for range rapid.IntRange(0, 6).Draw(t, "metrics") {
			d.Metrics = append(d.Metrics, drawMetric(t))
		}
		for range rapid.IntRange(0, 2).Draw(t, "sections") {
			s := new(Section)
			drawInto(t, reflect.ValueOf(s).Elem(), 3)
			d.Sections = append(d.Sections, s)
		}
		if rapid.Bool().Draw(t, "nvtx") {
			d.Nvtx = new(NvtxState)
			drawInto(t, reflect.ValueOf(d.Nvtx).Elem(), 4)
		}
		r.Results = append(r.Results, d)
	}
	return r
}

func drawMetric(t *rapid.T) MetricData {
	m := MetricData{Name: fmt.Sprintf("metric%d", rapid.IntRange(0, 4).Draw(t, "name")), Value: drawValue(t)}
	if rapid.Bool().Draw(t, "has series") {
		m.Series = Some(rapid.Uint32().Draw(t, "series"))
	}
	if n := rapid.IntRange(0, 5).Draw(t, "instances"); n > 0 {
		m.Instances = new(Instances)
		id, v := drawValue(t), drawValue(t)
		for range n {
			if rapid.IntRange(0, 3).Draw(t, "mixed") == 0 {
				id, v = drawValue(t), drawValue(t)
			}
			m.Instances.Append(id, v)
		}
	}
	return m
}

// TestRoundTripReports writes random reports, reads them back, and writes what
// was read.
func TestRoundTripReports(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		want := drawReport(rt)
		var b, again bytes.Buffer
		if _, err := want.WriteTo(&b); err != nil {
			rt.Fatal(err)
		}
		f, err := OpenBytes(b.Bytes(), "random")
		if err != nil || len(f.Problems()) > 0 {
			rt.Fatal(err, f.Problems())
		}
		if diff := cmp.Diff(want.Session, f.Session, sameData); diff != "" {
			rt.Fatalf("session (-want +got):\n%s", diff)
		}
		if len(f.Results) != len(want.Results) || len(f.Sources) != len(want.Sources) {
			rt.Fatalf("%d results and %d sources, want %d and %d", len(f.Results), len(f.Sources), len(want.Results), len(want.Sources))
		}
		for i, r := range f.Results {
			got, err := r.data()
			if err != nil {
				rt.Fatal(err)
			}
			if diff := cmp.Diff(want.Results[i], got, sameData); diff != "" {
				rt.Fatalf("result %d (-want +got):\n%s", i, diff)
			}
		}
		for i, s := range f.Sources {
			got, err := s.Entries[0].data()
			if err != nil {
				rt.Fatal(err)
			}
			if diff := cmp.Diff(want.Sources[i], got, sameData); diff != "" {
				rt.Fatalf("source %d (-want +got):\n%s", i, diff)
			}
		}
		if _, err := f.WriteTo(&again); err != nil || !bytes.Equal(again.Bytes(), b.Bytes()) {
			rt.Fatalf("written back: %v, %d bytes, want %d", err, again.Len(), b.Len())
		}
	})
}
