package choose

import (
	"fmt"
	"path"
	"regexp"
	"strings"

	"github.com/gpuprof/gpuprof/profile"
)

// A Stack is the filter of call stacks of --native-include, --python-include and the
// two that exclude: a launch is taken if any frame of its stack matches any of Include,
// where there are any, and none matches any of Exclude. How the vendor's tool reads these
// expressions is not documented where we could read it, so the grammar is ours.
type Stack struct{ include, exclude []frameFilter }

// A frameFilter is [PLACE@]NAME: the function of a frame, and the file or module.
type frameFilter struct {
	python bool
	place  string
	name   Name
}

// AddInclude adds expressions [PLACE@]NAME or [PLACE@]regex:EXPR: PLACE is the end of
// the path of the file or module. Python says that frames are those of Python files,
// else those of others.
func (s *Stack) AddInclude(exprs []string, python bool) (err error) {
	s.include, err = addFilters(s.include, exprs, python)
	return err
}

// AddExclude adds expressions of frames that a launch must not have.
func (s *Stack) AddExclude(exprs []string, python bool) (err error) {
	s.exclude, err = addFilters(s.exclude, exprs, python)
	return err
}

func addFilters(to []frameFilter, exprs []string, python bool) ([]frameFilter, error) {
	for _, e := range exprs {
		f := frameFilter{python: python}
		name := e
		if place, rest, ok := strings.Cut(e, "@"); ok && !strings.HasPrefix(e, "regex:") {
			f.place, name = place, rest
		}
		var err error
		if f.name, err = parseName(name); err != nil {
			return nil, err
		}
		to = append(to, f)
	}
	return to, nil
}

// match reports whether the filter takes the launch of an action.
func (s *Stack) match(a *profile.Action) (bool, error) {
	if len(s.include)+len(s.exclude) == 0 {
		return true, nil
	}
	frames, err := a.CallStack()
	if err != nil {
		return false, err
	}
	return (len(s.include) == 0 || anyFrame(frames, s.include)) && !anyFrame(frames, s.exclude), nil
}

func anyFrame(frames []profile.Frame, filters []frameFilter) bool {
	for _, x := range frames {
		for _, f := range filters {
			if f.python == isPython(x) && f.name.Match(x.Function) && (f.place == "" || endsWith(x.File, f.place) || endsWith(x.Module, f.place)) {
				return true
			}
		}
	}
	return false
}

func isPython(f profile.Frame) bool { return path.Ext(f.File) == ".py" }

// endsWith reports whether a path ends with whole parts of another.
func endsWith(whole, end string) bool {
	return whole == end || strings.HasSuffix(whole, "/"+end)
}

// A RangeFilter is --range-filter: which instances of the ranges that --nvtx-include names
// are taken. Launches that follow each other and match are of one instance: reports do
// not tell push/pop ranges of one name apart. Nor do they tell where profiling was
// started and stopped, so that part is read and has no effect.
type RangeFilter struct {
	restart bool
	Profile string // instances of start and stop, as given
	nvtx    numberPattern

	instance int
	within   bool
}

// ParseRange reads [yes|no]:[start/stop instances]:[NVTX instances].
func ParseRange(s string) (*RangeFilter, error) {
	parts := strings.Split(s, ":")
	if len(parts) != 3 {
		return nil, fmt.Errorf("%q: expected [yes|no]:[START/STOP]:[NVTX]", s)
	}
	f := &RangeFilter{Profile: parts[1]}
	switch parts[0] {
	case "", "no":
	case "yes":
		f.restart = true
	default:
		return nil, fmt.Errorf("%q: expected yes or no first, found %q", s, parts[0])
	}
	if parts[2] != "" {
		re, err := regexp.Compile("^(?:" + parts[2] + ")$")
		if err != nil {
			return nil, fmt.Errorf("%q: %v", s, err)
		}
		f.nvtx.re = re
	}
	return f, nil
}

// take counts a launch, whose NVTX state matches or does not, and reports whether its
// instance is asked for.
func (f *RangeFilter) take(matches bool) bool {
	if matches && !f.within {
		f.instance++
	}
	f.within = matches
	return f.nvtx.matchNumber(uint64(f.instance))
}
