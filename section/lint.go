package section

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/format/ncurep"
	"github.com/gpuprof/gpuprof/internal/spelling"
	"github.com/gpuprof/gpuprof/profile"
)

// HasPrefix reports whether a name stands for other metrics: regex:, group: or
// breakdown:.
func HasPrefix(name string) bool {
	for _, p := range []string{"regex:", "group:", "breakdown:"} {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}

// Defines reports whether name is a derived metric of def.
func Defines(def *Definition, name string) bool {
	if def.Definitions != nil {
		for _, d := range def.Definitions.Definitions {
			if d.Name == name {
				return true
			}
		}
	}
	return false
}

// Lint says what in a sound definition cannot be meant: options that are never
// chosen, a header with prefixes, a body without items, groups that the section does
// not have, and expressions that are none.
func Lint(def *Definition) []string {
	l := linter{id: def.Identifier, groups: map[string]bool{}}
	for _, g := range def.Groups {
		l.groups[g.Name.Or("")] = true
	}
	if def.Header != nil {
		for _, m := range def.Header.Metrics {
			if m != nil && HasPrefix(m.Name) {
				l.say("the header asks for %s; only tables and charts of a body may use a prefix", m.Name)
			}
			l.metric(m)
		}
	}
	for _, list := range []*ncurep.SectionMetrics{def.Metrics, def.SourceMetrics} {
		if list != nil {
			for _, m := range list.Metrics {
				l.metric(m)
			}
		}
	}
	for i, b := range def.Bodies {
		if len(b.Items) == 0 {
			l.say("body %d has no items", i+1)
		}
		for _, it := range b.Items {
			l.item(it, 0)
		}
	}
	return l.out
}

// LintDerived says which derived metrics of a definition cannot be computed on t:
// expressions that cannot be read, metrics that need themselves, and, for the
// metrics ms of a launch, operands that it does not have; nil ms: any are there.
func LintDerived(def *Definition, t Target, ms *profile.MetricSet) []string {
	all := ms
	if all == nil {
		all = profile.NewMetricSet(nil)
	}
	var out []string
	for _, p := range NewDeriver([]*Definition{def}, DeriveOptions{Force: true}).Derive(t, all).Problems {
		var missing *MissingError
		if ms == nil && errors.As(p.Err, &missing) {
			continue
		}
		out = append(out, p.Error())
	}
	return out
}

type linter struct {
	id     string
	groups map[string]bool // the section's own
	out    []string
}

func (l *linter) say(format string, args ...any) {
	l.out = append(l.out, l.id+": "+fmt.Sprintf(format, args...))
}

func (l *linter) item(it *ncurep.BodyItem, depth int) {
	if it == nil || depth > maxNesting {
		return
	}
	if it.Table != nil && it.Table.Columns == 0 {
		l.say("a table needs the number of its Columns")
	}
	shown, _ := it.Item()
	for _, list := range [][]*ncurep.SectionMetric{shown.Metrics, shown.Highlight, shown.BaseNames} {
		for _, m := range list {
			l.metric(m)
		}
	}
	for _, sub := range shown.Items {
		l.item(sub, depth+1)
	}
}

// metric tells of options behind one that is always chosen, of expressions that are
// none, and of groups that are not there.
func (l *linter) metric(m *ncurep.SectionMetric) {
	if m == nil {
		return
	}
	if expr, ok := strings.CutPrefix(m.Name, "regex:"); ok {
		if _, err := regexp.Compile(expr); err != nil {
			l.say("%s: %v", m.Name, err)
		}
	}
	for _, g := range m.Groups {
		if !l.groups[g] {
			l.say("%s belongs to the group %q, which the section does not have%s", m.Name, g, spelling.Nearest(g, slices.Sorted(maps.Keys(l.groups))))
		}
	}
	always := ""
	for _, o := range m.Options {
		if always != "" {
			l.say("option %s of %s is never chosen: %s before it suits every architecture", o.Name, m.Name, always)
			continue
		}
		covers := true
		for arch := 50; arch <= 130; arch++ {
			covers = covers && Target{Arch: arch}.matches(o.Filter)
		}
		if covers {
			always = o.Name
		}
	}
	if always != "" && m.Filter != nil {
		l.say("the filter of %s has no effect: option %s suits every architecture", m.Name, always)
	}
}
