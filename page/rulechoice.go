package page

import (
	"context"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/gpuprof/gpuprof/profile/choose"
	"github.com/gpuprof/gpuprof/rule"
	"github.com/gpuprof/gpuprof/rule/python"
	"github.com/gpuprof/gpuprof/source"
)

// RuleOptions say which rules there are and how they run.
var RuleOptions = []Option{
	{Name: "rule", Kind: List, NoComma: true, Arg: "ID", Help: "only the rule of this identifier, or with regex:EXPR rules in whose identifier EXPR is found"},
	{Name: "python", Kind: Text, Arg: "PATH", Help: "run rules on this Python, 3.11 or later, in place of the one that gpuprof carries"},
}

// ApplyOptions go with RuleOptions on pages that show advice.
var ApplyOptions = []Option{
	{Name: "apply-rules", Kind: Choice, Values: []string{"no", "yes"}, Default: "no",
		Help: "yes: apply rules to the launches; --rule chooses among them and implies it"},
}

// NewRules makes a host with the rules that q asks for. The caller closes it.
func NewRules(ctx context.Context, q *Request, sources ...rule.Source) (*rule.Host, *rule.Set, error) {
	h, err := rule.NewHost(ctx, rule.Options{Python: q.Text("python"), Cache: python.CacheDir(), Launcher: q.Confine,
		SASS: source.InstructionText(),
		Warn: func(s string) { q.Notef("warning: %s", s) }})
	if err != nil {
		return nil, nil, err
	}
	if len(sources) == 0 {
		if sources, err = ruleSources(q); err != nil {
			h.Close()
			return nil, nil, err
		}
	}
	s, err := h.Load(ctx, sources...)
	if err != nil {
		h.Close()
		return nil, nil, err
	}
	return h, s, nil
}

// ruleSources are the rules of this project and those in the folders of the
// search path. The nearest folder comes last: its rules replace others.
func ruleSources(q *Request) ([]rule.Source, error) {
	sources := []rule.Source{rule.Stock()}
	for _, f := range slices.Backward(SectionFolders(q)) {
		if !f.Recursive {
			sources = append(sources, rule.Folder(f.Path))
			continue
		}
		err := filepath.WalkDir(f.Path, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() {
				sources = append(sources, rule.Folder(path))
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return sources, nil
}

// RuledLaunches are the launches that q asks for, with what the rules that it asks
// for say of them.
func RuledLaunches(ctx context.Context, q *Request) ([]Launch, error) {
	launches, err := SelectLaunches(q)
	if err != nil {
		return nil, err
	}
	d, err := ChooseSections(q)
	if err != nil {
		return nil, err
	}
	return launches, ApplyRules(ctx, q, launches, d)
}

// ApplyRules applies the rules that q asks for and makes what they say part of
// the launches. It does nothing unless it is asked to.
//
// With d, its sections count as those of a launch, too, and rules see the metrics
// that they derive.
func ApplyRules(ctx context.Context, q *Request, launches []Launch, d *SectionChoice) error {
	if !RulesWanted(q) {
		return nil
	}
	h, s, err := NewRules(ctx, q)
	if err != nil {
		return err
	}
	defer h.Close()
	for _, p := range s.Problems {
		q.Notef("%v", p)
	}
	chosen, err := s.Select(q.List("rule"))
	if err != nil {
		return Usagef("--rule: %v", err)
	}
	var run rule.Run
	for i, l := range launches {
		q.Progress(i, len(launches))
		sections, err := sectionsOf(l)
		if err != nil {
			return err
		}
		if d != nil {
			d.Prepare(l, sections)
		}
		if err := run.Apply(ctx, h, rule.Job{Report: l.File.Report.Report, Action: l.Action, Rules: chosen}, sections); err != nil {
			return err
		}
	}
	if text := run.Lacking(); text != "" {
		q.Notef("%s", text)
	}
	return nil
}

func RulesWanted(q *Request) bool {
	return q.Text("apply-rules") == "yes" || q.Given("rule") && !q.Given("apply-rules")
}

// AskedRules are the rules that --rule names, if rules are applied.
func AskedRules(q *Request) []choose.Name {
	if !RulesWanted(q) {
		return nil
	}
	names, _ := choose.ParseNames(q.List("rule")) // ApplyRules told of what is wrong
	return names
}

// sectionsOf are the identifiers of the sections that a launch has.
func sectionsOf(l Launch) (map[string]bool, error) {
	all, err := l.File.Report.Sections(l.Action)
	if err != nil && len(all) == 0 {
		return nil, err
	}
	ids := make(map[string]bool, len(all))
	for _, s := range all {
		ids[s.Identifier] = true
	}
	return ids, nil
}
