package stats

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/gpuprof/gpuprof/internal/spelling"
	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/trace/interval"
	"github.com/gpuprof/gpuprof/trace/schema"
	"github.com/gpuprof/gpuprof/view"
)

// A Report is a summary, trace or check that can be asked for by name.
type Report struct {
	Name  string
	Old   []string // names that it had in older versions of nsys
	Title string   // heading of its table
	Short string   // what it shows, in a line
	Args  []Arg
	Rule  bool // a check of nsys analyze, rather than a report of nsys stats
	// Advice says, of a rule that found something, why that matters and what helps.
	Advice string
	Fact   bool // a rule that always has a number to tell, good or bad
	// Cost names the column of a rule's table that tells in ns what a row cost; "": none.
	Cost  string
	Build func(context.Context, *Request) (*view.Table, error)
}

// An Arg is an argument that follows a report's name after a colon.
type Arg struct {
	Name    string // "base"; or "rows", given as rows=10 or as the bare value
	Value   bool   // has a value
	Words   bool   // the value is not a number
	Unit    int64  // ns, of a value that is a time: what a number without a unit counts in; 0: it is none
	Default string
	Help    string
}

// A Request asks for one report of a trace.
type Request struct {
	Trace  *trace.Trace
	Args   map[string]string // by name; a flag is "true"
	Filter *Filter           // nil: everything
	// Behind keeps the numbers that rows of distributions describe: view.Table.Behind.
	Behind bool
	// Note is told what is wrong with the times of a table, once for each; may be nil.
	Note func(string)

	// Shared keeps between the reports of one trace what several of them reckon; nil: nothing
	// is kept. It is not for requests at the same time.
	Shared *Shared

	soundOnly bool // tables have only rows whose times are sound: see intervals.go
}

// A Skip says why there is nothing to report.
type Skip struct{ Reason string }

func (s *Skip) Error() string { return s.Reason }

func skipf(format string, args ...any) error { return &Skip{fmt.Sprintf(format, args...)} }

// Reports are all reports in the order of help.
func Reports() []*Report { return all() }

var all = sync.OnceValue(func() []*Report {
	out := []*Report{
		cudaAPISum, cudaAPITrace, cudaAPIGPUSum,
		cudaGPUKernSum, cudaGPUKernGBSum, cudaGPUMemTimeSum, cudaGPUMemSizeSum, cudaGPUSum, cudaGPUTrace,
		cudaKernExecSum, cudaKernExecTrace,
		nvtxSum, nvtxPushPopSum, nvtxStartEndSum, nvtxPushPopTrace, nvtxKernSum, nvtxGPUProjSum, nvtxGPUProjTrace,
		mpiEventTrace, mpiEventSum, mpiMsgSizeSum, umSum, umTotalSum, umCPUPageFaultsSum, vulkanAPITrace, networkCongestion, wddmQueueSum,
	}
	out = append(out, criticalPathSum, criticalPathTrace, cudaGraphSum, cudaMemcpyMatrix, cudaMemoryUsageSum, cudaMemoryUsageTrace, failedCalls, gpuMetricsSum, gpuMetricsKernSum, gpuMetricsNvtxSum)
	out = append(out, fileAccessSum, callchainFuncSum, callchainStackSum, nvtxPayloadTrace, nvtxPayloadSum)
	for _, s := range simpleSums {
		out = append(out, s.report())
	}
	rules := []*Report{cudaAPISync, cudaMemcpyAsync, cudaMemcpySync, cudaMemsetSync, gpuGaps, gpuTimeUtil, dx12MemOps,
		gpuBusy, exposedCommunication, smallKernels, launchBound, gpuIdle, syncPoints}
	for _, r := range rules {
		r.Args = append(slices.Clip(r.Args), spanArgs...)
		build := r.Build
		r.Build = func(ctx context.Context, q *Request) (*view.Table, error) {
			only := *q
			only.soundOnly = true
			return build(ctx, &only)
		}
	}
	out = append(out, rules...)
	for _, r := range out {
		r.shaped()
	}
	return out
})

// spanArgs are the arguments by which every rule is restricted to a part of the
// trace. Who calls Build makes them the Filter.
var spanArgs = []Arg{
	{Name: "start", Value: true, Words: true, Help: "only what ends after this time; with a unit (1.5s), nanoseconds without"},
	{Name: "end", Value: true, Words: true, Help: "only what begins before this time"},
	{Name: "nvtx", Value: true, Words: true, Help: "only while this NVTX range was open, RANGE[@DOMAIN], the first of that name"},
}

// Lookup returns the report of a name or an older name, or nil.
func Lookup(name string) *Report {
	for _, r := range Reports() {
		if r.Name == name {
			return r
		}
		for _, o := range r.Old {
			if o == name {
				return r
			}
		}
	}
	return nil
}

// Parse reads "report:arg:arg", as nsys takes it.
func Parse(spec string) (*Report, map[string]string, error) {
	name, rest, more := strings.Cut(spec, ":")
	r := Lookup(name)
	if r == nil {
		return nil, nil, fmt.Errorf("there is no report %q", name)
	}
	args := map[string]string{}
	for i := 0; more; i++ {
		var s string
		s, rest, more = strings.Cut(rest, ":")
		if s == "" {
			continue
		}
		if err := r.arg(args, s, i); err != nil {
			return nil, nil, err
		}
	}
	return r, args, nil
}

func (r *Report) arg(args map[string]string, s string, i int) error {
	key, value, given := strings.Cut(s, "=")
	all := append(slices.Clip(r.Args), r.shapeArgs()...)
	for _, a := range all {
		if a.Name == key && given == a.Value {
			if !given {
				value = "true"
			}
			args[key] = value
			return a.check(r, value)
		}
	}
	if i < len(r.Args) && r.Args[i].Value && !given {
		args[r.Args[i].Name] = s
		return r.Args[i].check(r, s)
	}
	var names []string
	for _, a := range all {
		names = append(names, a.Name)
	}
	return fmt.Errorf("report %s has no argument %q%s; it has %s", r.Name, s, spelling.Nearest(key, names), strings.Join(names, ", "))
}

// check refuses a value that is no whole number where one is expected.
func (a Arg) check(r *Report, value string) error {
	switch {
	case !a.Value || a.Words:
		return nil
	case a.Unit > 0:
		if _, err := a.parseSpan(value); err != nil {
			return fmt.Errorf("report %s: %s=%s: %w", r.Name, a.Name, value, err)
		}
		return nil
	}
	if _, err := strconv.ParseInt(value, 10, 64); err != nil {
		return fmt.Errorf("report %s: %s=%s: expected a whole number", r.Name, a.Name, value)
	}
	return nil
}

func (q *Request) flag(name string) bool { return q.Args[name] == "true" }

// table reads a table and leaves out what the filter leaves out. It returns a
// Skip where the trace lacks the table or it has no rows.
func (q *Request) table(ctx context.Context, what, name string, columns ...string) (*trace.Table, error) {
	t, err := q.Trace.Table(ctx, name, columns...)
	if err != nil {
		return nil, err
	}
	if t == nil {
		return nil, skipf("the trace has no %s: there is no table %s", what, name)
	}
	t = q.Filter.Apply(t)
	if t.Rows == 0 {
		return nil, skipf("the trace has no %s: table %s has no rows%s", what, name, q.suffix())
	}
	if t = q.timed(t); t.Rows == 0 {
		return nil, skipf("the trace has no %s whose times are sound: see the note on table %s", what, name)
	}
	if err := q.Trace.LoadNames(ctx); err != nil {
		return nil, err
	}
	q.tellNames(name, columns)
	if name == trace.TableKernel {
		return t, q.tellGraphs(ctx)
	}
	return t, nil
}

// tellNames tells that the numbers of names stand for them.
func (q *Request) tellNames(table string, columns []string) {
	if q.Note == nil || !q.Trace.NamesLost() {
		return
	}
	known := schema.Lookup(table)
	for _, c := range columns {
		if known != nil && known.Column(c) != nil && known.Column(c).Ref == "StringIds" {
			q.Note("the file has no texts (StringIds): names are shown by their numbers, such as #12")
			return
		}
	}
}

// suffix says of what a table has no rows.
func (q *Request) suffix() string {
	s := q.Filter.suffix()
	if q.Trace.Picked() {
		s = " in what was selected" + s
	}
	return s
}

// timed tells what is wrong with the times of a table and, where only sound ones
// are wanted, leaves out the others.
func (q *Request) timed(t *trace.Table) *trace.Table {
	start, end := t.Col("start"), t.Col("end")
	if start == nil || end == nil || start.Kind != trace.Integers || end.Kind != trace.Integers {
		return t
	}
	o, unsound := oddTimes(start, end)
	if q.Note != nil {
		for _, n := range o.notes(t.Name, q.soundOnly) {
			q.Note(n)
		}
	}
	if !q.soundOnly || unsound == nil {
		return t
	}
	var keep []int
	for i, u := range unsound {
		if !u {
			keep = append(keep, i)
		}
	}
	return choose(t, keep)
}

// notes says what is odd; left says whether such rows are left out.
func (o odd) notes(table string, left bool) []string {
	var out []string
	where := "they are kept, and no union of spans counts them"
	if left {
		where = "they are left out"
	}
	if o.backward > 0 {
		out = append(out, fmt.Sprintf("table %s: %d rows end before they start: %s", table, o.backward, where))
	}
	if o.far > 0 {
		out = append(out, fmt.Sprintf("table %s: %d rows have times more than %d ns from the origin of the clock: %s", table, o.far, int64(interval.Farthest), where))
	}
	if o.missing > 0 && left {
		out = append(out, fmt.Sprintf("table %s: %d rows have no start or end: %s", table, o.missing, where))
	}
	if o.overflows && !left {
		out = append(out, fmt.Sprintf("table %s: durations add up to more than a 64-bit integer holds (%d ns): totals stop there", table, int64(math.MaxInt64)))
	}
	return out
}

// activities returns the tables of GPU work, filtered.
func (q *Request) activities(ctx context.Context, columns ...string) ([]*trace.Table, error) {
	ts, err := q.Trace.Activities(ctx, columns...)
	if err != nil {
		return nil, err
	}
	out := ts[:0]
	for _, t := range ts {
		if t = q.Filter.Apply(t); t.Rows > 0 {
			out = append(out, t)
		}
	}
	return out, q.Trace.LoadNames(ctx)
}
