package ncurep

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func written(t *testing.T, e *Edit) []byte {
	t.Helper()
	var b bytes.Buffer
	_, err := e.WriteTo(&b)
	check(t, err)
	return b.Bytes()
}

// TestEditKeep drops every other result of the real reports, and the sources
// that no one needs then.
func TestEditKeep(t *testing.T) {
	for _, name := range corpusFiles(t) {
		t.Run(filepath.Base(name), func(t *testing.T) {
			f, err := OpenFile(name)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			e := f.Edit()
			e.Keep(func(r *Result) bool { return r.Index%2 == 0 })
			e.DropUnusedSources()
			g := open(t, written(t, e))
			if want := (len(f.Results) + 1) / 2; len(g.Results) != want {
				t.Fatalf("%d results, want %d", len(g.Results), want)
			}
			if !cmp.Equal(f.Strings, g.Strings) || !cmp.Equal(f.Session, g.Session, sameData) {
				t.Error("strings or session differ")
			}
			used := make(map[uint64]bool)
			for i, r := range g.Results {
				ref, _ := r.sourceRef()
				used[ref] = true
				want, err := f.in.bytes(f.Results[2*i].entry)
				check(t, err)
				got, err := g.in.bytes(r.entry)
				check(t, err)
				if !bytes.Equal(got, want) {
					t.Errorf("result %d is not result %d of the original", i, 2*i)
				}
				if r.SourceOf() == nil && f.Results[2*i].SourceOf() != nil {
					t.Errorf("result %d lost its source", i)
				}
			}
			for _, s := range g.Sources {
				if !used[s.Reference] {
					t.Errorf("source %d is still there", s.Reference)
				}
			}
		})
	}
}

// TestEditNothing expects that an edit which changes nothing writes the same bytes,
// although it decodes and encodes parts.
func TestEditNothing(t *testing.T) {
	for _, name := range corpusFiles(t) {
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		f := open(t, want)
		e := f.Edit()
		e.Session(func(*Session) {})
		e.process(func(*Process) {})
		for _, r := range f.Results {
			sections, err := r.Sections()
			check(t, err)
			e.Result(r).SetSections(sections)
			e.Result(r).Header(func(*ResultHeader) {})
			e.Result(r).DropMetrics(func(*Metric) bool { return false })
		}
		if got := written(t, e); !bytes.Equal(got, want) {
			t.Errorf("%s: %d bytes, want the %d read", filepath.Base(name), len(got), len(want))
		}
	}
}

// TestEditResult changes one result and checks that it has the changes and
// nothing else has.
func TestEditResult(t *testing.T) {
	f := open(t, encodeReport(t, sampleReport()))
	r := f.Results[0]
	added := new(Instances)
	added.Append(Uint64Value(3), DoubleValue(0.25))
	news := []MetricData{
		{Name: "derived__new", Value: DoubleValue(2)},
		{Name: "launch__grid_size", Value: Uint64Value(5), Instances: added},
		{Name: "derived__another", Value: StringValue("text")},
	}
	section := sampleSection()
	section.Identifier = "Mine"
	e := f.Edit()
	re := e.Result(r)
	re.DropMetrics(func(m *Metric) bool { return m.Name == "odd" })
	re.AppendMetrics(news...)
	re.appendSections(section)
	re.SetRules([]*RuleResult{{Identifier: "Only", DisplayName: "Only"}})
	re.AppendRules(&RuleResult{Identifier: "Second", DisplayName: "Second"})
	re.setNvtx(nil)
	re.setCallStack(nil)
	re.setSectionComments(nil)
	re.Header(func(h *ResultHeader) { h.DemangledName = "renamed()" })
	g := open(t, written(t, e))

	want, err := r.data()
	check(t, err)
	list := want.Metrics[:0:0]
	for _, m := range want.Metrics {
		if m.Name != "odd" {
			list = append(list, m)
		}
	}
	want.Metrics = append(list, news...)
	want.Sections = append(want.Sections, section)
	want.Rules = []*RuleResult{{Identifier: "Only", DisplayName: "Only"}, {Identifier: "Second", DisplayName: "Second"}}
	want.Nvtx, want.CallStack, want.SectionComments = nil, nil, nil
	want.DemangledName = "renamed()"
	got, err := g.Results[0].data()
	check(t, err)
	if diff := cmp.Diff(want, got, sameData); diff != "" {
		t.Errorf("changed result (-want +got):\n%s", diff)
	}
	untouched, err := f.Results[1].data()
	check(t, err)
	got, err = g.Results[1].data()
	check(t, err)
	if diff := cmp.Diff(untouched, got, sameData); diff != "" {
		t.Errorf("other result (-want +got):\n%s", diff)
	}
	if r.DemangledName != "scale()" {
		t.Error("the edit changed the open file")
	}
	if n := len(g.Strings) - len(f.Strings); n != 2 {
		t.Errorf("%d new strings, want 2", n)
	}
}

// TestEditSession takes out what tells about people and machines.
func TestEditSession(t *testing.T) {
	f := open(t, encodeReport(t, sampleReport()))
	e := f.Edit()
	e.Session(func(s *Session) {
		s.Host.ComputerName = Opt[string]{}
		s.Target.ComputerName = Some("redacted")
		s.CommandLine = Opt[string]{}
	})
	e.process(func(p *Process) { p.Name = Some("redacted") })
	b := written(t, e)
	for _, secret := range []string{"login1", "gpu7", "ncu -o"} {
		if bytes.Contains(b, []byte(secret)) {
			t.Errorf("%q is still there", secret)
		}
	}
	g := open(t, b)
	if g.Session.Host.ComputerName.Set || g.Session.Target.ComputerName.Value != "redacted" || len(g.Session.Devices) != 1 {
		t.Errorf("session %+v", g.Session)
	}
	for _, r := range g.Results {
		if r.Process.Name.Value != "redacted" || r.Process.ID != 42 {
			t.Errorf("process %+v", r.Process)
		}
	}
	if f.Session.Host.ComputerName.Value != "login1" || f.Results[0].Process.Name.Value == "redacted" {
		t.Error("the edit changed the open file")
	}
}

func TestWriteFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.ncu-rep")
	if err := sampleReport().WriteFile(path); err != nil {
		t.Fatal(err)
	}
	f, err := OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	// Onto itself: the file is replaced only when all of it was read.
	if err := f.writeFile(path); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(path)
	check(t, err)
	if want := encodeReport(t, sampleReport()); !bytes.Equal(got, want) {
		t.Errorf("%d bytes, want %d", len(got), len(want))
	}
	if err := f.writeFile(filepath.Join(t.TempDir(), "no", "such", "folder")); err == nil {
		t.Error("no error for a folder that is not there")
	}
	if list, _ := os.ReadDir(filepath.Dir(path)); len(list) != 1 {
		t.Errorf("temporary files are left: %v", list)
	}
}
