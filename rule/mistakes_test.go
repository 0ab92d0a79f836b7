package rule

import (
	"strings"
	"testing"
	"time"

	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/profile/metric"
)

// TestSlowOnce: a rule that hangs is stopped once, told of, and not run again.
func TestSlowOnce(t *testing.T) {
	var told []string
	h := newHost(t, Options{Time: 500 * time.Millisecond, Warn: func(s string) { told = append(told, s) }})
	s := load1(t, h, map[string]string{
		"a.py": "def get_identifier(): return 'Slow'\ndef apply(handle):\n  while True: pass\n",
		"b.py": simpleRule,
		"c.py": "def get_identifier(): return 'Slow2'\ndef apply(handle):\n  while True: pass\n",
		"d.py": strings.Replace(simpleRule, `"Simple"`, `"Last"`, 1),
	})
	for launch := range 4 {
		out := apply1(t, h, s, profile.NewMetric("x", metric.Double(2), nil))
		if len(out) != 4 || out[0].Err == nil || out[2].Err == nil || out[1].Err != nil || out[3].Err != nil || len(out[1].Result.Messages) != 1 || len(out[3].Result.Messages) != 1 {
			t.Fatalf("launch %d: %+v", launch, out)
		}
		if off := launch > 0; out[0].Off != off || out[2].Off != off || out[1].Off {
			t.Errorf("launch %d: off %v, %v", launch, out[0].Off, out[2].Off)
		}
	}
	if len(told) != 2 || !strings.Contains(told[0], "the rule Slow is off for the rest of this run") || !strings.Contains(told[0], "took more than 500ms") {
		t.Errorf("told %q", told)
	}
}

// TestRequired: a rule whose evaluate() requires what is not there is stopped, and
// says what.
func TestRequired(t *testing.T) {
	rule := func(id, need string) string {
		return "import NvRules\ndef get_identifier(): return '" + id + "'\ndef evaluate(handle): " + need + "\ndef apply(handle): print('runs')\n"
	}
	h := newHost(t, Options{})
	s := load1(t, h, map[string]string{
		"a.py": rule("A", "NvRules.require_metrics(handle, ['x', 'y', 'z'])"),
		"b.py": rule("B", "NvRules.require_rules(handle, ['A', 'Nowhere'])"),
		"c.py": rule("C", "NvRules.require_metrics(handle, ['x']); NvRules.require_rules(handle, ['A'])"),
	})
	out := apply1(t, h, s, profile.NewMetric("x", metric.Double(2), nil))
	for i, want := range []string{"metrics that the launch does not have: y, z", "rules that are not there: Nowhere"} {
		if out[i].Err == nil || !strings.Contains(out[i].Err.Error(), want) || out[i].Printed != "" {
			t.Errorf("%+v", out[i])
		}
	}
	if out[2].Err != nil || out[2].Printed != "runs\n" {
		t.Errorf("%+v", out[2])
	}
}

// TestCircle: parents that go round are told of, and the rules run all the same.
func TestCircle(t *testing.T) {
	rule := func(id, parent string) string {
		return "def get_identifier(): return '" + id + "'\ndef get_parent_rules_identifiers(): return ['" + parent + "']\ndef apply(handle): pass\n"
	}
	h := newHost(t, Options{})
	s := load1(t, h, map[string]string{"a.py": rule("A", "B"), "b.py": rule("B", "C"), "c.py": rule("C", "A"), "d.py": rule("D", "A"), "e.py": rule("E", "E")})
	var told []string
	for _, p := range s.Problems {
		told = append(told, p.Text)
	}
	if got := strings.Join(told, "\n"); len(s.Rules) != 5 || len(told) != 2 || !strings.Contains(got, "A -> B -> C -> A") || !strings.Contains(got, "E -> E") {
		t.Errorf("%d rules, problems %q", len(s.Rules), told)
	}
}

// TestSpeedupRange: an estimate outside of 0 to 100 % is a mistake of the rule.
func TestSpeedupRange(t *testing.T) {
	for value, sound := range map[string]bool{"0": true, "100": true, "33.5": true, "-1": false, "100.1": false, "float('nan')": false, "float('inf')": false} {
		h := newHost(t, Options{})
		s := load1(t, h, map[string]string{"a.py": strings.Replace(simpleRule, "GLOBAL, 50", "GLOBAL, "+value, 1)})
		out := apply1(t, h, s, profile.NewMetric("x", metric.Double(2), nil))
		if got := out[0].Err == nil; got != sound || !sound && !strings.Contains(out[0].Err.Error(), "expected percent from 0 to 100") {
			t.Errorf("%s: %v", value, out[0].Err)
		}
	}
}
