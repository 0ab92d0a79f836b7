package rule

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/profile/metric"
	"github.com/gpuprof/gpuprof/rule/python"
)

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "confine" {
		println(python.Confine(os.Args[2:]).Error())
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// write makes a folder of files.
func write(tb testing.TB, files map[string]string) string {
	tb.Helper()
	dir := tb.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			tb.Fatal(err)
		}
	}
	return dir
}

func newHost(tb testing.TB, o Options) *Host {
	tb.Helper()
	o.Cache = python.CacheDir()
	h, err := NewHost(context.Background(), o)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { h.Close() })
	return h
}

// loader is the profile.Loader of an action with the given metrics.
type loader []profile.Metric

func (l loader) Metrics() (*profile.MetricSet, error)     { return profile.NewMetricSet(l), nil }
func (loader) RuleResults() ([]profile.RuleResult, error) { return nil, nil }
func (loader) NvtxState() (*profile.NvtxState, error)     { return nil, nil }
func (loader) CallStack() ([]profile.Frame, error)        { return nil, nil }
func (loader) Code() (*profile.Code, error)               { return nil, nil }

func report(ms ...profile.Metric) (*profile.Report, *profile.Action) {
	a := profile.NewAction(loader(ms))
	a.Function = "saxpy"
	return &profile.Report{Ranges: []profile.Range{{Actions: []*profile.Action{a}}}}, a
}

func load1(tb testing.TB, h *Host, files map[string]string) *Set {
	tb.Helper()
	s, err := h.Load(context.Background(), Folder(write(tb, files)))
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

func apply1(tb testing.TB, h *Host, s *Set, ms ...profile.Metric) []Outcome {
	tb.Helper()
	r, a := report(ms...)
	out, err := h.Apply(context.Background(), Job{Report: r, Action: a, Rules: s.Rules, Trace: true})
	if err != nil {
		tb.Fatal(err)
	}
	return out
}

const simpleRule = `import NvRules
def get_identifier(): return "Simple"
def get_section_identifier(): return "SpeedOfLight"
def apply(handle):
    ctx = NvRules.get_context(handle)
    action = ctx.range_by_idx(0).action_by_idx(0)
    print("looking at", action.name())
    v = action.metric_by_name("x").as_double()
    id = ctx.frontend().message(NvRules.IFrontend.MsgType_MSG_WARNING, "x is " + str(v), "X")
    ctx.frontend().speedup(id, NvRules.IFrontend.SpeedupType_GLOBAL, 50)
    ctx.frontend().focus_metric(id, "x", v, NvRules.IFrontend.Severity_SEVERITY_HIGH, "too much")
`

func TestApply(t *testing.T) {
	h := newHost(t, Options{})
	s := load1(t, h, map[string]string{"simple.py": simpleRule, "helper.py": "X = 1\n", "broken.py": "import NvRules\ndef f(:\n"})
	if len(s.Rules) != 1 || len(s.Problems) != 1 || !strings.Contains(s.Problems[0].Error(), "broken.py:2: SyntaxError") {
		t.Fatalf("rules %v, problems %v", s.Rules, s.Problems)
	}
	out := apply1(t, h, s, profile.NewMetric("x", metric.Double(1.5), nil))
	if len(out) != 1 || out[0].Err != nil {
		t.Fatalf("%+v", out)
	}
	o := out[0]
	m := o.Result.Messages
	if o.Result.Section != "SpeedOfLight" || len(m) != 1 || m[0].Text != "x is 1.5" || m[0].Type != profile.MessageWarning || m[0].Name != "X" ||
		*m[0].Speedup != (profile.Speedup{Type: profile.SpeedupGlobal, Percent: 50}) || m[0].Focus[0].Info != "too much" ||
		o.Printed != "looking at saxpy\n" || len(o.Asked) != 1 || o.Asked[0] != (Asked{"x", true}) {
		t.Errorf("%+v", o)
	}
}

// TestOthersGoOn applies rules that misbehave before one that does not.
func TestOthersGoOn(t *testing.T) {
	bad := map[string]string{
		"loops":     "while True: pass",
		"allocates": "x = bytearray(1 << 30)",
		"prints":    "while True: print('x' * 1000)",
		"exits":     "import os; os._exit(0)",
		"raises":    "1 / 0",
		"quits":     "raise SystemExit(1)",
		"forges":    "import os; os.write(1, b'\\x1d[\"applied\", {\"number\": \"x\"}]\\n')",
		"crashes":   "import sys; sys.setrecursionlimit(10**9)\n    def f(): f()\n    f()",
	}
	for name, code := range bad {
		t.Run(name, func(t *testing.T) {
			h := newHost(t, Options{Time: 500 * time.Millisecond})
			s := load1(t, h, map[string]string{
				"a.py": "def get_identifier(): return 'Bad'\ndef apply(handle):\n    " + code + "\n",
				"b.py": simpleRule,
			})
			out := apply1(t, h, s, profile.NewMetric("x", metric.Double(2), nil))
			if len(out) != 2 || out[0].Err == nil || out[1].Err != nil || len(out[1].Result.Messages) != 1 {
				t.Fatalf("%+v", out)
			}
			t.Log(out[0].Err, out[0].Elapsed)
		})
	}
}

func TestParents(t *testing.T) {
	h := newHost(t, Options{Time: 500 * time.Millisecond})
	s := load1(t, h, map[string]string{
		"a_child.py": `import NvRules
def get_identifier(): return "Child"
def get_parent_rules_identifiers(): return ["Parent", "Absent"]
def apply(handle):
    f = NvRules.get_context(handle).frontend()
    d, e = f.receive_dict_from_parent("Parent"), f.receive_dict_from_parent("Absent")
    vault = NvRules.get_context(handle).controller().get_message_vault()
    f.message("{} {} {} {}".format(d.has_key("x"), d["x"], d.asdict(), e.asdict()) + str(vault.Get("Parent")["y"]))
`,
		"b_loop.py": "def get_identifier(): return 'Loop'\ndef get_parent_rules_identifiers(): return ['Parent']\ndef apply(handle):\n  while True: pass\n",
		"z_parent.py": `import NvRules
def get_identifier(): return "Parent"
def evaluate(handle):
    NvRules.require_metrics(handle, ["gpu__time_duration.sum"])
    NvRules.require_rules(handle, ["First"])
def apply(handle):
    f = NvRules.get_context(handle).frontend()
    f.send_dict_to_children({"x": 1})
    f.send_dict_to_children({"z": float("inf")})
    NvRules.get_context(handle).controller().get_message_vault().Put("Parent", {"y": 2.5})
    NvRules.get_context(handle).controller().propose_rule("First")
`,
		"z_first.py": "def get_identifier(): return 'First'\ndef apply(handle): pass\n",
	})
	var ids []string
	for _, r := range s.Rules {
		ids = append(ids, r.ID)
	}
	if got := strings.Join(ids, " "); got != "First Parent Child Loop" {
		t.Fatal(got)
	}
	if p := s.Lookup("Parent"); len(p.Metrics) != 1 || p.Rules[0] != "First" {
		t.Errorf("%+v", p)
	}
	// The loop between ends the interpreter; what was sent survives that.
	rules := []*Rule{s.Rules[0], s.Rules[1], s.Rules[3], s.Rules[2]}
	r, a := report(profile.NewMetric("gpu__time_duration.sum", metric.Double(1), nil))
	out, err := h.Apply(context.Background(), Job{Report: r, Action: a, Rules: rules})
	if err != nil {
		t.Fatal(err)
	}
	if out[2].Err == nil || out[3].Err != nil || out[3].Result.Messages[0].Text != "True 1.0 {'x': 1.0, 'z': inf} {}2.5" || out[1].Result.Proposals[0] != "First" {
		t.Errorf("%+v", out)
	}
}
