package launch

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpuprof/gpuprof/format/ncurep"
	"github.com/gpuprof/gpuprof/internal/examples"
	"github.com/gpuprof/gpuprof/internal/pagetest"
	"github.com/gpuprof/gpuprof/view"
)

// summed is what summary says of the example with launches of the first kernel
// that took so many ns instead of its one.
func summed(t *testing.T, durations []float64, change func(*ncurep.Report)) string {
	t.Helper()
	r := examples.Transpose()
	naive := r.Results[0]
	others := r.Results[1:]
	r.Results = nil
	for _, ns := range durations {
		one := *naive
		one.Metrics = nil
		for _, m := range naive.Metrics {
			if m.Name == "gpu__time_duration.sum" {
				m.Value = ncurep.DoubleValue(ns)
			}
			one.Metrics = append(one.Metrics, m)
		}
		r.Results = append(r.Results, &one)
	}
	r.Results = append(r.Results, others...)
	if change != nil {
		change(r)
	}
	name := filepath.Join(t.TempDir(), "a.ncu-rep")
	if err := r.WriteFile(name); err != nil {
		t.Fatal(err)
	}
	out, _ := pagetest.Render(t, Summary, name, view.FormatText, nil)
	return out
}

// said is the sentence at the head of a text, in one line.
func said(text string) string {
	head, _, _ := strings.Cut(text, "\n\n")
	_, head, _ = strings.Cut(head, "INF")
	return strings.Join(strings.Fields(head), " ")
}

// TestVerdict: the sums, the share and the time saved, worked out by hand. The other two
// kernels of the example take 98 084 and 46 405 ns, its rule estimates 53.4 %.
func TestVerdict(t *testing.T) {
	for _, c := range []struct {
		name      string
		durations []float64
		change    func(*ncurep.Report)
		want      string
	}{
		{"several launches", []float64{100_000, 300_000}, nil, // 400 000 of 544 489; 53.4 % of 400 000
			`transpose_naive takes 73.5 % of the GPU time, 400 us in 2 launches, and waits: latency bounds it (memory at 41 %, compute at 12 % of their peaks). "Uncoalesced stores" could save 214 us at most.`},
		{"another kernel takes more", []float64{1000}, nil, // 98 084 of 145 489
			`transpose_tiled takes 67.4 % of the GPU time, 98.1 us, and is bound by memory, at 88 % of its peak (compute: 21 %). "Uncoalesced stores" in transpose_naive could save 534 ns at most.`},
		{"no number", []float64{math.NaN()}, nil,
			`transpose_tiled takes 67.9 % of the GPU time, 98.1 us, and is bound by memory, at 88 % of its peak (compute: 21 %).`},
		{"one kernel, its unit of memory told", []float64{5000}, func(r *ncurep.Report) {
			const sum = "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"
			r.Results = r.Results[1:2]
			r.Results[0].Metrics = append(r.Results[0].Metrics,
				ncurep.MetricData{Name: "breakdown:" + sum, Value: ncurep.StringValue("l1tex__x.avg.pct,lts__t_sectors.avg.pct,gone.avg")},
				ncurep.MetricData{Name: "l1tex__x.avg.pct", Value: ncurep.DoubleValue(40)}, ncurep.MetricData{Name: "lts__t_sectors.avg.pct", Value: ncurep.DoubleValue(88)})
		}, `transpose_tiled takes all of the GPU time, 98.1 us, and is bound by the L2 cache, at 88 % of its peak (compute: 21 %).`},
		{"no time at all", []float64{0}, func(r *ncurep.Report) { r.Results = r.Results[:1] }, ""},
	} {
		if got := said(summed(t, c.durations, c.change)); got != c.want {
			t.Errorf("%s:\n%s\nexpected\n%s", c.name, got, c.want)
		}
	}
}

// TestFindingsGrouped: launches of a kernel share a line, which leads to the one that would
// save most; the same said twice of a launch counts once.
func TestFindingsGrouped(t *testing.T) {
	for name, change := range map[string]func(*ncurep.Report){"once": nil, "twice": func(r *ncurep.Report) {
		for _, one := range r.Results[:2] {
			one.Rules = append(one.Rules[:1:1], one.Rules...)
		}
	}} {
		_, table, _ := strings.Cut(summed(t, []float64{100_000, 300_000}, change), "Findings\n")
		table, _, _ = strings.Cut(table, "\n\n")
		var got [][]string
		for _, l := range strings.Split(table, "\n")[2:] {
			got = append(got, strings.Fields(l))
		}
		want := strings.Fields("213.60 53.40 global 2 1 transpose_naive(const float *, float *, Uncoalesced stores ExampleUncoalescedStores")
		if d := cmp.Diff([][]string{want, {"int)"}}, got); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}
