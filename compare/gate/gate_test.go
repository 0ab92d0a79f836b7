package gate

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/gpuprof/gpuprof/compare"
	"github.com/gpuprof/gpuprof/compare/policy"
)

const (
	duration = "gpu__time_duration.sum"
	second   = "second"
)

// made describes runs of a side: kernels by name with their time in ns, and what
// else is set.
type made struct {
	runs    int
	noise   float64
	kernels map[string]float64
	set     func(run int, kernel string, v *compare.Values)
	run     func(i int, r *compare.Run)
	later   time.Duration // after the first old run
	every   time.Duration
}

func (m made) make(r *rand.Rand, side string) []*compare.Run {
	var out []*compare.Run
	var names []string
	for name := range m.kernels {
		names = append(names, name)
	}
	slices.Sort(names)
	for i := range m.runs {
		run := &compare.Run{Name: fmt.Sprintf("%s%d.ncu-rep", side, i), Kind: compare.Launches}
		if m.every > 0 {
			run.Began = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC).Add(m.later + time.Duration(i)*m.every)
		}
		run.Facts = []compare.Fact{{What: compare.GPU, Value: "GPU A"}}
		for _, name := range names {
			v := &compare.Values{}
			t := math.Round(m.kernels[name] * math.Exp(r.NormFloat64()*m.noise))
			v.Set(duration, second, t)
			v.Set("launch__registers_per_thread", "register_per_thread", 64)
			if m.set != nil {
				m.set(i, name, v)
			}
			run.Entities = append(run.Entities, &compare.Entity{Class: compare.Kernel, Name: name, Full: name, Base: name, Shape: "1 × 32", Launches: 1, Source: v})
		}
		if m.run != nil {
			m.run(i, run)
		}
		out = append(out, run)
	}
	return out
}

func parse(t *testing.T, text string) *policy.Policy {
	t.Helper()
	p, err := policy.Parse("perf.yaml", []byte("version: 1\n"+text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

const timeOfAll = "kernels: [{match: '.', limits: [{metric: gpu__time_duration.sum, max_increase: 2%}]}]"

func kernels(n int, other map[string]float64) map[string]float64 {
	out := map[string]float64{}
	for i := range n {
		out[fmt.Sprintf("kernel%02d", i)] = 100_000 * float64(i+1)
	}
	for k, v := range other {
		out[k] = v
	}
	return out
}

func judged(t *testing.T, p string, old, new made) *Report {
	t.Helper()
	r := rand.New(rand.NewPCG(11, 12))
	return Judge(parse(t, p), old.make(r, "old"), new.make(r, "new"))
}

// find is the result of a kernel with a status.
func find(r *Report, name string, s Status) *Result {
	for i := range r.Results {
		if r.Results[i].Name == name && r.Results[i].Status == s {
			return &r.Results[i]
		}
	}
	return nil
}

func list(r *Report) string {
	var b strings.Builder
	for i := range r.Results {
		x := &r.Results[i]
		fmt.Fprintf(&b, "\n  %s %s %s %s: %s", x.Status, x.Rule, x.Name, x.Metric, x.Text)
	}
	return b.String()
}

func TestARegressionIsCalledAndNothingElse(t *testing.T) {
	old := made{runs: 5, noise: 0.01, kernels: kernels(20, nil)}
	new := old
	new.kernels = kernels(20, map[string]float64{"kernel07": 800_000 * 1.06})
	r := judged(t, timeOfAll, old, new)
	x := find(r, "kernel07", Broken)
	if r.Exit() != ExitBroken || x == nil || x.Rule != Increase || r.count(Broken) != 1 {
		t.Fatalf("exit %d%s", r.Exit(), list(r))
	}
	if !strings.Contains(x.Text, "takes ") || !strings.Contains(x.Text, " more time") || strings.Contains(x.Text, "slower") {
		t.Errorf("it says %q", x.Text)
	}
	if r := judged(t, timeOfAll, old, old); r.Exit() != exitPassed {
		t.Errorf("without a change: exit %d%s", r.Exit(), list(r))
	}
	if r := judged(t, timeOfAll, new, old); r.Exit() != exitPassed {
		t.Errorf("an improvement: exit %d%s", r.Exit(), list(r))
	}
}

func TestTooFewRunsAreNoPass(t *testing.T) {
	two := made{runs: 2, noise: 0.001, kernels: kernels(3, nil)}
	r := judged(t, timeOfAll, two, two)
	if r.Exit() != ExitUndecided || !strings.Contains(r.Results[0].Text, "2 + 2 runs, 3 a side decide") {
		t.Errorf("exit %d%s", r.Exit(), list(r))
	}
	if r := judged(t, "defaults: {on_undecided: warn}\n"+timeOfAll, two, two); r.Exit() != exitPassed || r.count(Warning) == 0 {
		t.Errorf("warn: exit %d%s", r.Exit(), list(r))
	}
	one := made{runs: 1, kernels: kernels(3, nil)}
	more := made{runs: 1, kernels: kernels(3, map[string]float64{"kernel00": 110_000})}
	single := "defaults: {allow_single: true}\n" + timeOfAll
	if r := judged(t, single, one, more); r.Exit() != ExitBroken || find(r, "kernel00", Broken) == nil {
		t.Errorf("allow_single: exit %d%s", r.Exit(), list(r))
	}
	if r := judged(t, single, one, one); r.Exit() != exitPassed {
		t.Errorf("allow_single, no change: exit %d%s", r.Exit(), list(r))
	}
	// 2+5 could decide by its p, and may not.
	five := made{runs: 5, noise: 0.001, kernels: kernels(3, nil)}
	if r := judged(t, timeOfAll, two, five); r.Exit() != ExitUndecided {
		t.Errorf("2+5: exit %d%s", r.Exit(), list(r))
	}
}

func TestExactAndAbsoluteLimits(t *testing.T) {
	base := made{runs: 1, kernels: kernels(1, nil)}
	odd := base
	odd.runs = 3
	odd.set = func(run int, _ string, v *compare.Values) {
		if run == 1 {
			v.Set("launch__registers_per_thread", "register_per_thread", 168)
			v.Set(duration, second, 900e6)
		}
		v.Set("spills.sum", "inst", 0)
	}
	limit := func(l string) string { return "kernels: [{match: kernel00, limits: [" + l + "]}]" }
	for _, x := range []struct {
		limit string
		exit  int
		says  string
	}{
		{"{metric: launch__registers_per_thread, max: 128}", 1, "is 168 register/thread, the limit is max 128"}, // every run
		{"{metric: launch__registers_per_thread, max: 168}", 0, ""},
		{"{metric: gpu__time_duration.sum, max: 480ms}", 0, ""}, // the median of runs
		{"{metric: gpu__time_duration.sum, max: 50us}", 1, "is 100 us, the limit is max 50us"},
		{"{metric: gpu__time_duration.sum, max: 5MB}", 1, `has the unit "second"`},
		{"{metric: spills.sum, equals: 0}", 0, ""},
		{"{metric: spills.sum, min: 1}", 1, "the limit is min 1"},
		{"{metric: nothing.sum, max: 1}", 1, "a new run does not have it"},
		{"{metric: gpu__time_duration.sum, max_increase: 2%}", 1, "there is no baseline"},
	} {
		r := rand.New(rand.NewPCG(1, 1))
		got := Judge(parse(t, limit(x.limit)), nil, odd.make(r, "new"))
		if got.Exit() != x.exit || !strings.Contains(list(got), x.says) {
			t.Errorf("%s: exit %d, want %d with %q%s", x.limit, got.Exit(), x.exit, x.says, list(got))
		}
	}
}

func TestWhatRulesNameAndReportsLack(t *testing.T) {
	base := made{runs: 3, noise: 0.001, kernels: kernels(2, nil)}
	less := made{runs: 3, noise: 0.001, kernels: kernels(1, map[string]float64{"fresh": 1000})}
	r := judged(t, timeOfAll, base, less)
	if r.Exit() != ExitBroken || find(r, "kernel01", Missing) == nil || find(r, "fresh", Note) == nil {
		t.Errorf("exit %d%s", r.Exit(), list(r))
	}
	if r := judged(t, "kernels: [{match: nosuch}]", base, base); r.Exit() != ExitBroken || r.Results[0].Status != Missing {
		t.Errorf("exit %d%s", r.Exit(), list(r))
	}
	if r := judged(t, "kernels: [{match: nosuch, ignore: true}, {match: kernel00}]", base, base); r.Exit() != exitPassed {
		t.Errorf("exit %d%s", r.Exit(), list(r))
	}
	if r := judged(t, "defaults: {on_missing: warn, on_new: fail}\n"+timeOfAll, base, less); find(r, "kernel01", Warning) == nil || find(r, "fresh", Broken) == nil {
		t.Errorf("exit %d%s", r.Exit(), list(r))
	}
	if r := judged(t, "benchmarks: [{match: a}]", base, base); r.Exit() != ExitBroken {
		t.Errorf("a policy for files that were not given: exit %d%s", r.Exit(), list(r))
	}
	if r := judged(t, "kernels: [{match: kernel00, count: {min: 2}}]", base, base); r.Exit() != ExitBroken || !strings.Contains(list(r), "launched 1 times") {
		t.Errorf("exit %d%s", r.Exit(), list(r))
	}
}

func TestFindings(t *testing.T) {
	base := made{runs: 1, kernels: kernels(1, nil), set: func(_ int, _ string, v *compare.Values) {
		v.AddFinding(compare.Finding{Rule: "SharedBankConflicts", Title: "Bank conflicts", Speedup: 7, File: "a.cu", Line: 12})
	}}
	for text, exit := range map[string]int{
		"forbid: [SharedBankConflicts]":                                0 + 1,
		"forbid: [{rule: SharedBankConflicts, min_speedup: 10%}]":      0,
		"forbid: [Bank conflicts], require: []":                        1,
		"require: [SharedBankConflicts]":                               0,
		"require: [UncoalescedGlobalAccess], forbid: [NothingOfThese]": 1,
	} {
		r := Judge(parse(t, "kernels: [{match: '.', findings: {"+text+"}}]"), nil, base.make(rand.New(rand.NewPCG(1, 1)), "new"))
		if r.Exit() != exit {
			t.Errorf("%s: exit %d, want %d%s", text, r.Exit(), exit, list(r))
		}
	}
}

func TestNotComparable(t *testing.T) {
	base := made{runs: 3, noise: 0.001, kernels: kernels(3, nil)}
	fact := func(what compare.Subject, value string) func(int, *compare.Run) {
		return func(_ int, r *compare.Run) { r.Facts = []compare.Fact{{What: what, Value: value}} }
	}
	other := base
	other.run = fact(compare.GPU, "GPU B")
	if r := judged(t, timeOfAll, base, other); r.Exit() != ExitBroken || r.Results[0].Status != NotComparable {
		t.Errorf("another GPU: exit %d%s", r.Exit(), list(r))
	}
	if r := judged(t, "comparable: {allow: [device]}\n"+timeOfAll, base, other); r.Exit() != exitPassed {
		t.Errorf("another GPU, allowed: exit %d%s", r.Exit(), list(r))
	}
	clocked := func(hz float64) func(int, string, *compare.Values) {
		return func(_ int, _ string, v *compare.Values) {
			t, _ := v.Each(duration)
			v.Set(duration, second, t[0]*1.4e9/hz)
			v.Set("gpc__cycles_elapsed.max", "cycle", t[0]*1.4)
			v.Set("gpc__cycles_elapsed.avg.per_second", "cycle_per_second", hz)
		}
	}
	slow, quick := base, base
	quick.set, slow.set = clocked(1.4e9), clocked(1.3e9)
	if r := judged(t, timeOfAll, quick, slow); r.Exit() != ExitBroken || find(r, "kernel00", NotComparable) == nil || !strings.Contains(list(r), "the clock differs by −7.1 %") {
		t.Errorf("another clock: exit %d%s", r.Exit(), list(r))
	}
	cycles := "kernels: [{match: '.', limits: [{metric: gpc__cycles_elapsed.max, max_increase: 2%}]}]"
	if r := judged(t, cycles, quick, slow); r.Exit() != exitPassed {
		t.Errorf("another clock, cycles: exit %d%s", r.Exit(), list(r))
	}
	work := base
	work.set = func(_ int, _ string, v *compare.Values) { v.Set("smsp__inst_executed.sum", "inst", 100) }
	double := base
	double.set = func(_ int, _ string, v *compare.Values) { v.Set("smsp__inst_executed.sum", "inst", 200) }
	if r := judged(t, timeOfAll, work, double); r.Exit() != ExitBroken || !strings.Contains(list(r), "another amount of work") {
		t.Errorf("other work: exit %d%s", r.Exit(), list(r))
	}
	// The same measurement on both sides decides nothing.
	runs := base.make(rand.New(rand.NewPCG(1, 1)), "x")
	if r := Judge(parse(t, timeOfAll), runs, runs); r.Exit() != ExitUndecided || !strings.Contains(list(r), "both sides hold the same measurement") {
		t.Errorf("the same files: exit %d%s", r.Exit(), list(r))
	}
}

// TestSequentialRunsAreSaidToBe drifts by time: runs taken side by side pass,
// those taken one side after the other bring the warning whatever the verdict.
func TestSequentialRunsAreSaidToBe(t *testing.T) {
	old := made{runs: 5, noise: 0.005, kernels: kernels(5, nil), every: 2 * time.Minute}
	after, between := old, old
	after.later, between.later = time.Hour, time.Minute
	for range 20 {
		if r := judged(t, timeOfAll, old, after); !strings.Contains(list(r), "all old runs were taken before all new ones") {
			t.Fatalf("no warning%s", list(r))
		}
		if r := judged(t, timeOfAll, old, between); strings.Contains(list(r), "were taken before") {
			t.Fatalf("a warning for nothing%s", list(r))
		}
	}
}

func TestLimitsInUnits(t *testing.T) {
	p := "kernels: [{match: '.', limits: [{metric: gpu__time_duration.sum, max_increase: 1ms}]}]"
	old := made{runs: 3, noise: 0.0005, kernels: map[string]float64{"a": 100e6, "b": 1e6}}
	new := made{runs: 3, noise: 0.0005, kernels: map[string]float64{"a": 102e6, "b": 1.5e6}}
	r := judged(t, p, old, new)
	if x := find(r, "a", Broken); x == nil || !strings.Contains(x.Text, "takes 2") || find(r, "b", Broken) != nil {
		t.Errorf("%s", list(r))
	}
}

func TestTimelines(t *testing.T) {
	run := func(i int, idle, exposed, step float64) *compare.Run {
		r := &compare.Run{Name: fmt.Sprint(i), Kind: compare.Timeline}
		d, s := &compare.Values{}, &compare.Values{}
		d.Set(compare.IdleShare, "%", idle)
		d.Set(compare.IdleTime, second, idle*1e6)
		d.Set(compare.ExposedTime, second, exposed)
		s.Set(compare.TotalTime, second, step*10)
		s.Set(compare.StepTime, second, step)
		r.Entities = []*compare.Entity{
			{Class: compare.Device, Name: "device", Full: "device", Base: "device", Launches: 1, Source: d},
			{Class: compare.Range, Name: "step N", Full: "step N", Base: "step N", Launches: 10, Source: s}}
		return r
	}
	var old, new []*compare.Run
	for i := range 3 {
		old = append(old, run(i, 10, 1e6+float64(i)*1000, 5e6+float64(i)*1000))
		new = append(new, run(i, 12, 4e6+float64(i)*1000, 5.5e6+float64(i)*1000))
	}
	r := Judge(parse(t, "timeline:\n - {range: 'step *', max_increase: 2%, of: per_step}\n - {device_idle: {max: 15%}}\n - {exposed_communication: {max_increase: 1ms}}"), old, new)
	if r.Exit() != ExitBroken || find(r, "step N", Broken) == nil || find(r, "device", Broken) == nil || find(r, "device", Passed) == nil {
		t.Errorf("%s", list(r))
	}
	if r := Judge(parse(t, "timeline: [{device_idle: {max: 11%}}]"), nil, new); r.Exit() != ExitBroken {
		t.Errorf("%s", list(r))
	}
	if r := Judge(parse(t, "timeline: [{range: nosuch, max_increase: 2%}]"), old, new); r.Exit() != ExitBroken || r.Results[0].Status != Missing {
		t.Errorf("%s", list(r))
	}
}

// hostile is a name with all that forms of output have to escape.
const hostile = "evil<a|b>`@team`<!-- --> ]]>&\"'::error %\r\n\x1b[31m\x00, file=x"

func everything(t *testing.T) *Report {
	old := made{runs: 3, noise: 0.002, kernels: kernels(200, map[string]float64{hostile: 5000, "gone": 1000}), every: time.Minute}
	new := made{runs: 3, noise: 0.002, kernels: kernels(200, map[string]float64{hostile: 9000, "kernel03": 500_000, "fresh": 10}), every: time.Minute, later: time.Hour}
	for i := range 30 {
		new.kernels[fmt.Sprintf("kernel%02d", 40+i)] *= 1.2
	}
	return judged(t, timeOfAll, old, new)
}

func TestJUnitKeepsItsSchema(t *testing.T) {
	r := everything(t)
	var b bytes.Buffer
	if err := r.JUnit(&b); err != nil {
		t.Fatal(err)
	}
	if path := os.Getenv("GPUPROF_JUNIT"); path != "" { // to be looked at by a validator of XML schemas
		os.WriteFile(path, b.Bytes(), 0o644)
	}
	// Elements with the children and attributes that Jenkins' schema for JUnit
	// allows; those with * are required.
	type element struct{ children, attributes string }
	schema := map[string]element{
		"":           {"testsuites", ""},
		"testsuites": {"testsuite", "name time tests failures errors"},
		"testsuite":  {"testsuite properties testcase system-out system-err", "*name *tests *failures *errors group time skipped timestamp hostname id package file log url"},
		"properties": {"property", ""},
		"property":   {"", "*name *value"},
		"testcase":   {"skipped error failure system-out system-err", "*name time classname group"},
		"failure":    {"#text", "type message"}, "error": {"#text", "type message"}, "skipped": {"#text", "type message"},
	}
	d := xml.NewDecoder(&b)
	stack := []string{""}
	cases := map[string]int{}
	for {
		tok, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		top := stack[len(stack)-1]
		switch x := tok.(type) {
		case xml.StartElement:
			name := x.Name.Local
			if !slices.Contains(strings.Fields(schema[top].children), name) {
				t.Fatalf("<%s> in <%s>", name, top)
			}
			attributes := strings.Fields(schema[name].attributes)
			have := map[string]string{}
			for _, a := range x.Attr {
				have[a.Name.Local] = a.Value
				if !slices.Contains(attributes, a.Name.Local) && !slices.Contains(attributes, "*"+a.Name.Local) {
					t.Errorf("<%s %s=>", name, a.Name.Local)
				}
			}
			for _, a := range attributes {
				if a, must := strings.CutPrefix(a, "*"); must && have[a] == "" {
					t.Errorf("<%s> lacks %s", name, a)
				}
			}
			if name == "testcase" {
				cases[have["classname"]+"\x00"+have["name"]]++
			}
			stack = append(stack, name)
		case xml.EndElement:
			stack = stack[:len(stack)-1]
		case xml.CharData:
			if s := strings.TrimSpace(string(x)); s != "" && schema[top].children != "#text" {
				t.Errorf("text %q in <%s>", s, top)
			}
		}
	}
	for c, n := range cases {
		if n > 1 {
			t.Errorf("%q stands there %d times", c, n)
		}
	}
	if len(cases) < 200 {
		t.Errorf("%d cases", len(cases))
	}
}

func TestSARIFKeepsItsSchema(t *testing.T) {
	r := everything(t)
	var b bytes.Buffer
	if err := r.SARIF(&b); err != nil {
		t.Fatal(err)
	}
	valid(t, "testdata/sarif-2.1.0-rtm.5.json", b.Bytes())
	var log struct {
		Runs []struct {
			Results []struct {
				Rule         string            `json:"ruleId"`
				Level        string            `json:"level"`
				Fingerprints map[string]string `json:"partialFingerprints"`
				Locations    []any             `json:"locations"`
			} `json:"results"`
		} `json:"runs"`
	}
	if err := json.Unmarshal(b.Bytes(), &log); err != nil {
		t.Fatal(err)
	}
	errors := 0
	for _, x := range log.Runs[0].Results {
		if len(x.Locations) != 1 || x.Fingerprints["gpuprof/v1"] == "" {
			t.Errorf("%+v", x)
		}
		if x.Level == "error" {
			errors++
		}
	}
	if errors < 30 {
		t.Errorf("%d errors", errors)
	}
	// The fingerprint of an alert stays when its numbers change.
	one := r.Results[0]
	two := one
	two.Text, two.Change = "other numbers", nil
	if fingerprint(&one) != fingerprint(&two) {
		t.Error("the fingerprint holds numbers")
	}
}

// valid holds a document against a JSON Schema.
func valid(t *testing.T, schema string, document []byte) {
	t.Helper()
	s, err := jsonschema.NewCompiler().Compile(schema)
	if err != nil {
		t.Fatal(err)
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(document))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Validate(v); err != nil {
		t.Errorf("%v", err)
	}
}

func TestComment(t *testing.T) {
	r := everything(t)
	var b bytes.Buffer
	if err := r.Comment(&b); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	if n := strings.Count(text, "\n"); n > 40 || len(text) > 65_536 {
		t.Errorf("%d lines, %d bytes\n%s", n, len(text), text)
	}
	lines := strings.Split(text, "\n")
	if lines[0] != marker || !strings.HasPrefix(lines[1], "### GPU performance: failed: ") {
		t.Errorf("it begins with %q", lines[:2])
	}
	if strings.Count(text, "<!--") != 1 || strings.ContainsAny(text, "\x00\x1b\r") || strings.Contains(text, "slower") {
		t.Errorf("%q", text)
	}
	for _, l := range lines {
		if strings.HasPrefix(l, "| ❌") && strings.Count(l, "|")-strings.Count(l, `\|`) != 7 {
			t.Errorf("a row of other cells: %s", l)
		}
	}
	for _, c := range r.Comparisons {
		b.Reset()
		if err := c.Markdown(&b); err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(b.String(), "\n"); n > 40 {
			t.Errorf("the comment of a comparison has %d lines\n%s", n, b.String())
		}
	}
}

func TestAnnotations(t *testing.T) {
	r := everything(t)
	var b bytes.Buffer
	if err := r.Annotations(&b); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	errors := 0
	for _, l := range lines {
		if !strings.HasPrefix(l, "::error ") && !strings.HasPrefix(l, "::warning ") {
			t.Errorf("no command: %q", l)
		}
		if strings.ContainsAny(l, "\x00\x1b\r") {
			t.Errorf("control characters: %q", l)
		}
		if strings.HasPrefix(l, "::error ") {
			errors++
		}
	}
	if errors != 10 || !strings.Contains(lines[len(lines)-1], "more") {
		t.Errorf("%d errors, the last line is %q", errors, lines[len(lines)-1])
	}
}
