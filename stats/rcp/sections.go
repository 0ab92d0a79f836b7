package rcp

import (
	"context"

	"github.com/gpuprof/gpuprof/format/amd"
	"github.com/gpuprof/gpuprof/view"
)

// Names are the names of the pages.
func Names() []string {
	var out []string
	for _, p := range Pages() {
		out = append(out, p.Name)
	}
	return out
}

// Split tells the pages of AMD's profilers from other reports.
func Split(specs []string) (ours, others []string) {
	for _, s := range specs {
		if _, ok := lookup(s); ok {
			ours = append(ours, s)
		} else {
			others = append(others, s)
		}
	}
	return ours, others
}

// Sections makes pages of a trace, each a section. A page that the trace holds
// nothing for is a message where asked is set, and one of lacking. step is told
// how many are done of how many.
func Sections(ctx context.Context, t *amd.Trace, pages []Page, o Options, asked bool, step func(done, of int)) (out []view.Section, lacking []Page, err error) {
	a, err := New(ctx, t, o)
	if err != nil {
		return nil, nil, err
	}
	for i, p := range pages {
		step(i, len(pages))
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		s, lacks := a.Section(p, asked)
		if lacks {
			lacking = append(lacking, p)
		}
		if s != nil {
			out = append(out, *s)
		}
	}
	return out, lacking, nil
}

// Section makes a page a section, nil where the trace holds nothing for it, or a
// message if it was asked for; lacks then is true.
func (a *Analysis) Section(p Page, asked bool) (s *view.Section, lacks bool) {
	t, notes := a.page(p)
	s = &view.Section{ID: p.Name, Title: p.Title}
	switch {
	case t != nil:
		s.AddTable(t)
	case asked:
		lacks = true
		s.AddMessage(&view.Message{Type: view.OK, Source: p.Name, Text: "The trace holds nothing for this page."})
	default:
		return nil, false
	}
	for _, n := range notes {
		s.AddMessage(&view.Message{Type: view.Warning, Source: p.Name, Text: n})
	}
	return s, lacks
}
