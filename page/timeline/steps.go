package timeline

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/ranks"
	"github.com/gpuprof/gpuprof/steps"
	"github.com/gpuprof/gpuprof/view"
)

// Steps is the page steps.
var Steps = &page.Page{
	Name:  "steps",
	Short: "The steps of a timeline: what each GPU did in each",
	Long: `Finds the steps of a program: NVTX ranges ProfilerStep#N, others that the program
numbered or repeated (step N, iteration N), else the period of the kernels; and says
which it was. For each step and GPU: how long it computed, communicated, copied, how
much of the communication nothing hid, and how long it was idle, all by unions of
intervals. The slowest steps are named; a matrix says what ran beside what.`,
	Example: "gpuprof steps report.nsys-rep\ngpuprof steps --step-range '^train_step' --format csv report.sqlite",
	Group:   page.GroupRead, Args: "FILE...", MinArgs: 1, MaxArgs: -1, Needs: load.Timeline,
	Options: page.StepOptions,
	Build:   buildSteps,
}

func buildSteps(ctx context.Context, q *page.Request) (*view.Document, error) {
	o, err := q.StepChoice()
	if err != nil {
		return nil, err
	}
	d := &view.Document{Title: "steps"}
	all := &beside{q: q}
	for _, f := range q.Files {
		if f.Trace == nil {
			return nil, fmt.Errorf("%s: this page is about a timeline; %s has none", f.Name, f.Kind())
		}
		s, err := stepsOf(ctx, all, f, o)
		if err != nil {
			return nil, err
		}
		if len(q.Files) > 1 {
			s = []view.Section{{ID: f.Name, Title: f.Name, Sections: s}}
		}
		d.Sections = append(d.Sections, s...)
		for _, p := range f.Trace.Problems() {
			q.Notef("%v", p)
			d.Failed = true
		}
	}
	if s, ok := all.section(); ok {
		d.Sections = append([]view.Section{s}, d.Sections...)
	} else if len(all.rows) == 1 && len(q.Files) == 1 {
		s := &d.Sections[0]
		s.Items = append([]view.Item{{Message: usualStep(&all.rows[0])}}, s.Items...)
	}
	return d, nil
}

// usualStep says where the time of a step goes, by medians.
func usualStep(r *besideRow) *view.Message {
	of := func(f func(*steps.Times) int64) string {
		var v []int64
		for k := range r.times {
			v = append(v, f(&r.times[k]))
		}
		return words(medianOf(v))
	}
	what := fmt.Sprintf("A step takes %s (median of %d)", of((*steps.Times).Wall), len(r.times))
	if r.whole {
		what = "All takes " + of((*steps.Times).Wall)
	}
	return &view.Message{Type: view.OK, Source: "verdict", Text: fmt.Sprintf("%s: the GPU computes %s, communicates with nothing beside it %s and is idle %s.",
		what, of(func(t *steps.Times) int64 { return t.Of(steps.Compute) }), of((*steps.Times).Exposed), of((*steps.Times).Idle))}
}

// A beside sums up the devices of all files, to show them side by side.
type beside struct {
	q    *page.Request
	rows []besideRow
}

type besideRow struct {
	rank  int64
	file  string
	d     *steps.Device
	times []steps.Times
	whole bool // times is the whole: no steps were found
}

// section has a row for each device: medians of its steps; ok is false where there
// is one device only.
func (b *beside) section() (s view.Section, ok bool) {
	if len(b.rows) < 2 {
		return s, false
	}
	s = view.Section{ID: "side_by_side", Title: "Side by side: medians of the steps"}
	t := &view.Table{ID: "side_by_side", Layout: &view.Layout{Frame: view.FrameOpen, Times: true}, Columns: []view.Column{{Name: "rank", Label: "Rank", Type: view.Number}, {Name: "file", Label: "File", Type: view.Text, For: view.EveryoneIf(len(b.q.Files) > 1)},
		{Name: "pid", Label: "PID", Type: view.Number}, {Name: "gpu", Label: "GPU", Type: view.Number}, {Name: "steps", Label: "Steps", Type: view.Number}}}
	for _, c := range []string{"Wall", "Min", "Max", "Compute", "Exposed Comm", "Idle", "Self"} {
		t.Columns = append(t.Columns, view.Column{Name: strings.ReplaceAll(strings.ToLower(c), " ", "_"), Label: c, Unit: "ns", Type: view.Number})
	}
	t.Columns = append(t.Columns, view.Column{Name: "note", Label: "Note", Type: view.Text})
	slow, most := -1, int64(-1)
	for i, r := range b.rows {
		of := func(f func(*steps.Times) int64) int64 {
			var v []int64
			for k := range r.times {
				v = append(v, f(&r.times[k]))
			}
			return medianOf(v)
		}
		var walls []int64
		for k := range r.times {
			walls = append(walls, r.times[k].Wall())
		}
		rank := view.Int(r.rank, "")
		if r.rank < 0 {
			rank = view.Missing("unknown")
		}
		row := []view.Value{rank, view.String(r.file), view.Int(r.d.Process.PID(), ""), view.Int(r.d.ID, ""), view.Int(int64(len(r.times)), "")}
		self := of((*steps.Times).Self)
		for _, v := range []int64{medianOf(walls), slices.Min(walls), slices.Max(walls), of(func(t *steps.Times) int64 { return t.Of(steps.Compute) }), of((*steps.Times).Exposed), of((*steps.Times).Idle), self} {
			row = append(row, view.Int(v, "ns"))
		}
		t.Rows = append(t.Rows, append(row, view.String("")))
		if self > most {
			slow, most = i, self
		}
	}
	t.Rows[slow][len(t.Columns)-1] = view.String("slowest by self time")
	s.AddMessage(&view.Message{Type: view.OK, Source: "verdict", Text: fmt.Sprintf("GPU %d of process %d has the longest self time, %s a step (median); its steps take %s.",
		b.rows[slow].d.ID, b.rows[slow].d.Process.PID(), words(most), view.Words(t.Rows[slow][5]))})
	s.AddTable(t)
	return s, true
}

// stepsOf makes a section for each device of each process.
func stepsOf(ctx context.Context, all *beside, f *load.File, o *steps.Options) ([]view.Section, error) {
	devices, err := steps.Read(ctx, f.Trace, o)
	if err != nil {
		return nil, err
	}
	if len(devices) == 0 {
		return nil, fmt.Errorf("%s: expected work of a GPU, found none: no kernels, copies, memory sets or graphs", f.Name)
	}
	finder, err := steps.NewFinder(ctx, f.Trace, o)
	if err != nil {
		return nil, err
	}
	gpus, err := f.Trace.GPUs(ctx)
	if err != nil {
		return nil, err
	}
	numbers, err := ranks.Numbers(ctx, f.Trace, devices)
	if err != nil {
		return nil, err
	}
	var out []view.Section
	for i, d := range devices {
		all.q.Progress(i, len(devices))
		if d.Len() == 0 {
			continue
		}
		s := view.Section{ID: fmt.Sprintf("pid%d_gpu%d", d.Process.PID(), d.ID), Title: deviceTitle(d, gpus[d.ID])}
		row := besideRow{rank: numbers[i], file: shortName(f.Name, all.q.Args), d: d}
		row.times = stepSection(all.q, &s, &row, finder.Find(d), o)
		all.rows = append(all.rows, row)
		out = append(out, s)
	}
	return out, ctx.Err()
}

func deviceTitle(d *steps.Device, name string) string {
	s := fmt.Sprintf("GPU %d, process %d", d.ID, d.Process.PID())
	if name != "" {
		s = fmt.Sprintf("GPU %d (%s), process %d", d.ID, name, d.Process.PID())
	}
	return s
}

// stepSection fills the section of a device: how steps were found, the table,
// what stands out, the matrix.
func stepSection(q *page.Request, s *view.Section, of *besideRow, found *steps.Found, o *steps.Options) []steps.Times {
	d := of.d
	windows := d.Windows(found, o)
	t := &view.Table{ID: "steps", Layout: &view.Layout{Frame: view.FrameOpen, Times: true}}
	t.Columns = append([]view.Column{{Name: "rank", Label: "Rank", Type: view.Number, For: view.Data}, {Name: "pid", Label: "PID", Type: view.Number, For: view.Data}, {Name: "gpu", Label: "GPU", Type: view.Number, For: view.Data}, {Name: "step", Label: "Step", Type: view.Text}, {Name: "start", Label: "Start", Unit: "ns", Type: view.Number}}, steps.Columns()...)
	t.Columns = append(t.Columns, view.Column{Name: "note", Label: "Note", Type: view.Text})
	times, matrix := d.Measure(windows)
	notes := remarks(times)
	row := func(name string, x *steps.Times, note string) {
		rank := view.Null
		if of.rank >= 0 {
			rank = view.Int(of.rank, "")
		}
		cells := []view.Value{rank, view.Int(d.Process.PID(), ""), view.Int(d.ID, ""), view.String(name), view.Int(x.Start, "ns")}
		t.Rows = append(t.Rows, append(append(cells, x.Cells()...), view.String(note)))
	}
	if len(windows) == 0 {
		var whole steps.Times
		whole, matrix = d.Whole()
		row("all", &whole, "")
		times, of.whole = []steps.Times{whole}, true
	}
	for i := range windows { // none where times is the whole
		row(strconv.FormatInt(found.Steps[windows[i].Step].Number, 10), &times[i], notes[i])
	}
	overlap := matrix.Table()
	overlap.Layout.Heading = "What ran at the same time"
	how := found.String()
	if o.Range != nil && len(found.Steps) == 0 {
		how = fmt.Sprintf("no steps: no NVTX range of this process matches --step-range %q", q.Text("step-range"))
	}
	s.AddMessage(&view.Message{Type: view.OK, Source: "steps", Text: how + "."})
	if m := slowest(found, windows, times, notes); m != "" {
		s.AddMessage(&view.Message{Type: view.Warning, Source: "slow steps", Text: m})
	}
	if d.Unplaced > 0 {
		s.AddMessage(&view.Message{Type: view.Warning, Source: "times", Text: fmt.Sprintf("%d events have no start, no end, or an end before their start: they are left out.", d.Unplaced)})
	}
	s.AddTable(t)
	overlap.Title = "What ran at the same time"
	s.AddTable(overlap)
	return times
}

// Bounds of what is called an outlier: five sigma by the median deviation, and a
// twentieth of the median. They are ours.
const (
	outlierSigma = 5 * 1.4826
	outlierShare = 0.05
)

// remarks marks the slowest step and outliers.
func remarks(times []steps.Times) []string {
	out := make([]string, len(times))
	if len(times) < 3 {
		return out
	}
	var walls, off []int64
	slow := 0
	for i := range times {
		walls = append(walls, times[i].Wall())
		if walls[i] > walls[slow] {
			slow = i
		}
	}
	m := medianOf(walls)
	for _, w := range walls {
		off = append(off, max(w-m, m-w))
	}
	limit := max(outlierSigma*float64(medianOf(off)), outlierShare*float64(m))
	for i, w := range walls {
		switch long := float64(w-m) > limit; {
		case i == slow && long:
			out[i] = "slowest, outlier"
		case i == slow:
			out[i] = "slowest"
		case long:
			out[i] = "outlier"
		}
	}
	return out
}

func medianOf(v []int64) int64 {
	v = slices.Clone(v)
	slices.Sort(v)
	return v[(len(v)-1)/2]
}

// slowest says of the slowest step, if it is an outlier, what it has more of than
// the median step.
func slowest(found *steps.Found, windows []steps.Window, times []steps.Times, notes []string) string {
	at := slices.Index(notes, "slowest, outlier")
	if at < 0 {
		return ""
	}
	usual := func(of func(*steps.Times) int64) int64 {
		var v []int64
		for i := range times {
			v = append(v, of(&times[i]))
		}
		return medianOf(v)
	}
	best, most := "", int64(0)
	for _, part := range []struct {
		name string
		of   func(*steps.Times) int64
	}{
		{"idle", (*steps.Times).Idle},
		{"computing", func(t *steps.Times) int64 { return t.Of(steps.Compute) }},
		{"communicating with nothing beside it", (*steps.Times).Alone},
		{"copying with nothing beside it", (*steps.Times).ExposedCopies},
	} {
		if more := part.of(&times[at]) - usual(part.of); more > most {
			best, most = part.name, more
		}
	}
	x := &times[at]
	wall := usual((*steps.Times).Wall)
	s := fmt.Sprintf("Step %d takes %s, the median %s", found.Steps[windows[at].Step].Number, words(x.Wall()), words(wall))
	if best != "" {
		s += fmt.Sprintf("; %s of it more than usual the GPU was %s", words(most), best)
	}
	if best == "idle" && x.HostLate {
		s += ", for what comes next was launched late"
	}
	return s + "."
}

func words(ns int64) string { return view.Words(view.Int(ns, "ns")) }
