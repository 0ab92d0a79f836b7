package section

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/internal/spelling"
	"github.com/gpuprof/gpuprof/profile/choose"
)

// ParsePatterns reads identifiers, or regex:EXPR for identifiers that EXPR
// matches as a whole.
func ParsePatterns(ids []string) ([]choose.Name, error) {
	var out []choose.Name
	for _, s := range ids {
		p := choose.Name{Exact: s}
		if expr, ok := strings.CutPrefix(s, "regex:"); ok {
			re, err := regexp.Compile("^(?:" + expr + ")$")
			if err != nil {
				return nil, fmt.Errorf("section %q: %v", s, err)
			}
			p = choose.Name{RE: re}
		}
		out = append(out, p)
	}
	return out, nil
}

func (l *Library) identifiers() (out []string) {
	for _, f := range l.Sections {
		out = append(out, f.Identifier)
	}
	return out
}

// Choose takes the sections of the identifiers, or regex:EXPR, and of
// the sets.
func (l *Library) Choose(ids, sets []string) ([]Found, error) {
	all := l.Sets()
	for _, s := range sets {
		if all[s] == nil {
			return nil, fmt.Errorf("--set: there is no set %q%s; 'gpuprof sets' lists them", s, spelling.Nearest(s, slices.Sorted(maps.Keys(all))))
		}
	}
	patterns, err := ParsePatterns(ids)
	if err != nil {
		return nil, err
	}
	met := make([]bool, len(patterns))
	var out []Found
	for _, f := range l.Sections {
		take := false
		for _, set := range f.Sets {
			take = take || slices.Contains(sets, set.Identifier)
		}
		for i, p := range patterns {
			if p.Match(f.Identifier) {
				take, met[i] = true, true
			}
		}
		if take {
			out = append(out, f)
		}
	}
	for i, ok := range met {
		if !ok {
			return nil, fmt.Errorf("there is no section %q%s; 'gpuprof sections' lists them", ids[i], spelling.Nearest(ids[i], l.identifiers()))
		}
	}
	return out, nil
}
