package page

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/internal/spelling"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/profile/choose"
)

// KernelOptions choose launches; names and meaning are ncu's.
var KernelOptions = []Option{
	{Name: "kernel-name", Remote: true, Short: "k", Kind: List, NoComma: true, Arg: "NAME",
		Help: "only launches of kernels of this name, or with regex:EXPR of names in which EXPR is found"},
	{Name: "kernel-name-base", Kind: Choice, Values: []string{"function", "demangled", "mangled"}, Default: "function",
		Help: "the form of the name that --kernel-name and --kernel-id look at"},
	{Name: "kernel-id", Remote: true, Kind: List, NoComma: true, Arg: "CONTEXT:STREAM:NAME:INVOCATION",
		Help: "only these launches; parts may be empty; context, stream and invocation may be regular expressions, NAME may be regex:EXPR"},
	{Name: "launch-skip-before-match", Kind: Count, Default: "0", Arg: "N", Help: "pass over the first N launches before any filter looks at them"},
	{Name: "launch-skip", Remote: true, Short: "s", Kind: Count, Default: "0", Arg: "N", Help: "pass over the first N launches that the filters let through"},
	{Name: "launch-count", Remote: true, Short: "c", Kind: Count, Arg: "N", Help: "show at most N launches"},
	{Name: "nvtx-include", Remote: true, Kind: List, NoComma: true, Arg: "EXPR", Help: "only launches whose NVTX state matches; repeat for alternatives"},
	{Name: "nvtx-exclude", Remote: true, Kind: List, NoComma: true, Arg: "EXPR", Help: "no launches whose NVTX state matches"},
	{Name: "range-filter", Kind: Text, Arg: "[yes|no]:[N]:[N]", Help: "only these instances of the ranges of --nvtx-include, the third part: a number or an expression of numbers; reports do not hold the second"},
	{Name: "native-include", Kind: List, NoComma: true, Arg: "[PLACE@]FUNCTION", Help: "only launches with such a frame in the CPU call stack; PLACE is the end of a file or module, FUNCTION may be regex:EXPR"},
	{Name: "native-exclude", Kind: List, NoComma: true, Arg: "[PLACE@]FUNCTION", Help: "no launches with such a frame"},
	{Name: "python-include", Kind: List, NoComma: true, Arg: "[PLACE@]FUNCTION", Help: "only launches with such a frame of Python in the call stack"},
	{Name: "python-exclude", Kind: List, NoComma: true, Arg: "[PLACE@]FUNCTION", Help: "no launches with such a frame of Python"},
	{Name: "rename-kernels", Kind: Choice, Values: []string{"on", "off"}, Default: "on", Help: "off: leave names alone that the file of --rename-kernels-path changes"},
	{Name: "rename-kernels-path", Kind: Text, Arg: "FILE", Help: "call kernels as this YAML file says: a list of entries with Original and Renamed"},
	{Name: "rename-kernels-export", Kind: Text, Arg: "FILE", Help: "write such a file with the kernels of the reports, to be edited"},
}

// A Launch is an action, with what the request adds to it, together with the file
// it comes from.
type Launch struct {
	profile.Launch
	File *load.File

	renamed string // what the request calls the kernel; "": its name
}

// FullName is the demangled name of the kernel, or what the request calls it.
func (a Launch) FullName() string {
	if a.renamed != "" {
		return a.renamed
	}
	return a.Launch.FullName()
}

// NameAs is the name in a form of --kernel-name-base; the mangled one stays.
func (a Launch) NameAs(base string) string {
	if a.renamed != "" && base != "mangled" {
		return a.renamed
	}
	return a.Launch.NameAs(base)
}

// SelectLaunches returns the launches of all files that the KernelOptions of q
// let through. Counting starts anew with each file.
func SelectLaunches(q *Request) ([]Launch, error) {
	which, err := launchesAsked(q)
	if err != nil {
		return nil, err
	}
	var out []Launch
	for _, f := range q.Files {
		if f.Report == nil {
			return nil, fmt.Errorf("%s: this page shows kernel launches; %s has none", f.Name, f.Kind())
		}
		chosen, err := which.Of(f.Report.Actions())
		if err != nil {
			return nil, err
		}
		for _, a := range chosen {
			out = append(out, Launch{Launch: q.Overlay.Launch(a), File: f})
		}
	}
	if err := rename(q, out); err != nil {
		return nil, err
	}
	for _, text := range which.NVTX.Unmet() {
		q.Notef("%s", text)
	}
	if len(out) == 0 {
		if err := unmetKernels(q, &which); err != nil {
			return nil, err
		}
		all := 0
		for _, f := range q.Files {
			all += len(f.Report.Actions())
		}
		q.Notef("no launch matches; there are %d", all)
	}
	return out, nil
}

// mostListed is how many names an error lists of those that there are.
const mostListed = 20

// unmetKernels is an error where the files have no kernel of the names that q asks
// for: it tells which there are, the most launched first.
func unmetKernels(q *Request, which *choose.Launches) error {
	if len(which.Names) == 0 {
		return nil
	}
	count := map[string]int{}
	var names []string
	for _, f := range q.Files {
		for _, a := range f.Report.Actions() {
			name := a.NameAs(which.NameBase)
			if choose.MatchAny(which.Names, name) {
				return nil
			}
			if count[name]++; count[name] == 1 {
				names = append(names, name)
			}
		}
	}
	asked := q.List("kernel-name")
	near := ""
	if len(asked) == 1 {
		near = spelling.Nearest(asked[0], names)
	}
	slices.SortStableFunc(names, func(a, b string) int { return count[b] - count[a] })
	var b strings.Builder
	for i, name := range names {
		if i == mostListed {
			fmt.Fprintf(&b, "\n  and %d kernels more", len(names)-i)
			break
		}
		fmt.Fprintf(&b, "\n  %6d x %s", count[name], name)
	}
	if len(names) == 0 {
		b.WriteString(" none")
	}
	return Usagef("--kernel-name: no launch is of a kernel %s%s\nlaunches, by the form of names %q:%s",
		strings.Join(quoted(asked), " or "), near, which.NameBase, b.String())
}

func quoted(names []string) (out []string) {
	for _, n := range names {
		out = append(out, strconv.Quote(n))
	}
	return out
}

// launchesAsked reads the KernelOptions of q.
func launchesAsked(q *Request) (c choose.Launches, err error) {
	if c.Names, err = choose.ParseNames(q.List("kernel-name")); err != nil {
		return c, Usagef("--kernel-name: %v", err)
	}
	for _, s := range q.List("kernel-id") {
		id, err := choose.ParseID(s)
		if err != nil {
			return c, Usagef("--kernel-id: %v", err)
		}
		c.IDs = append(c.IDs, id)
	}
	if c.NVTX, err = choose.ParseNVTX(q.List("nvtx-include"), q.List("nvtx-exclude")); err != nil {
		return c, Usagef("%v", err)
	}
	for _, o := range []struct {
		name   string
		add    func([]string, bool) error
		python bool
	}{{"native-include", c.Stack.AddInclude, false}, {"native-exclude", c.Stack.AddExclude, false},
		{"python-include", c.Stack.AddInclude, true}, {"python-exclude", c.Stack.AddExclude, true}} {
		if err := o.add(q.List(o.name), o.python); err != nil {
			return c, Usagef("--%s: %v", o.name, err)
		}
	}
	if s := q.Text("range-filter"); s != "" {
		if c.Range, err = choose.ParseRange(s); err != nil {
			return c, Usagef("--range-filter: %v", err)
		}
		if c.Range.Profile != "" {
			q.Notef("--range-filter: reports do not tell where profiling was started and stopped; %q has no effect", c.Range.Profile)
		}
	}
	c.NameBase = q.Text("kernel-name-base")
	c.SkipBefore, c.Skip, c.Count = q.Count("launch-skip-before-match"), q.Count("launch-skip"), -1
	if q.Given("launch-count") {
		c.Count = q.Count("launch-count")
	}
	return c, nil
}
