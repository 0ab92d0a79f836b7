package lifetime

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gpuprof/gpuprof/format/simlog"
	"github.com/gpuprof/gpuprof/lifetime"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/view"
)

// Lifetimes is the page lifetimes.
var Lifetimes = &page.Page{
	Name:  "lifetimes",
	Short: "How long data live in the memories of a simulated GPU",
	Long: `From the memory accesses in a simulator's log: lifetimes by kernel and memory level,
what share of them a memory of a given retention time would hold, and what other
memory devices would take in area, refreshes and energy.

A LOG is a log of GainSight, the standard output of GPGPU-Sim or Accel-Sim, a folder
of SCALE-Sim traces, or a generic access log (CSV or Parquet); gzip and zstd are
undone, "-" is standard input, and size does not matter. With -o the results are also
written as files under GainSight's names: NAME.sim_l1.csv, NAME.sim_l2.csv,
NAME.sim.csv, NAME.json, and histogram and distribution as SVG.

What a lifetime is, which clock is used and what is a guess stands in the output.
The exit status is 1 if a count differs from the simulator's own.`,
	Example: "gpuprof lifetimes run.log.gz -o results\n" +
		"gpuprof lifetimes --devices cells.json --what-if si,oxide --within 500ns,2us run.log\n" +
		"gpuprof lifetimes --validate-log backend.csv",
	Group: page.GroupSim, Args: "LOG...", MinArgs: 1, MaxArgs: -1,
	Needs: load.Accesses, Unopened: true, Output: page.OwnFolder,
	Options: append([]page.Option{
		{Name: "validate-log", Kind: page.Flag, Help: "only tell what the log holds of what a backend's log should hold"},
		{Name: "no-lifetime-files", Kind: page.Flag, Help: "with -o, leave out the files with one line for each lifetime"},
	}, lifetimeOptions...),
	Build: buildLifetimes,
}

func buildLifetimes(ctx context.Context, q *page.Request) (*view.Document, error) {
	if q.Flag("validate-log") {
		return buildValidateLog(ctx, q)
	}
	s, err := lifetimeSettings(q)
	if err != nil {
		return nil, err
	}
	d := &view.Document{Title: "lifetimes"}
	names := map[string]bool{}
	for _, name := range q.Args {
		a, files, err := analyzeLog(ctx, q, s, name, names)
		if a == nil {
			return nil, err
		}
		if err != nil {
			q.Notef("%s: %v", name, err)
			d.Failed = true
		}
		for _, f := range files {
			q.Notef("wrote %s", f)
		}
		if a.Tally.Accesses == 0 && a.Tally.Malformed > 0 {
			q.Notef("%s: expected accesses such as \"GPGPU-Sim Cycle 5359: Load instr from L1D cache at SM 0 bank 0 addr 95129000 status 2\", found %d lines that begin like one and are none%s", name, a.Tally.Malformed, firstLine(a))
			d.Failed = true
			continue
		}
		if a.Tally.Accesses == 0 && err != nil {
			continue // which says why
		}
		if a.Tally.Accesses == 0 {
			q.Notef("%s: %d kernels and no memory access: GPGPU-Sim and Accel-Sim write a line for each with -trace_enabled 1 -trace_components MEMORY_PARTITION_UNIT,MEMORY_SUBPARTITION_UNIT "+
				"(level 2 only); GainSight's build of Accel-Sim writes both levels", name, len(a.Kernels))
			d.Failed = true
			continue
		}
		sections, failed, err := lifetimeSections(q, a)
		if err != nil {
			return nil, err
		}
		d.Failed = d.Failed || failed
		if len(q.Args) > 1 {
			sections = []view.Section{{ID: name, Title: name, Sections: sections}}
		}
		d.Sections = append(d.Sections, sections...)
	}
	return d, nil
}

// firstLine tells where what is odd about a log was first met.
func firstLine(a *lifetime.Analysis) string {
	for _, n := range a.Notes {
		if n.Line > 0 && strings.HasPrefix(n.Text, "begins like an access") {
			return fmt.Sprintf(", the first in line %d", n.Line)
		}
	}
	return ""
}

// analyzeLog works off one log. An analysis that comes with an error holds what
// was sound.
func analyzeLog(ctx context.Context, q *page.Request, s lifetime.Settings, name string, used map[string]bool) (*lifetime.Analysis, []string, error) {
	src, err := openLog(ctx, q, name)
	if err != nil {
		return nil, nil, err
	}
	defer src.Close()
	if q.Output == "" {
		a, err := lifetime.Analyze(ctx, src, s)
		return orNoLog(name, a, nil, err)
	}
	base := runName(name)
	for n := 2; used[base]; n++ {
		base = fmt.Sprintf("%s-%d", runName(name), n)
	}
	used[base] = true
	a, files, err := lifetime.AnalyzeToFiles(ctx, src, s, lifetime.Files{Dir: q.Output, Name: base, Time: time.Now(), Lifetimes: !q.Flag("no-lifetime-files"), Charts: true})
	return orNoLog(name, a, files, err)
}

// orNoLog makes an error of an input in which there is nothing of a simulator.
func orNoLog(name string, a *lifetime.Analysis, files []string, err error) (*lifetime.Analysis, []string, error) {
	if a == nil || err != nil || a.Tally.Accesses > 0 || len(a.Kernels) > 0 {
		return a, files, err
	}
	if len(a.Notes) > 0 && a.Tally.Malformed > 0 {
		return nil, nil, fmt.Errorf("%s: expected a line that is an access, found none in %d lines; %s", name, a.Tally.Lines, a.Notes[0])
	}
	return nil, nil, fmt.Errorf("%s: expected a log of GainSight, GPGPU-Sim or Accel-Sim, SCALE-Sim traces or a generic access log, "+
		"found no memory access and no kernel in %d lines; --validate-log tells more", name, a.Tally.Lines)
}

// runName is the name of a run's files: that of the log without its endings.
func runName(name string) string {
	base := filepath.Base(name)
	if name == "-" {
		base = "stdin"
	}
	for _, ext := range []string{".gz", ".zst", ".log", ".txt", ".csv", ".parquet"} {
		if trimmed := strings.TrimSuffix(base, ext); trimmed != "" {
			base = trimmed
		}
	}
	return base
}

// openLog opens an input and lets it report its progress.
func openLog(ctx context.Context, q *page.Request, name string) (simlog.Source, error) {
	src, err := simlog.Open(ctx, name, simlog.Options{Workers: lifetimeJobs(q), MaxUnpacked: q.MaxUnpacked})
	if errors.Is(err, simlog.ErrUnrecognized) {
		if other := load.Recognize(name); other != "" {
			return nil, fmt.Errorf("%w; this page is about logs of accesses, and this begins like %s", err, other)
		}
	}
	if err != nil {
		return nil, err
	}
	if fi, err := os.Stat(name); err == nil && fi.Mode().IsRegular() && !strings.HasSuffix(name, ".gz") && !strings.HasSuffix(name, ".zst") {
		if _, scale := src.(*simlog.ScaleSim); !scale {
			return &progressSource{Source: src, q: q, size: fi.Size()}, nil
		}
	}
	return src, nil
}

// progressSource tells how much of a file has been read.
type progressSource struct {
	simlog.Source
	q    *page.Request
	size int64
	n    int
}

func (p *progressSource) Next() (*simlog.Batch, error) {
	if p.n++; p.n%256 == 0 {
		p.q.Progress(int(p.Tally().Bytes>>20), int(p.size>>20))
	}
	return p.Source.Next()
}

func buildValidateLog(ctx context.Context, q *page.Request) (*view.Document, error) {
	d := &view.Document{Title: "lifetimes --validate-log"}
	for _, name := range q.Args {
		src, err := openLog(ctx, q, name)
		if err != nil {
			return nil, err
		}
		v, err := simlog.Validate(src)
		src.Close()
		s := view.Section{ID: name, Title: name}
		if err != nil {
			s.AddMessage(&view.Message{Type: view.Error, Text: err.Error()})
		}
		s.AddTable(tallyTable(v.Tally))
		s.AddTable(checkTable(v.Checks))
		if !v.OK() {
			s.AddMessage(&view.Message{Type: view.Error, Text: "Lifetimes cannot be computed from this log: what is required is missing."})
		}
		addNotes(&s, v.Notes)
		d.Failed = d.Failed || err != nil || !v.OK()
		d.Sections = append(d.Sections, s)
	}
	return d, nil
}

func tallyTable(t simlog.Tally) *view.Table {
	out := &view.Table{ID: "lines", Columns: []view.Column{
		{Name: "bytes", Label: "Bytes", Type: view.Number}, {Name: "lines", Label: "Lines", Type: view.Number},
		{Name: "accesses", Label: "Accesses", Type: view.Number}, {Name: "malformed", Label: "Not understood", Type: view.Number},
		{Name: "other", Label: "Other", Type: view.Number}, {Name: "kernels", Label: "Kernels", Type: view.Number}}}
	out.Rows = append(out.Rows, []view.Value{view.Whole(t.Bytes), view.Whole(t.Lines), view.Whole(t.Accesses), view.Whole(t.Malformed), view.Whole(t.Other), view.Whole(t.Kernels)})
	return out
}

func checkTable(checks []simlog.Check) *view.Table {
	t := &view.Table{ID: "checks", Columns: []view.Column{
		{Name: "group", Label: "Of", Type: view.Text}, {Name: "fact", Label: "Fact", Type: view.Text}, {Name: "finding", Label: "Finding", Type: view.Text},
		{Name: "have", Label: "Have", Type: view.Number}, {Name: "of", Label: "Of", Type: view.Number},
		{Name: "required", Label: "Required", Type: view.Text}, {Name: "advice", Label: "What for", Type: view.Text, MaxWidth: 70}}}
	for _, c := range checks {
		have, of, required := view.Null, view.Null, ""
		if c.Of > 0 {
			have, of = view.Whole(c.Have), view.Whole(c.Of)
		}
		if c.Required {
			required = "yes"
		}
		t.Rows = append(t.Rows, []view.Value{view.String(c.Group), view.String(c.Fact), view.String(c.Finding.String()), have, of, view.String(required), view.String(c.Advice)})
	}
	return t
}

// addNotes shows what was odd about an input.
func addNotes(s *view.Section, notes []simlog.Note) {
	for _, n := range notes {
		s.AddMessage(&view.Message{Type: view.Warning, Source: "log", Text: n.String()})
	}
}
