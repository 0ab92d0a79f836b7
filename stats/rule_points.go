package stats

import (
	"cmp"
	"context"
	"slices"
	"sort"
	"strings"

	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/trace/interval"
	"github.com/gpuprof/gpuprof/view"
)

// A syncPoint is a function that waits, on one thread.
type syncPoint struct {
	thread  trace.GlobalID
	name    string
	calls   int64
	waited  int64
	drained int64 // GPU idle from the end of a call to the next work
	longest int   // row of the calls
}

var syncPoints = &Report{
	Name: "sync_points", Title: "Sync Points", Rule: true, Args: []Arg{rowsArg}, Cost: "idle_after",
	Short:  "time that threads waited for the GPU, by function, and for how long the GPU then had nothing to do; a rule of gpuprof's own",
	Advice: "The share is of the time from the first to the last call of CUDA of the thread. Idle after is the time between the end of such a call and the next work of the process's GPUs, if they had none when it ended: what the wait cost beyond itself.",
	Build: func(ctx context.Context, q *Request) (*view.Table, error) {
		c, err := q.table(ctx, "CUDA API calls", trace.TableRuntime, "rowid", "start", "end", "nameId", "globalTid")
		if err != nil {
			return nil, err
		}
		idle, err := q.idleAfter(ctx)
		if err != nil {
			return nil, err
		}
		points, whole := pointsOf(q.Trace, c, idle)
		slices.SortFunc(points, func(a, b *syncPoint) int {
			return cmp.Or(cmp.Compare(b.waited, a.waited), cmp.Compare(a.thread, b.thread), cmp.Compare(a.name, b.name))
		})
		start, end, row := c.Ints("start"), c.Ints("end"), c.Ints("rowid")
		t := table(percent("Waiting"), nanoseconds("Waiting Time"), count("Calls"), nanoseconds("Longest"), nanoseconds("Longest Start"), nanoseconds("Idle After"), nanoseconds("Span"),
			count("PID"), count("TID"), text("API Name"), count("Longest Row"))
		for _, p := range points {
			after := view.Null
			if idle != nil {
				after = view.Int(p.drained, ns)
			}
			i := p.longest
			t.Rows = append(t.Rows, []view.Value{share(p.waited, whole[p.thread]), view.Int(p.waited, ns), view.Int(p.calls, ""), view.Int(interval.Lasts(start[i], end[i]), ns), view.Int(start[i], ns),
				after, view.Int(whole[p.thread], ns), view.Int(p.thread.PID(), ""), view.Int(p.thread.TID(), ""), view.String(p.name), view.Int(row[i], "")})
		}
		return q.limit(t), nil
	},
}

// pointsOf adds up the calls that wait, and finds the span of all calls of each
// thread.
func pointsOf(tr *trace.Trace, c *trace.Table, idle func(pid trace.GlobalID, at int64) int64) ([]*syncPoint, map[trace.GlobalID]int64) {
	type key struct {
		thread trace.GlobalID
		name   int64
	}
	byKey, spans := map[key]*syncPoint{}, map[trace.GlobalID]span{}
	start, end, id, tid := c.Ints("start"), c.Ints("end"), c.Ints("nameId"), c.Ints("globalTid")
	waits := map[int64]bool{}
	var points []*syncPoint
	for i := range start {
		g := trace.GlobalID(tid[i])
		s, ok := spans[g]
		if !ok {
			s = span{Start: start[i], End: end[i]}
		}
		spans[g] = span{Start: min(s.Start, start[i]), End: max(s.End, end[i])}
		w, known := waits[id[i]]
		if !known {
			w = callKind(tr.NameText(id[i])) == callWaits && !strings.Contains(tr.NameText(id[i]), "WaitEvent")
			waits[id[i]] = w
		}
		if !w {
			continue
		}
		k := key{g, id[i]}
		p := byKey[k]
		if p == nil {
			p = &syncPoint{thread: g, name: apiName(tr.NameText(id[i])), longest: i}
			byKey[k] = p
			points = append(points, p)
		}
		p.calls++
		p.waited = interval.Plus(p.waited, interval.Lasts(start[i], end[i]))
		if interval.Lasts(start[i], end[i]) > end[p.longest]-start[p.longest] {
			p.longest = i
		}
		if idle != nil {
			p.drained += idle(g.Process(), end[i])
		}
	}
	whole := map[trace.GlobalID]int64{}
	for g, s := range spans {
		whole[g] = s.End - s.Start
	}
	return points, whole
}

// idleAfter returns a function that tells for how long the GPUs of a process had
// no work from a time on; nil where the trace has no work of GPUs. After the last
// work there is nothing to wait for.
func (q *Request) idleAfter(ctx context.Context) (func(pid trace.GlobalID, at int64) int64, error) {
	devices, err := work(ctx, q.with("graphs"))
	if _, skip := err.(*Skip); skip {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	all := map[trace.GlobalID][]span{}
	for _, d := range devices {
		if all[d.process] == nil {
			all[d.process] = slices.Clip(d.spans) // which other reports read, too
			continue
		}
		all[d.process] = append(all[d.process], d.spans...)
	}
	for pid, s := range all {
		all[pid] = interval.Union(s)
	}
	return func(pid trace.GlobalID, at int64) int64 {
		u := all[pid]
		next := sort.Search(len(u), func(i int) bool { return u[i].Start > at })
		if next == len(u) || next > 0 && u[next-1].End > at {
			return 0
		}
		return u[next].Start - at
	}, nil
}
