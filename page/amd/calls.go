package amd

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/format/amd"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/view"
)

// Calls is the page calls.
var Calls = &page.Page{
	Name:  "calls",
	Short: "List the API calls of an AMD trace with what they did on the device",
	Long: `The call trace of CodeXL: index, interface, parameters and result of each call, the
command it enqueued, times on host and device, and how long the command waited to
start after it was queued and the host after it had ended. The occupancy of kernels
comes from the .occupancy file of the same session, which lies beside under the same
name or is given too.`,
	Example: "gpuprof calls session.atp\ngpuprof calls --thread 4242 --format csv session.atp\ngpuprof calls session.atp run/kernels.occupancy",
	Group:   page.GroupRead, Args: "FILE...", MinArgs: 1, MaxArgs: -1,
	Title: "API Calls", Needs: load.Calls,
	Options: []page.Option{
		{Name: "thread", Remote: true, Kind: page.List, Arg: "ID,...", Help: "only the calls of these threads"},
		{Name: "api", Remote: true, Kind: page.Text, Arg: "TEXT", Help: "only calls whose names hold this text, upper and lower case alike"},
		{Name: "between", Remote: true, Kind: page.Text, Arg: "START:END", Help: "only calls that ran in this time, in ns as the file counts it"},
		{Name: "failed", Remote: true, Kind: page.Flag, Help: "only calls that failed"},
	},
	Build: buildAMDCalls,
}

func buildAMDCalls(ctx context.Context, q *page.Request) (*view.Document, error) {
	f := q.Files[0]
	if f.AMD == nil || f.AMD.Trace == nil {
		return nil, fmt.Errorf("%s: this page is about an AMD trace (.atp); this is %s", f.Name, f.Kind())
	}
	if len(q.Files) > 1 {
		return nil, page.Usagef("calls shows one trace; %s does not belong to the session of %s", q.Files[1].Name, f.Name)
	}
	wanted, err := wantedThreads(q, f.AMD.Trace)
	if err != nil {
		return nil, err
	}
	choose, err := newCallChoice(q)
	if err != nil {
		return nil, err
	}
	occ := occupanciesOf(f.AMD)
	d := &view.Document{Title: "calls"}
	for _, module := range f.AMD.Trace.Modules() {
		for _, th := range f.AMD.Trace.Threads(module) {
			if id := fmt.Sprint(th.ID); len(wanted) == 0 || wanted[id] {
				s := view.Section{ID: module + "_" + id, Title: "Thread " + id + ", " + module}
				s.AddTable(callTable(choose, th, occ))
				d.Sections = append(d.Sections, s)
			}
		}
	}
	return d, nil
}

// wantedThreads are those of --thread; none: all. One that the file does not have is
// told with those that it has.
func wantedThreads(q *page.Request, tr *amd.Trace) (map[string]bool, error) {
	there := map[string]bool{}
	var names []string
	for _, module := range tr.Modules() {
		for _, th := range tr.Threads(module) {
			if id := fmt.Sprint(th.ID); !there[id] {
				there[id] = true
				names = append(names, id)
			}
		}
	}
	wanted := map[string]bool{}
	for _, t := range q.List("thread") {
		if !there[t] {
			more := ""
			if n := len(names) - 20; n > 0 {
				names, more = names[:20], fmt.Sprintf(" and %d more", n)
			}
			return nil, page.Usagef("--thread: there is no thread %s; there are %s%s", t, strings.Join(names, ", "), more)
		}
		wanted[t] = true
	}
	return wanted, nil
}

// A callChoice says which calls are shown.
type callChoice struct {
	api        string // in lower case
	start, end uint64
	timed      bool
	failed     bool
}

func newCallChoice(q *page.Request) (*callChoice, error) {
	c := &callChoice{api: strings.ToLower(q.Text("api")), failed: q.Flag("failed")}
	if s := q.Text("between"); s != "" {
		from, to, ok := strings.Cut(s, ":")
		var err1, err2 error
		c.start, err1 = strconv.ParseUint(from, 10, 64)
		c.end, err2 = strconv.ParseUint(to, 10, 64)
		if !ok || err1 != nil || err2 != nil || c.end < c.start {
			return nil, page.Usagef("--between: expected START:END in ns, found %q", s)
		}
		c.timed = true
	}
	return c, nil
}

func (c *callChoice) has(x *amd.Call) bool {
	switch {
	case c.failed && !(strings.HasPrefix(x.Result, "CL_") && x.Result != "CL_SUCCESS" || strings.HasPrefix(x.Result, "HSA_STATUS_ERROR")):
		return false
	case c.api != "" && !strings.Contains(strings.ToLower(x.Name), c.api):
		return false
	case c.timed && (!x.Timed || x.End < c.start || x.Start > c.end):
		return false
	}
	return true
}

// callTable lists the calls of a thread; its rows are made as they are shown.
func callTable(choose *callChoice, th *amd.Thread, occ *occupancies) *view.Table {
	ms := func(name, label string) view.Column {
		return view.Column{Name: name, Label: label, Type: view.Number, Number: &view.NumberStyle{Divisor: 1e6, Decimals: 5}}
	}
	t := &view.Table{ID: "calls", Columns: []view.Column{
		{Name: "index", Label: "Call Index", Type: view.Number}, {Name: "interface", Label: "Interface", Type: view.Text},
		{Name: "parameters", Label: "Parameters", Type: view.Text, MaxWidth: 60, Break: true}, {Name: "result", Label: "Result", Type: view.Text},
		{Name: "device_block", Label: "Device Block", Type: view.Text}, {Name: "occupancy", Label: "Kernel Occupancy (%)", Type: view.Number},
		ms("cpu_time", "CPU Time(ms)"), ms("device_time", "Device Time(ms)"), ms("launch_latency", "Launch Latency(ms)"), ms("completion_latency", "Completion Latency(ms)")}}
	t.More = func(yield func([]view.Value) bool) {
		next := occ.thread(th.ID)
		for p := range amd.Walk(th) {
			c, shown := th.Call(int(p.Call)), view.Missing("N/A")
			if p.Index >= 0 {
				shown = view.Int(int64(p.Index), "")
			}
			row := append([]view.Value{shown}, callCells(&c, next)...)
			if choose.has(&c) && !yield(row) {
				return
			}
		}
	}
	return t
}

// callCells are the cells of a call after its index. next gives the occupancy of
// the next dispatch of a kernel in this thread.
func callCells(c *amd.Call, next func(kernel string) view.Value) []view.Value {
	row := []view.Value{view.String(c.Name), view.String(c.Args), view.String(c.Result), view.Null, view.Null, view.Null, view.Null, view.Null, view.Null}
	if c.Timed {
		row[5] = spanCell(c.Start, c.End)
	}
	switch e := c.Enqueue; {
	case e != nil:
		block := e.KernelName
		if e.Shape != amd.Dispatch {
			block = strings.TrimPrefix(e.CommandName, "CL_COMMAND_")
		} else {
			row[4] = next(e.KernelName)
		}
		row[3] = view.String(block)
		row[6] = spanCell(e.Start, e.End)
		row[7] = spanCell(e.Queued, e.Start)
		// Only a call that waited for its command tells when the host went on.
		if c.Timed && c.End >= e.End {
			row[8] = spanCell(e.End, c.End)
		}
	case c.Copy != nil:
		row[3], row[6] = view.String("copy"), spanCell(c.Copy.Start, c.Copy.End)
	}
	return row
}

// spanCell is a duration in ns.
func spanCell(start, end uint64) view.Value {
	if end < start {
		return view.Missing("NA")
	}
	return view.Uint(end-start, "")
}

// occupancies gives the rows of an .occupancy file in the order of dispatches,
// which is the only thing that ties them to the calls of a trace.
type occupancies struct {
	byThread  map[int64]map[string][]float64 // thread, kernel
	anyThread bool
	used      map[string]int // of anyThread
}

// occupanciesOf sorts the rows of the session's .occupancy file, if there is one.
// Where trace and file have no thread in common they are of two runs, and threads
// do not count.
func occupanciesOf(a *load.AMD) *occupancies {
	o := &occupancies{byThread: map[int64]map[string][]float64{}}
	if a.Occupancy == nil {
		return o
	}
	threads := map[int64]bool{}
	for _, module := range a.Trace.Modules() {
		for _, th := range a.Trace.Threads(module) {
			threads[int64(th.ID)] = true
		}
	}
	common := false
	for i := range a.Occupancy.Len() {
		common = common || threads[a.Occupancy.Row(i).ThreadID]
	}
	o.anyThread = !common
	for i := range a.Occupancy.Len() {
		r := a.Occupancy.Row(i)
		thread := o.key(r.ThreadID)
		if o.byThread[thread] == nil {
			o.byThread[thread] = map[string][]float64{}
		}
		o.byThread[thread][r.KernelName] = append(o.byThread[thread][r.KernelName], r.Percent)
	}
	return o
}

func (o *occupancies) key(thread int64) int64 {
	if o.anyThread {
		return -1
	}
	return thread
}

// thread returns a function that gives the occupancies of a thread's dispatches
// one after the other.
func (o *occupancies) thread(id uint64) func(kernel string) view.Value {
	rows, used := o.byThread[o.key(int64(id))], map[string]int{}
	if o.anyThread {
		if o.used == nil {
			o.used = used
		}
		used = o.used
	}
	return func(kernel string) view.Value {
		n := used[kernel]
		used[kernel]++
		if n >= len(rows[kernel]) {
			return view.Null
		}
		if v := rows[kernel][n]; v >= 0 && !math.IsNaN(v) {
			return view.Float(v, "")
		}
		return view.Missing("NA")
	}
}
