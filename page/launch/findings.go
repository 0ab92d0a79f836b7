package launch

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/view"
)

// A finding is what a rule says under one title of a kernel, whatever the launches.
type finding struct {
	line  *summaryLine   // the launch that would save most
	m     *view.Message  // of it, the one with the largest estimate
	ns    float64        // that following it would save at most: the sum over launches; 0: nothing tells
	lines []*summaryLine // that have it, as they ran
	saved map[*summaryLine]float64
}

// ns is how long the launch took; 0 where that was not measured, or is no number.
func (l *summaryLine) ns() float64 {
	if d := l.values[columnDuration].Float64(); d > 0 && !math.IsInf(d, 1) {
		return d
	}
	return 0
}

// saves is the time that following a message would save at most, in ns: where it is
// about the whole launch, and that was measured.
func (l *summaryLine) saves(m *view.Message) float64 {
	if m.Speedup == nil || !m.Speedup.Global {
		return 0
	}
	return l.ns() * m.Speedup.Percent / 100
}

// groupFindings groups what advises something, the most time saved first, then the
// largest estimate. What is said twice of a launch counts once; estimates of the
// same rule add up over launches, never over rules.
func groupFindings(lines []summaryLine) []*finding {
	type key struct {
		operand             int
		kernel, rule, title string
	}
	groups := map[key]*finding{}
	var out []*finding
	for i := range lines {
		l := &lines[i]
		for _, m := range l.found {
			if m.Speedup == nil && m.Type != view.Optimization && m.Type != view.Warning && m.Type != view.Error {
				continue
			}
			k := key{l.operand, l.FullName(), m.Source, m.Title}
			g := groups[k]
			if g == nil {
				g = &finding{line: l, m: m, saved: map[*summaryLine]float64{}}
				groups[k], out = g, append(out, g)
			}
			before := g.saved[g.line]
			ns, met := g.saved[l]
			if !met {
				g.lines = append(g.lines, l)
			}
			g.saved[l] = max(ns, l.saves(m))
			if c := cmp.Compare(g.saved[l], before); c > 0 || c == 0 && compareSpeedups(m.Speedup, g.m.Speedup) > 0 {
				g.line, g.m = l, m
			}
		}
	}
	for _, g := range out {
		for _, l := range g.lines { // not over the map: sums of doubles depend on their order
			g.ns += g.saved[l]
		}
	}
	slices.SortStableFunc(out, func(a, b *finding) int {
		return cmp.Or(cmp.Compare(b.ns, a.ns), compareSpeedups(b.m.Speedup, a.m.Speedup))
	})
	return out
}

// title is what the finding is called.
func (g *finding) title() string { return cmp.Or(g.m.Title, g.m.Source) }

// launches are the numbers of those that have it, the one that would save most first.
func (g *finding) launches() string {
	ls := slices.Clone(g.lines)
	slices.SortStableFunc(ls, func(a, b *summaryLine) int { return cmp.Compare(g.saved[b], g.saved[a]) })
	var b strings.Builder
	for i, l := range ls {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Itoa(l.number))
	}
	return b.String()
}

// findingsTable has a row for each finding.
func findingsTable(found []*finding) *view.Table {
	several := slices.ContainsFunc(found, func(g *finding) bool { return len(g.saved) > 1 })
	saving := slices.ContainsFunc(found, func(g *finding) bool { return g.ns > 0 })
	t := &view.Table{ID: "findings", Link: &view.Link{To: view.ToLaunch, Cell: "finding", At: []string{"operand", "number", "rule"}}, Columns: slices.Concat([]view.Column{
		{Name: "saves", Label: "Saves at most (us)", Unit: "ns", Type: view.Number, Number: microseconds, For: view.EveryoneIf(saving)},
		{Name: "speedup", Label: "Est. Speedup (%)", Unit: "%", Type: view.Number, Number: percentStyle, Role: view.RoleSpeedup}, {Name: "scope", Label: "Scope", Type: view.Text, Role: view.RoleScope},
		{Name: "count", Label: "Launches", Type: view.Number, Role: view.RoleCount, For: view.EveryoneIf(several)},
		{Name: "launch", Label: "Launch", Type: view.Number, Role: view.RoleID}, {Name: "kernel", Label: "Kernel", Type: view.Text, Role: view.RoleKernel, MaxWidth: 40, Break: true},
		{Name: "finding", Label: "Finding", Type: view.Text, Role: view.RoleFinding, MaxWidth: 40}, {Name: "rule", Label: "Rule", Type: view.Text, Role: view.RoleRule, MaxWidth: 24, Break: true},
		{Name: "type", Type: view.Text, For: view.Programs}, {Name: "launches", Type: view.Text, For: view.Programs}}, launchPlace)}
	for _, g := range found {
		speedup, scope, saved := view.Null, "", view.Null
		if s := g.m.Speedup; s != nil {
			speedup, scope = view.Float(s.Percent, "%"), s.Scope()
		}
		if g.ns > 0 {
			saved = view.Float(g.ns, "ns")
		}
		t.Rows = append(t.Rows, append([]view.Value{saved, speedup, view.String(scope), view.Int(int64(len(g.saved)), ""), view.Uint(uint64(g.line.ID), ""), view.String(g.line.FullName()),
			view.String(g.title()), view.String(g.m.Source), view.String(string(g.m.Type)), view.String(g.launches())}, g.line.place()...))
	}
	return t
}
