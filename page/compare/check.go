package compare

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/compare"
	"github.com/gpuprof/gpuprof/compare/gate"
	"github.com/gpuprof/gpuprof/compare/policy"
	"github.com/gpuprof/gpuprof/internal/spelling"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/view"
)

// Check is the page that judges by a policy.
var Check = &page.Page{
	Name:  "check",
	Short: "Judge measurements of a new version by a policy, for build servers",
	Long: `The policy says which kernels, ranges and benchmarks may take how much. Limits that
are relative to the baseline are tested over whole runs, all together, so that
noise alone fails a gate in at most 5 of 100 cases; three runs a side are the
least that decide. Exit status: 0 all passed, 1 a limit is broken, something is
missing or not comparable, 2 a mistake in the command line or the policy, 3 a
file cannot be read, 4 undecided, for there are too few runs.
'check init' writes a policy, 'check plan' tells how to take runs, 'check save'
keeps what later checks compare with. docs/compare.md tells all of it.`,
	Example: "gpuprof check --policy perf.yaml head.*.ncu-rep --baseline base.*.ncu-rep\n" +
		"gpuprof check --policy perf.yaml head.*.ncu-rep --out junit=junit.xml --out sarif=gpuprof.sarif --out markdown=comment.md --out github",
	Group: page.GroupRead, Args: "NEW...", MinArgs: 1, MaxArgs: -1,
	Options: slices.Concat([]page.Option{
		{Name: "policy", Kind: page.Text, Arg: "FILE", Help: "the policy, in YAML"},
		{Name: "baseline", Kind: page.List, NoComma: true, Arg: "OLD...", Greedy: true, Help: "files of the old version, or patterns of their names; else those that the policy names"},
		{Name: "out", Kind: page.List, NoComma: true, Arg: "KIND=FILE", Help: "also write the results as junit, sarif, markdown, json or text to a file, or github: annotations on the console; repeat for more"},
	}, runOptions, timelineOptions),
	Build: buildCheck,
}

func buildCheck(ctx context.Context, q *page.Request) (*view.Document, error) {
	r, err := judged(ctx, q)
	if err != nil {
		return nil, err
	}
	d := checkDocument(r)
	return d, writeOuts(ctx, q, r, d)
}

// judged reads the policy, opens the baseline and judges.
func judged(ctx context.Context, q *page.Request) (*gate.Report, error) {
	p, err := readPolicy(q.Text("policy"))
	if err != nil {
		return nil, err
	}
	if _, err := outsOf(q); err != nil {
		return nil, err
	}
	r, err := newReader(q)
	if err != nil {
		return nil, err
	}
	r.selects = true
	r.obey(p)
	names, err := baselineOf(q, p)
	if err != nil {
		return nil, err
	}
	old, err := r.open(ctx, names)
	if err != nil {
		return nil, err
	}
	var new []*compare.Run
	for i, f := range q.Files {
		runs, err := r.run(ctx, f, "")
		if err != nil {
			return nil, err
		}
		new = append(new, runs...)
		q.Progress(i+1, len(q.Files))
	}
	if err := r.reaches(old, new); err != nil {
		return nil, err
	}
	return gate.Judge(p, old, new), nil
}

// obey takes what a policy says of how runs are read.
func (r *reader) obey(p *policy.Policy) {
	r.names.Rename = append(r.names.Rename, p.Rename...)
	if !r.q.Given("skip-steps") {
		r.timeline.SkipSteps = p.Defaults.SkipSteps
	}
}

// baselineOf are the files of the baseline: those of the option, else those that the
// policy names.
func baselineOf(q *page.Request, p *policy.Policy) ([]string, error) {
	if patterns := q.List("baseline"); len(patterns) > 0 {
		return expand(patterns, "")
	}
	return expand(p.Baseline, filepath.Dir(p.File))
}

func readPolicy(name string) (*policy.Policy, error) {
	if name == "" {
		return nil, page.Usagef("check: expected --policy FILE; 'gpuprof check init' writes one")
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, page.Usagef("check: %v", err)
	}
	p, err := policy.Parse(name, text)
	if err != nil {
		return nil, page.Usagef("%v", err)
	}
	return p, nil
}

// expand finds the files of patterns: from where the command runs, else from the
// folder of the policy.
func expand(patterns []string, folder string) ([]string, error) {
	var out []string
	for _, p := range patterns {
		tries := []string{p}
		if folder != "" && !filepath.IsAbs(p) {
			tries = append(tries, filepath.Join(folder, p))
		}
		var found []string
		for _, t := range tries {
			if _, err := os.Stat(t); err == nil {
				found = []string{t}
			} else if m, err := filepath.Glob(t); err == nil {
				found = m
			}
			if len(found) > 0 {
				break
			}
		}
		if len(found) == 0 {
			return nil, fmt.Errorf("%s: expected files of the baseline, found none: %w", p, os.ErrNotExist)
		}
		out = append(out, found...)
	}
	return out, nil
}

// An out is a form of the results and the file that it goes to.
type out struct{ kind, file string }

var outKinds = []string{"text", "json", "markdown", "junit", "sarif", "github"}

func outsOf(q *page.Request) ([]out, error) {
	var outs []out
	for _, s := range q.List("out") {
		kind, file, ok := strings.Cut(s, "=")
		if kind == "md" {
			kind = "markdown"
		}
		switch {
		case !slices.Contains(outKinds, kind):
			return nil, page.Usagef("--out: %q is none of %s%s", kind, strings.Join(outKinds, ", "), spelling.Nearest(kind, outKinds))
		case (!ok || file == "") && kind != "github":
			return nil, page.Usagef("--out: expected %s=FILE, found %q", kind, s)
		}
		outs = append(outs, out{kind, file})
	}
	return outs, nil
}

// writeOuts writes the further outputs.
func writeOuts(ctx context.Context, q *page.Request, r *gate.Report, d *view.Document) error {
	outs, err := outsOf(q)
	if err != nil {
		return err
	}
	document := func(f view.Format) func(io.Writer) error {
		return func(w io.Writer) error { return view.Render(w, d, f, view.Options{}) }
	}
	kinds := map[string]func(io.Writer) error{
		"text": document(view.FormatText), "json": document(view.FormatJSON), "markdown": r.Comment,
		"junit": r.JUnit, "sarif": r.SARIF, "github": r.Annotations,
	}
	for _, o := range outs {
		if err := q.Write(ctx, o.file, kinds[o.kind]); err != nil {
			return page.Unwritten(fmt.Errorf("--out %s: %w", o.kind, err))
		}
	}
	return nil
}

// resultRole is the role of the names of what was judged.
func resultRole(r *gate.Report) view.Role {
	of := map[string]view.Role{"kernels": view.RoleKernel, "benchmarks": view.RoleBenchmark}
	role := view.RoleOperation
	for i := range r.Results {
		x := of[r.Results[i].Section]
		if x == "" || i > 0 && x != role {
			return view.RoleOperation
		}
		role = x
	}
	return role
}

// checkDocument is the report of a gate for people and programs.
func checkDocument(r *gate.Report) *view.Document {
	d := &view.Document{Title: "check", Comment: r.Comment}
	s := view.Section{ID: "verdict", Title: "Check"}
	kind := view.OK
	switch r.Exit() {
	case gate.ExitBroken:
		kind, d.Failed = view.Error, true
	case gate.ExitUndecided:
		kind, d.Undecided = view.Warning, true
	}
	s.AddMessage(&view.Message{Type: kind, Source: "verdict", Text: r.First()})
	s.Properties = []view.Property{
		{Name: "exit", Value: view.Int(int64(r.Exit()), "")},
		{Name: "old_runs", Value: view.Uint(uint64(r.Old), "")}, {Name: "new_runs", Value: view.Uint(uint64(r.New), "")},
		{Name: "alpha", Value: view.Float(r.Policy.Defaults.Alpha, "")}, {Name: "policy", Value: view.String(r.Policy.File)},
	}
	t := &view.Table{ID: "results", Layout: &view.Layout{Ragged: true}, Columns: []view.Column{
		{Name: "status", Label: "Result", Type: view.Text},
		{Name: "name", Label: "Kernel", Type: view.Text, Role: resultRole(r), MaxWidth: 44, Break: true},
		{Name: "launch", Label: "Grid × Block", Type: view.Text, Role: view.RoleGrid, For: view.EveryoneIf(slices.ContainsFunc(r.Results, func(x gate.Result) bool { return x.Launch != "" }))},
		{Name: "limit", Label: "Limit", Type: view.Text},
		{Name: "text", Label: "What", Type: view.Text},
		{Name: "section", Type: view.Text, For: view.Programs}, {Name: "rule", Type: view.Text, For: view.Programs}, {Name: "metric", Type: view.Text, Role: view.RoleMetric, For: view.Programs},
		{Name: "old", Type: view.Number, Role: view.RoleValue, For: view.Programs}, {Name: "new", Type: view.Number, Role: view.RoleValue, For: view.Programs}, {Name: "unit", Type: view.Unit, For: view.Programs},
		{Name: "ratio", Type: view.Number, For: view.Programs}, {Name: "ratio_low", Type: view.Number, For: view.Programs}, {Name: "ratio_high", Type: view.Number, For: view.Programs},
		{Name: "p", Type: view.Number, For: view.Programs}, {Name: "policy_line", Type: view.Number, For: view.Programs},
	}}
	for i := range r.Results {
		x := &r.Results[i]
		limit := strings.TrimSpace(x.Metric + " " + x.Limit)
		row := []view.Value{view.String(x.Status.String()), view.String(x.Name), view.String(x.Launch), view.String(limit), view.String(x.Text),
			view.String(x.Section), view.String(string(x.Rule)), view.String(x.Metric)}
		if c := x.Change; c != nil {
			old, new := c.Medians()
			low, high := view.Null, view.Null
			if c.Ratio.Interval.OK {
				low, high = view.Float(c.Ratio.Low, ""), view.Float(c.Ratio.High, "")
			}
			row = append(row, number(old, c.Unit), number(new, c.Unit), view.UnitOf(c.Unit), ratioOf(c.Ratio), low, high, number(c.P, ""))
		} else {
			row = append(row, view.Null, view.Null, view.Null, view.Null, view.Null, view.Null, view.Null)
		}
		t.Rows = append(t.Rows, append(row, view.Uint(uint64(x.Policy.Line), "")))
	}
	s.AddTable(t)
	d.Sections = append(d.Sections, s)
	return d
}
