package ranks

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/ranks"
	"github.com/gpuprof/gpuprof/view"
)

// Page is the page ranks.
var Page = &page.Page{
	Name:  "ranks",
	Short: "Many reports of one distributed run: who is slow, since when, why",
	Long: `Reads the reports of all ranks of a run, or the files that 'ranks map' made of them,
finds the number of each rank, puts all clocks together by the ends of collectives,
and says in sentences which rank is slow, since when and why; then tables by step, by
rank and by communicator. Operands are files, patterns, folders and tars. A report
may hold several ranks: a rank is a process with its GPU. What lacks or is broken is
named, the rest is done, and the exit status is 1.`,
	Example: "gpuprof ranks run/*.nsys-rep\ngpuprof ranks run.tar --format json\ngpuprof ranks run/ --rank-from file --heat heat.svg",
	Group:   page.GroupRead, Args: "FILE...", MinArgs: 1, MaxArgs: -1, Needs: load.Timeline, Unopened: true,
	Options: slices.Concat(page.StepOptions, runOptions, []page.Option{
		{Name: "all", Remote: true, Kind: page.Flag, Help: "every rank, step and communicator in text, not only the first"},
		{Name: "heat", Kind: page.Text, Arg: "FILE.svg", Help: "also draw a map of ranks and time: how busy each was, and when it waited"},
	}),
	Build: build,
}

func build(ctx context.Context, q *page.Request) (*view.Document, error) {
	all, err := gather(ctx, q)
	if err != nil {
		return nil, err
	}
	o, err := runAsked(q)
	if err != nil {
		return nil, err
	}
	partials := all.partials
	if err := checkList(o, partials); err != nil {
		return nil, err
	}
	run, err := analyze(partials, o)
	if err != nil {
		return nil, err
	}
	d := document(q, run, all)
	if to := q.Text("heat"); to != "" {
		if err := writeHeat(ctx, q, to, run); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// analyze is ranks.Analyze with what helps where it refuses.
func analyze(list []*ranks.Partial, o *ranks.Options) (*ranks.Run, error) {
	run, err := ranks.Analyze(list, o)
	switch {
	case errors.Is(err, ranks.ErrNumbers):
		return nil, fmt.Errorf("%w; --rank-from chooses a source, --ranks FILE.tsv gives numbers, --force takes the first", err)
	case errors.Is(err, ranks.ErrRuns):
		return nil, fmt.Errorf("%w; --force analyzes them together", err)
	}
	return run, err
}

// A gathered is what the operands hold.
type gathered struct {
	files    []mapped
	found    [][]*ranks.Partial // of each file
	partials []*ranks.Partial   // of all
	problems []string           // a line each
}

// gather reads the operands. It is an error if none of them can be read.
func gather(ctx context.Context, q *page.Request) (*gathered, error) {
	o, err := q.StepChoice()
	if err != nil {
		return nil, err
	}
	inputs, err := inputsOf(q)
	if err != nil {
		return nil, err
	}
	g := &gathered{}
	if g.files, err = mapAll(ctx, q, inputs, func(ctx context.Context, in input) mapped { return mapOne(ctx, in, o).decoded() }); err != nil {
		return nil, err
	}
	var failed []error
	g.files = slices.DeleteFunc(g.files, func(m mapped) bool { return m.skipped })
	met := map[ranks.Digest]bool{}
	for i := range g.files {
		m := &g.files[i]
		if m.err != nil {
			failed = append(failed, m.err)
			g.problems = append(g.problems, m.err.Error())
		}
		g.problems = append(g.problems, m.bad...)
		list := slices.DeleteFunc(m.partials, func(p *ranks.Partial) bool {
			twice := met[p.Digest]
			met[p.Digest] = true
			return twice
		})
		g.found, g.partials = append(g.found, list), append(g.partials, list...)
	}
	if len(g.partials) == 0 {
		if len(failed) > 0 {
			return nil, errors.Join(failed...)
		}
		return nil, fmt.Errorf("%s: expected ranks, found none", strings.Join(q.Args, ", "))
	}
	return g, nil
}

// sets are those of files.
func sets(files []mapped) (out []*ranks.Set) {
	for _, m := range files {
		if m.set != nil {
			out = append(out, m.set)
		}
	}
	return out
}

// fewRows is how many rows of a table text shows unless all are asked for.
const fewRows = 16

func document(q *page.Request, run *ranks.Run, all *gathered) *view.Document {
	d := &view.Document{Title: "ranks"}
	head := view.Section{ID: "run", Title: title(run)}
	head.AddTable(about(run))
	for _, m := range findings(run) {
		head.AddMessage(m)
	}
	problems := append(slices.Clone(all.problems), run.Problems...)
	if n := len(run.Missing); n > 0 {
		of := "rank "
		if n > 1 {
			of = "ranks "
		}
		problems = append(problems, "there is no report of "+of+ranks.List(run.Missing))
	}
	for _, r := range run.Ranks {
		for _, p := range r.Problems {
			if !slices.Contains(problems, p) {
				problems = append(problems, fmt.Sprintf("rank %d: %s", r.Number, p))
			}
		}
	}
	for _, p := range problems {
		head.AddMessage(&view.Message{Type: view.Error, Source: "problem", Text: p})
		d.Failed = true
	}
	for _, n := range run.Notes {
		head.AddMessage(&view.Message{Type: view.OK, Source: "note", Text: n})
	}
	d.Sections = append(d.Sections, head)
	add := func(id, title string, t *view.Table, who view.Audience) {
		if len(t.Rows) == 0 {
			return
		}
		s := view.Section{ID: id, Title: title, For: who}
		if !q.Flag("all") {
			t.Layout.Most, t.Layout.Others = fewRows, "--all shows the others"
		}
		s.AddTable(t)
		d.Sections = append(d.Sections, s)
	}
	d.Sections = append(d.Sections, heatSection(run))
	add("steps", "Steps", stepTable(run), view.Everyone)
	add("ranks", "Ranks, most self time first", rankTable(run, all.operands(run)), view.Everyone)
	add("collectives", "Collectives by communicator", collectiveTable(run), view.Everyone)
	add("overlap", "What ran at the same time, all ranks and steps together", run.Overlap.Table(), view.Everyone)
	add("rank_steps", "Steps of each rank", rankStepTable(run, all.operands(run)), view.Data)
	return d
}

func heatSection(run *ranks.Run) view.Section {
	few := len(run.Ranks) <= heatRanks
	s := view.Section{ID: "heat", Title: "Busy and waiting over time", For: view.EveryoneIf(few)}
	for _, c := range heats(run) {
		c.Table.Layout = &view.Layout{Drawn: few}
		s.Items = append(s.Items, view.Item{For: view.Programs, Chart: c})
	}
	return s
}

func title(run *ranks.Run) string {
	hosts := map[string]bool{}
	for _, r := range run.Ranks {
		hosts[r.Host] = true
	}
	s := count(len(run.Ranks), "rank")
	if len(run.Missing) > 0 {
		s = fmt.Sprintf("%d of %s", len(run.Ranks), count(int(run.Size), "rank"))
	}
	return s + " on " + count(len(hosts), "host") + ", " + count(len(run.Steps), "step")
}
