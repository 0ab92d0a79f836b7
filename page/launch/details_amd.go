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
		if f.AMD == nil || f.AMD.Trace == nil {
			return false
		}
	}
	return len(q.Files) > 0
}

// amdDetails shows all summary pages of AMD traces that have anything to say, then
// the launches of their sessions: those whose counters or occupancy are at hand.
func amdDetails(ctx context.Context, q *page.Request, csv bool) (*view.Document, error) {
	d := &view.Document{Title: "details"}
	for _, f := range q.Files {
		compat := q.Text("compat") == "rcp"
		pages, _, err := rcp.Sections(ctx, f.AMD.Trace, rcp.Pages(), rcp.Options{Compat: compat, Raw: q.Format == view.FormatJSON}, false, q.Progress)
		if err != nil {
			return nil, err
		}
		if len(q.Files) > 1 {
			pages = []view.Section{{ID: f.Name, Title: f.Name, Sections: pages}}
		}
		d.Sections = append(d.Sections, pages...)
	}
	if q.Text("compat") == "rcp" {
		return d, nil
	}
	with := *q
	with.Files = slices.DeleteFunc(slices.Clone(q.Files), func(f *load.File) bool { return f.Report == nil })
	if len(with.Files) == 0 {
		return d, nil
	}
	rest, err := launchDetails(ctx, &with, csv)
	if err != nil {
		return nil, err
	}
	d.Sections, d.More, d.Failed = append(d.Sections, rest.Sections...), rest.More, rest.Failed
	return d, nil
}
