package launch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/rule"
	"github.com/gpuprof/gpuprof/view"
)

// Advice is the page advice.
var Advice = &page.Page{
	Name:  "advice",
	Short: "Show what rules advise, the largest estimated speedup first",
	Long: `Applies rules to the launches and lists what they and the rules of the report say.
Estimates for the whole launch come before those for a part of it. Text and Markdown
show what a rule says of several launches of a kernel once, with the largest estimate:
"7 +20" is launch 7 and 20 others; CSV and JSON have a row for each. Text, Markdown and
CSV leave out messages that only say that all is well; JSON and --sarif, which is for
code hosts, have them too. --export writes a report that holds all of it. --sort saved
puts first what would save most time: an estimate for the whole launch times its
duration, all launches of a kernel together, with the metrics that it rests on.`,
	Example: "gpuprof advice report.ncu-rep\n" +
		"gpuprof advice --format md -k sgemm report.ncu-rep\n" +
		"gpuprof advice --sarif advice.sarif --export with-advice.ncu-rep report.ncu-rep",
	Group: page.GroupRead, Args: "FILE...", MinArgs: 1, MaxArgs: -1,
	Needs: load.Launches, First: map[string][]string{"apply-rules": {"no"}},
	Options: slices.Concat([]page.Option{
		{Name: "apply-rules", Remote: true, Kind: page.Choice, Values: []string{"yes", "no"}, Default: "yes", Help: "no: show only what the report holds"},
		{Name: "sort", Remote: true, Kind: page.Choice, Values: []string{"speedup", "saved"}, Default: "speedup", Help: "the largest estimated speedup first, or the most time saved"},
		{Name: "sarif", Kind: page.Text, Arg: "FILE", Help: "write the advice to FILE in the Static Analysis Results Interchange Format"},
		{Name: "export", Kind: page.Text, Arg: "FILE", Help: "write the report with the advice in it to FILE"},
	}, page.RuleOptions, page.FolderOptions, page.KernelOptions),
	Build: func(ctx context.Context, q *page.Request) (*view.Document, error) {
		return buildAdvice(ctx, q, !q.Whole())
	},
	CSV: func(ctx context.Context, q *page.Request) (*view.Document, error) { return buildAdvice(ctx, q, false) },
}

// buildAdvice applies rules, and gathers what they say of several launches where people
// read it; csv has a row for each.
func buildAdvice(ctx context.Context, q *page.Request, gathered bool) (*view.Document, error) {
	launches, err := ruledLaunches(ctx, q)
	if err != nil {
		return nil, err
	}
	var found []rule.Finding
	var at []advicePlace // of found
	numbers := launchNumbers(q)
	for _, l := range launches {
		duration := summaryValues(q, l)[columnDuration].Float64()
		rs, err := l.RuleResults()
		q.Damage(err)
		for _, r := range rs {
			found = append(found, rule.Finding{Report: l.File.Name, Kernel: l.FullName(), Launch: l.ID, Result: r})
			at = append(at, advicePlace{l, numbers[l.Action], duration})
		}
	}
	if name := q.Text("sarif"); name != "" {
		if err := q.Write(ctx, name, func(w io.Writer) error { return rule.WriteSARIF(w, "", found) }); err != nil {
			return nil, err
		}
	}
	if name := q.Text("export"); name != "" {
		if err := exportAdvice(ctx, q, name); err != nil {
			return nil, err
		}
	}
	return adviceDocument(q, found, at, len(launches), gathered), nil
}

// An advicePlace is the launch that a finding is about.
type advicePlace struct {
	page.Launch
	number   [2]int  // of the file among the operands, and of the launch in it
	duration float64 // in ns; 0: not measured
}

// saves is the time that following a message would save, in ns: where it is about
// the whole launch; NaN where nothing tells.
func (p *advicePlace) saves(m *profile.RuleMessage) float64 {
	if m.Speedup == nil || m.Speedup.Type != profile.SpeedupGlobal || p.duration == 0 {
		return math.NaN()
	}
	return p.duration * m.Speedup.Percent / 100
}

// mostEvidence is how many metrics of a message are named.
const mostEvidence = 3

// evidence names the metrics that a message rests on.
func (p *advicePlace) evidence(q *page.Request, m *profile.RuleMessage) string {
	var parts []string
	for _, f := range m.Focus[:min(len(m.Focus), mostEvidence)] {
		parts = append(parts, f.Name+" "+view.Words(view.Float(f.Value, page.UnitOf(q, p.Launch, f.Name))))
	}
	return strings.Join(parts, "; ")
}

// exportAdvice writes the report with what rules added to its launches.
func exportAdvice(ctx context.Context, q *page.Request, name string) error {
	if len(q.Files) != 1 {
		return page.Usagef("--export: %d reports, expected one", len(q.Files))
	}
	report, err := q.Files[0].Report.Export(q.Files[0].Report.Actions(), q.Overlay)
	if errors.Is(err, load.ErrNotWritable) {
		return page.Usagef("--export: %s is a %s; expected a report of Nsight Compute", q.Files[0].Name, q.Files[0].Format)
	}
	if err != nil {
		return err
	}
	return q.Write(ctx, name, func(w io.Writer) error {
		_, err := report.WriteTo(w)
		return err
	})
}

// adviceDocument lists messages, the largest estimated speedup first: those that
// advise something, or all.
func adviceDocument(q *page.Request, found []rule.Finding, at []advicePlace, launches int, gathered bool) *view.Document {
	all, saved := q.Whole(), q.Text("sort") == "saved"
	told := view.EveryoneIf(saved)
	t := &view.Table{ID: "advice", Layout: &view.Layout{Frame: view.FrameOpen, Times: true}, Columns: []view.Column{
		{Name: "speedup", Label: "Speedup", Unit: "%", Role: view.RoleSpeedup}, {Name: "scope", Label: "Scope", Type: view.Text, Role: view.RoleScope},
		{Name: "launch", Label: "Launch", Type: view.Number, Role: view.RoleID}, {Name: "kernel", Label: "Kernel", Type: view.Text, Role: view.RoleKernel, MaxWidth: 22, Break: true},
		{Name: "rule", Label: "Rule", Type: view.Text, Role: view.RoleRule, MaxWidth: 25, Break: true},
		{Name: "advice", Label: "Advice", Type: view.Text, Role: view.RoleFinding, MaxWidth: 49},
		{Name: "type", Type: view.Text, For: view.Programs}, {Name: "report", Type: view.Text, Role: view.RoleReport, For: view.Programs},
		{Name: "saves", Label: "Saves", Unit: "ns", Type: view.Number, For: told}, {Name: "evidence", Label: "Evidence", Type: view.Text, MaxWidth: 40, For: told}}}
	t.Columns = append(t.Columns, launchPlace[1:]...)
	var lines []adviceLine
	for i := range found {
		for k := range found[i].Result.Messages {
			if m := &found[i].Result.Messages[k]; all || m.Type != profile.MessageNone && m.Type != profile.MessageOK || m.Speedup != nil {
				lines = append(lines, adviceLine{f: &found[i], m: m, at: &at[i], saves: at[i].saves(m)})
			}
		}
	}
	slices.SortStableFunc(lines, func(a, b adviceLine) int {
		ga, pa := weight(a.m)
		gb, pb := weight(b.m)
		return cmp.Or(cmp.Compare(gb, ga), cmp.Compare(pb, pa))
	})
	if gathered {
		lines = gather(lines)
	}
	if saved {
		slices.SortStableFunc(lines, func(a, b adviceLine) int { return cmp.Compare(b.saves, a.saves) }) // NaN comes last
	}
	for _, l := range lines {
		speedup, scope := view.Null, ""
		if s := l.m.Speedup; s != nil {
			speedup, scope = view.Float(s.Percent, "%"), view.Speedup{Global: s.Type == profile.SpeedupGlobal}.Scope()
		}
		t.Rows = append(t.Rows, []view.Value{speedup, view.String(scope), l.launch(), view.String(l.f.Kernel),
			view.String(l.f.Result.Identifier), view.String(rule.PlainText(l.m.Text)), view.String(fmt.Sprint(rule.MessageTypes[l.m.Type])), view.String(l.f.Report),
			saves(l.saves), view.String(l.at.evidence(q, l.m)), view.Int(int64(l.at.number[0]), ""), view.Int(int64(l.at.number[1]), "")})
	}
	s := view.Section{ID: "advice", Title: "Advice"}
	if gathered && len(t.Rows) == 0 {
		what := "the launch"
		if launches != 1 {
			what = fmt.Sprintf("the %d launches", launches)
		}
		s.AddMessage(&view.Message{Type: view.None, Text: "Nothing to advise on " + what + "."})
	} else {
		s.AddTable(t)
	}
	return &view.Document{Title: "advice", Sections: []view.Section{s}}
}

func saves(ns float64) view.Value {
	if math.IsNaN(ns) {
		return view.Null
	}
	return view.Float(ns, "ns")
}

// An adviceLine is a message of a rule about a launch, or about several.
type adviceLine struct {
	f      *rule.Finding
	m      *profile.RuleMessage
	at     *advicePlace
	saves  float64 // in ns, with that of others; NaN: nothing tells
	others int     // launches of the kernel of which the rule says the same
}

func (l *adviceLine) launch() view.Value {
	if l.others == 0 {
		return view.Uint(uint64(l.f.Launch), "")
	}
	return view.String(fmt.Sprintf("%d +%d", l.f.Launch, l.others))
}

// gather leaves the first of the lines in which a rule says the same of a kernel:
// under one title, the numbers in the text aside.
func gather(lines []adviceLine) []adviceLine {
	type key struct {
		report, kernel, rule, title string
		kind                        profile.MessageType
	}
	type group struct {
		first    int // in out
		launches map[int]bool
	}
	groups := map[key]*group{}
	var out []adviceLine
	for _, l := range lines {
		k := key{l.f.Report, l.f.Kernel, l.f.Result.Identifier, l.m.Name, l.m.Type}
		if l.m.Name == "" {
			k.title = l.m.Text
		}
		g := groups[k]
		switch {
		case g == nil:
			groups[k] = &group{len(out), map[int]bool{l.f.Launch: true}}
			out = append(out, l)
		case out[g.first].f.Launch == l.f.Launch: // a rule that says more than one thing under a title
			out = append(out, l)
		case !g.launches[l.f.Launch]:
			g.launches[l.f.Launch] = true
			out[g.first].others++
			out[g.first].saves += l.saves
		}
	}
	return out
}

// weight orders messages: by what their estimate is about, then by its size.
func weight(m *profile.RuleMessage) (scope int, percent float64) {
	switch {
	case m.Speedup == nil:
		return 0, 0
	case m.Speedup.Type == profile.SpeedupGlobal:
		return 2, m.Speedup.Percent
	}
	return 1, m.Speedup.Percent
}
