package launch

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/profile/metric"
	"github.com/gpuprof/gpuprof/section"
	"github.com/gpuprof/gpuprof/view"
)

// A summaryKey is what the launches of one group have in common.
type summaryKey struct {
	process     int // in order of appearance
	name        string
	grid, block [3]uint64
	device      int
	cc          string
	nvtx        string // of per-nvtx
}

// compareKeys orders groups by kernel, grid and block; with gpuFirst by GPU
// before that.
func compareKeys(a, b summaryKey, gpuFirst bool) int {
	gpu := cmp.Or(cmp.Compare(a.device, b.device), cmp.Compare(a.cc, b.cc))
	kernel := cmp.Or(cmp.Compare(a.nvtx, b.nvtx), cmp.Compare(a.name, b.name),
		slices.Compare(a.grid[:], b.grid[:]), slices.Compare(a.block[:], b.block[:]))
	if gpuFirst {
		return cmp.Or(cmp.Compare(a.process, b.process), gpu, kernel)
	}
	return cmp.Or(cmp.Compare(a.process, b.process), kernel, gpu)
}

// A summaryGroup gathers the launches of a key.
type summaryGroup struct {
	summaryKey
	first    page.Launch
	n        int
	sections map[string]*summarySection // by identifier
}

type summarySection struct {
	id, title string
	metrics   map[string]*aggregate
}

// An aggregate is a metric over several launches.
type aggregate struct {
	name, label, unit string
	min, max, sum     float64
	n                 int
}

func (a *aggregate) add(v float64) {
	if a.n == 0 {
		a.min, a.max = v, v
	}
	if v < a.min || math.IsNaN(a.min) {
		a.min = v
	}
	if v > a.max || math.IsNaN(a.max) {
		a.max = v
	}
	a.sum += v
	a.n++
}

// summary builds the page of --print-summary.
func (d *details) summary(launches []page.Launch, csv bool) (*view.Document, error) {
	groups, err := d.summarize(launches)
	if err != nil {
		return nil, err
	}
	if csv {
		return d.summaryCSV(groups)
	}
	doc := &view.Document{Title: "details"}
	mode := d.q.Text("print-summary")
	for i := range groups {
		g := groups[i]
		s := d.summarySection(g)
		if mode != "per-gpu" {
			doc.Sections = append(doc.Sections, s)
			continue
		}
		if i == 0 || groups[i-1].process != g.process || groups[i-1].device != g.device || groups[i-1].cc != g.cc {
			doc.Sections = append(doc.Sections, view.Section{ID: fmt.Sprintf("gpu%d", g.device), Group: s.Group,
				Title: fmt.Sprintf("Device %d", g.device) + g.first.Architecture()})
		}
		last := &doc.Sections[len(doc.Sections)-1]
		s.Group, s.Layout = "", &view.Layout{Plain: true}
		last.Sections = append(last.Sections, s)
	}
	if len(groups) > 0 {
		doc.Sections = append(doc.Sections, summaryNote(groups[len(groups)-1].first.Process.Heading(), d.q.Compat2024()))
	}
	return doc, nil
}

// summarize groups the launches in the order of the page.
func (d *details) summarize(launches []page.Launch) ([]*summaryGroup, error) {
	mode := d.q.Text("print-summary")
	byKey := map[summaryKey]*summaryGroup{}
	processes := map[profile.Process]int{}
	var groups []*summaryGroup
	for i, l := range launches {
		d.q.Progress(i, len(launches))
		if err := d.ctx.Err(); err != nil {
			return nil, err
		}
		if _, seen := processes[l.Process]; !seen {
			processes[l.Process] = len(processes)
		}
		k := summaryKey{process: processes[l.Process], name: d.kernelName(l), grid: l.Grid, block: l.Block,
			device: l.Device(), cc: l.ComputeCapability()}
		if mode == "per-nvtx" {
			s, _ := l.NvtxState() // what cannot be read counts as no range
			k.nvtx = pushPopText(s) + startEndText(s)
		}
		g := byKey[k]
		if g == nil {
			g = &summaryGroup{summaryKey: k, first: l, sections: map[string]*summarySection{}}
			byKey[k] = g
			groups = append(groups, g)
		}
		g.n++
		if err := d.each(l, func(e *section.Evaluated) error { g.add(e, d.builder); return nil }); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(groups, func(a, b *summaryGroup) int { return compareKeys(a.summaryKey, b.summaryKey, mode == "per-gpu") })
	return groups, nil
}

// add adds the numbers of a section; texts and what is missing have no part in
// a summary.
func (g *summaryGroup) add(e *section.Evaluated, b *section.Builder) {
	id := e.Definition.Identifier
	s := g.sections[id]
	if s == nil {
		s = &summarySection{id: id, title: e.Definition.DisplayName, metrics: map[string]*aggregate{}}
		g.sections[id] = s
	}
	for _, r := range e.Rows {
		if r.Value == nil || r.Value.Value.Kind() == metric.KindNone || r.Value.Value.Kind() == metric.KindString {
			continue
		}
		a := s.metrics[r.Name]
		if a == nil {
			a = &aggregate{name: r.Name, label: b.Name(r), unit: r.Unit}
			s.metrics[r.Name] = a
		}
		a.add(r.Value.Value.Double())
	}
}

// ordered are the sections that have numbers, by title.
func (g *summaryGroup) ordered() []*summarySection {
	var out []*summarySection
	for _, s := range g.sections {
		if len(s.metrics) > 0 {
			out = append(out, s)
		}
	}
	slices.SortFunc(out, func(a, b *summarySection) int {
		return cmp.Or(cmp.Compare(a.title, b.title), cmp.Compare(a.id, b.id))
	})
	return out
}

// ordered are the metrics by name.
func (s *summarySection) ordered() []*aggregate {
	out := make([]*aggregate, 0, len(s.metrics))
	for _, a := range s.metrics {
		out = append(out, a)
	}
	slices.SortFunc(out, func(a, b *aggregate) int { return cmp.Compare(a.name, b.name) })
	return out
}

func (a *aggregate) cells() []view.Value {
	return []view.Value{view.UnitOf(a.unit), view.Float(a.min, a.unit), view.Float(a.max, a.unit),
		view.Float(a.sum/float64(a.n), a.unit)}
}

// summarySection is the part of the page about one group.
func (d *details) summarySection(g *summaryGroup) view.Section {
	s := g.first.Heading()
	s.Title = fmt.Sprintf("%s %s, Device %d%s, Invocations %d", g.name, g.first.Extent(), g.device, g.first.Architecture(), g.n)
	switch d.q.Text("print-summary") {
	case "per-gpu":
		s.Title = fmt.Sprintf("%s %s, Invocations %d", g.name, g.first.Extent(), g.n)
	case "per-nvtx":
		s.Items = nvtxItems(d.q, g.first)
	}
	s.Properties = append(s.Properties, view.Property{Name: "invocations", Value: view.Uint(uint64(g.n), "")})
	for _, sec := range g.ordered() {
		t := &view.Table{ID: "summary", Layout: &view.Layout{Frame: view.FrameFull, Numbers: view.Fixed}, Columns: []view.Column{
			{Name: "metric", Type: view.Text, Role: view.RoleMetric, For: view.Programs}, {Name: "label", Label: "Metric Name", Type: view.Text, Role: view.RoleLabel},
			{Name: "unit", Label: "Metric Unit", Type: view.Unit}, {Name: "minimum", Label: "Minimum", Type: view.Number, Role: view.RoleMinimum},
			{Name: "maximum", Label: "Maximum", Type: view.Number, Role: view.RoleMaximum}, {Name: "average", Label: "Average", Type: view.Number, Role: view.RoleMean}}}
		for _, a := range sec.ordered() {
			t.Rows = append(t.Rows, append([]view.Value{view.String(a.name), view.String(a.label)}, a.cells()...))
		}
		s.Sections = append(s.Sections, view.Section{ID: sec.id, Title: sec.title, Items: []view.Item{{Table: t}}})
	}
	return s
}

// summaryCSV has a row for each metric of each group.
func (d *details) summaryCSV(groups []*summaryGroup) (*view.Document, error) {
	nvtx := d.q.Text("print-summary") == "per-nvtx"
	t := &view.Table{ID: "summary", Layout: &view.Layout{Numbers: view.Fixed}}
	names := []string{"Process ID", "Process Name", "Host Name"}
	if nvtx {
		names = append(names, pushPopColumn, startEndColumn)
	}
	for _, n := range append(names, "Kernel Name", "Block Size", "Grid Size", "Device", "CC", "Invocations", "Section Name", "Metric Name") {
		t.Columns = append(t.Columns, view.Column{Name: n, Type: view.Text})
	}
	t.Columns = append(t.Columns, view.Column{Name: "Metric Unit", Type: view.Unit},
		view.Column{Name: "Minimum"}, view.Column{Name: "Maximum"}, view.Column{Name: "Average"})
	for _, g := range groups {
		p := g.first.Process
		head := []view.Value{view.Uint(uint64(p.ID), ""), view.String(p.Executable()), view.String(p.Host)}
		if nvtx {
			s, _ := g.first.NvtxState()
			head = append(head, view.String(pushPopText(s)), view.String(startEndText(s)))
		}
		head = append(head, view.String(g.name), g.first.Size(g.block), g.first.Size(g.grid),
			view.Uint(uint64(g.device), ""), view.String(g.cc), view.Uint(uint64(g.n), ""))
		for _, s := range g.ordered() {
			for _, a := range s.ordered() {
				row := append(slices.Clone(head), view.String(s.title), view.String(a.label))
				t.Rows = append(t.Rows, append(row, a.cells()...))
			}
		}
	}
	return &view.Document{Title: "details", Sections: []view.Section{{ID: "summary", Items: []view.Item{{Table: t}}}}}, nil
}

// summaryNote ends the page with a word about averages.
func summaryNote(group string, compat bool) view.Section {
	if !compat {
		text := "Every average is the arithmetic mean over launches; where their configurations differ, look at the launches themselves."
		return view.Section{ID: "note", Group: group, Items: []view.Item{{
			Message: &view.Message{Type: view.None, Text: text, Layout: &view.Layout{Lines: []string{"Note: " + text}}}}}}
	}
	lines := []string{ // as printed by that version
		"Note: The shown averages are calculated as the arithmetic mean of the metric values after the evaluation of the",
		"metrics for each individual kernel launch.",
		"If aggregating across varying launch configurations (like shared memory, cache config settings), the arithmetic",
		"mean can be misleading and looking at the individual results is recommended instead.",
		"This output mode is backwards compatible to the per-kernel summary output of nvprof",
	}
	text := ""
	for i, l := range lines {
		if i > 0 {
			text += " "
		}
		text += l
		lines[i] = fmt.Sprintf("%-115s", l)
	}
	return view.Section{ID: "note", Group: group, Items: []view.Item{{
		Message: &view.Message{Type: view.None, Text: text, Layout: &view.Layout{Lines: append(lines, "")}}}}}
}
