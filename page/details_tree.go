package page

import (
	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/section"
	"github.com/gpuprof/gpuprof/view"
)

// tree builds the page as sections within launches.
func (d *details) tree(launches []launch) (*view.Document, error) {
	doc := &view.Document{Title: "details"}
	for i, l := range launches {
		d.q.step(i, len(launches))
		if err := d.ctx.Err(); err != nil {
			return nil, err
		}
		s, err := d.launchSection(l)
		if err != nil {
			return nil, err
		}
		doc.Sections = append(doc.Sections, s)
	}
	return doc, nil
}

func (d *details) launchSection(l launch) (view.Section, error) {
	s := kernelSection(l)
	s.Title = launchTitle(l, d.kernelName(l))
	if l.FreeClock {
		text := "Data collection happened without fixed GPU frequencies. Profiling results may be inconsistent."
		s.Items = append(s.Items, view.Item{Message: &view.Message{Type: view.Warning, Text: text},
			Lines: []string{"  Warning: " + text}})
	}
	s.Items = append(s.Items, stateItems(d.q, l)...)
	rules := newFindings(d, l)
	err := d.each(l, func(e *section.Evaluated) error {
		v := d.builder.View(e)
		for _, m := range rules.take(e.Definition.Identifier) {
			v.AddMessage(m)
		}
		if len(v.Items) > 0 || d.q.Format == view.FormatJSON {
			s.Sections = append(s.Sections, v)
		}
		return nil
	})
	if rest := rules.rest(); len(rest) > 0 {
		v := view.Section{ID: "rules"}
		for _, m := range rest {
			v.AddMessage(m)
		}
		s.Sections = append(s.Sections, v)
	}
	return s, err
}

// findings are the messages of the rules about a launch.
type findings struct {
	d     *details
	rules []profile.RuleResult
	taken []bool
}

func newFindings(d *details, l launch) *findings {
	rs, err := l.RuleResults()
	if err != nil {
		d.q.note("%v", err)
	}
	return &findings{d: d, rules: rs, taken: make([]bool, len(rs))}
}

// take returns the messages of a section.
func (f *findings) take(id string) []*view.Message {
	var out []*view.Message
	for i := range f.rules {
		if r := &f.rules[i]; r.Section == id && id != "" && !f.taken[i] {
			f.taken[i] = true
			out = append(out, f.messages(r)...)
		}
	}
	return out
}

// rest returns the messages that belong to no section.
func (f *findings) rest() []*view.Message {
	var out []*view.Message
	for i := range f.rules {
		if r := &f.rules[i]; r.Section == "" {
			out = append(out, f.messages(r)...)
		}
	}
	return out
}
