package stats

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/trace/interval"
	"github.com/gpuprof/gpuprof/view"
)

// A span is a stretch of time in which a device worked.

// graphsArg counts graphs as work.
var graphsArg = Arg{Name: "graphs", Help: "count CUDA graphs that were traced as a whole as work, which nsys does not"}

// A device is a GPU as one process uses it.
type device struct {
	process trace.GlobalID
	id      int64
}

// A deviceWork is the work of a device.
type deviceWork struct {
	device
	context int64  // of the first work
	spans   []span // by start, then end
}

// Shared is what reports of a trace have in common: the work of its devices.
type Shared struct{ work map[sharedKey][]deviceWork }

// A sharedKey tells what work was asked for.
type sharedKey struct {
	all        bool // no filter
	start, end int64
	sound      bool
	graphs     bool
}

// work returns the work of each device in the order of process and number. It is
// to be read only.
func work(ctx context.Context, q *Request) ([]deviceWork, error) {
	if q.Shared == nil {
		return readWork(ctx, q)
	}
	k := sharedKey{all: q.Filter == nil, sound: q.soundOnly, graphs: q.flag("graphs") && q.Trace.Has(trace.TableGraph)}
	if q.Filter != nil {
		k.start, k.end = q.Filter.Start, q.Filter.End
	}
	if w, ok := q.Shared.work[k]; ok {
		return w, nil
	}
	w, err := readWork(ctx, q)
	if err == nil {
		q.Shared.work = map[sharedKey][]deviceWork{k: w} // one is enough: rules mostly ask for the same
	}
	return w, err
}

func readWork(ctx context.Context, q *Request) ([]deviceWork, error) {
	var ts []*trace.Table
	tables := []string{trace.TableKernel, trace.TableMemcpy, trace.TableMemset}
	// Where graphs were traced as a whole, their kernels are not in the table of
	// kernels; without them a busy GPU looks idle, as it does to nsys.
	if q.flag("graphs") {
		tables = append(tables, trace.TableGraph)
	}
	for _, name := range tables {
		t, err := q.table(ctx, "work", name, "start", "end", "globalPid", "deviceId", "contextId")
		if _, skip := err.(*Skip); skip {
			continue
		}
		if err != nil {
			return nil, err
		}
		ts = append(ts, t)
	}
	if len(ts) == 0 {
		return nil, skipf("the trace has no work of a GPU")
	}
	index := map[device]int{}
	var out []deviceWork
	for _, t := range ts {
		out = addWork(out, index, t)
	}
	for i := range out {
		if s := out[i].spans; !slices.IsSortedFunc(s, span.Compare) {
			slices.SortFunc(s, span.Compare)
		}
	}
	slices.SortFunc(out, func(a, b deviceWork) int { return cmp.Or(cmp.Compare(a.process, b.process), cmp.Compare(a.id, b.id)) })
	return out, nil
}

// addWork adds the rows of a table to the work of their devices, whose places in
// out index tells.
func addWork(out []deviceWork, index map[device]int, t *trace.Table) []deviceWork {
	start, end, pid, dev, cx := t.Ints("start"), t.Ints("end"), t.Ints("globalPid"), t.Ints("deviceId"), t.Ints("contextId")
	g := together(t.Rows, pid, dev)
	n := make([]int, g.n)
	for _, x := range g.of {
		n[x]++
	}
	to := make([]int, g.n)
	for x, i := range g.first() {
		d := device{trace.GlobalID(pid[i]).Process(), dev[i]}
		k, ok := index[d]
		if !ok {
			k = len(out)
			index[d] = k
			out = append(out, deviceWork{device: d, context: cx[i]})
		}
		to[x] = k
		out[k].spans = slices.Grow(out[k].spans, n[x])
	}
	first := make([]span, len(out)) // the earliest so far
	for k := range out {
		first[k] = span{Start: math.MaxInt64, End: math.MaxInt64}
		for _, s := range out[k].spans {
			if s.Compare(first[k]) < 0 {
				first[k] = s
			}
		}
	}
	for i, x := range g.of {
		d, s := &out[to[x]], span{Start: start[i], End: end[i]}
		d.spans = append(d.spans, s)
		if s.Start <= first[to[x]].Start && s.Compare(first[to[x]]) < 0 {
			first[to[x]], d.context = s, cx[i]
		}
	}
	return out
}

// A finding is a stretch of time that a rule reports.
type finding struct {
	device   device
	context  int64
	start    int64
	duration int64
	share    float64
}

var gapArg = Arg{Name: "gap", Value: true, Unit: 1e6, Default: "500", Help: "report gaps of at least so many milliseconds, or a time with its unit, such as 20us"}

var gpuGaps = &Report{
	Name: "gpu_gaps", Title: "GPU Gaps", Rule: true, Cost: "duration",
	Args:   []Arg{rowsArg, graphsArg, gapArg},
	Short:  "stretches of half a second or more (:gap) between the first and last work of a GPU in which it had none",
	Advice: "What the host does meanwhile is told by samples, OS runtime calls and NVTX ranges of that time (--filter-time); gpu_idle says whether it waited or launched.",
	Build: func(ctx context.Context, q *Request) (*view.Table, error) {
		devices, err := work(ctx, q)
		if err != nil {
			return nil, err
		}
		overhead, err := overheads(ctx, q)
		if err != nil {
			return nil, err
		}
		least := q.span(gapArg)
		var found []finding
		for _, d := range devices {
			found = append(found, gaps(d, overhead, least)...)
		}
		slices.SortStableFunc(found, func(a, b finding) int {
			return cmp.Or(cmp.Compare(b.duration, a.duration), cmp.Compare(a.start, b.start))
		})
		t := table(count("Row#"), nanoseconds("Duration"), nanoseconds("Start"), count("PID"), count("Device ID"), count("Context ID"))
		for i, f := range found {
			t.Rows = append(t.Rows, []view.Value{view.Int(int64(i+1), ""), view.Int(f.duration, ns), view.Int(f.start, ns),
				view.Int(f.device.process.PID(), ""), view.Int(f.device.id, ""), view.Int(f.context, "")})
		}
		return q.limit(t), nil
	},
}

// overheads are the stretches that the profiler itself took, by process.
func overheads(ctx context.Context, q *Request) (map[trace.GlobalID][]span, error) {
	out := map[trace.GlobalID][]span{}
	t, err := q.table(ctx, "overhead", "PROFILER_OVERHEAD", "start", "end", "globalTid")
	if _, skip := err.(*Skip); skip {
		return out, nil
	}
	if err != nil {
		return nil, err
	}
	end, tid := t.Ints("end"), t.Ints("globalTid")
	for i, s := range t.Ints("start") {
		p := trace.GlobalID(tid[i]).Process()
		out[p] = append(out[p], span{Start: s, End: end[i]})
	}
	return out, nil
}

// gaps finds the stretches without work of a device. Time that the profiler took
// counts as work.
func gaps(d deviceWork, overhead map[trace.GlobalID][]span, least int64) []finding {
	first, last := d.spans[0].Start, d.spans[0].End
	for _, s := range d.spans {
		last = max(last, s.End)
	}
	all := slices.Clip(d.spans) // which other reports read, too
	for _, s := range overhead[d.process] {
		if s.End > first && s.Start < last {
			all = append(all, s)
		}
	}
	if len(all) > len(d.spans) {
		slices.SortFunc(all, span.Compare)
	}
	var out []finding
	busy := first
	for _, s := range all {
		if s.Start-busy >= least && s.Start > busy {
			out = append(out, finding{device: d.device, context: d.context, start: busy, duration: s.Start - busy})
		}
		busy = max(busy, s.End)
	}
	return out
}

var gpuTimeUtil = &Report{
	Name: "gpu_time_util", Title: "GPU Time Utilization", Rule: true, Cost: "duration",
	Args: []Arg{rowsArg, graphsArg, {Name: "threshold", Value: true, Default: "50", Help: "report stretches in which less than so many percent were used"},
		{Name: "chunks", Value: true, Default: "30", Help: "cut the time into so many pieces"}},
	Short:  "stretches in which a GPU was used for less than half of the time (:threshold)",
	Advice: "The share is of the time of each stretch and counts kernels, copies and memory sets, whatever part of the GPU they filled; overlapping work counts more than once.",
	Build: func(ctx context.Context, q *Request) (*view.Table, error) {
		devices, err := work(ctx, q)
		if err != nil {
			return nil, err
		}
		chunks, threshold := q.integer("chunks", 30), float64(q.integer("threshold", 50))
		if chunks < 1 || chunks > 1_000_000 {
			return nil, skipf("the time cannot be cut into %d pieces", chunks)
		}
		var found []finding
		for _, d := range devices {
			found = append(found, lowUse(d, chunks, threshold)...)
		}
		slices.SortStableFunc(found, func(a, b finding) int {
			return cmp.Or(cmp.Compare(a.share, b.share), cmp.Compare(b.duration, a.duration))
		})
		t := table(count("Row#"), percent("In-Use"), nanoseconds("Duration"), nanoseconds("Start"), count("PID"), count("Device ID"), count("Context ID"))
		for i, f := range found {
			t.Rows = append(t.Rows, []view.Value{view.Int(int64(i+1), ""), view.Float(f.share, "%"), view.Int(f.duration, ns), view.Int(f.start, ns),
				view.Int(f.device.process.PID(), ""), view.Int(f.device.id, ""), view.Int(f.context, "")})
		}
		return q.limit(t), nil
	},
}

// lowUse cuts the time of a device into pieces and reports those that were used
// less than the threshold; neighbours are one finding. Work that overlaps counts
// twice, so that more than 100 % is possible.
func lowUse(d deviceWork, chunks int64, threshold float64) []finding {
	spans := d.spans
	first, last := spans[0].Start, spans[0].End
	for _, s := range spans {
		last = max(last, s.End)
	}
	size := (last - first + chunks - 1) / chunks
	if size == 0 {
		return nil
	}
	used := make([]int64, chunks)
	for _, s := range spans {
		for k := (s.Start - first) / size; k < chunks; k++ {
			lo := first + k*size
			if lo >= s.End {
				break
			}
			used[k] = interval.Plus(used[k], min(s.End, lo+size)-max(s.Start, lo))
		}
	}
	var out []finding
	open := false
	for k := range chunks {
		start := first + k*size
		length := min(size, last-start)
		if length <= 0 {
			break
		}
		if 100*float64(used[k])/float64(length) >= threshold {
			open = false
			continue
		}
		if !open {
			out = append(out, finding{device: d.device, context: d.context, start: start})
			open = true
		}
		f := &out[len(out)-1]
		f.duration += length
		f.share += float64(used[k])
	}
	for i := range out {
		out[i].share = 100 * out[i].share / float64(out[i].duration)
	}
	return out
}
