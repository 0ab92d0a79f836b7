package launch

import (
	"context"
	"slices"

	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/stats/rcp"
	"github.com/gpuprof/gpuprof/view"
)

// onlyAMDTraces reports whether every file of a request is an .atp file.
func onlyAMDTraces(q *page.Request) bool {
	for _, f := range q.Files {
		if !f.AMD.IsTrace() {
			return false
		}
	}
	return len(q.Files) > 0
}

// amdDetails shows all summary pages of AMD traces that have anything to say, then
// the launches of their sessions: those whose counters or occupancy are at hand.
func amdDetails(ctx context.Context, q *page.Request, csv bool) (*view.Document, error) {
	d, err := amdPages(ctx, q, "details", rcp.Pages())
	if err != nil || q.Text("compat") == "rcp" {
		return d, err
	}
	return withLaunches(q, d, func(q *page.Request) (*view.Document, error) { return launchDetails(ctx, q, csv) })
}

// amdSummary shows the pages that add up what AMD traces hold, then the launches of
// their sessions.
func amdSummary(ctx context.Context, q *page.Request, csv bool) (*view.Document, error) {
	if q.Text("table") != "" || q.Given("metrics") {
		return launchSummary(ctx, q, csv)
	}
	d, err := amdPages(ctx, q, "summary", slices.DeleteFunc(rcp.Pages(), func(p rcp.Page) bool { return p.List }))
	if err != nil || csv && len(d.Sections) > 0 {
		return d, err
	}
	return withLaunches(q, d, func(q *page.Request) (*view.Document, error) { return launchSummary(ctx, q, csv) })
}

// amdPages are pages of AMD's profilers of all traces.
func amdPages(ctx context.Context, q *page.Request, title string, pages []rcp.Page) (*view.Document, error) {
	d := &view.Document{Title: title}
	for _, f := range q.Files {
		tr, err := f.AMD.Trace()
		if err != nil {
			return nil, err
		}
		s, _, err := rcp.Sections(ctx, tr, pages, rcp.Options{Compat: q.Text("compat") == "rcp"}, false, q.Progress)
		if err != nil {
			return nil, err
		}
		if len(q.Files) > 1 {
			s = []view.Section{{ID: f.Name, Title: f.Name, Sections: s}}
		}
		d.Sections = append(d.Sections, s...)
	}
	return d, nil
}

// withLaunches adds to d what build makes of the files that have launches.
func withLaunches(q *page.Request, d *view.Document, build func(*page.Request) (*view.Document, error)) (*view.Document, error) {
	with := *q
	with.Files = slices.DeleteFunc(slices.Clone(q.Files), func(f *load.File) bool { return f.Report == nil })
	if len(with.Files) == 0 {
		return d, nil
	}
	rest, err := build(&with)
	if err != nil {
		return nil, err
	}
	d.Sections, d.More, d.Failed = append(d.Sections, rest.Sections...), rest.More, rest.Failed
	return d, nil
}
