package rcp

import (
	"context"
	"strings"

	"github.com/gpuprof/gpuprof/format/amd"
)

// Options shape an analysis.
type Options struct {
	Compat bool  // equal Radeon Compute Profiler 5.6
	Rules  Rules // which rules run
}

// An Analysis is a trace prepared for pages.
type Analysis struct {
	o       Options
	trace   *amd.Trace
	threads map[string][]*amd.Thread
	roles   map[string][]*role // by module, then by API number of the trace
	byID    map[string][]*role // by module, then by API number of the profiler
	nRoles  int

	kernelLists   map[string]*kernels
	transferLists map[string]*transfers
	args          []string // scratch of text
	sizes         map[*amd.Work]string
}

// New prepares a trace.
func New(ctx context.Context, t *amd.Trace, o Options) (*Analysis, error) {
	a := &Analysis{o: o, trace: t, threads: map[string][]*amd.Thread{}, roles: map[string][]*role{}, byID: map[string][]*role{},
		kernelLists: map[string]*kernels{}, transferLists: map[string]*transfers{}, sizes: map[*amd.Work]string{}}
	for _, m := range []string{amd.OpenCL, amd.HSA} {
		a.threads[m] = t.Threads(m)
		for _, name := range t.APIs {
			a.roles[m] = append(a.roles[m], a.newRole(m, name, o.Compat))
		}
		for _, name := range apiIDs(m) {
			a.byID[m] = append(a.byID[m], a.newRole(m, name, true))
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return a, ctx.Err()
}

func (a *Analysis) newRole(module, name string, compat bool) *role {
	r := roleOf(module, name, compat)
	a.nRoles++
	r.id = a.nRoles
	return r
}

// A site is where a call is: what messages about it show.
type site struct {
	thread uint64
	index  int // shown index in the thread; -1: none
	name   string
}

// A call is a call of an API as the pages see it.
type call struct {
	site
	th         *amd.Thread
	i          int
	api        uint32
	role       *role // what rules have to know of the API
	start, end uint64

	parts  text // see Analysis.text
	parsed bool
}

// noRole stands for an API of no interest to any rule.
var noRole = &role{}

// at makes c the ith call of th. It reports whether pages see it.
func (a *Analysis) at(c *call, r *role, th *amd.Thread, i, index int) bool {
	api, start, end, timed := th.Times(i)
	if !timed && a.o.Compat {
		return false
	}
	c.site = site{th.ID, index, a.trace.APIs[api]}
	c.th, c.i, c.api, c.start, c.end = th, i, api, start, end
	c.role, c.parsed = r, false
	return true
}

// each calls f with the calls of a module that have times, thread by thread.
func (a *Analysis) each(module string, f func(*call)) {
	var c call
	threads := a.threads[module]
	for p := range amd.Walk(threads...) {
		th, i := threads[p.Thread], int(p.Call)
		if a.at(&c, a.role(module, th, i, th.API(i)), th, i, int(p.Index)) {
			f(&c)
		}
	}
}

// role finds the role of a call. AMD's rules know an API by the number beside
// its times; its name is for messages only.
func (a *Analysis) role(module string, th *amd.Thread, i int, api uint32) *role {
	if !a.o.Compat {
		return a.roles[module][api]
	}
	if id := int(th.APIID(i)); id >= 0 && id < len(a.byID[module]) {
		return a.byID[module][id]
	}
	return noRole
}

// enqueue returns the command that the call put into a queue, or nil where
// nothing is known of it.
func (a *Analysis) enqueue(c *call) *amd.Enqueue { return a.command(c.th, c.i, c.role) }

func (a *Analysis) command(th *amd.Thread, i int, r *role) *amd.Enqueue {
	e := th.Enqueue(i)
	if e == nil || a.o.Compat && (e.Fused || !r.enqueues) {
		return nil
	}
	return e
}

// text is a call taken apart. Its arguments are valid until the next call is.
type text struct {
	result  string
	args    []string
	all     string // arguments in one
	repeat  bool   // stands for several calls in a row
	isWhole bool
}

// text takes the line of the call apart, once for all rules that look at it.
func (a *Analysis) text(module string, c *call) text {
	if !c.parsed {
		c.parts, c.parsed = a.parse(module, c.th.Text(c.i)), true
	}
	return c.parts
}

func (a *Analysis) parse(module, line string) text {
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
		a.args = amd.SplitArgs(a.args[:0], p.Args)
		t.args = a.args
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
