package schema

import (
	"strings"
	"testing"
)

func TestCatalogue(t *testing.T) {
	if n := len(Tables()); n < 140 {
		t.Errorf("%d tables", n)
	}
	if n := len(Enums()); n < 60 {
		t.Errorf("%d enumerations", n)
	}
	types := map[string]bool{"INTEGER": true, "REAL": true, "TEXT": true, "BLOB": true}
	seen := map[string]bool{}
	for _, tb := range Tables() {
		if seen[strings.ToLower(tb.Name)] {
			t.Errorf("%s is declared twice", tb.Name)
		}
		seen[strings.ToLower(tb.Name)] = true
		if tb.Meaning == "" || len(tb.Columns) == 0 {
			t.Errorf("%s: no meaning or no columns", tb.Name)
		}
		cols := map[string]bool{}
		for _, c := range tb.Columns {
			if cols[strings.ToLower(c.Name)] || !types[c.Type] || c.Meaning == "" {
				t.Errorf("%s.%s: declared twice, type %q or no meaning", tb.Name, c.Name, c.Type)
			}
			cols[strings.ToLower(c.Name)] = true
			if c.Ref != "" && Lookup(c.Ref) == nil && LookupEnum(c.Ref) == nil {
				t.Errorf("%s.%s refers to %s, which is not there", tb.Name, c.Name, c.Ref)
			}
			if c.Span.First.Less(tb.Span.First) {
				t.Errorf("%s.%s is older than its table", tb.Name, c.Name)
			}
		}
	}
	for _, e := range Enums() {
		for i := 1; i < len(e.Values); i++ {
			if e.Values[i].ID <= e.Values[i-1].ID {
				t.Errorf("%s: %d after %d", e.Name, e.Values[i].ID, e.Values[i-1].ID)
			}
		}
	}
}

func TestVersions(t *testing.T) {
	kernel := Lookup("cupti_activity_kind_kernel")
	for version, want := range map[string]string{"2021": "graphNodeId", "3.7.2": "graphNodeId greenContextId mangledName", "3.25.0": "graphNodeId greenContextId mangledName clusterX tensorSizeMinusOneElements"} {
		v, err := ParseVersion(version)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"graphNodeId", "greenContextId", "mangledName", "clusterX", "tensorSizeMinusOneElements"} {
			if got := kernel.Column(name).Span.Has(v); got != strings.Contains(want, name) {
				t.Errorf("%s has %s: %v", version, name, got)
			}
		}
	}
	if LookupEnum("ENUM_CUDA_MEMCPY_OPER").Label(2) != "Device-to-Host" || LookupEnum("ENUM_CUDA_MEM_KIND").Label(99) != "" {
		t.Error("labels of copies")
	}
	if _, err := ParseVersion("3.x"); err == nil {
		t.Error("3.x is a version")
	}
	if got := Lookup("StringIds").Create(Newest); got != "CREATE TABLE StringIds (\n    id INTEGER NOT NULL PRIMARY KEY,\n    value TEXT NOT NULL\n)" {
		t.Errorf("statement:\n%s", got)
	}
}

func TestEnumAt(t *testing.T) {
	e := LookupEnum("ENUM_NSYS_EVENT_TYPE")
	name := func(v Version) string {
		for _, x := range e.At(v) {
			if x.ID == 146 {
				return x.Name
			}
		}
		return ""
	}
	for v, want := range map[Version]string{{3, 7, 2}: "", {3, 16, 1}: "OSRuntimeStartStop", Newest: "TraceStartFinish"} {
		if got := name(v); got != want {
			t.Errorf("in %v the value is %q, want %q", v, got, want)
		}
	}
	for _, e := range Enums() {
		last := int64(-1 << 63)
		for _, v := range e.At(Newest) {
			if v.ID <= last {
				t.Errorf("%s has %d twice", e.Name, v.ID)
			}
			last = v.ID
		}
	}
}

// TestManyClocks: messages of the profiler are the one table whose rows name their clock.
func TestManyClocks(t *testing.T) {
	var many []string
	for _, table := range Tables() {
		if table.ManyClocks() {
			many = append(many, table.Name)
		}
	}
	if len(many) != 1 || many[0] != "DIAGNOSTIC_EVENT" {
		t.Errorf("%v", many)
	}
}

// TestOtherSpelling lists the columns that hold texts in some versions and their numbers
// in others.
func TestOtherSpelling(t *testing.T) {
	var pairs []string
	for _, table := range Tables() {
		for _, c := range table.Columns {
			if o := table.OtherSpelling(c.Name); o != nil && c.Type == "TEXT" {
				pairs = append(pairs, table.Name+"."+c.Name+" "+o.Name)
				if back := table.OtherSpelling(o.Name); back == nil || back.Name != c.Name {
					t.Errorf("%s.%s: the other of the other is %v", table.Name, c.Name, back)
				}
			}
		}
	}
	want := "ANALYSIS_FILE.content contentId, D3D12_PIX_DEBUG_API.objectName objectNameId, DX12_API.objectName objectNameId, DX12_WORKLOAD.objectName objectNameId"
	if got := strings.Join(pairs, ", "); got != want {
		t.Errorf("%s; expected %s", got, want)
	}
}
