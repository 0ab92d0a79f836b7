package ranks

import (
	"context"
	"io"
	"slices"
	"strconv"

	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/profile/metric"
	"github.com/gpuprof/gpuprof/ranks"
	"github.com/gpuprof/gpuprof/view"
)

// Bins of heat maps, and of how many ranks text draws one.
const (
	heatBins  = 240
	heatRanks = 64
)

// heats are the charts of busy and of waiting time.
func heats(run *ranks.Run) []*view.Chart {
	h := run.Heat(heatBins)
	chart := func(id, title string, shares [][]float64) *view.Chart {
		c := &view.Chart{Kind: view.HeatChart, X: view.Axis{Label: "time"}, Table: view.Table{ID: id, Title: title, Columns: []view.Column{
			{Name: "rank", Label: "Rank", Type: view.Text}, {Name: "share", Label: "Mean (%)", Unit: "%", Type: view.Number}}}}
		for i, r := range run.Ranks {
			var points []view.Point
			sum := 0.0
			for k, v := range shares[i] {
				points = append(points, view.Point{ID: view.Int(h.Start+int64(k)*h.Bin, "ns"), Value: view.Float(100*v, "%")})
				sum += v
			}
			mean := view.Float(100*sum/float64(len(points)), "%")
			c.Table.Rows = append(c.Table.Rows, []view.Value{view.String(strconv.FormatInt(r.Number, 10)), view.Series(mean, points, metric.IDNone)})
		}
		return c
	}
	out := []*view.Chart{chart("busy", "Busy (% of the time)", h.Busy)}
	if slices.ContainsFunc(h.Waiting, func(row []float64) bool { return slices.Max(row) > 0 }) {
		out = append(out, chart("waiting", "Waiting for others in collectives (% of the time)", h.Waiting))
	}
	return out
}

// writeHeat draws the charts as a picture.
func writeHeat(ctx context.Context, q *page.Request, to string, run *ranks.Run) error {
	s := view.Section{ID: "heat", Title: title(run)}
	for _, c := range heats(run) {
		s.AddChart(c)
	}
	return q.Write(ctx, to, func(w io.Writer) error {
		return view.WriteSVG(w, &view.Document{Title: "ranks", Sections: []view.Section{s}})
	})
}
