package catalogue

import (
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/page/amd"
	"github.com/gpuprof/gpuprof/page/annotation"
	"github.com/gpuprof/gpuprof/page/authoring"
	"github.com/gpuprof/gpuprof/page/compare"
	"github.com/gpuprof/gpuprof/page/file"
	"github.com/gpuprof/gpuprof/page/fleet"
	"github.com/gpuprof/gpuprof/page/launch"
	"github.com/gpuprof/gpuprof/page/lifetime"
	"github.com/gpuprof/gpuprof/page/occupancy"
	"github.com/gpuprof/gpuprof/page/ranks"
	"github.com/gpuprof/gpuprof/page/share"
	"github.com/gpuprof/gpuprof/page/source"
	"github.com/gpuprof/gpuprof/page/timeline"
	"github.com/gpuprof/gpuprof/page/torch"
)

// Pages are all pages, in the order in which the viewer lists them.
func Pages() page.Pages {
	return append(page.Pages{
		launch.Summary,
		launch.Details,
		source.Page,
		source.Hot,
		launch.Raw,
		launch.Advice,
		source.Program,
		source.PTX,
		compare.Diff,
		compare.Check,
		compare.Init,
		compare.Plan,
		compare.Save,
		compare.Trend,
		timeline.Stats,
		timeline.Analyze,
		timeline.Steps,
		timeline.Flame,
		torch.Ops,
		torch.Breakdown,
		torch.Shapes,
		torch.Memory,
		timeline.Query,
		amd.Calls, amd.Workload,
		file.Session,
		file.Info,
		annotation.Check,
		annotation.Info,
		annotation.Create,
		annotation.Merge,
		annotation.Format,
		annotation.FromLog,
		lifetime.Lifetimes,
		lifetime.Report,
		occupancy.Page,
		authoring.Sections,
		authoring.Sets,
		authoring.Rules,
		authoring.Check,
		authoring.Collect,
		authoring.Metrics,
		authoring.Chips,
		timeline.Schema,
		timeline.Convert,
		share.Scrub,
		timeline.Filter,
		share.Merge(annotation.Merge),
		ranks.Page,
		ranks.Map,
		ranks.Merge,
		ranks.Trace,
	}, fleet.Pages(ranks.Page, timeline.Convert, fleet.Lifetimes{Options: lifetime.Options, Settings: lifetime.Settings, Answer: lifetime.Answer},
		fleet.Comparison{CheckOptions: compare.Check.Options, TrendOptions: compare.TrendOptions, Reduce: compare.Reduce, Baseline: compare.Baseline, Judge: compare.JudgeMany, Trends: compare.Trends})...)
}
