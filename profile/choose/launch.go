package choose

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/profile"
)

// Launches say which launches of a file are taken: those that every part lets
// through. The zero value but for Count takes all.
type Launches struct {
	SkipBefore int    // passed over before any filter looks at them
	NameBase   string // form of the name that Names and IDs look at: function, demangled or mangled
	Names      []Name
	IDs        []*ID
	NVTX       *NVTX // nil: all
	Stack      Stack
	Range      *RangeFilter // nil: all
	Skip       int          // passed over of those that the filters let through
	Count      int          // at most so many; below 0: all
}

// Of are those of actions that c takes, in their order. Counting starts anew with
// each call.
func (c *Launches) Of(actions []*profile.Action) ([]*profile.Action, error) {
	s := selection{Launches: c, seen: map[invocation]int{}}
	var out []*profile.Action
	for i, a := range actions {
		ok, err := s.take(i, a)
		if err != nil {
			return nil, err
		}
		if ok {
			out = append(out, a)
		}
	}
	return out, nil
}

// selection is the state of choosing among the launches of one file.
type selection struct {
	*Launches
	seen    map[invocation]int
	skipped int
	taken   int
}

// An invocation counts the launches of one kernel that one --kernel-id is about.
type invocation struct {
	id   *ID
	name string
}

func (s *selection) take(i int, a *profile.Action) (bool, error) {
	if i < s.SkipBefore {
		return false, nil
	}
	if s.Count >= 0 && s.taken >= s.Count {
		return false, nil
	}
	name := a.NameAs(s.NameBase)
	if len(s.Names) > 0 && !MatchAny(s.Names, name) {
		return false, nil
	}
	if len(s.IDs) > 0 && !s.matchID(a, name) {
		return false, nil
	}
	ok, err := s.NVTX.match(a)
	if s.Range != nil && err == nil {
		ok = s.Range.take(ok) && ok
	}
	if !ok {
		return false, err
	}
	if ok, err := s.Stack.match(a); !ok {
		return false, err
	}
	if s.skipped < s.Skip {
		s.skipped++
		return false, nil
	}
	s.taken++
	return true, nil
}

func (s *selection) matchID(a *profile.Action, name string) bool {
	found := false
	for _, id := range s.IDs {
		if !id.context.matchNumber(uint64(a.Context)) || !id.stream.matchNumber(uint64(a.Stream)) || !id.name.Match(name) {
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

// A Name is a pattern of names: it matches a whole name, or with re any name in which it is found.
type Name struct {
	Exact string
	RE    *regexp.Regexp
}

// parseName reads NAME or regex:EXPR.
func parseName(s string) (Name, error) {
	if expr, ok := strings.CutPrefix(s, "regex:"); ok {
		re, err := regexp.Compile(expr)
		if err != nil {
			return Name{}, fmt.Errorf("%q: %v", s, err)
		}
		return Name{RE: re}, nil
	}
	return Name{Exact: s}, nil
}

// ParseNames reads patterns: a name, or regex:EXPR.
func ParseNames(list []string) ([]Name, error) {
	var out []Name
	for _, s := range list {
		p, err := parseName(s)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

// Match reports whether the pattern matches a name; an empty one matches all.
func (p Name) Match(name string) bool {
	switch {
	case p.RE != nil:
		return p.RE.MatchString(name)
	case p.Exact == "":
		return true
	}
	return p.Exact == name
}

// MatchAny reports whether any of the patterns matches.
func MatchAny(ps []Name, name string) bool {
	for _, p := range ps {
		if p.Match(name) {
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

// An ID is CONTEXT:STREAM:[regex:]NAME:INVOCATION, as --kernel-id takes it.
type ID struct {
	context, stream, invocation numberPattern
	name                        Name
}

// ParseID reads CONTEXT:STREAM:[regex:]NAME:INVOCATION. The name may hold
// colons: it is all between the second and the last.
func ParseID(s string) (*ID, error) {
	parts := strings.SplitN(s, ":", 3)
	last := -1
	if len(parts) == 3 {
		last = strings.LastIndexByte(parts[2], ':')
	}
	if last < 0 {
		return nil, fmt.Errorf("%q: expected CONTEXT:STREAM:NAME:INVOCATION", s)
	}
	var id ID
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
