package rule

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/gpuprof/gpuprof/profile"
)

func TestArtifactURI(t *testing.T) {
	for in, want := range map[string]string{
		"/src/a.cu": "src/a.cu", "a b#1%.cu": "a%20b%231%25.cu", `C:\src\a.cu`: "src/a.cu", "../x/a.cu": "../x/a.cu", "": "", "ü.cu": "%C3%BC.cu", "a:b.cu": "./a:b.cu",
	} {
		if got := artifactURI(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// TestSARIF checks what the schema of SARIF 2.1.0 requires, by its names.
func TestSARIF(t *testing.T) {
	for name, findings := range map[string][]Finding{
		"none": nil,
		"all": {{Report: "a.ncu-rep", Kernel: "k<int>", Launch: 3, Result: profile.RuleResult{Identifier: "R", DisplayName: "Rule",
			Messages: []profile.RuleMessage{{Type: profile.MessageError, Text: "e"}, {Type: profile.MessageOptimization, Name: "T", Text: "o",
				Speedup: &profile.Speedup{Type: profile.SpeedupGlobal, Percent: 12.5}}, {Text: "n"}},
			Markers: []profile.SourceMarker{{Source: true, File: "/src/a.cu", Line: 7, Text: "m"}, {Address: 16, Text: "no line"}}}}},
	} {
		var b bytes.Buffer
		if err := WriteSARIF(&b, "1", findings); err != nil {
			t.Fatal(err)
		}
		var log map[string]any
		if err := json.Unmarshal(b.Bytes(), &log); err != nil {
			t.Fatal(err)
		}
		if log["version"] != "2.1.0" || log["$schema"] != "https://json.schemastore.org/sarif-2.1.0.json" {
			t.Errorf("%s: version %v, schema %v", name, log["version"], log["$schema"])
		}
		run := dig(t, log, "runs", 0)
		if dig(t, run, "tool", "driver", "name") != "gpuprof" {
			t.Errorf("%s: driver %v", name, dig(t, run, "tool", "driver"))
		}
		results, ok := dig(t, run, "results").([]any)
		if !ok { // null would say that the run failed
			t.Errorf("%s: results are no array", name)
		}
		if findings == nil {
			continue
		}
		if dig(t, run, "tool", "driver", "rules", 0, "id") != "R" {
			t.Errorf("rules %v", dig(t, run, "tool", "driver", "rules"))
		}
		want := [][2]string{{"error", "e"}, {"warning", "T: o"}, {"note", "n"}, {"note", "m"}}
		if len(results) != len(want) {
			t.Fatalf("%d results, want %d", len(results), len(want))
		}
		for i, r := range results {
			if dig(t, r, "ruleId") != "R" || dig(t, r, "level") != want[i][0] || dig(t, r, "message", "text") != want[i][1] ||
				dig(t, r, "locations", 0, "logicalLocations", 0, "fullyQualifiedName") != "k<int>" {
				t.Errorf("result %d: %v, want %v", i, r, want[i])
			}
		}
		at := dig(t, results[3], "locations", 0, "physicalLocation")
		if dig(t, at, "artifactLocation", "uri") != "src/a.cu" || dig(t, at, "region", "startLine") != 7.0 {
			t.Errorf("marker at %v", at)
		}
	}
}

// dig follows keys and indexes into decoded JSON.
func dig(t *testing.T, v any, path ...any) any {
	t.Helper()
	for _, p := range path {
		var next any
		ok := false
		switch p := p.(type) {
		case string:
			var m map[string]any
			if m, ok = v.(map[string]any); ok {
				next, ok = m[p]
			}
		case int:
			var l []any
			if l, ok = v.([]any); ok && p < len(l) {
				next = l[p]
			} else {
				ok = false
			}
		}
		if !ok {
			t.Fatalf("nothing at %v of %v", p, path)
		}
		v = next
	}
	return v
}
