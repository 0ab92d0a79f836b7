package fleet

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/fleet"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/profile/metric"
	"github.com/gpuprof/gpuprof/view"
)

// ofDetails takes metrics of launches.
func ofDetails() *kind {
	return &kind{
		name: "details", short: "A metric over thousands of launches and reports",
		long:    "For each kernel and metric: how many launches have it, its extremes, quartiles and mean, and the report with the greatest. All are exact: parts keep every value.",
		example: "gpuprof fleet details --metric gpu__time_duration.sum results/*.ncu-rep",
		options: []page.Option{
			{Name: "metric", Kind: page.List, Arg: "NAME", Help: "a metric of launches; may be given more than once"},
			{Name: "kernel", Kind: page.Text, Arg: "TEXT", Help: "only kernels whose name contains this"},
		},
		extensions: reports,
		job: func(q *page.Request) (fleet.Job, error) {
			j := detailJob{q.List("metric"), q.Text("kernel")}
			if len(j.metrics) == 0 {
				return nil, page.Usagef("fleet details: expected --metric, such as gpu__time_duration.sum")
			}
			return j, nil
		},
		merge: mergeDetails,
	}
}

type detailJob struct {
	metrics []string
	kernel  string
}

// A measured is what a part has of a kernel and metric of an input.
type measured struct {
	Input  string    `json:"input"`
	Kernel string    `json:"kernel"`
	Metric string    `json:"metric"`
	Values []float64 `json:"values"`
}

func (j detailJob) Map(ctx context.Context, s *fleet.Shard, w io.Writer) (problems []string, err error) {
	enc := json.NewEncoder(w)
	return each(ctx, s, func(in *fleet.Input) ([]string, error) {
		list, problems, err := j.one(ctx, in)
		return problems, errors.Join(encoded(enc, list), err)
	})
}

func (j detailJob) one(ctx context.Context, in *fleet.Input) (out []*measured, problems []string, err error) {
	f, done, err := open(ctx, in)
	if err != nil {
		return nil, nil, err
	}
	defer done()
	if f.Report == nil {
		return nil, nil, fmt.Errorf("expected launches of kernels, found %s", f.Kind())
	}
	at := map[[2]string]*measured{}
	for _, a := range f.Report.Actions() {
		name := a.FullName()
		if !strings.Contains(name, j.kernel) {
			continue
		}
		for _, wanted := range j.metrics {
			m := a.Metric(wanted)
			if m == nil || m.Value.Kind() < metric.KindFloat {
				continue
			}
			v := m.Value.Double()
			if math.IsNaN(v) || math.IsInf(v, 0) {
				continue
			}
			k := [2]string{name, wanted}
			if at[k] == nil {
				at[k] = &measured{Input: in.Name, Kernel: name, Metric: wanted}
				out = append(out, at[k])
			}
			at[k].Values = append(at[k].Values, v)
		}
	}
	if problems, err = damage(in, f); len(out) == 0 && err == nil {
		err = fmt.Errorf("expected launches with %s, found none", strings.Join(j.metrics, ", "))
	}
	return out, problems, err
}

func mergeDetails(ctx context.Context, q *page.Request, f *fleet.Folder) (*view.Document, []string, error) {
	type over struct {
		kernel, metric, most string
		values               []float64
		top                  float64
		inputs               int
	}
	all := map[[2]string]*over{}
	problems, err := f.Parts(func(_ *fleet.Shard, part []byte) error {
		for dec := json.NewDecoder(bytes.NewReader(part)); ; {
			var x measured
			if err := dec.Decode(&x); err == io.EOF {
				return ctx.Err()
			} else if err != nil {
				return err
			}
			k := [2]string{x.Metric, x.Kernel}
			o := all[k]
			if o == nil {
				o = &over{kernel: x.Kernel, metric: x.Metric}
				all[k] = o
			}
			for _, v := range x.Values {
				if v > o.top || o.most == "" {
					o.top, o.most = v, x.Input
				}
			}
			o.values, o.inputs = append(o.values, x.Values...), o.inputs+1
		}
	})
	if err != nil {
		return nil, nil, err
	}
	if len(all) == 0 {
		return nil, nil, fmt.Errorf("expected launches with these metrics, found none: %s", strings.Join(problems[:min(len(problems), 3)], "; "))
	}
	t := &view.Table{ID: "details", Layout: &view.Layout{Frame: view.FrameOpen}, Columns: []view.Column{{Name: "metric", Label: "Metric", Type: view.Text, Role: view.RoleMetric}, {Name: "kernel", Label: "Kernel", Type: view.Text, Role: view.RoleKernel}}}
	for _, c := range [][2]string{{"reports", "Reports"}, {"launches", "Launches"}, {"min", "Min"}, {"q1", "Quarter"}, {"median", "Median"}, {"q3", "Three Quarters"}, {"max", "Max"}, {"mean", "Mean"}} {
		t.Columns = append(t.Columns, view.Column{Name: c[0], Label: c[1], Type: view.Number})
	}
	t.Columns = append(t.Columns, view.Column{Name: "most_of", Label: "Report With Most", Type: view.Text})
	list := make([]*over, 0, len(all))
	for _, o := range all {
		list = append(list, o)
	}
	slices.SortFunc(list, func(a, b *over) int { return cmp.Or(cmp.Compare(a.metric, b.metric), cmp.Compare(a.kernel, b.kernel)) })
	for _, o := range list {
		slices.Sort(o.values)
		n, sum := len(o.values), 0.0
		for _, v := range o.values {
			sum += v
		}
		row := []view.Value{view.String(o.metric), view.String(o.kernel), view.Int(int64(o.inputs), ""), view.Int(int64(n), "")}
		for _, i := range []int{0, (n - 1) / 4, (n - 1) / 2, 3 * (n - 1) / 4, n - 1} {
			row = append(row, view.Float(o.values[i], ""))
		}
		t.Rows = append(t.Rows, append(row, view.Float(sum/float64(n), ""), view.String(o.most)))
	}
	s := view.Section{ID: "details", Title: fmt.Sprintf("%d kernels and metrics", len(list))}
	s.AddTable(t)
	return &view.Document{Title: "fleet details", Sections: []view.Section{s}}, problems, nil
}
