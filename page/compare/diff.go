package compare

import (
	"context"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/compare"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/view"
)

// runOptions say how files become runs.
var runOptions = []page.Option{
	{Name: "rename", Kind: page.List, NoComma: true, Arg: "OLD_RE=NEW", Help: "rename kernels before matching, on both sides; repeat for more"},
	{Name: "fold-digits", Kind: page.Flag, Help: "take kernels for the same whose names differ in the number at their end"},
	{Name: "assume-independent", Kind: page.Flag, Help: "take the samples within a file of benchmark results for runs of their own, which they rarely are"},
	{Name: "skip-steps", Kind: page.Count, Default: "0", Arg: "N", Help: "of timelines: leave out what begins before step N, counted from 0"},
}

// timelineOptions choose what of a timeline is compared. Numbers in texts of NVTX are
// folded anyhow.
var timelineOptions = slices.DeleteFunc(slices.Concat(page.TimeOptions, page.TraceOptions), func(o page.Option) bool { return o.Name == "fold" })

// Diff is the page that compares two sides.
var Diff = &page.Page{
	Name:  "diff",
	Short: "Compare measurements of an old and a new version",
	Long: `Files before -- are the old version, files behind it the new; two files need no
--. Any two inputs of one kind compare: reports of kernel launches, timelines,
results of benchmark programs. A file is a run; several runs a side tell what is
noise: four a side decide. The first line is the verdict, then come what makes
the sides unlike but the code, the kernels, and for those that changed what goes
with it. A time has a better side; throughput, occupancy and hit rates have none.
docs/compare.md tells how it is done and how to take runs.`,
	Example: "gpuprof diff before.ncu-rep after.ncu-rep\n" +
		"gpuprof diff base/*.ncu-rep -- head/*.ncu-rep -k regex:Find\n" +
		"gpuprof diff old.sqlite new.sqlite --format md\n" +
		"gpuprof diff base.*.json -- head.*.json",
	Group: page.GroupRead, Args: "OLD... -- NEW...", MinArgs: 2, MaxArgs: -1, Sides: true,
	Options: slices.Concat([]page.Option{
		page.MetricsOption,
		{Name: "threshold", Remote: true, Kind: page.Text, Default: "2%", Arg: "PERCENT", Help: "least change that matters"},
		{Name: "stat", Kind: page.Choice, Values: []string{"wy", "mwu"}, Default: "wy", Help: "p of the test over whole runs and all kernels (Westfall-Young), or of ranks kernel by kernel (Mann-Whitney)"},
		{Name: "loose", Remote: true, Kind: page.Choice, Values: []string{"yes", "no"}, Default: "yes", Help: "match kernels whose template arguments or parameters differ, marked ~"},
		{Name: "pair", Remote: true, Kind: page.Text, Arg: "OLD:NEW", Help: "one launch of the old report beside one of the new, whatever they are called: their numbers, counted from 0"},
		{Name: "by", Remote: true, Kind: page.Choice, Values: []string{"kernel", "launch"}, Default: "kernel", Help: "a row for all launches of a kernel with one grid and block, or for each launch"},
		{Name: "html", Kind: page.Flag, Help: "write a page for the browser; with -o to a file"},
		{Name: "exit-code", Kind: page.Flag, Help: "exit with 1 if anything differs"},
	}, runOptions, page.KernelOptions, timelineOptions),
	Build: buildDiff,
	Stream: func(ctx context.Context, q *page.Request, w io.Writer) error {
		d, err := buildDiff(ctx, q)
		if err != nil {
			return err
		}
		if err := view.WriteHTML(w, d, q.ViewOptions()); err != nil || !d.Failed {
			return err
		}
		return page.ErrFinding
	},
	Streams: func(q *page.Request) bool { return q.Flag("html") },
}

func buildDiff(ctx context.Context, q *page.Request) (*view.Document, error) {
	c, at, err := compared(ctx, q)
	if err != nil {
		return nil, err
	}
	return document(q, c, at)
}

// compared opens the sides of a request and compares them.
func compared(ctx context.Context, q *page.Request) (*compare.Comparison, *places, error) {
	old, new, err := split(q)
	if err != nil {
		return nil, nil, err
	}
	threshold, err := parsePercent(q.Text("threshold"))
	if err != nil {
		return nil, nil, page.Usagef("--threshold: %v", err)
	}
	r, err := newReader(q)
	if err != nil {
		return nil, nil, err
	}
	r.selects = true
	pair := q.Text("pair")
	var a, b []*compare.Run
	if pair != "" {
		a, b, err = r.pair(old, new, pair)
	} else {
		a, b, err = r.sides(ctx, old, new)
	}
	if err != nil {
		return nil, nil, err
	}
	rules := compare.Rules
	rules.Threshold = threshold
	return compare.Compare(a, b, compare.Options{Rules: rules, Strict: q.Text("loose") == "no", Pair: pair != ""}), &r.places, nil
}

// split divides the files of a request into sides.
func split(q *page.Request) (old, new []*load.File, err error) {
	at := q.Before
	switch {
	case at == 0 && len(q.Files) == 2:
		at = 1
	case at == 0:
		return nil, nil, page.Usagef("diff: expected two files or OLD... -- NEW..., found %d without --", len(q.Files))
	case at >= len(q.Files):
		return nil, nil, page.Usagef("diff: expected files behind --, found none")
	}
	return q.Files[:at], q.Files[at:], nil
}

// parsePercent reads "2%", "2 %" or "2" as 0.02.
func parsePercent(s string) (float64, error) {
	v, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(s), "%")), 64)
	if err != nil || !(v >= 0) || math.IsInf(v, 0) {
		return 0, page.Usagef("expected a percentage such as 2%%, found %q", s)
	}
	return v / 100, nil
}
