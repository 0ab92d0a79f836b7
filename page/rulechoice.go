package page

import (
	"context"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/gpuprof/gpuprof/rule"
	"github.com/gpuprof/gpuprof/rule/python"
	"github.com/gpuprof/gpuprof/source"
)

// RuleOptions say which rules there are and how they run.
var RuleOptions = []Option{
	{Name: "rule", Remote: true, Kind: List, NoComma: true, Arg: "ID", Help: "only the rule of this identifier, or with regex:EXPR rules in whose identifier EXPR is found"},
	{Name: "python", Kind: Text, Arg: "PATH", Help: "run rules on this Python, 3.11 or later, in place of the one that gpuprof carries"},
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
	folders, err := sectionFolders(q)
	if err != nil {
		return nil, err
	}
	sources := []rule.Source{rule.Stock()}
	for _, f := range slices.Backward(folders) {
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
