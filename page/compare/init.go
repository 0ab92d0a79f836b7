package compare

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/compare"
	"github.com/gpuprof/gpuprof/compare/sample"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/view"
)

// Init is the page that writes a first policy.
var Init = &page.Page{
	Name:  "check init",
	Short: "Write a policy for the kernels of some runs",
	Long: `Every kernel that takes 1 % of the time or more gets a limit, with its measured
spread from run to run beside it; so do ranges that look like steps, and
benchmarks. Read it and set the limits that matter.`,
	Example: "gpuprof check init base.*.ncu-rep -o perf.yaml",
	Group:   page.GroupRead, Args: "FILE...", MinArgs: 1, MaxArgs: -1,
	Options: []page.Option{{Name: "least", Kind: page.Text, Default: "1%", Arg: "PERCENT", Help: "share of the time from which on a kernel gets a limit"}},
	Build: func(ctx context.Context, q *page.Request) (*view.Document, error) {
		lines, err := initialPolicy(ctx, q)
		return lineDocument("check init", "policy", lines), err
	},
	Stream: func(ctx context.Context, q *page.Request, w io.Writer) error {
		lines, err := initialPolicy(ctx, q)
		return writeLines(w, lines, err)
	},
	Streams: page.InText,
}

func writeLines(w io.Writer, lines []string, err error) error {
	if err == nil {
		_, err = io.WriteString(w, strings.Join(lines, "\n")+"\n")
	}
	return err
}

// lineDocument is a text of lines for other forms of output.
func lineDocument(title, id string, lines []string) *view.Document {
	t := &view.Table{ID: id, Layout: &view.Layout{Frame: view.FrameFull}, Columns: []view.Column{{Name: "line", Type: view.Text}}}
	for _, l := range lines {
		t.Rows = append(t.Rows, []view.Value{view.String(l)})
	}
	s := view.Section{ID: id}
	s.AddTable(t)
	return &view.Document{Title: title, Sections: []view.Section{s}}
}

func initialPolicy(ctx context.Context, q *page.Request) ([]string, error) {
	least, err := parsePercent(q.Text("least"))
	if err != nil {
		return nil, page.Usagef("--least: %v", err)
	}
	r, err := newReader(q)
	if err != nil {
		return nil, err
	}
	byKind := map[compare.Kind][]*compare.Run{}
	for _, f := range q.Files {
		runs, err := r.run(ctx, f, "")
		if err != nil {
			return nil, err
		}
		for _, x := range runs {
			byKind[x.Kind] = append(byKind[x.Kind], x)
		}
	}
	lines := []string{
		"# yaml-language-server: $schema=https://raw.githubusercontent.com/gpuprof/gpuprof/main/compare/policy/schema.json",
		"version: 1",
		"defaults:",
		"  alpha: 0.05          # chance that noise alone fails the whole gate",
		"  max_increase: 2%     # what matters",
		"  runs: {least: 3}     # fewer a side: undecided, exit 4",
		"# baseline: perf/base/*.ncu-rep",
	}
	for _, k := range []struct {
		kind    compare.Kind
		class   compare.Class
		section string
	}{{compare.Launches, compare.Kernel, "kernels"}, {compare.Timeline, compare.Range, "timeline"}, {compare.Benchmarks, compare.Benchmark, "benchmarks"}} {
		if runs := byKind[k.kind]; len(runs) > 0 {
			lines = append(lines, k.section+":")
			lines = append(lines, rulesFor(k.section, k.class, runs, least)...)
		}
	}
	return lines, nil
}

// rulesFor are rules for the entities of a class that take at least a share of
// the time, the largest first.
func rulesFor(section string, class compare.Class, runs []*compare.Run, least float64) []string {
	c := compare.Compare(runs, runs, compare.Options{})
	type item struct {
		row  *compare.Row
		time float64
	}
	var items []item
	total := 0.0
	for _, r := range c.Rows {
		if r.Class != class {
			continue
		}
		_, v := r.Time.Medians()
		_, n := r.Calls()
		if class == compare.Kernel {
			v *= n
		}
		if v > 0 {
			items = append(items, item{row: r, time: v})
			total += v
		}
	}
	slices.SortStableFunc(items, func(a, b item) int { return cmp.Compare(b.time, a.time) })
	var lines []string
	seen := map[string]bool{}
	for _, x := range items {
		e := x.row.NewEntity()
		key := e.Base
		if class != compare.Kernel {
			key = e.Full
		}
		if x.time < least*total && class == compare.Kernel || seen[key] {
			continue
		}
		seen[key] = true
		comment := fmt.Sprintf("  # %.1f %% of the time%s", 100*x.time/total, spread(x.row.Time.New))
		switch section {
		case "kernels":
			lines = append(lines, "  - glob: "+quoted("*"+escapeGlob(key)+"*")+comment, "    limits:",
				"      - {metric: "+x.row.Time.Metric+", max_increase: 2%}")
			if v, _, ok := e.Value("launch__registers_per_thread"); ok {
				lines = append(lines, fmt.Sprintf("      - {metric: launch__registers_per_thread, max: %g}", v))
			}
		case "timeline":
			lines = append(lines, "  - {range: "+quoted(e.Full)+", max_increase: 2%}"+comment)
		case "benchmarks":
			lines = append(lines, "  - {glob: "+quoted(escapeGlob(key))+", max_increase: 2%}"+comment)
		}
		if len(lines) > 400 {
			break
		}
	}
	return lines
}

// spread is how much the runs scatter, for a comment.
func spread(v []float64) string {
	if len(v) < 2 {
		return "; one run: the spread is not known"
	}
	m := sample.Median(v)
	worst := 0.0
	for _, x := range v {
		worst = max(worst, math.Abs(x/m-1))
	}
	return fmt.Sprintf("; runs scatter by %.2f %%", 100*worst)
}

// escapeGlob leaves * and ? of a name, which match themselves, too.
func escapeGlob(s string) string { return s }

// quoted is a text as YAML's single quotes have it.
func quoted(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return '?'
		}
		return r
	}, s)
	return "'" + strings.ReplaceAll(s, "'", "''") + "'"
}
