package authoring

import (
	"context"
	"fmt"
	"sort"
	"strings"

	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/section"
	"github.com/gpuprof/gpuprof/view"
)

// Sections is the page sections.
var Sections = &page.Page{
	Name:  "sections",
	Short: "List the sections that details can show, and what is wrong with section files",
	Long: `Sections come from --section-folder and --section-folder-recursive, from the folder
gpuprof/sections of your configuration, and from gpuprof itself; of several with one
identifier the first found is taken. A file that cannot be used is named with line
and column, and the exit status is 1; the others go on working.`,
	Example: "gpuprof sections\ngpuprof sections --section-folder my/sections",
	Group:   page.GroupSections, MaxArgs: 0,
	Options: page.FolderOptions,
	Build:   buildSections,
}

func buildSections(_ context.Context, q *page.Request) (*view.Document, error) {
	l, err := page.SectionLibrary(q)
	if err != nil {
		return nil, err
	}
	t := &view.Table{ID: "sections", Link: &view.Link{To: view.ToSection, Cell: "identifier", At: []string{"identifier"}}, Columns: []view.Column{
		{Name: "identifier", Label: "Identifier", Type: view.Text, Role: view.RoleSection}, {Name: "title", Label: "Display Name", Type: view.Text},
		{Name: "order", Label: "Order", Type: view.Number}, {Name: "sets", Label: "Sets", Type: view.Text, MaxWidth: 40},
		{Name: "source", Label: "File", Type: view.Text}}}
	s := view.Section{ID: "sections", Title: "Sections"}
	for _, f := range l.Sections {
		var sets []string
		for _, set := range f.Sets {
			sets = append(sets, set.Identifier)
		}
		t.Rows = append(t.Rows, []view.Value{view.String(f.Identifier), view.String(f.DisplayName), view.Uint(uint64(f.Order.Or(0)), ""),
			view.String(strings.Join(sets, ", ")), view.String(origin(f))})
	}
	s.AddTable(t)
	addLibraryMessages(&s, l)
	return &view.Document{Title: "sections", Sections: []view.Section{s}, Failed: len(l.Failed) > 0}, nil
}

// origin is the file of a section, or that it comes with gpuprof.
func origin(f section.Found) string {
	if f.Stock() {
		return section.StockSource
	}
	return f.Source
}

// addLibraryMessages says what is wrong with the files of a library.
func addLibraryMessages(s *view.Section, l *section.Library) {
	for _, err := range l.Failed {
		s.AddMessage(&view.Message{Type: view.Error, Text: err.Error()})
	}
	for _, f := range l.Sections {
		for _, w := range f.Warnings {
			s.AddMessage(&view.Message{Type: view.Warning, Text: w.String()})
		}
		for _, other := range f.Shadows {
			if f.Stock() || !strings.HasPrefix(other, "stock/") {
				s.AddMessage(&view.Message{Type: view.OK, Text: fmt.Sprintf("%s: section %s is taken from %s, which is nearer", other, f.Identifier, origin(f))})
			}
		}
	}
}

// Sets is the page sets.
var Sets = &page.Page{
	Name:    "sets",
	Short:   "List the sets of sections",
	Example: "gpuprof sets\ngpuprof details --set detailed report.ncu-rep",
	Group:   page.GroupSections, MaxArgs: 0,
	Options: page.FolderOptions,
	Build:   buildSets,
}

func buildSets(_ context.Context, q *page.Request) (*view.Document, error) {
	l, err := page.SectionLibrary(q)
	if err != nil {
		return nil, err
	}
	t := &view.Table{ID: "sets", Link: &view.Link{To: view.ToSet, Cell: "identifier", At: []string{"identifier"}}, Columns: []view.Column{
		{Name: "identifier", Label: "Identifier", Type: view.Text, Role: view.RoleSet}, {Name: "sections", Label: "Sections", Type: view.Text, MaxWidth: 60},
		{Name: "metrics", Label: "Metrics", Type: view.Number}}}
	sets := l.Sets()
	var names []string
	for n := range sets {
		names = append(names, n)
	}
	sort.Strings(names)
	for _, n := range names {
		var ids []string
		metrics := map[string]bool{}
		for _, f := range sets[n] {
			ids = append(ids, f.Identifier)
			for _, m := range section.MetricNames(f.Definition, section.Target{Arch: 80}) {
				metrics[m] = true
			}
		}
		t.Rows = append(t.Rows, []view.Value{view.String(n), view.String(strings.Join(ids, ", ")), view.Uint(uint64(len(metrics)), "")})
	}
	s := view.Section{ID: "sets", Title: "Sets"}
	s.AddTable(t)
	return &view.Document{Title: "sets", Sections: []view.Section{s}}, nil
}

// Collect is the page sections collect.
var Collect = &page.Page{
	Name:  "sections collect",
	Title: "Metrics to Collect",
	Short: "Print the metrics that a collector needs for sections",
	Long: `Prints the argument of ncu --metrics that collects what the sections show, so that a
section of your own can be collected where only ncu is. Without operands: the set basic.`,
	Example: "ncu --metrics \"$(gpuprof sections collect MySection --section-folder my/sections)\" -o report ./app",
	Group:   page.GroupSections, Args: "[SECTION...]", MaxArgs: -1, Unopened: true,
	Options: append([]page.Option{
		{Name: "arch", Remote: true, Kind: page.Count, Default: "80", Arg: "CC", Help: "architecture to collect on, ten times the compute capability: 86 for 8.6"},
		{Name: "set", Remote: true, Kind: page.List, Arg: "SET", Help: "the sections of this set"},
	}, page.FolderOptions...),
	Build: buildCollect,
}

func buildCollect(_ context.Context, q *page.Request) (*view.Document, error) {
	l, err := page.SectionLibrary(q)
	if err != nil {
		return nil, err
	}
	sets := q.List("set")
	if len(q.Args) == 0 && len(sets) == 0 {
		sets = []string{"basic"}
	}
	chosen, err := l.Choose(q.Args, sets)
	if err != nil {
		return nil, page.Usagef("%v", err)
	}
	t := &view.Table{ID: "metrics", Columns: []view.Column{{Name: "metric", Type: view.Text, Role: view.RoleMetric}}}
	seen := map[string]bool{}
	for _, f := range chosen {
		for _, m := range section.MetricNames(f.Definition, section.Target{Arch: q.Count("arch")}) {
			if !seen[m] {
				seen[m] = true
				t.Rows = append(t.Rows, []view.Value{view.String(m)})
			}
		}
	}
	var names []string
	for _, r := range t.Rows {
		names = append(names, r[0].Text())
	}
	t.Layout = &view.Layout{Lines: []string{strings.Join(names, ",")}}
	s := view.Section{ID: "collect", Items: []view.Item{{Table: t}}}
	return &view.Document{Title: "sections collect", Sections: []view.Section{s}}, nil
}
