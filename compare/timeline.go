package compare

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/steps"
	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/trace/interval"
)

// TimelineOptions choose what of a timeline is compared.
type TimelineOptions struct {
	SkipSteps int                // leave out what begins before the step of this number from 0
	Kernels   func(string) bool  // names of kernels that are wanted; nil: all
	Within    *interval.Span     // what begins before its end and ends after its start is wanted; nil: all
	Cut       bool               // Within is no part of the program, so that totals depend on where it was cut
	Match     func(c Class) bool // classes that are wanted; nil: all

	from int64 // what begins before is left out
}

func (o *TimelineOptions) wants(c Class) bool { return o.Match == nil || o.Match(c) }

func (o *TimelineOptions) within(start, end int64) bool {
	return start >= o.from && (o.Within == nil || start <= o.Within.End && end >= o.Within.Start)
}

// FromTrace makes a run of a timeline: kernels by name, copies by kind, calls by
// name without version, NVTX ranges with numbers folded, and the devices. Of
// each it keeps count, total and median; per step where steps are known.
func FromTrace(ctx context.Context, tr *trace.Trace, n *Names, opt TimelineOptions) (*Run, error) {
	run := &Run{Name: tr.File, Kind: Timeline}
	if err := traceFacts(ctx, run, tr); err != nil {
		return nil, err
	}
	if err := tr.LoadNames(ctx); err != nil {
		return nil, err
	}
	ranges, err := tr.Ranges(ctx)
	if err != nil {
		return nil, err
	}
	run.Window.Cut = run.Window.Cut || opt.Within != nil && opt.Cut
	opt.from = math.MinInt64
	found, err := stepsOf(ctx, tr)
	if err != nil {
		return nil, err
	}
	found = slices.DeleteFunc(found, func(s steps.Step) bool { return !opt.within(s.Start, s.End) })
	if len(found) > 0 {
		if opt.SkipSteps > 0 && opt.SkipSteps < len(found) {
			opt.from = found[opt.SkipSteps].Start
			found = found[opt.SkipSteps:]
		}
		run.Window.Steps = len(found)
	}
	t := &tally{run: run, names: n, opt: &opt, tr: tr}
	if opt.wants(Kernel) || opt.wants(Device) {
		if err := t.gpu(ctx); err != nil {
			return nil, err
		}
	}
	if opt.wants(API) {
		if err := t.calls(ctx); err != nil {
			return nil, err
		}
	}
	if ranges != nil && opt.wants(Range) {
		if err := t.ranges(ctx, ranges); err != nil {
			return nil, err
		}
	}
	if err := t.totals(ctx); err != nil {
		return nil, err
	}
	run.Identity = identityOf(run)
	return run, nil
}

// A tally makes entities of the rows of tables.
type tally struct {
	run   *Run
	names *Names
	opt   *TimelineOptions
	tr    *trace.Trace
	ranks map[rankKey]*rank
	order []*rank
}

// A group is the rows that become one entity.
type group struct {
	class      Class
	name, full string
	base, path string
	count      int
	total      int64
}

// fill makes entities of groups: at tells the group of each row, negative for
// none.
func (t *tally) fill(groups []*group, at []int32, start, end []int64) {
	from := make([]int, len(groups)+1)
	for i, g := range at {
		if g >= 0 {
			groups[g].count++
			groups[g].total += max(0, end[i]-start[i])
			from[g+1]++
		}
	}
	for i := range groups {
		from[i+1] += from[i]
	}
	lasted := make([]int64, from[len(groups)])
	put := slices.Clone(from)
	for i, g := range at {
		if g >= 0 {
			lasted[put[g]] = max(0, end[i]-start[i])
			put[g]++
		}
	}
	for i, g := range groups {
		if g.count == 0 {
			continue
		}
		v := &Values{}
		v.Set(Count, "", float64(g.count))
		v.Set(TotalTime, nanoseconds, float64(g.total))
		v.Set(MedianTime, nanoseconds, interval.Median(lasted[from[i]:from[i+1]]))
		if t.run.Window.Steps > 0 {
			v.Set(StepTime, nanoseconds, float64(g.total)/float64(t.run.Window.Steps))
		}
		t.run.Entities = append(t.run.Entities, &Entity{Class: g.class, Name: g.name, Full: g.full, Base: g.base, Path: g.path, Launches: g.count, Source: v})
	}
}

// isCalls reports whether the rows of a table are calls: of a thread, from a start to
// an end, and not the profiler's own.
func (t *tally) isCalls(s trace.SliceTable) bool {
	return !s.GPU && !s.Until && s.Place == "globalTid" && s.Start == "start" && t.tr.HasColumn(s.Table, s.End) && s.Kind != "samples" && s.Kind != "overhead"
}

// calls are the tables of calls of threads.
func (t *tally) calls(ctx context.Context) error {
	for _, s := range t.tr.SliceTables() {
		if !t.isCalls(s) {
			continue
		}
		columns := []string{"start", "end"}
		if s.Fixed == "" {
			columns = append(columns, s.Name)
			if s.Spare != "" {
				columns = append(columns, s.Spare)
			}
		}
		e, err := t.tr.Table(ctx, s.Table, columns...)
		if err != nil {
			return err
		}
		if e == nil || e.Rows == 0 {
			continue
		}
		var groups []*group
		by := map[string]int32{}
		ids := map[int64]int32{}
		at := make([]int32, e.Rows)
		start, end := e.Ints("start"), e.Ints("end")
		name, spare := e.Ints(s.Name), e.Ints(s.Spare)
		for i := range at {
			at[i] = -1
			if !t.opt.within(start[i], end[i]) {
				continue
			}
			id := name[i]
			if s.Spare != "" && e.IsNull(s.Name, i) {
				id = spare[i]
			}
			g, ok := ids[id]
			if !ok {
				text := s.Fixed
				if text == "" {
					text = unversioned(t.tr.NameText(id))
				}
				if text == "" {
					text = s.Label
				}
				if g, ok = by[text]; !ok {
					g = int32(len(groups))
					by[text] = g
					groups = append(groups, &group{class: API, name: text, full: text, base: text, path: s.Label})
				}
				ids[id] = g
			}
			at[i] = g
		}
		t.fill(groups, at, start, end)
		t.tr.Forget(s.Table)
	}
	return nil
}

// ranges are the NVTX ranges.
func (t *tally) ranges(ctx context.Context, r *trace.Ranges) error {
	domains, err := t.tr.Domains(ctx)
	if err != nil {
		return err
	}
	type place struct {
		text    trace.Sym
		domain  int64
		process trace.GlobalID
	}
	var groups []*group
	by := map[string]int32{}
	places := map[place]int32{}
	at := make([]int32, r.Len())
	for i := range at {
		at[i] = -1
		if r.Open[i] || !t.opt.within(r.Start[i], r.End[i]) {
			continue
		}
		p := place{r.Text[i], r.Domain[i], r.Thread[i].Process()}
		g, ok := places[p]
		if !ok {
			text := Fold(t.tr.Strings.Text(r.Text[i]))
			if d := domains.Name(r.Thread[i], r.Domain[i]); d != "" {
				text = d + "@" + text
			}
			if g, ok = by[text]; !ok {
				g = int32(len(groups))
				by[text] = g
				groups = append(groups, &group{class: Range, name: text, full: text, base: text})
			}
			places[p] = g
		}
		at[i] = g
	}
	t.fill(groups, at, r.Start, r.End)
	return nil
}

// stepsOf are the steps of the process that has most: by its ranges, for what is
// found by a period need not be the same on both sides.
func stepsOf(ctx context.Context, tr *trace.Trace) ([]steps.Step, error) {
	f, err := steps.NewFinder(ctx, tr, nil)
	if err != nil {
		return nil, err
	}
	if found := f.ByRanges(); found != nil && len(found.Steps) >= 2 {
		return found.Steps, nil
	}
	return nil, nil
}

// totals makes entities of the sums of a profile that has no rows of which they
// are the sums, such as the .stats.csv of rocprof.
func (t *tally) totals(ctx context.Context) error {
	e, err := t.tr.Table(ctx, "AMD_TOTALS", "name", "calls", "total")
	if err != nil || e == nil || len(t.run.Entities) > 0 {
		return err
	}
	name, calls, total := e.Col("name"), e.Ints("calls"), e.Col("total")
	if name == nil || total == nil || len(total.Reals) < e.Rows {
		return nil
	}
	for i := range e.Rows {
		text := t.tr.CellText(name, i)
		class, f := API, names{shown: text, full: text, base: text}
		if !isRuntimeCall(text) {
			if class, f = Kernel, t.names.of(text); t.opt.Kernels != nil && !t.opt.Kernels(text) {
				continue
			}
		}
		if !t.opt.wants(class) || calls[i] <= 0 {
			continue
		}
		v := &Values{}
		v.Set(Count, "", float64(calls[i]))
		v.Set(TotalTime, nanoseconds, total.Reals[i])
		t.run.Entities = append(t.run.Entities, &Entity{Class: class, Name: f.shown, Full: f.full, Base: f.base, Launches: int(calls[i]), Source: v})
	}
	return nil
}

// isRuntimeCall tells calls of ROCm's libraries from kernels, for files of sums do
// not say which they hold.
func isRuntimeCall(name string) bool {
	for _, prefix := range []string{"hip", "__hip", "hsa_", "roctx", "nccl", "rocblas_"} {
		if strings.HasPrefix(name, prefix) && !strings.ContainsAny(name, "(<") {
			return true
		}
	}
	return strings.HasPrefix(name, "HIP_") || strings.HasPrefix(name, "HSA_") || strings.HasPrefix(name, "MEMORY_COPY_")
}

// rank names the process and device that a row of a device belongs to.
type rankKey struct {
	process trace.GlobalID
	device  int64
}

type rank struct {
	key           rankKey
	number        int
	comm, compute []interval.Span // what communicates, and all else
}

func (t *tally) rank(k rankKey) *rank {
	r := t.ranks[k]
	if r == nil {
		r = &rank{key: k}
		if t.ranks == nil {
			t.ranks = map[rankKey]*rank{}
		}
		t.ranks[k] = r
		t.order = append(t.order, r)
	}
	return r
}

// numberRanks numbers processes and devices in their order, which is what stays
// the same from run to run.
func (t *tally) numberRanks() {
	slices.SortFunc(t.order, func(a, b *rank) int {
		return cmp.Or(cmp.Compare(a.key.process, b.key.process), cmp.Compare(a.key.device, b.key.device))
	})
	for i, r := range t.order {
		r.number = i
	}
}

func (r *rank) name() string { return "rank " + strconv.Itoa(r.number) }
