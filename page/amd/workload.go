package amd

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/section/amdgpu"
	"github.com/gpuprof/gpuprof/view"
)

// Workload is the page workload.
var Workload = &page.Page{
	Name:  "workload",
	Short: "Show AMD's panels of a rocprof-compute (Omniperf) workload",
	Long: `Speed of light, occupancy, wavefronts, memory chart and roofline from the raw counters
of a workload folder, under AMD's names and by AMD's formulas: mean over the dispatches,
least, greatest, and the peak of the GPU. CDNA 1 to 4 (gfx908 to gfx950).`,
	Example: "gpuprof workload workloads/vcopy/MI200\ngpuprof workload --kernel gemm workloads/bmm/MI300X_A1",
	Group:   page.GroupRead, Args: "FOLDER...", MinArgs: 1, MaxArgs: -1,
	Needs: load.Workload,
	Options: []page.Option{
		{Name: "kernel", Remote: true, Kind: page.Text, Arg: "TEXT", Help: "only dispatches of kernels whose names hold this text"},
		{Name: "normal-unit", Short: "n", Remote: true, Kind: page.Choice, Values: amdgpu.Units, Default: "per_kernel", Help: "what counts are divided by"},
	},
	Build: buildWorkload,
}

func buildWorkload(_ context.Context, q *page.Request) (*view.Document, error) {
	d := &view.Document{Title: "workload"}
	for _, f := range q.Files {
		sections, err := workloadSections(q, f)
		if err != nil {
			return nil, err
		}
		if len(q.Files) > 1 {
			sections = []view.Section{{ID: f.Name, Title: f.Name, Sections: sections}}
		}
		d.Sections = append(d.Sections, sections...)
	}
	return d, nil
}

func workloadSections(q *page.Request, f *load.File) ([]view.Section, error) {
	if f.Report == nil {
		return nil, fmt.Errorf("%s: expected a workload of rocprof-compute, found %s without a dispatch", f.Name, f.Kind())
	}
	var out []view.Section
	chosen := 0
	runs := f.ComputeRuns()
	if len(runs) == 0 {
		return nil, fmt.Errorf("%s: expected a workload of rocprof-compute, found %s", f.Name, f.Kind())
	}
	for i := range runs {
		r := &runs[i]
		sys := amdgpu.System(r.Facts("system"))
		if sys == nil {
			if len(runs) > 1 {
				q.Notef("%s: %s: no sysinfo.csv tells of its GPU, left out", f.Name, r.Folder)
				continue
			}
			return nil, fmt.Errorf("%s: expected the folder of a workload with its sysinfo.csv, found %s without one, which does not tell the size and clock of its GPU", f.Name, f.Kind())
		}
		launches, err := workloadLaunches(r.Launches, q.Text("kernel"))
		if err != nil {
			return nil, err
		}
		if len(launches) == 0 {
			continue
		}
		chosen += len(launches)
		sections, err := runSections(q, r, sys, launches)
		if err != nil {
			return nil, err
		}
		if len(runs) > 1 {
			sections = []view.Section{{ID: r.Folder, Title: r.Folder, Sections: sections}}
		}
		out = append(out, sections...)
	}
	if chosen == 0 {
		return nil, page.Usagef("--kernel: no dispatch of %d is of a kernel whose name holds %q", len(f.Report.Actions()), q.Text("kernel"))
	}
	return out, nil
}

// runSections are the panels of one workload.
func runSections(q *page.Request, run *load.ComputeRun, sys amdgpu.System, launches []amdgpu.Launch) ([]view.Section, error) {
	if !amdgpu.Knows(sys.Arch()) {
		q.Notef("warning: %s: AMD publishes no formulas for this GPU; shown are those that are the same for all of %s", cmp.Or(sys.Arch(), "the GPU is not named"), strings.Join(amdgpu.Architectures(), ", "))
	}
	rows, err := amdgpu.Panels(sys, launches, q.Text("normal-unit"))
	if err != nil {
		return nil, err
	}
	var out []view.Section
	for i := range rows {
		r := &rows[i]
		if len(out) == 0 || out[len(out)-1].Title != r.Panel {
			out = append(out, view.Section{ID: strings.ReplaceAll(strings.ToLower(r.Panel), " ", "-"), Title: r.Panel})
			out[len(out)-1].AddTable(panelTable(r.Panel))
		}
		t := out[len(out)-1].Items[0].Table
		t.Rows = append(t.Rows, []view.Value{view.String(r.Name), known(r.Mean), known(r.Min), known(r.Max), view.String(r.Unit), peakCell(r.Peak), known(r.Percent()), view.Whole(int64(r.Launches))})
	}
	if t := rooflineTable(run); len(t.Rows) > 0 {
		s := view.Section{ID: "roofline", Title: "Roofline"}
		s.AddTable(t)
		if points := pointTable(launches); len(points.Rows) > 0 {
			s.AddTable(points)
		}
		out = append(out, s)
	}
	return out, nil
}

// peakCell is a peak: of a GPU whose clock its workload gives as 0, rates have none.
func peakCell(v float64) view.Value {
	if v == 0 {
		return view.Null
	}
	return known(v)
}

// known is a number, or nothing where it is not known.
func known(v float64) view.Value {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return view.Null
	}
	return view.Float(v, "")
}

func panelTable(title string) *view.Table {
	return &view.Table{ID: strings.ReplaceAll(strings.ToLower(title), " ", "-"), Columns: []view.Column{
		{Name: "metric", Label: "Metric", Type: view.Text}, {Name: "avg", Label: "Avg", Type: view.Number}, {Name: "min", Label: "Min", Type: view.Number},
		{Name: "max", Label: "Max", Type: view.Number}, {Name: "unit", Label: "Unit", Type: view.Text}, {Name: "peak", Label: "Peak", Type: view.Number},
		{Name: "percent", Label: "Pct of Peak", Type: view.Number}, {Name: "dispatches", Label: "Dispatches", Type: view.Number}}}
}

// workloadLaunches are those of actions that are of kernels whose names hold a text.
func workloadLaunches(actions []*profile.Action, kernel string) ([]amdgpu.Launch, error) {
	var out []amdgpu.Launch
	for _, a := range actions {
		if !strings.Contains(a.FullName(), kernel) {
			continue
		}
		ms, err := a.Metrics()
		if err != nil {
			return nil, err
		}
		counter := counterOf(ms)
		duration, _ := counter("gpu__time_duration.sum")
		out = append(out, amdgpu.Launch{Counter: counter, Duration: duration})
	}
	return out, nil
}

func counterOf(ms *profile.MetricSet) func(string) (float64, bool) {
	return func(name string) (float64, bool) {
		if m := ms.Lookup(name); m != nil {
			return m.Value.Double(), true
		}
		return 0, false
	}
}

// rooflineTable are the ceilings that the workload measured, a row for each and
// column for each device.
func rooflineTable(run *load.ComputeRun) *view.Table {
	t := &view.Table{ID: "ceilings", Title: "Measured ceilings (GB/s, GFLOP/s, GOP/s)", Columns: []view.Column{
		{Name: "device", Label: "Device", Type: view.Text}, {Name: "ceiling", Label: "Ceiling", Type: view.Text}, {Name: "value", Label: "Value", Type: view.Number},
		{Name: "low", Label: "Low (95 %)", Type: view.Number}, {Name: "high", Label: "High (95 %)", Type: view.Number}}}
	for device := range 64 {
		facts := run.Facts("roofline of device " + strconv.Itoa(device))
		if facts == nil {
			break
		}
		plain := map[string]string{} // spelling of names differs: hbmBwHigh
		for name, v := range facts {
			plain[strings.ToLower(name)] = v
		}
		for _, name := range slices.Sorted(keys(facts)) {
			low := strings.ToLower(name)
			v, err := strconv.ParseFloat(facts[name], 64)
			if err != nil || v == 0 || low == "device" || strings.HasSuffix(low, "low") || strings.HasSuffix(low, "high") {
				continue
			}
			bound := func(end string) view.Value {
				if x, err := strconv.ParseFloat(plain[low+end], 64); err == nil {
					return view.Float(x, "")
				}
				return view.Null
			}
			t.Rows = append(t.Rows, []view.Value{view.String(strconv.Itoa(device)), view.String(name), view.Float(v, ""), bound("low"), bound("high")})
		}
	}
	return t
}

func keys(m map[string]string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// pointTable is where the dispatches lie on the roofline: operations for each byte at
// a level of memory, and operations per second.
func pointTable(launches []amdgpu.Launch) *view.Table {
	t := &view.Table{ID: "points", Title: "Dispatches together", Columns: []view.Column{
		{Name: "level", Label: "Memory", Type: view.Text}, {Name: "intensity", Label: "FLOP/byte", Type: view.Number}, {Name: "performance", Label: "GFLOP/s", Type: view.Number}}}
	for _, p := range amdgpu.Roofline(launches) {
		t.Rows = append(t.Rows, []view.Value{view.String(p.Level), known(p.Intensity), known(p.Performance)})
	}
	return t
}
