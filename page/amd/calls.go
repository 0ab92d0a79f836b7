package amd

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/format/amd"
	"github.com/gpuprof/gpuprof/internal/spelling"
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
name or is given too. Where the trace has stack traces, a call has its symbol and its
place in the source; 'gpuprof source' adds the calls of each place up. As text at most
100,000 calls are shown, and 1,000 of each thread after these: choose among them, or take
--format csv, which has all.`,
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
	if !f.AMD.IsTrace() {
		return nil, fmt.Errorf("%s: this page is about an AMD trace (.atp); this is %s", f.Name, f.Kind())
	}
	if len(q.Files) > 1 {
		return nil, page.Usagef("calls shows one trace; %s does not belong to the session of %s", q.Files[1].Name, f.Name)
	}
	tr, err := f.AMD.Trace()
	if err != nil {
		return nil, err
	}
	wanted, err := wantedThreads(q, tr)
	if err != nil {
		return nil, err
	}
	choose, err := newCallChoice(q)
	if err != nil {
		return nil, err
	}
	occ := occupanciesOf(f.AMD, tr)
	d, left := &view.Document{Title: "calls"}, mostText
	for _, module := range tr.Modules() {
		for _, th := range tr.Threads(module) {
			id := fmt.Sprint(th.ID)
			if len(wanted) > 0 && !wanted[id] {
				continue
			}
			t := callTable(ctx, choose.of(tr, th), th, occ, max(left, fewText))
			if left -= len(t.Rows); len(t.Rows) > 0 || !choose.any() {
				s := view.Section{ID: module + "_" + id, Title: "Thread " + id + ", " + module}
				s.AddTable(t)
				d.Sections = append(d.Sections, s)
			}
		}
	}
	if len(d.Sections) == 0 {
		q.Notef("%s: %s", f.Name, choose.none(tr, wanted))
	}
	return d, ctx.Err()
}

// mostText is how many calls text has, of all threads together: to set millions of rows
// in columns takes longer than anyone would look at them. fewText is how many a thread
// has where those before it have used them up.
const (
	mostText = 100_000
	fewText  = 1000
)

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

// any reports whether some calls may be left out.
func (c *callChoice) any() bool { return c.failed || c.timed || c.api != "" }

// none says why no call of the threads that are wanted was chosen.
func (c *callChoice) none(tr *amd.Trace, wanted map[string]bool) string {
	first, last, named, in := uint64(math.MaxUint64), uint64(0), false, false
	for _, module := range tr.Modules() {
		for _, th := range tr.Threads(module) {
			if len(wanted) > 0 && !wanted[fmt.Sprint(th.ID)] {
				continue
			}
			x := c.of(tr, th)
			for i := range th.Len() {
				named = named || x.apis == nil || x.apis[th.API(i)]
				if _, start, end, timed := th.Times(i); timed {
					first, last = min(first, start), max(last, end)
					in = in || end >= c.start && start <= c.end
				}
			}
		}
	}
	switch {
	case !c.any():
		return "the trace has no calls"
	case c.timed && first > last:
		return "--between: no call has times"
	case c.timed && !in:
		return fmt.Sprintf("--between: no call ran in this time; calls ran from %d to %d ns", first, last)
	case c.api != "" && !named:
		return fmt.Sprintf("--api: no call has %q in its name%s", c.api, spelling.Nearest(c.api, tr.APIs))
	case c.failed && !c.timed && c.api == "":
		return "--failed: no call failed"
	}
	return "no call is all of " + strings.Join(c.asked(), ", ")
}

// asked are the options that choose.
func (c *callChoice) asked() (names []string) {
	for _, o := range []struct {
		name  string
		given bool
	}{{"--api", c.api != ""}, {"--between", c.timed}, {"--failed", c.failed}} {
		if o.given {
			names = append(names, o.name)
		}
	}
	return names
}

// A threadChoice says which calls of a thread are shown.
type threadChoice struct {
	*callChoice
	apis map[uint32]bool // by name; nil: all
	th   *amd.Thread
}

func (c *callChoice) of(t *amd.Trace, th *amd.Thread) *threadChoice {
	x := &threadChoice{callChoice: c, th: th}
	if c.api != "" {
		x.apis = map[uint32]bool{}
		for i, name := range t.APIs {
			if strings.Contains(strings.ToLower(name), c.api) {
				x.apis[uint32(i)] = true
			}
		}
	}
	return x
}

// has reports whether call i is shown. It looks at its text last: there may be millions.
func (c *threadChoice) has(i int) bool {
	if c.apis != nil && !c.apis[c.th.API(i)] {
		return false
	}
	if c.timed {
		if _, start, end, timed := c.th.Times(i); !timed || end < c.start || start > c.end {
			return false
		}
	}
	if !c.failed {
		return true
	}
	if !amd.MayFail(c.th.Text(i)) {
		return false
	}
	x := c.th.Call(i)
	return x.Failed()
}

// callTable lists the calls of a thread, of which text shows so many as most. These are
// kept, and one more that tells whether there are others: a choice of few among millions
// is then made once, however often the table is walked. The others are made as they are
// shown.
func callTable(ctx context.Context, choose *threadChoice, th *amd.Thread, occ *occupancies, most int) *view.Table {
	ms := func(name, label string) view.Column {
		return view.Column{Name: name, Label: label, Type: view.Number, Number: &view.NumberStyle{Divisor: 1e6, Decimals: 5}}
	}
	places, occupancy := th.Places(), occ.thread(th)
	measured, placed, lined := view.Data, view.EveryoneIf(places != nil), view.Programs
	if occupancy != nil {
		measured = view.Everyone
	}
	t := &view.Table{ID: "calls", Layout: &view.Layout{Most: most, Others: "--format csv has all, and --api, --thread, --between and --failed choose"}, Columns: []view.Column{
		{Name: "index", Label: "Call Index", Type: view.Number}, {Name: "interface", Label: "Interface", Type: view.Text},
		{Name: "parameters", Label: "Parameters", Type: view.Text, MaxWidth: 60, Break: true}, {Name: "result", Label: "Result", Type: view.Text},
		{Name: "device_block", Label: "Device Block", Type: view.Text}, {Name: "occupancy", Label: "Kernel Occupancy (%)", Type: view.Number, For: measured},
		ms("cpu_time", "CPU Time(ms)"), ms("device_time", "Device Time(ms)"), ms("launch_latency", "Launch Latency(ms)"), ms("completion_latency", "Completion Latency(ms)"),
		{Name: "symbol", Label: "Symbol", Type: view.Text, MaxWidth: 40, Break: true, For: placed}, {Name: "source", Label: "Source", Type: view.Text, MaxWidth: 40, Break: true, For: placed},
		{Name: "file", Type: view.Text, For: lined}, {Name: "line", Type: view.Number, For: lined}}}
	if places == nil {
		t.Columns = t.Columns[:len(t.Columns)-4]
	}
	// rows yields the chosen calls after the first so many of the walk, each with its
	// place in the walk.
	rows := func(after int, yield func(at int, row []view.Value) bool) {
		var next func(kernel string) view.Value
		if occupancy != nil {
			next = occupancy()
		}
		at := 0
		for p := range amd.Walk(th) {
			i := int(p.Call)
			if at++; at&0xffff == 0 && ctx.Err() != nil {
				return
			}
			if at <= after || !choose.has(i) {
				if next != nil {
					if e := th.Enqueue(i); e != nil && e.Shape == amd.Dispatch {
						next(e.KernelName) // counts
					}
				}
				continue
			}
			c, shown := th.Call(i), view.Missing("N/A")
			if p.Index >= 0 {
				shown = view.Int(int64(p.Index), "")
			}
			row := append([]view.Value{shown}, callCells(&c, next)...)
			if places != nil {
				row = append(row, placeCells(places, i)...)
			}
			if !yield(at, row) {
				return
			}
		}
	}
	rows(0, func(at int, row []view.Value) bool {
		t.Rows = append(t.Rows, row)
		if len(t.Rows) <= most {
			return true
		}
		t.More = func(yield func([]view.Value) bool) {
			rows(at, func(_ int, row []view.Value) bool { return yield(row) })
		}
		return false
	})
	return t
}

// placeCells are symbol, place, file and line of a call.
func placeCells(places *amd.Places, i int) []view.Value {
	out := []view.Value{view.Null, view.Null, view.Null, view.Null}
	f, ok := places.Of(i)
	if !ok {
		return out
	}
	if f.Symbol != "" {
		out[0] = view.String(f.Symbol)
	}
	if f.File != "" {
		out[1], out[2] = view.String(f.File), view.String(f.File)
		if f.Line > 0 {
			out[1], out[3] = view.String(fmt.Sprintf("%s:%d", f.File, f.Line)), view.Int(int64(f.Line), "")
		}
	}
	return out
}

// callCells are the cells of a call after its index. next gives the occupancy of
// the next dispatch of a kernel in this thread; nil: there are none.
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
			if next != nil {
				row[4] = next(e.KernelName)
			}
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
