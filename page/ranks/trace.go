package ranks

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/export"
	"github.com/gpuprof/gpuprof/internal/carry"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/ranks"
	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/view"
)

// Trace is the page ranks trace.
var Trace = &page.Page{
	Name:  "ranks trace",
	Short: "Write all ranks on one clock, for timeline viewers",
	Long: `One Perfetto file (.pftrace, for https://ui.perfetto.dev) with a process for each
rank, all on the common clock. A track of each rank has its matched collectives,
tied to those of the other ranks by flows, and inside them the time that it waited
for the last one.`,
	Example: "gpuprof ranks trace -o run.pftrace run/*.nsys-rep",
	Group:   page.GroupRead, Args: "FILE...", MinArgs: 1, MaxArgs: -1, Unopened: true, Output: page.OwnFile,
	Options: slices.Concat(page.StepOptions, runOptions),
	Build:   buildTrace,
}

func buildTrace(ctx context.Context, q *page.Request) (*view.Document, error) {
	if to := strings.ToLower(q.Output); !strings.HasSuffix(to, ".pftrace") && !strings.HasSuffix(to, ".perfetto-trace") {
		return nil, page.Usagef("ranks trace: expected --output with the extension .pftrace, found %q", q.Output)
	}
	all, err := gather(ctx, q)
	if err != nil {
		return nil, err
	}
	o, err := runAsked(q)
	if err != nil {
		return nil, err
	}
	run, err := analyze(all.partials, o)
	if err != nil {
		return nil, err
	}
	problems := slices.Concat(all.problems, run.Problems)
	parts, left := joints(run, all)
	if len(left) > 0 {
		problems = append(problems, "of these there are only partials, which have no timeline: "+strings.Join(left, ", "))
	}
	if len(parts) == 0 {
		return nil, fmt.Errorf("ranks trace: expected reports, found only partials")
	}
	zero := int64(math.MaxInt64)
	for _, r := range run.Ranks {
		zero = min(zero, r.At(r.Span.Start))
	}
	const before = 1e9 // host calls that come before the first work
	if err := export.PerfettoJoint(ctx, q.Output, zero-before, parts); err != nil {
		return nil, err
	}
	d := &view.Document{Title: "ranks"}
	for _, p := range problems {
		q.Notef("%s", p)
		d.Failed = true
	}
	return d, nil
}

// An identity is a rank among those of an analysis.
type identity struct {
	file            string
	process, device int64
	utc, start, end int64
}

func identityOf(p *ranks.Partial) identity {
	return identity{p.File, p.Process, p.Device, p.UTC, p.Span.Start, p.Span.End}
}

// operands tell which of the files each rank is of.
func (g *gathered) operands(run *ranks.Run) map[*ranks.Rank]int {
	of := map[*ranks.Partial]int{}
	for i, list := range g.found {
		for _, p := range list {
			of[p] = i
		}
	}
	out := map[*ranks.Rank]int{}
	for _, r := range run.Ranks {
		out[r] = of[r.Partial]
	}
	return out
}

// joints are the reports with the ranks in them; left are files without timelines.
func joints(run *ranks.Run, all *gathered) (parts []export.Joint, left []string) {
	of := map[identity]*ranks.Rank{}
	for _, r := range run.Ranks {
		of[identityOf(r.Partial)] = r
	}
	marks := collectives(run)
	for i := range all.files {
		m := &all.files[i]
		list := all.found[i]
		if len(list) == 0 {
			continue
		}
		if strings.HasSuffix(strings.ToLower(m.name), ".gpr") {
			left = append(left, m.name)
			continue
		}
		part := export.Joint{Open: m.timeline}
		for _, p := range list {
			r := of[identityOf(p)]
			if r == nil {
				continue // another file has it, too
			}
			delete(of, identityOf(p))
			part.Ranks = append(part.Ranks, export.JointRank{Number: r.Number, Process: r.Process, Clock: r.At, Marks: marks[r],
				Name: fmt.Sprintf("rank %d (%s, GPU %d, process %d)", r.Number, cmp.Or(r.Host, "host unknown"), r.Device, r.Process)})
		}
		if len(part.Ranks) > 0 {
			parts = append(parts, part)
		}
	}
	return parts, left
}

// timeline opens an input as a trace.
func (in *input) timeline(ctx context.Context) (*trace.Trace, func(), error) {
	ready, done, failed := make(chan *load.File), make(chan struct{}), make(chan error, 1)
	go func() {
		var err error
		if fault := carry.Catch(func() {
			err = in.open(ctx, func(f *load.File) error {
				ready <- f
				<-done
				return nil
			})
		}); fault != nil {
			err = fault
		}
		failed <- err
	}()
	select {
	case f := <-ready:
		return f.Trace, func() { close(done); <-failed }, nil
	case err := <-failed:
		return nil, nil, err
	}
}

// collectives are the marks of each rank: matched collectives, and in them the time
// of waiting.
func collectives(run *ranks.Run) map[*ranks.Rank][]export.Mark {
	out := map[*ranks.Rank][]export.Mark{}
	flow := uint64(0)
	for _, g := range run.Groups {
		label := g.Label(run)
		g.Each(func(c *ranks.Collective) {
			if len(c.Calls) < 2 {
				return
			}
			flow++
			arrival, ok := c.Arrival()
			for k, r := range c.Ranks {
				call := c.Calls[k]
				m := export.Mark{Start: call.Start, End: call.End, Arrival: call.Start, Name: fmt.Sprintf("%s %d of %s", call.Class, c.Row, label), Flow: flow}
				if ok {
					m.Arrival += arrival - r.At(call.Start)
				}
				out[r] = append(out[r], m)
			}
		})
	}
	for _, l := range out {
		slices.SortStableFunc(l, func(a, b export.Mark) int { return cmp.Or(cmp.Compare(a.Start, b.Start), -cmp.Compare(a.End, b.End)) })
	}
	return out
}
