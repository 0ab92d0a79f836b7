package catalogue

import (
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/page/amd"
	"github.com/gpuprof/gpuprof/page/annotation"
	"github.com/gpuprof/gpuprof/page/authoring"
	"github.com/gpuprof/gpuprof/page/file"
	"github.com/gpuprof/gpuprof/page/launch"
	"github.com/gpuprof/gpuprof/page/lifetime"
	"github.com/gpuprof/gpuprof/page/occupancy"
	"github.com/gpuprof/gpuprof/page/source"
	"github.com/gpuprof/gpuprof/page/timeline"
)

// Pages are all pages in the order of help.
func Pages() []*page.Page {
	return []*page.Page{
		launch.Summary,
		launch.Details,
		launch.Raw,
		source.Page,
		source.Program,
		source.PTX,
		file.Session,
		file.Info,
		annotation.Check,
		annotation.Info,
		annotation.Create,
		annotation.Merge,
		authoring.Sections,
		authoring.Check,
		authoring.Collect,
		authoring.Sets,
		authoring.Metrics,
		timeline.Stats,
		timeline.Analyze,
		timeline.Schema,
		amd.Calls,
		occupancy.Page,
		launch.Advice,
		authoring.Rules,
		lifetime.Lifetimes,
		lifetime.Report,
		timeline.Query,
		timeline.Flame,
		timeline.Convert,
	}
}

// Lookup returns the page of a name or alias, or nil.
func Lookup(name string) *page.Page {
	for _, p := range Pages() {
		if p.Name == name {
			return p
		}
		for _, a := range p.Aliases {
			if a == name {
				return p
			}
		}
	}
	return nil
}
