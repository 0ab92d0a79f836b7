package rcp

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/format/amd"
)

// Options shape an analysis.
type Options struct {
	Compat bool  // equal Radeon Compute Profiler 5.6
	Rules  Rules // which rules run
	Raw    bool  // cells hold numbers instead of text laid out as AMD's pages do
}

// An Analysis is a trace prepared for pages.
type Analysis struct {
	o       Options
	trace   *amd.Trace
	threads map[string][]*amd.Thread
	roles   map[string][]*role // by module, then by API number of the trace
	byID    map[string]map[int32]*role

	kernels   map[string][]kernel
	transfers map[string][]transfer
}

// New prepares a trace.
func New(ctx context.Context, t *amd.Trace, o Options) (*Analysis, error) {
	a := &Analysis{o: o, trace: t, threads: map[string][]*amd.Thread{}, roles: map[string][]*role{}, byID: map[string]map[int32]*role{},
		kernels: map[string][]kernel{}, transfers: map[string][]transfer{}}
	for _, m := range []string{amd.OpenCL, amd.HSA} {
		a.threads[m] = t.Threads(m)
		a.roles[m] = make([]*role, len(t.APIs))
		for i, name := range t.APIs {
			a.roles[m][i] = roleOf(m, name, o.Compat)
		}
		a.byID[m] = map[int32]*role{}
		for id, name := range apiIDs(m) {
			a.byID[m][int32(id)] = roleOf(m, name, true)
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	a.collectKernels()
	a.collectTransfers()
	return a, ctx.Err()
}

// A call is a call of an API as the pages see it.
type call struct {
	th         *amd.Thread
	i          int
	thread     uint64
	index      int // shown index in the thread; -1: none
	api        uint32
	name       string
	role       *role // what rules have to know of the API
	start, end uint64
}

// noRole stands for an API of no interest to any rule.
var noRole = &role{}

// each calls f with the calls of a module that have times, thread by thread.
func (a *Analysis) each(module string, f func(*call)) {
	var c call
	for _, th := range a.threads[module] {
		index := 0
		for i := range th.Len() {
			shown := index
			api, start, end, timed := th.Times(i)
			if a.trace.APIs[api] == "clGetEventInfo" {
				shown = -1
			} else {
				index++
			}
			if timed || !a.o.Compat {
				c = call{th: th, i: i, thread: th.ID, index: shown, api: api, name: a.trace.APIs[api], start: start, end: end}
				c.role = a.roleOf(module, &c)
				f(&c)
			}
		}
	}
}

// roleOf finds the role of a call. AMD's rules know an API by the number beside
// its times; its name is for messages only.
func (a *Analysis) roleOf(module string, c *call) *role {
	if !a.o.Compat {
		return a.roles[module][c.api]
	}
	if r := a.byID[module][c.th.APIID(c.i)]; r != nil {
		return r
	}
	return noRole
}

// A place is a call by its place, small enough to sort millions.
type place struct {
	start uint64
	th    int32
	i     int32
	index int32
}

// timeOrder calls f with the calls that want wants, by the time of their start;
// among equals the earlier thread block goes first.
func (a *Analysis) timeOrder(module string, want func(*role) bool, f func(*call)) {
	var order []place
	wanted := map[*role]bool{}
	th, at := int32(-1), (*amd.Thread)(nil)
	a.each(module, func(c *call) {
		w, known := wanted[c.role]
		if !known {
			w = want(c.role)
			wanted[c.role] = w
		}
		for at != c.th { // threads come in order
			th++
			at = a.threads[module][th]
		}
		if w {
			if order == nil {
				order = make([]place, 0, a.calls(module))
			}
			order = append(order, place{c.start, th, int32(c.i), int32(c.index)})
		}
	})
	slices.SortFunc(order, func(x, y place) int {
		switch { // cmp.Or would compare all three
		case x.start != y.start:
			return cmp.Compare(x.start, y.start)
		case x.th != y.th:
			return cmp.Compare(x.th, y.th)
		}
		return cmp.Compare(x.i, y.i)
	})
	var c call
	for _, p := range order {
		th := a.threads[module][p.th]
		api, start, end, _ := th.Times(int(p.i))
		c = call{th: th, i: int(p.i), thread: th.ID, index: int(p.index), api: api, name: a.trace.APIs[api], start: start, end: end}
		c.role = a.roleOf(module, &c)
		f(&c)
	}
}

// calls is the number of calls of a module.
func (a *Analysis) calls(module string) int {
	n := 0
	for _, th := range a.threads[module] {
		n += th.Len()
	}
	return n
}

// enqueue returns the command that the call put into a queue, or nil where
// nothing is known of it.
func (a *Analysis) enqueue(c *call) *amd.Enqueue {
	e := c.th.Enqueue(c.i)
	if e == nil || a.o.Compat && (e.Fused || !c.role.enqueues) {
		return nil
	}
	return e
}

// text is a call taken apart.
type text struct {
	result  string
	args    []string
	all     string // arguments in one
	repeat  bool   // stands for several calls in a row
	isWhole bool
}

// text takes the line of the call apart.
func (a *Analysis) text(module string, c *call) text {
	line := c.th.Text(c.i)
	if a.o.Compat && module == amd.OpenCL {
		return compatText(line)
	}
	if module == amd.HSA {
		line = amd.Unescape(line) // names of agents hold &nbsp; and &comma;, whose semicolon ends no argument
	}
	p, whole := amd.ParseCall(line)
	t := text{result: p.Result, all: p.Args, repeat: p.Repeat > 1, isWhole: whole}
	if a.o.Compat {
		t.args = strings.Split(p.Args, ";")
	} else {
		t.args = amd.SplitArgs(nil, p.Args)
	}
	return t
}

// compatText finds the arguments as AMD's parser does: it takes the first slash
// or star for the beginning of a comment, and the first parenthesis for the end
// of the call.
func compatText(line string) (t text) {
	if i := strings.IndexByte(line, '='); i > 0 {
		t.result = line[:i-1]
	}
	open := strings.IndexByte(line, '(')
	if i := strings.IndexAny(line, "/*"); i >= 0 {
		if k := strings.LastIndexAny(line, "/*"); k > i+3 {
			comment := line[i+2 : k-1]
			t.repeat = strings.Contains(comment[:min(len(comment), i)], "consecutive calls")
			line = line[:i] + ")"
		}
	}
	end := strings.IndexByte(line, ')')
	if open < 0 || end < open+2 || open+2 > len(line) {
		return t
	}
	t.all = strings.TrimSpace(line[open+2 : end])
	t.args = strings.Split(t.all, ";")
	t.isWhole = true
	return t
}

// result is what the call returned, found without taking all of it apart.
func (c *call) result() string {
	line := c.th.Text(c.i)
	open := strings.IndexByte(line, '(')
	i := strings.IndexByte(line, '=')
	if i <= 0 || open >= 0 && i > open {
		return ""
	}
	return line[:i-1]
}

// inBrackets returns what stands between the first and the last byte of "[x]".
func inBrackets(s string) string {
	if len(s) < 2 {
		return ""
	}
	return s[1 : len(s)-1]
}
