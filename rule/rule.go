package rule

import (
	"fmt"
	"path"
	"regexp"
	"strings"

	"github.com/gpuprof/gpuprof/internal/spelling"
)

// A Rule is a loaded rule file.
type Rule struct {
	ID          string
	Name        string // for people
	Description string
	Section     string   // identifier of the section that it belongs to; "" if none
	Parents     []string // rules whose numbers it receives
	Metrics     []string // that it says it needs
	Rules       []string // that it says it needs
	File        string   // path, or stock/NAME.py
	Stock       bool     // is one of this project's
	number      int
}

// A LoadError tells why a file holds no rule.
type LoadError struct {
	File string
	Line int // 0 if it is not about a line
	Text string
}

func (e *LoadError) Error() string { return position(e.File, e.Line) + e.Text }

func position(file string, line int) string {
	if line == 0 {
		return file + ": "
	}
	return fmt.Sprintf("%s:%d: ", file, line)
}

// A Set holds rules in the order in which they are applied.
type Set struct {
	Rules    []*Rule
	Problems []*LoadError
}

// Lookup returns the rule of an identifier, or nil.
func (s *Set) Lookup(id string) *Rule {
	for _, r := range s.Rules {
		if r.ID == id {
			return r
		}
	}
	return nil
}

// Nearest is what an unknown identifier may have been meant to be, as the end of a
// message, or "".
func (s *Set) Nearest(id string) string {
	var known []string
	for _, r := range s.Rules {
		known = append(known, r.ID)
	}
	return spelling.Nearest(id, known)
}

// Select returns the rules that any of the patterns names: an identifier, or
// regex:EXPR for the identifiers in which EXPR is found. A pattern that names no
// rule is an error. Without patterns it returns all rules.
func (s *Set) Select(patterns []string) ([]*Rule, error) {
	if len(patterns) == 0 {
		return s.Rules, nil
	}
	chosen := map[*Rule]bool{}
	for _, p := range patterns {
		match := func(id string) bool { return id == p }
		if expr, ok := strings.CutPrefix(p, "regex:"); ok {
			re, err := regexp.Compile(expr)
			if err != nil {
				return nil, fmt.Errorf("%q: %v", p, err)
			}
			match = re.MatchString
		}
		n := len(chosen)
		found := false
		for _, r := range s.Rules {
			if match(r.ID) {
				chosen[r], found = true, true
			}
		}
		if !found && len(chosen) == n {
			return nil, fmt.Errorf("no rule is named %q%s; 'gpuprof rules' lists them", p, s.Nearest(p))
		}
	}
	var out []*Rule
	for _, r := range s.Rules {
		if chosen[r] {
			out = append(out, r)
		}
	}
	return out, nil
}

// An Error is the failure of a rule.
type Error struct {
	File   string
	Line   int // 0 if unknown
	Text   string
	Raised bool // by the rule itself: it cannot say anything about this launch
}

func (e *Error) Error() string { return position(e.File, e.Line) + e.Text }

// isRuleFile reports whether a name may be that of a rule or of a module beside
// it. Folders of Nsight Compute hold the interface, too, which is ours here.
func isRuleFile(name string) bool {
	if name == "NvRules.py" || name == "ncu_report.py" {
		return false
	}
	return path.Ext(name) == ".py" && !strings.HasPrefix(path.Base(name), "__")
}
