package load

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/gpuprof/gpuprof/format/ncurep"
	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/section"
)

// ErrNotWritable is matched by the errors for files that cannot be written back.
var ErrNotWritable = errors.New("cannot be written as a report of Nsight Compute")

// Export returns a report that holds the launches of keep alone, with what o adds
// to them; it may be nil. Results of rules replace what the report has of the same
// rules, metrics those of the same name. What is not touched stays byte for byte.
// Tables with cells of a rule's own go into a field of this project's: the
// vendor's place for them is not known.
func (r *Report) Export(keep []*profile.Action, o *profile.Overlay) (io.WriterTo, error) {
	if r.ncu == nil {
		return nil, fmt.Errorf("%s: a %s %w", r.File, r.Format, ErrNotWritable)
	}
	e := r.ncu.file.Edit()
	kept := map[*ncurep.Result]bool{}
	for _, a := range keep {
		res := r.ncu.results[a]
		if res == nil {
			return nil, fmt.Errorf("%s: action %d is not of this report", r.File, a.ID)
		}
		kept[res] = true
		ms, rs := o.Added(a)
		addMetrics(e.Result(res), ms)
		if err := addRules(e.Result(res), res, rs); err != nil {
			return nil, err
		}
	}
	if len(kept) < len(r.ncu.results) {
		e.Keep(func(res *ncurep.Result) bool { return kept[res] })
		e.DropUnusedSources()
	}
	return e, nil
}

func addMetrics(e *ncurep.ResultEdit, ms []profile.Metric) {
	if len(ms) == 0 {
		return
	}
	isNew := map[string]bool{}
	data := make([]ncurep.MetricData, len(ms))
	for i := range ms {
		isNew[ms[i].Name] = true
		data[i] = section.MetricData(&ms[i])
	}
	e.DropMetrics(func(m *ncurep.Metric) bool { return isNew[m.Name] })
	e.AppendMetrics(data...)
}

func addRules(e *ncurep.ResultEdit, res *ncurep.Result, rs []profile.RuleResult) error {
	if len(rs) == 0 {
		return nil
	}
	old, err := res.Rules()
	if err != nil {
		return err
	}
	isNew := func(o *ncurep.RuleResult) bool {
		return slices.ContainsFunc(rs, func(r profile.RuleResult) bool { return r.Identifier == o.Identifier })
	}
	if !slices.ContainsFunc(old, isNew) {
		e.AppendRules(ncuRules(rs)...)
		return nil
	}
	kept := slices.DeleteFunc(slices.Clone(old), isNew)
	e.SetRules(append(kept, ncuRules(rs)...))
	return nil
}

// A Cut says what of launches that are kept is written; a nil function keeps all.
type Cut struct {
	Metrics  func(name string) bool
	Sections func(identifier string) bool // and what rules say of them
}

// Cut returns a report that holds the launches of keep alone, with what c keeps of
// them, and without sources and names that nothing uses any more.
func (r *Report) Cut(keep []*profile.Action, c Cut) (io.WriterTo, error) {
	if r.ncu == nil {
		return nil, fmt.Errorf("%s: a %s %w", r.File, r.Format, ErrNotWritable)
	}
	e := r.ncu.file.Edit()
	kept := map[*ncurep.Result]bool{}
	for _, a := range keep {
		res := r.ncu.results[a]
		if res == nil {
			return nil, fmt.Errorf("%s: action %d is not of this report", r.File, a.ID)
		}
		kept[res] = true
		if c.Metrics != nil {
			e.Result(res).DropMetrics(func(m *ncurep.Metric) bool { return !c.Metrics(m.Name) })
		}
		if c.Sections != nil {
			if err := cutSections(e.Result(res), res, c.Sections); err != nil {
				return nil, err
			}
		}
	}
	e.Keep(func(res *ncurep.Result) bool { return kept[res] })
	e.DropUnusedSources()
	e.DropUnusedStrings()
	return e, nil
}

func cutSections(e *ncurep.ResultEdit, res *ncurep.Result, keep func(string) bool) error {
	sections, err := res.Sections()
	if err != nil {
		return err
	}
	rules, err := res.Rules()
	if err != nil {
		return err
	}
	e.SetSections(slices.DeleteFunc(slices.Clone(sections), func(s *ncurep.Section) bool { return !keep(s.Identifier) }))
	e.SetRules(slices.DeleteFunc(slices.Clone(rules), func(r *ncurep.RuleResult) bool {
		return r.SectionIdentifier.Set && !keep(r.SectionIdentifier.Value)
	}))
	return nil
}

// MergeReports makes one report of several: see [ncurep.Merge].
func MergeReports(reports []*Report) (io.WriterTo, error) {
	var files []*ncurep.File
	for _, r := range reports {
		if r.ncu == nil {
			return nil, fmt.Errorf("%s: a %s %w", r.File, r.Format, ErrNotWritable)
		}
		files = append(files, r.ncu.file)
	}
	return ncurep.Merge(files...)
}
