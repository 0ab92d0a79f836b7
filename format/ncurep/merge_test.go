package ncurep

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// drawnReport is a report of some kernels with names and sources of several.
func drawnReport(t *rapid.T) *Report {
	r := &Report{Session: &Session{CommandLine: Some("ncu x"), Versions: []*VersionInfo{{Provider: "a", Version: "1"}}}, Process: &Process{ID: 1}}
	for i := range rapid.IntRange(0, 3).Draw(t, "sources") {
		r.Sources = append(r.Sources, &SourceData{SourceHead: SourceHead{Reference: Some(uint64(10 + i))}, Binary: []byte(fmt.Sprintf("cubin %d", i))})
	}
	for i := range rapid.IntRange(1, 8).Draw(t, "results") {
		d := &ResultData{ResultHeader: ResultHeader{KernelID: uint64(i), MangledName: "k", FunctionName: "k", DemangledName: fmt.Sprintf("k<%d>()", i%3),
			WorkDimensions: 3, WorkOffset: XYZ(0, 0, 0), Grid: XYZ(1, 2, 3), Block: XYZ(4, 5, 6)}}
		if n := len(r.Sources); n > 0 {
			d.Source = &SourceHead{Reference: Some(uint64(10 + i%n))}
		}
		for k := range rapid.IntRange(0, 6).Draw(t, "metrics") {
			m := MetricData{Name: fmt.Sprintf("m%d", rapid.IntRange(0, 9).Draw(t, "name")), Value: DoubleValue(float64(k) / 3)}
			if rapid.Bool().Draw(t, "instances") {
				m.Instances = new(Instances)
				m.Instances.Append(Uint64Value(uint64(k)), StringValue("x"))
			}
			d.Metrics = append(d.Metrics, m)
		}
		d.Sections = []*Section{{Identifier: "S", DisplayName: "S"}}
		r.Results = append(r.Results, d)
	}
	return r
}

type rapidOrTest interface{ Fatal(...any) }

// told is what a report says of its results and sources, without numbers that mean
// nothing but which is which.
func told(t rapidOrTest, f *File) (out []string) {
	for _, r := range f.Results {
		ms, err := r.Metrics()
		if err != nil {
			t.Fatal(err)
		}
		line := fmt.Sprintf("%s %v %v", r.DemangledName, r.GridSize(), r.KernelID)
		for i := range ms.All {
			m := &ms.All[i]
			in, err := m.Instances()
			if err != nil {
				t.Fatal(err)
			}
			line += fmt.Sprintf(" %s=%v", m.Name, m.Value)
			line += fmt.Sprintf("[%d]", in.Len())
		}
		if s := r.SourceOf(); s != nil {
			b, _ := s.Binary()
			line += " " + string(b)
		}
		sections, err := r.Sections()
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, fmt.Sprint(line, " ", len(sections)))
	}
	return out
}

func opened(t rapidOrTest, write func(*bytes.Buffer) error) *File {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	f, err := OpenBytes(b.Bytes(), "made")
	if err != nil {
		t.Fatal(err)
	}
	if len(f.problems) > 0 {
		t.Fatal(f.problems)
	}
	return f
}

// TestSplitAndMerge cuts reports at random and merges the pieces: every result,
// metric and source is there again.
func TestSplitAndMerge(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		whole := opened(t, func(b *bytes.Buffer) error { _, err := drawnReport(t).WriteTo(b); return err })
		splitAndMerge(t, whole, rapid.IntRange(1, 4).Draw(t, "pieces"), func(i int) int { return rapid.IntRange(0, 3).Draw(t, "piece") })
	})
}

func splitAndMerge(t rapidOrTest, whole *File, pieces int, of func(i int) int) {
	where := make([]int, len(whole.Results))
	for i := range where {
		where[i] = of(i) % pieces
	}
	var parts []*File
	var want []string
	all := told(t, whole)
	for p := range pieces {
		e := whole.Edit()
		e.Keep(func(r *Result) bool { return where[r.Index] == p })
		e.DropUnusedSources()
		e.DropUnusedStrings()
		f := opened(t, func(b *bytes.Buffer) error { _, err := e.WriteTo(b); return err })
		used := map[string]bool{}
		for _, r := range f.Results {
			ms, _ := r.Metrics()
			for i := range ms.All {
				used[ms.All[i].Name] = true
			}
		}
		if len(used) < len(f.Strings) && len(whole.Strings) > 0 {
			seen := map[string]bool{}
			for _, s := range f.Strings {
				if !used[s] && !seen[s] {
					t.Fatal(fmt.Sprintf("name %q is left, and no metric has it", s))
				}
				seen[s] = true
			}
		}
		parts = append(parts, f)
		for i := range where {
			if where[i] == p {
				want = append(want, all[i])
			}
		}
	}
	m, err := Merge(parts...)
	if err != nil {
		t.Fatal(err)
	}
	merged := opened(t, func(b *bytes.Buffer) error { _, err := m.WriteTo(b); return err })
	if d := cmp.Diff(want, told(t, merged)); d != "" {
		t.Fatal(d)
	}
	if !equalMessages(whole.Session, merged.Session) {
		t.Fatal("the session changed")
	}
	if len(merged.Sources) > len(whole.Sources) {
		t.Fatal(fmt.Sprintf("%d sources became %d", len(whole.Sources), len(merged.Sources)))
	}
}

// TestMergeOfOthers merges reports that use the same numbers for other things.
func TestMergeOfOthers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var files []*File
		var want []string
		for i := range rapid.IntRange(1, 4).Draw(t, "reports") {
			r := drawnReport(t)
			for _, s := range r.Sources {
				s.Binary = append(s.Binary, byte('A'+i%2))
			}
			f := opened(t, func(b *bytes.Buffer) error { _, err := r.WriteTo(b); return err })
			files = append(files, f)
			want = append(want, told(t, f)...)
		}
		m, err := Merge(files...)
		if err != nil {
			t.Fatal(err)
		}
		merged := opened(t, func(b *bytes.Buffer) error { _, err := m.WriteTo(b); return err })
		if d := cmp.Diff(want, told(t, merged)); d != "" {
			t.Fatal(d)
		}
	})
}
