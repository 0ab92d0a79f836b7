package page

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/profile"
)

// kernelOptions choose launches; names and meaning are ncu's.
var kernelOptions = []Option{
	{Name: "kernel-name", Short: "k", Kind: List, NoComma: true, Arg: "NAME",
		Help: "only launches of kernels of this name, or with regex:EXPR of names in which EXPR is found"},
	{Name: "kernel-name-base", Kind: Choice, Values: []string{"function", "demangled", "mangled"}, Default: "function",
		Help: "the form of the name that --kernel-name and --kernel-id look at"},
	{Name: "kernel-id", Kind: List, NoComma: true, Arg: "CONTEXT:STREAM:NAME:INVOCATION",
		Help: "only these launches; parts may be empty; context, stream and invocation may be regular expressions, NAME may be regex:EXPR"},
	{Name: "launch-skip-before-match", Kind: Count, Default: "0", Arg: "N", Help: "pass over the first N launches before any filter looks at them"},
	{Name: "launch-skip", Short: "s", Kind: Count, Default: "0", Arg: "N", Help: "pass over the first N launches that the filters let through"},
	{Name: "launch-count", Short: "c", Kind: Count, Arg: "N", Help: "show at most N launches"},
	{Name: "nvtx-include", Kind: List, NoComma: true, Arg: "EXPR", Help: "only launches whose NVTX state matches; repeat for alternatives"},
	{Name: "nvtx-exclude", Kind: List, NoComma: true, Arg: "EXPR", Help: "no launches whose NVTX state matches"},
}

// A launch is an action, with what the request adds to it, together with the file
// it comes from.
type launch struct {
	profile.Launch
	file *load.File
}

// selectLaunches returns the launches of all files that the kernelOptions of q
// let through. Counting starts anew with each file.
func selectLaunches(q *Request) ([]launch, error) {
	names, err := parseNames(q.List("kernel-name"))
	if err != nil {
		return nil, Usagef("--kernel-name: %v", err)
	}
	var ids []*kernelID
	for _, s := range q.List("kernel-id") {
		id, err := parseKernelID(s)
		if err != nil {
			return nil, Usagef("--kernel-id: %v", err)
		}
		ids = append(ids, id)
	}
	nvtx, err := newNvtxChoice(q)
	if err != nil {
		return nil, err
	}
	var out []launch
	for _, f := range q.Files {
		if f.Report == nil {
			return nil, fmt.Errorf("%s: this page shows kernel launches; %s has none", f.Name, f.Kind())
		}
		s := selection{q: q, names: names, ids: ids, nvtx: nvtx, seen: map[invocation]int{}}
		for i, a := range f.Report.Actions() {
			ok, err := s.take(i, a)
			if err != nil {
				return nil, err
			}
			if ok {
				out = append(out, launch{q.Overlay.Launch(a), f})
			}
		}
	}
	nvtx.report(q)
	if len(out) == 0 {
		q.note("no launch matches")
	}
	return out, nil
}

// selection is the state of choosing among the launches of one file.
type selection struct {
	q       *Request
	names   []namePattern
	ids     []*kernelID
	nvtx    *nvtxChoice
	seen    map[invocation]int
	skipped int
	taken   int
}

// An invocation counts the launches of one kernel that one --kernel-id is about.
type invocation struct {
	id   *kernelID
	name string
}

func (s *selection) take(i int, a *profile.Action) (bool, error) {
	if i < s.q.Count("launch-skip-before-match") {
		return false, nil
	}
	if s.q.Given("launch-count") && s.taken >= s.q.Count("launch-count") {
		return false, nil
	}
	name := kernelName(a, s.q.Text("kernel-name-base"))
	if len(s.names) > 0 && !matchAny(s.names, name) {
		return false, nil
	}
	if len(s.ids) > 0 && !s.matchID(a, name) {
		return false, nil
	}
	if ok, err := s.nvtx.match(a); !ok {
		return false, err
	}
	if s.skipped < s.q.Count("launch-skip") {
		s.skipped++
		return false, nil
	}
	s.taken++
	return true, nil
}

func (s *selection) matchID(a *profile.Action, name string) bool {
	found := false
	for _, id := range s.ids {
		if !id.context.matchNumber(uint64(a.Context)) || !id.stream.matchNumber(uint64(a.Stream)) || !id.name.match(name) {
			continue
		}
		key := invocation{id, name}
		s.seen[key]++
		if id.invocation.matchNumber(uint64(s.seen[key])) {
			found = true
		}
	}
	return found
}

// kernelName is the name of a in one of the forms of --kernel-name-base.
func kernelName(a *profile.Action, base string) string {
	switch base {
	case "demangled":
		return fullName(a)
	case "mangled":
		return a.Mangled
	}
	return a.Function
}

// A namePattern matches a whole name, or with re any name in which it is found.
type namePattern struct {
	exact string
	re    *regexp.Regexp
}

func parseName(s string) (namePattern, error) {
	if expr, ok := strings.CutPrefix(s, "regex:"); ok {
		re, err := regexp.Compile(expr)
		if err != nil {
			return namePattern{}, fmt.Errorf("%q: %v", s, err)
		}
		return namePattern{re: re}, nil
	}
	return namePattern{exact: s}, nil
}

func parseNames(list []string) ([]namePattern, error) {
	var out []namePattern
	for _, s := range list {
		p, err := parseName(s)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

func (p namePattern) match(name string) bool {
	switch {
	case p.re != nil:
		return p.re.MatchString(name)
	case p.exact == "":
		return true
	}
	return p.exact == name
}

func matchAny(ps []namePattern, name string) bool {
	for _, p := range ps {
		if p.match(name) {
			return true
		}
	}
	return false
}

// A numberPattern is a regular expression for a whole number in decimal.
type numberPattern struct{ re *regexp.Regexp }

func (p numberPattern) matchNumber(n uint64) bool {
	return p.re == nil || p.re.MatchString(strconv.FormatUint(n, 10))
}

type kernelID struct {
	context, stream, invocation numberPattern
	name                        namePattern
}

// parseKernelID reads CONTEXT:STREAM:[regex:]NAME:INVOCATION. The name may hold
// colons: it is all between the second and the last.
func parseKernelID(s string) (*kernelID, error) {
	parts := strings.SplitN(s, ":", 3)
	last := -1
	if len(parts) == 3 {
		last = strings.LastIndexByte(parts[2], ':')
	}
	if last < 0 {
		return nil, fmt.Errorf("%q: expected CONTEXT:STREAM:NAME:INVOCATION", s)
	}
	var id kernelID
	for _, f := range []struct {
		text string
		to   *numberPattern
	}{{parts[0], &id.context}, {parts[1], &id.stream}, {parts[2][last+1:], &id.invocation}} {
		if f.text == "" {
			continue
		}
		re, err := regexp.Compile("^(?:" + f.text + ")$")
		if err != nil {
			return nil, fmt.Errorf("%q: %v", s, err)
		}
		f.to.re = re
	}
	var err error
	id.name, err = parseName(parts[2][:last])
	return &id, err
}
