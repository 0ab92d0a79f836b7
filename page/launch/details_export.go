package launch

import (
	"context"
	"io"

	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/profile"
)

// exportDetails makes a report of the launches that the page shows, with the
// metrics that the chosen sections derive and what rules say of them. So ncu -i IN -o OUT works, too.
func exportDetails(ctx context.Context, q *page.Request) (io.WriterTo, error) {
	if len(q.Files) != 1 {
		return nil, page.Usagef("a report is made from one report, not from %d", len(q.Files))
	}
	launches, err := page.SelectLaunches(q)
	if err != nil {
		return nil, err
	}
	d, err := newDetails(ctx, q, launches)
	if err != nil {
		return nil, err
	}
	if err := applyRules(ctx, q, launches, d.SectionChoice); err != nil {
		return nil, err
	}
	var keep []*profile.Action
	for _, l := range launches {
		keep = append(keep, l.Action)
		if d.Deriver != nil && !rulesWanted(q) { // for rules they were added already
			q.Overlay.AddMetrics(l.Action, d.Deriver.Derive(d.Target(l), page.MetricsOf(q, l)).Computed)
		}
	}
	return q.Files[0].Report.Export(keep, q.Overlay)
}
