package timeline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/stats"
	"github.com/gpuprof/gpuprof/stats/rcp"
	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/view"
)

// Stats is the page stats.
var Stats = &page.Page{
	Name:  "stats",
	Short: "Summaries and traces of a timeline",
	Long: `The reports of nsys stats, with their names, columns, order and rounding, for every
export since 2021. Without --report the summaries that the file has data for; for an
.atp file of AMD's profilers their own summary pages, but the lists of every kernel
and transfer.

` + reportHelp(false) + "\n\nPages of AMD's profilers, for .atp files:\n  " + strings.Join(rcp.Names(), "\n  "),
	Example: "gpuprof stats report.sqlite\ngpuprof stats -r cuda_gpu_kern_sum:base,nvtx_gpu_proj_sum --format csv report.sqlite\n" +
		"gpuprof stats -r 'cuda_*_sum' -f csv,table -o .,- report.nsys-rep   # the first into a file\n" +
		"gpuprof stats -r CLAPISummary --format csv session.atp",
	Group: page.GroupRead, Args: "FILE...", MinArgs: 1, MaxArgs: -1,
	Needs: load.Timeline,
	Options: append([]page.Option{
		{Name: "report", Remote: true, Short: "r", Kind: page.List, Arg: "REPORT[:ARG]", Help: "this report, or all whose names match a pattern with * and ?; may be given more than once"},
	}, slices.Concat(page.TimeOptions, page.TraceOptions, statsUnits, amdStatsOptions, partsOptions)...),
	Parts: statsParts,
}

// Analyze is the page analyze.
var Analyze = &page.Page{
	Name:  "analyze",
	Title: "Analysis",
	Short: "Expert checks of a timeline",
	Long: `The rules of nsys analyze, and rules of gpuprof's own. Without --rule all of them. A
rule that the file has no data for says what is missing rather than that all is
well.

` + reportHelp(true),
	Example: "gpuprof analyze report.sqlite\ngpuprof analyze -r gpu_gaps:gap=100:rows=10 report.sqlite",
	Group:   page.GroupRead, Args: "FILE...", MinArgs: 1, MaxArgs: -1,
	Needs: load.Timeline,
	Options: append([]page.Option{
		{Name: "rule", Remote: true, Short: "r", Kind: page.List, Arg: "RULE[:ARG]", Help: "this rule, or all whose names match a pattern with * and ?; may be given more than once"},
	}, slices.Concat(page.TimeOptions, page.TraceOptions, statsUnits, partsOptions)...),
	Parts: ruleParts,
}

// partsOptions are taken as nsys takes them, and change nothing here: no
// database is made on the way, and files are replaced.
var partsOptions = []page.Option{
	{Name: "quiet", Short: "q", Kind: page.Flag, Help: "no notes, only errors"},
	{Name: "force-export", Kind: page.Choice, Values: []string{"true", "false"}, Arg: "true|false", Help: "taken for the sake of old command lines: nothing is exported on the way"},
}

// checkTimeline refuses a file without a timeline.
func checkTimeline(f *load.File) error {
	if f.Trace == nil {
		return fmt.Errorf("%s: this page is about a timeline; %s has none", f.Name, f.Kind())
	}
	return nil
}

// keptBetween is how many bytes of a trace stay in memory from one report to the
// next. Reports share columns, but all that they read together may be large.
const keptBetween = 192 << 20

// mostText is how many rows of a report text has: to set millions of rows in columns
// takes longer than anyone would look at them.
const mostText = 100_000

// build makes a report of a file.
func (w *wantedReport) build(ctx context.Context, q *page.Request, f *load.File, in *input) (*page.Piece, error) {
	units, err := statsScales(q)
	if err != nil {
		return nil, err
	}
	filter, err := spanFilter(ctx, in.trace, w.args, in.filter)
	if err != nil {
		return nil, err
	}
	r := w.report
	p := &page.Piece{Section: view.Section{ID: w.spec, Title: r.Heading(in.trace)}}
	t, err := r.Build(ctx, &stats.Request{Trace: in.trace, Args: w.args, Filter: filter, Shared: &in.shared, Note: func(text string) { q.Notef("%s: %s", f.Name, text) }})
	var skip *stats.Skip
	switch {
	case errors.As(err, &skip):
		if !w.say {
			return nil, nil
		}
		p.Lacking = skip.Reason
		p.Section.AddMessage(&view.Message{Type: view.OK, Source: r.Name, Text: stats.InWords(in.trace, "Not reported: "+skip.Reason+".")})
		return p, nil
	case err != nil:
		return nil, err
	}
	t.ID, t.Layout = r.Name, &view.Layout{Unquoted: true}
	rescale(t, units)
	if w.args["rows"] == "" {
		t.Layout.Most, t.Layout.Others = mostText, "-f csv has all, and "+r.Name+":rows=N so many as you like"
	}
	in.tell(t)
	if ns := cost(t, r.Cost); ns > 0 {
		p.Section.Properties = append(p.Section.Properties, view.Property{Name: "cost", Value: view.Float(ns, "ns")})
	}
	p.Table = t
	p.Section.AddTable(t)
	if r.Rule || len(t.Rows) == 0 && t.More == nil {
		verdict(p, r, in.trace)
	}
	dropped := in.trace.Shrink(keptBetween)
	if in.trace != f.Trace {
		dropped += f.Trace.Shrink(keptBetween)
	}
	if dropped > 0 {
		runtime.GC() // there are few pointers: what was dropped is free at once, and fresh memory costs more than this
	}
	return p, nil
}

// verdict says in words what a rule found, and of a report that it found nothing.
func verdict(p *page.Piece, r *stats.Report, tr *trace.Trace) {
	s := &p.Section
	switch {
	case len(p.Table.Rows) == 0 && p.Table.More == nil:
		empty := &s.Items[len(s.Items)-1] // there is nothing to see in it
		if empty.For = view.Data; r.Rule {
			empty.For = view.Programs
		}
		p.Words = stats.InWords(tr, "Nothing found: "+r.Short+".")
		s.AddMessage(&view.Message{Type: view.OK, Source: r.Name, Text: p.Words})
	case r.Advice != "":
		m := &view.Message{Type: view.Optimization, Source: r.Name, Text: stats.InWords(tr, r.Advice)}
		if r.Fact {
			m.Type = view.OK
		}
		s.AddMessage(m)
	}
}

// cost is what the rows of a table cost in ns by a column of it: the sum of the device, or of the
// process where rows tell no device, that lost most. Devices work at the same time.
func cost(t *view.Table, column string) float64 {
	at := slices.IndexFunc(t.Columns, func(c view.Column) bool { return column != "" && c.Name == column })
	if at < 0 {
		return 0
	}
	who := slices.IndexFunc(t.Columns, func(c view.Column) bool { return c.Role == view.RoleDevice })
	if who < 0 {
		who = slices.IndexFunc(t.Columns, func(c view.Column) bool { return c.Role == view.RoleProcess })
	}
	most, by := 0.0, map[float64]float64{}
	for _, row := range t.Rows {
		key := 0.0
		if who >= 0 {
			key = row[who].Float64()
		}
		if v := row[at].Float64(); v > 0 {
			by[key] += v
			most = max(most, by[key])
		}
	}
	return most
}

// costOf is the cost that a section tells.
func costOf(s *view.Section) float64 {
	for _, p := range s.Properties {
		if p.Name == "cost" {
			return p.Value.Float64()
		}
	}
	return 0
}

// byVerdict puts doubts first, then rules that found something, what costs most time first,
// those that did not, and the ones that could not tell.
func byVerdict(all []view.Section) {
	rank := func(s view.Section) int {
		if s.ID == doubtsID {
			return -1
		}
		for _, it := range s.Items {
			switch {
			case it.Table != nil && it.For != view.Programs:
				return 0
			case it.Table != nil:
				return 1
			}
		}
		return 2
	}
	slices.SortStableFunc(all, func(a, b view.Section) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(costOf(&b), costOf(&a)))
	})
}

// spanFilter is the filter of a rule with its own start, end and nvtx.
func spanFilter(ctx context.Context, tr *trace.Trace, args map[string]string, all *stats.Filter) (*stats.Filter, error) {
	out := &stats.Filter{Start: math.MinInt64, End: math.MaxInt64}
	if args["start"] == "" && args["end"] == "" && args["nvtx"] == "" {
		return all, nil
	}
	if all != nil {
		*out = *all
	}
	if s := args["nvtx"]; s != "" {
		n, err := stats.RangeFilter(ctx, tr, s)
		if err != nil {
			return nil, err
		}
		out.Start, out.End = max(out.Start, n.Start), min(out.End, n.End)
	}
	for name, narrow := range map[string]func(int64){
		"start": func(at int64) { out.Start = max(out.Start, at) },
		"end":   func(at int64) { out.End = min(out.End, at) },
	} {
		if s := args[name]; s != "" {
			at, err := stats.ParseTime(s)
			if err != nil {
				return nil, page.Usagef("%s=%s: %v", name, s, err)
			}
			narrow(at)
		}
	}
	return out, nil
}

// doubtsID names the part of analyze that no rule makes.
const doubtsID = "doubts"

// doubts says what speaks against trusting the trace: messages of the profiler
// about its own work, and graphs whose kernels were not traced.
func doubts(ctx context.Context, _ *page.Request, f *load.File) (*page.Piece, error) {
	if err := checkTimeline(f); err != nil {
		return nil, err
	}
	p := &page.Piece{Section: view.Section{ID: doubtsID, Title: "What the trace does not tell"}, Warning: true}
	s := &p.Section
	d, err := f.Trace.Table(ctx, "DIAGNOSTIC_EVENT", "severity", "text")
	if err != nil {
		return nil, err
	}
	const warning, severe = 2, 3 // of ENUM_DIAGNOSTIC_SEVERITY_LEVEL; 4 is chatter
	if c := d.Col("text"); c != nil && c.Kind == trace.Texts {
		times := map[trace.Sym]int{} // processes repeat each other
		var said []trace.Sym
		for i, level := range d.Ints("severity") {
			if level == warning || level == severe {
				if times[c.Syms[i]]++; times[c.Syms[i]] == 1 {
					said = append(said, c.Syms[i])
				}
			}
		}
		for _, y := range said {
			text := "The profiler says: " + f.Trace.Strings.Text(y)
			if n := times[y]; n > 1 {
				text = fmt.Sprintf("The profiler says, %d times: %s", n, f.Trace.Strings.Text(y))
			}
			s.AddMessage(&view.Message{Type: view.Warning, Source: "DIAGNOSTIC_EVENT", Text: text})
		}
	}
	g, err := f.Trace.Table(ctx, trace.TableGraph, "start")
	if err != nil {
		return nil, err
	}
	if g != nil && g.Rows > 0 {
		s.AddMessage(&view.Message{Type: view.Warning, Source: trace.TableGraph, Text: fmt.Sprintf(
			"%d launches of CUDA graphs were traced as a whole: their kernels are in no kernel report, and gpu_gaps and gpu_time_util take them for idle time unless :graphs is given.", g.Rows)})
	}
	if len(s.Items) == 0 {
		return nil, nil
	}
	var words []string
	for _, it := range s.Items {
		words = append(words, it.Message.Text)
	}
	p.Words = strings.Join(words, "\n")
	return p, nil
}
