package timeline

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"testing"

	"github.com/gpuprof/gpuprof/trace"
	"pgregory.net/rapid"
)

// tables is a trace.Source of tables of integers, and StringIds.
type tables map[string]map[string][]int64

func (s tables) Tables() []trace.TableInfo {
	out := []trace.TableInfo{{Name: "StringIds", Columns: []trace.ColumnInfo{{Name: "id"}, {Name: "value", Kind: trace.Texts}}}}
	for name, cols := range s {
		t := trace.TableInfo{Name: name}
		for c := range cols {
			t.Columns = append(t.Columns, trace.ColumnInfo{Name: c})
		}
		out = append(out, t)
	}
	return out
}

const nameCount = 60 // more than a tally remembers

func (s tables) Read(_ context.Context, table string, columns []trace.ColumnInfo, in *trace.Strings) (*trace.Table, []error, error) {
	t := &trace.Table{Name: table, Rows: nameCount}
	if table != "StringIds" {
		t.Rows = len(s[table]["start"])
	}
	for _, c := range columns {
		switch {
		case c.Kind == trace.Texts:
			col := &trace.Column{Name: c.Name, Kind: trace.Texts}
			for i := range t.Rows {
				col.Syms = append(col.Syms, in.Intern(fmt.Sprintf("name%d", i)))
			}
			t.Columns = append(t.Columns, col)
		case table == "StringIds" || c.Name == "rowid":
			v := make([]int64, t.Rows)
			for i := range v {
				v[i] = int64(i)
			}
			t.AddInts(c.Name, v, nil)
		default:
			t.AddInts(c.Name, s[table][c.Name], nil)
		}
	}
	return t, nil, nil
}

func build(t interface {
	Helper()
	Fatal(...any)
}, s tables) *Index {
	t.Helper()
	x, err := Build(context.Background(), trace.New("made up", s))
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// drawCalls draws calls of a few threads, which overlap as they like.
func drawCalls(t *rapid.T) tables {
	n := rapid.IntRange(1, 400).Draw(t, "n")
	span := rapid.SampledFrom([]int64{20, 1000, 1 << 40}).Draw(t, "span")
	longest := rapid.SampledFrom([]int64{0, 3, 200, 1 << 38}).Draw(t, "longest")
	c := map[string][]int64{}
	for range n {
		s := rapid.Int64Range(-span, span).Draw(t, "start")
		c["start"] = append(c["start"], s)
		c["end"] = append(c["end"], s+rapid.Int64Range(0, longest).Draw(t, "length"))
		c["nameId"] = append(c["nameId"], rapid.Int64Range(0, nameCount-1).Draw(t, "name"))
		c["globalTid"] = append(c["globalTid"], int64(trace.MakeGlobalID(0, 0, 7, rapid.Int64Range(1, 2).Draw(t, "tid"))))
	}
	return tables{trace.TableRuntime: c}
}

// TestViewKeepsTotals compares every window at every width with the slices
// themselves: each slice that touches the window is in one item, counts and busy
// time add up, what is long stands alone, and what is merged is short.
func TestViewKeepsTotals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawCalls(t)
		x := build(t, s)
		if x.Len() != len(s[trace.TableRuntime]["start"]) {
			t.Fatalf("%d slices of %d rows", x.Len(), len(s[trace.TableRuntime]["start"]))
		}
		t0 := rapid.Int64Range(x.First-5, x.End).Draw(t, "t0")
		t1 := t0 + rapid.Int64Range(1, x.End-t0+5).Draw(t, "window")
		pixels := rapid.IntRange(1, 60).Draw(t, "pixels")
		for k := range x.Tracks {
			for d := range x.Tracks[k].Rows {
				checkRow(t, x, &x.Tracks[k].Rows[d], t0, t1, pixels)
			}
		}
	})
}

func checkRow(t *rapid.T, x *Index, r *row, t0, t1 int64, pixels int) {
	items := x.view(nil, r, t0, t1, pixels)
	if len(items) > 2*pixels+2 {
		t.Fatalf("%d items on %d pixels", len(items), pixels)
	}
	at := 0
	for i := int(r.First); i < int(r.First+r.Len); i++ {
		s, e := x.start[i], x.end[i]
		if i > int(r.First) && (s < x.end[i-1] || s < x.start[i-1]) {
			t.Fatalf("slices %d and %d of a row overlap", i-1, i)
		}
		if s >= t1 || e <= t0 && s < t0 {
			continue
		}
		if at == len(items) {
			t.Fatalf("slice %d, %d to %d, is in no item", i, s, e)
		}
		it := &items[at]
		long := float64(e-s) >= float64(t1-t0)/float64(pixels)
		if it.Start > s || it.End < e || it.Slice != None && it.Slice != SliceID(i) || long && it.Count > 0 && it.Slice == None {
			t.Fatalf("slice %d, %d to %d (long: %v), is in item %+v", i, s, e, long, *it)
		}
		it.Count--
		it.Busy -= max(0, min(e, t1)-max(s, t0))
		if it.Count == 0 {
			if it.Busy != 0 {
				t.Fatalf("busy time is off by %d in %+v", it.Busy, *it)
			}
			at++
		}
	}
	if at != len(items) {
		t.Fatalf("%d items for the slices of %d", len(items), at)
	}
}

func TestSearchAndAggregate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawCalls(t)
		x := build(t, s)
		c := s[trace.TableRuntime]
		want, first := 0, int64(1<<62)
		for i, n := range c["nameId"] {
			if n%10 == 3 {
				want++
				first = min(first, c["start"][i])
			}
		}
		m, got := x.Search(regexp.MustCompile("3$"))
		if got != want {
			t.Fatalf("found %d, expected %d", got, want)
		}
		if next := x.Next(m, -1<<62, None, false); want > 0 && x.start[next] != first {
			t.Fatalf("first match at %d, expected %d", x.start[next], first)
		}
		var all []int
		for k := range x.Tracks {
			all = append(all, k)
		}
		a, err := x.Aggregate(context.Background(), all, x.First, x.End+1)
		if err != nil {
			t.Fatal(err)
		}
		n, total, expected := 0, int64(0), int64(0)
		for _, v := range a {
			n, total = n+v.Count, total+v.Total
		}
		for i := range c["start"] {
			expected += c["end"][i] - c["start"][i]
		}
		if n != x.Len() || total != expected {
			t.Fatalf("aggregates have %d slices and %d ns, expected %d and %d", n, total, x.Len(), expected)
		}
	})
}

// TestNext compares with looking at every slice, in both directions.
func TestNext(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := build(t, drawCalls(t))
		pattern := regexp.MustCompile(rapid.SampledFrom([]string{"3$", "name", "^name7$", "nothing"}).Draw(t, "pattern"))
		m, _ := x.Search(pattern)
		at := rapid.Int64Range(x.First-2, x.End+2).Draw(t, "at")
		after := rapid.Int32Range(-1, int32(x.Len())).Draw(t, "after")
		for _, back := range []bool{false, true} {
			want := None
			for i := range SliceID(x.Len()) {
				s := x.start[i]
				ahead := s > at || s == at && i > after
				if back {
					ahead = s < at || s == at && i < after
				}
				if !ahead || !pattern.MatchString(x.Text(x.name[i])) {
					continue
				}
				if want == None || !back && s < x.start[want] || back && s >= x.start[want] {
					want = i
				}
			}
			if got := x.Next(m, at, after, back); got != want {
				t.Fatalf("next to %d, %d (back: %v) is %d, expected %d", at, after, back, got, want)
			}
		}
	})
}

// TestLinks ties one call to two kernels, and not to that of another process.
func TestLinks(t *testing.T) {
	p, q := int64(trace.MakeGlobalID(0, 0, 1, 0)), int64(trace.MakeGlobalID(0, 0, 2, 0))
	x := build(t, tables{
		trace.TableRuntime: {"start": {0, 5}, "end": {2, 6}, "nameId": {1, 1}, "globalTid": {p + 9, p + 9}, "correlationId": {4, 5}},
		trace.TableKernel: {"start": {10, 12, 14}, "end": {11, 13, 15}, "shortName": {2, 3, 2}, "globalPid": {p, p, q}, "deviceId": {0, 0, 0},
			"contextId": {1, 1, 1}, "streamId": {7, 7, 7}, "correlationId": {4, 4, 4}}})
	var names []string
	for _, k := range x.Tracks {
		names = append(names, k.Name)
	}
	if want := []string{"Process 1", "Thread 9", "CUDA API", "GPU 0", "Context 1 of process 1", "Stream 7", "Context 1 of process 2", "Stream 7", "Critical path"}; !slices.Equal(names, want) {
		t.Errorf("tracks %q, expected %q", names, want)
	}
	call := x.Slice(0)
	if len(call.Work) != 2 || x.Slice(call.Work[0]).Start != 10 || x.Slice(call.Work[1]).Start != 12 {
		t.Errorf("work of the call: %+v", call)
	}
	for i, want := range []SliceID{None, None, 0, 0, None} {
		if s := x.Slice(SliceID(i)); s.Call != want {
			t.Errorf("slice %d has call %d, expected %d", i, s.Call, want)
		}
	}
}

// TestFullNames tells kernels of one short name apart.
func TestFullNames(t *testing.T) {
	x := build(t, tables{trace.TableKernel: {"start": {0, 10, 20, 30}, "end": {5, 15, 25, 35}, "shortName": {1, 1, 1, 4}, "demangledName": {2, 3, 2, 4},
		"globalPid": {0, 0, 0, 0}, "deviceId": {0, 0, 0, 0}, "contextId": {1, 1, 1, 1}, "streamId": {7, 7, 7, 7}}})
	for _, c := range []struct {
		pattern string
		total   int
		first   SliceID
	}{{"^name1$", 3, 0}, {"^name2$", 2, 0}, {"^name3$", 1, 1}, {"^name4$", 1, 3}, {"^name5$", 0, None}} {
		m, n := x.Search(regexp.MustCompile(c.pattern))
		if next := x.Next(m, -1, None, false); n != c.total || next != c.first {
			t.Errorf("%s finds %d, first %d; expected %d, %d", c.pattern, n, next, c.total, c.first)
		}
	}
	if s := x.Slice(1); s.Name != "name1" || s.Full != "name3" {
		t.Errorf("slice 1 is %q, in full %q", s.Name, s.Full)
	}
	a, err := x.Aggregate(context.Background(), []int{0, 1, 2}, 0, 100)
	if err != nil || len(a) != 3 || x.FullText(a[0].Name) != "name2" || a[0].Count != 2 {
		t.Errorf("aggregates: %+v, %v", a, err)
	}
}

func TestCounter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.SliceOfN(rapid.Int64Range(0, 100), 1, 600).Draw(t, "values")
		m := map[string][]int64{"value": v}
		for i := range v {
			m["timestamp"], m["typeId"], m["metricId"], m["start"] = append(m["timestamp"], int64(i)*3), append(m["typeId"], 0), append(m["metricId"], 1), append(m["start"], 0)
		}
		x := build(t, tables{"GPU_METRICS": m})
		c := x.Tracks[1].Counter
		n, sum, high := 0, 0.0, 0.0
		for _, s := range c.View(0, int64(3*len(v)), rapid.IntRange(1, 50).Draw(t, "pixels")) {
			n, sum, high = n+s.Count, sum+s.Mean*float64(s.Count), max(high, s.Max)
		}
		want := 0.0
		for _, k := range v {
			want += float64(k)
		}
		if n != len(v) || high != float64(slices.Max(v)) || sum < want-1e-6 || sum > want+1e-6 {
			t.Fatalf("%d samples, sum %g, highest %g; expected %d, %g, %d", n, sum, high, len(v), want, slices.Max(v))
		}
	})
}
