package policy

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"
)

func TestParse(t *testing.T) {
	b, err := os.ReadFile("testdata/full.yaml")
	if err != nil {
		t.Fatal(err)
	}
	p, err := Parse("full.yaml", b)
	if err != nil {
		t.Fatal(err)
	}
	k := p.Kernels[0]
	switch {
	case p.Defaults.Alpha != 0.05, p.Defaults.Least != 3, p.Defaults.Undecided != Fail, p.Defaults.MaxIncrease.Share != 0.02:
		t.Errorf("defaults %+v", p.Defaults)
	case len(p.Kernels) != 2, !p.Kernels[1].Ignore, !p.Kernels[1].Match.Match("cub::Sort"), !k.Match.Match("void FindPairsKernel"):
		t.Errorf("kernels %+v", p.Kernels)
	case len(k.Limits) != 4, k.Limits[0].MaxIncrease.Share != 0.03, k.Limits[1].Max.V != 480e6, k.Limits[1].Max.Kind != "second", k.Limits[2].Max.V != 128, k.Limits[3].Equals.V != 0:
		t.Errorf("limits %+v", k.Limits)
	case k.Min != 1, len(k.Forbid) != 2, k.Forbid[1].MinSpeedup != 10:
		t.Errorf("findings %+v", k)
	case len(p.Timeline) != 3, p.Timeline[0].What != Ranges, !p.Timeline[0].Match.Match("step N"), p.Timeline[0].Of != "per_step", p.Timeline[1].Limit.Max.V != 15,
		!p.Timeline[2].Limit.MaxIncrease.Units, p.Timeline[2].Limit.MaxIncrease.Amount.V != 1e6:
		t.Errorf("timeline %+v", p.Timeline)
	case len(p.Benchmarks) != 1, p.Benchmarks[0].Limit.Metric != "real_time":
		t.Errorf("benchmarks %+v", p.Benchmarks)
	case len(p.Rename) != 1, len(p.Allow) != 2, len(p.Baseline) != 1:
		t.Errorf("%+v", p)
	}
}

func TestMistakesHavePlaces(t *testing.T) {
	for _, x := range []struct{ text, want string }{
		{"version: 1\nkernels:\n  - match: a\n    limits:\n      - {metric: m, max_incraese: 3%}", "p.yaml:5:21: unknown key \"max_incraese\"; did you mean max_increase"},
		{"version: 1\nkernels:\n  - limits: []", "p.yaml:3:5: expected match or glob"},
		{"version: 2\nkernels: [{match: a}]", "expected version: 1, found 2"},
		{"kernels: [{match: a}]", "expected version: 1, found 0"},
		{"version: 1", "p.yaml:1:1: expected rules"},
		{"version: 1\nkernels:\n  - match: '('", "p.yaml:3:12: expected a regular expression"},
		{"version: 1\nkernels:\n  - match: a\n    limits: [{metric: m, max_increase: 3}]", "expected a percentage or an amount with a unit"},
		{"version: 1\nkernels:\n  - match: a\n    limits: [{metric: m, max: 3parsec}]", "unknown unit \"parsec\""},
		{"version: 1\nkernels:\n  - match: a\n    limits: [{max: 3}]", "expected a metric"},
		{"version: 1\nkernels:\n  - match: a\n    match: b", "stands here twice"},
		{"version: 1\ndefaults: {on_undecided: pass}\nkernels: [{match: a}]", "p.yaml:2:26: expected one of fail, warn"},
		{"version: 1\ncomparable: {allow: [devices]}\nkernels: [{match: a}]", "unknown difference \"devices\"; did you mean device"},
		{"version: 1\ntimeline: [{range: a, kernel: b}]", "a rule is about one thing"},
		{"version: 1\ntimeline: [{max: 1}]", "expected range, kernel, device_idle"},
		{"version: 1\nkernels: [{match: a, count: 3}]", "expected keys and values, found \"3\""},
		{"version: [1", "p.yaml:1:1: "},
		{"", "found an empty file"},
		{"version: 1\n\tkernels: a", "p.yaml:2:1: "},
	} {
		_, err := Parse("p.yaml", []byte(x.text))
		var at *Error
		if !errors.As(err, &at) || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%q: %v, want %s", x.text, err, x.want)
		}
	}
}

// TestSchemaNamesEveryKey holds the published schema against the decoder: a key
// of the one is a key of the other.
func TestSchemaNamesEveryKey(t *testing.T) {
	var schema map[string]any
	if err := json.Unmarshal(Schema, &schema); err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			if props, ok := v["properties"].(map[string]any); ok {
				for k := range props {
					known[k] = true
				}
			}
			for _, c := range v {
				walk(c)
			}
		case []any:
			for _, c := range v {
				walk(c)
			}
		}
	}
	walk(schema)
	source, err := os.ReadFile("decode.go")
	if err != nil {
		t.Fatal(err)
	}
	for k := range known {
		if !strings.Contains(string(source), `"`+k+`"`) {
			t.Errorf("the schema has %q, the decoder does not", k)
		}
	}
	for _, m := range keyLine.FindAllStringSubmatch(string(source), -1) {
		if !known[m[1]] {
			t.Errorf("the decoder has %q, the schema does not", m[1])
		}
	}
	words := strings.Join(allowed, `", "`)
	if !strings.Contains(string(Schema), words) {
		t.Error("the schema has other differences to allow")
	}
}

var keyLine = regexp.MustCompile(`(?m)^\s*"([a-z_]+)":\s+(?:func|bound|quantity|whole)`)

func FuzzParse(f *testing.F) {
	if b, err := os.ReadFile("testdata/full.yaml"); err == nil {
		f.Add(b)
	}
	f.Add([]byte("version: 1\nkernels: &a [{match: a, limits: [{metric: m, max: 1e9GB}]}]\ntimeline: *a"))
	f.Fuzz(func(t *testing.T, b []byte) {
		p, err := Parse("p.yaml", b)
		var at *Error
		switch {
		case err == nil && len(p.Kernels)+len(p.Timeline)+len(p.Benchmarks) == 0:
			t.Error("a policy without rules")
		case err != nil && (!errors.As(err, &at) || at.Line < 1):
			t.Errorf("%v", err)
		}
	})
}

// TestSchemaTakesThePolicy holds the example against the published schema, and
// the schema against mistakes that the decoder finds.
func TestSchemaTakesThePolicy(t *testing.T) {
	c := jsonschema.NewCompiler()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(Schema))
	if err != nil {
		t.Fatal(err)
	}
	if err := c.AddResource("schema.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	full, err := os.ReadFile("testdata/full.yaml")
	if err != nil {
		t.Fatal(err)
	}
	check := func(text string) error {
		var v any
		if err := yaml.Unmarshal([]byte(text), &v); err != nil {
			t.Fatal(err)
		}
		b, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		x, err := jsonschema.UnmarshalJSON(bytes.NewReader(b))
		if err != nil {
			t.Fatal(err)
		}
		return s.Validate(x)
	}
	if err := check(string(full)); err != nil {
		t.Errorf("%v", err)
	}
	for _, bad := range []string{
		"version: 1\nkernels: [{match: a, limits: [{metric: m, max_incraese: 3%}]}]",
		"version: 1\nkernels: [{limits: []}]",
		"version: 2\nkernels: [{match: a}]",
		"version: 1",
		"version: 1\nkernels: [{match: a, limits: [{metric: m, max_increase: 3}]}]",
		"version: 1\ncomparable: {allow: [devices]}\nkernels: [{match: a}]",
	} {
		if check(bad) == nil {
			t.Errorf("the schema takes %q", bad)
		}
		if _, err := Parse("p", []byte(bad)); err == nil {
			t.Errorf("the decoder takes %q", bad)
		}
	}
}
