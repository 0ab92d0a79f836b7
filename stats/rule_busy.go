package stats

import (
	"context"
	"slices"

	"github.com/gpuprof/gpuprof/steps"
	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/trace/interval"
	"github.com/gpuprof/gpuprof/view"
)

var gpuBusy = &Report{
	Name: "gpu_busy", Title: "GPU Busy Time", Rule: true, Fact: true,
	Short:  "share of time in which each GPU did anything, graphs included and overlap counted once; a rule of gpuprof's own",
	Advice: "The share is of the span from the first to the last work of each GPU. It says nothing of how full the GPU was while it was busy.",
	Build: func(ctx context.Context, q *Request) (*view.Table, error) {
		q = q.with("graphs")
		devices, err := work(ctx, q)
		if err != nil {
			return nil, err
		}
		t := table(percent("Busy"), nanoseconds("Busy Time"), nanoseconds("Span"), nanoseconds("Start"), count("Operations"), count("PID"), count("Device ID"))
		for _, d := range devices {
			operations := int64(len(d.spans))
			u := interval.Union(d.spans)
			whole := u[len(u)-1].End - u[0].Start
			if whole == 0 {
				continue
			}
			t.Rows = append(t.Rows, []view.Value{view.Float(100*float64(interval.Length(u))/float64(whole), "%"), view.Int(interval.Length(u), ns), view.Int(whole, ns),
				view.Int(u[0].Start, ns), view.Int(operations, ""), view.Int(d.process.PID(), ""), view.Int(d.id, "")})
		}
		return t, nil
	},
}

// with returns the request with a flag set.
func (q *Request) with(flag string) *Request {
	args := map[string]string{flag: "true"}
	for k, v := range q.Args {
		args[k] = v
	}
	out := *q
	out.Args = args
	return &out
}

var exposedCommunication = &Report{
	Name: "exposed_communication", Title: "Exposed Communication", Rule: true, Cost: "exposed_time",
	Short:  "time of collective kernels in which the GPU computed nothing else; a rule of gpuprof's own",
	Advice: "The share is of the time of collective kernels, overlap counted once. Communication that waits for computation of the same step is hidden by smaller buckets, an earlier start or a stream of its own.",
	Build: func(ctx context.Context, q *Request) (*view.Table, error) {
		names, err := q.table(ctx, "kernels", trace.TableKernel, "shortName", "start", "end") // the filter wants times
		if err != nil {
			return nil, err
		}
		if g, err := q.table(ctx, "graphs", trace.TableGraph, "start", "end"); err == nil {
			return nil, skipf("%d launches of CUDA graphs were traced as a whole, so that it cannot be told what ran beside the collectives", g.Rows)
		} else if _, skip := err.(*Skip); !skip {
			return nil, err
		}
		if !communicates(q.Trace, names.Ints("shortName")) {
			return nil, skipf(noCommunication)
		}
		k, err := q.table(ctx, "kernels", trace.TableKernel, "rowid", "start", "end", "globalPid", "deviceId", "shortName")
		if err != nil {
			return nil, err
		}
		row, longest := k.Ints("rowid"), map[device]int{}
		comm, comp := map[device][]span{}, map[device][]span{}
		start, end, pid, dev, id := k.Ints("start"), k.Ints("end"), k.Ints("globalPid"), k.Ints("deviceId"), k.Ints("shortName")
		is := map[int64]bool{}
		var devices []device
		for i := range start {
			c, ok := is[id[i]]
			if !ok {
				c = steps.IsCommunication(q.Trace.NameText(id[i]))
				is[id[i]] = c
			}
			d := device{trace.GlobalID(pid[i]).Process(), dev[i]}
			if comm[d] == nil && comp[d] == nil {
				devices = append(devices, d)
			}
			if c {
				comm[d] = append(comm[d], span{Start: start[i], End: end[i]})
				if l, ok := longest[d]; !ok || interval.Lasts(start[i], end[i]) > interval.Lasts(start[l], end[l]) {
					longest[d] = i
				}
			} else {
				comp[d] = append(comp[d], span{Start: start[i], End: end[i]})
			}
		}
		t := table(percent("Exposed"), nanoseconds("Exposed Time"), nanoseconds("Communication Time"), nanoseconds("Compute Time"), count("Kernels"),
			count("PID"), count("Device ID"), count("Longest Kernel Row"))
		for _, d := range devices {
			a, b := interval.Union(comm[d]), interval.Union(comp[d])
			if len(a) == 0 || interval.Length(a) == 0 {
				continue
			}
			exposed := interval.Length(a) - interval.Overlap(a, b)
			t.Rows = append(t.Rows, []view.Value{view.Float(100*float64(exposed)/float64(interval.Length(a)), "%"), view.Int(exposed, ns), view.Int(interval.Length(a), ns),
				view.Int(interval.Length(b), ns), view.Int(int64(len(comm[d])), ""), view.Int(d.process.PID(), ""), view.Int(d.id, ""), view.Int(row[longest[d]], "")})
		}
		if len(t.Rows) == 0 {
			return nil, skipf(noCommunication)
		}
		return t, nil
	},
}

const noCommunication = "the trace has no kernels of NCCL, RCCL or NVSHMEM, by their names"

// communicates reports whether any of some names is that of a collective kernel.
func communicates(tr *trace.Trace, names []int64) bool {
	seen := map[int64]bool{}
	last := int64(-1)
	for i, n := range names {
		if i > 0 && n == last || seen[n] {
			continue
		}
		if steps.IsCommunication(tr.NameText(n)) {
			return true
		}
		last, seen[n] = n, true
	}
	return false
}

// leastArg keeps a rule from judging by a handful of kernels.
func leastArg(n string) Arg {
	return Arg{Name: "least", Value: true, Default: n, Help: "judge by so many kernels at least"}
}

var belowArg = Arg{Name: "below", Value: true, Unit: 1e3, Default: "10", Help: "a kernel of less than so many microseconds is small, or of less than a time with its unit"}

var smallKernels = &Report{
	Name: "small_kernels", Title: "Streams of Small Kernels", Rule: true,
	Args:   []Arg{rowsArg, belowArg, leastArg("10")},
	Short:  "streams most of whose kernels are shorter than it takes to launch them; a rule of gpuprof's own",
	Advice: "A launch takes the host some microseconds, so that such kernels leave the GPU waiting. CUDA graphs, fused kernels or larger batches help.",
	Build: func(ctx context.Context, q *Request) (*view.Table, error) {
		k, err := q.table(ctx, "kernels", trace.TableKernel, "rowid", "start", "end", "globalPid", "deviceId", "streamId")
		if err != nil {
			return nil, err
		}
		below, least := q.span(belowArg), q.integer("least", 10)
		start, end, pid, dev, st := k.Ints("start"), k.Ints("end"), k.Ints("globalPid"), k.Ints("deviceId"), k.Ints("streamId")
		g := together(k.Rows, pid, dev, st)
		small, took := make([]int64, g.n), make([]int64, g.n)
		n, first, row := make([]int64, g.n), make([]int64, g.n), k.Ints("rowid")
		for i, x := range g.of {
			n[x]++
			if d := interval.Lasts(start[i], end[i]); d < below {
				if small[x] == 0 {
					first[x] = row[i]
				}
				small[x]++
				took[x] = interval.Plus(took[x], d)
			}
		}
		t := table(percent("Small"), count("Small Kernels"), count("Kernels"), nanoseconds("Avg Small"), count("PID"), count("Device ID"), count("Stream ID"), count("First Row"))
		for i, r := range g.first() {
			if 2*small[i] > n[i] && n[i] >= least {
				t.Rows = append(t.Rows, []view.Value{view.Float(100*float64(small[i])/float64(n[i]), "%"), view.Int(small[i], ""), view.Int(n[i], ""),
					view.Float(float64(took[i])/float64(small[i]), ns), view.Int(trace.GlobalID(pid[r]).PID(), ""), view.Int(dev[r], ""), view.Int(st[r], ""), view.Int(first[i], "")})
			}
		}
		if most := slices.Max(append([]int64{0}, n...)); most < least {
			return nil, skipf("no stream has %d kernels or more (:least), the most have %d: too few to judge by", least, most)
		}
		return q.limit(t), nil
	},
}
