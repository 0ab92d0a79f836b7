package lifetime

import (
	"slices"

	"github.com/gpuprof/gpuprof/lifetime"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/view"
)

// Options are those of an analysis whose log may be read in parts.
var Options = slices.DeleteFunc(slices.Clone(lifetimeOptions), func(o page.Option) bool { return o.Name == "jobs" })

// Settings reads Options.
func Settings(q *page.Request) (lifetime.Settings, error) { return lifetimeSettings(q) }

// Answer is the document of an analysis, as Lifetimes shows that of a log.
func Answer(q *page.Request, a *lifetime.Analysis) (*view.Document, error) {
	sections, failed, err := lifetimeSections(q, a)
	if err != nil {
		return nil, err
	}
	return &view.Document{Title: "lifetimes", Sections: sections, Failed: failed}, nil
}
