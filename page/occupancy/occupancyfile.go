package occupancy

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/format/amd"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/view"
)

// occupancyFile shows what AMD's profilers computed: a line for each dispatch,
// or one dispatch in full.
func occupancyFile(q *page.Request, f *load.File) (view.Section, error) {
	if f.AMD == nil || f.AMD.Occupancy == nil {
		return view.Section{}, fmt.Errorf("%s: expected an .occupancy file, found %s", f.Name, f.Kind())
	}
	o := f.AMD.Occupancy
	compat := q.Text("compat") == "rcp"
	if !compat && !q.Given("index") {
		return view.Section{ID: "occupancy", Title: f.Name, Items: []view.Item{{Table: dispatchTable(o)}}}, nil
	}
	i := q.Count("index")
	if i >= o.Len() {
		return view.Section{}, page.Usagef("--index: the file has dispatches 0 to %d", o.Len()-1)
	}
	r := o.Row(i)
	if compat && r.GraphicsIP >= 0 && r.GraphicsIP < 6 {
		return view.Section{}, fmt.Errorf("%s:%d: Radeon Compute Profiler shows no page for graphics IP %d", f.Name, o.RowLine(i), r.GraphicsIP)
	}
	return view.Section{ID: "occupancy", Title: r.KernelName, Items: []view.Item{{Table: dispatchPage(&r)}}}, nil
}

// dispatchTable has a line for each dispatch.
func dispatchTable(o *amd.Occupancies) *view.Table {
	t := &view.Table{ID: "dispatches", Columns: []view.Column{
		{Name: "Index", Type: view.Number}, {Name: "Thread ID", Type: view.Text}, {Name: "Kernel Name", Type: view.Text}, {Name: "Device Name", Type: view.Text},
		{Name: "VGPRs", Type: view.Number}, {Name: "SGPRs", Type: view.Number}, {Name: "LDS", Type: view.Number}, {Name: "Work-group size", Type: view.Number},
		{Name: "Global size", Type: view.Number}, {Name: "Waves by VGPR", Type: view.Number}, {Name: "Waves by SGPR", Type: view.Number},
		{Name: "Waves by LDS", Type: view.Number}, {Name: "Waves by work-group", Type: view.Number}, {Name: "Occupancy (%)", Type: view.Number},
		{Name: "Limiting factors", Type: view.Text}}}
	for i := range o.Len() {
		r := o.Row(i)
		row := []view.Value{view.Int(int64(i), ""), known(r.ThreadID), view.String(r.KernelName), view.String(r.DeviceName), known(r.VGPRs), known(r.SGPRs), known(r.LDS),
			known(r.WorkGroupSize), known(r.GlobalSize), known(r.WavesByVGPR), known(r.WavesBySGPR), known(r.WavesByLDS), known(r.WavesByGroup)}
		if math.IsNaN(r.Percent) || r.Percent < 0 {
			row = append(row, view.Missing("NA"), view.Missing("NA"))
		} else {
			row = append(row, view.Float(r.Percent, ""), view.String(fileLimits(&r)))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func known(v int64) view.Value {
	if v < 0 {
		return view.Missing("NA")
	}
	return view.Int(v, "")
}

// fileLimits names what limits a dispatch: what is used, or may be, and undercut by
// nothing. Where a file does not tell a limit, the others are compared.
func fileLimits(r *amd.Occupancy) string {
	if r.Percent == 100 {
		return "None"
	}
	type limit struct {
		word        string
		waves, used int64 // -1: not known
	}
	limits := []limit{{"SGPR", r.WavesBySGPR, r.SGPRs}, {"VGPR", r.WavesByVGPR, r.VGPRs}, {"LDS", r.WavesByLDS, r.LDS}, {"Work-group size", r.WavesByGroup, 1}}
	limits = slices.DeleteFunc(limits, func(l limit) bool { return l.waves < 0 })
	if len(limits) == 0 {
		return "NA"
	}
	least := slices.MinFunc(limits, func(a, b limit) int { return cmp.Compare(a.waves, b.waves) }).waves
	var words []string
	for _, l := range limits {
		if l.waves == least && l.used != 0 {
			words = append(words, l.word)
		}
	}
	if len(words) == 0 {
		return "None"
	}
	return strings.Join(words, ", ")
}

// dispatchPage is the page of AMD's profilers for one dispatch.
func dispatchPage(r *amd.Occupancy) *view.Table {
	t := &view.Table{ID: "dispatch", Columns: []view.Column{
		{Name: "Variable", Type: view.Text}, {Name: "Value", Type: view.Any, Align: view.AlignRight}, {Name: "Device Limit", Type: view.Any, Align: view.AlignRight}}}
	title := func(s string) { t.Rows = append(t.Rows, []view.Value{view.String(s)}) }
	add := func(name string, v view.Value, limit ...int64) {
		row := []view.Value{view.String(name), v, view.String("")}
		if len(limit) > 0 {
			row[2] = known(limit[0])
		}
		t.Rows = append(t.Rows, row)
	}
	title("Device Info")
	add("Device name", view.String(r.DeviceName))
	add("Number of compute units", known(r.ComputeUnits))
	add("Max number of waves per compute unit", known(r.MaxWavesPerCU))
	add("Max number of work-groups per compute unit", known(r.MaxGroupsPerCU))
	add("Wavefront size", known(r.WavefrontSize))
	title("Kernel Info")
	add("Kernel name", view.String(r.KernelName))
	add("Vector GPR usage per work-item", known(r.VGPRs), r.MaxVGPRs)
	add("Scalar GPR usage per work-item", known(r.SGPRs), r.MaxSGPRs)
	add("LDS usage per work-group", known(r.LDS), r.MaxLDS)
	add("Flattened work-group size", known(r.WorkGroupSize), r.MaxWorkGroupSize)
	add("Flattened global work size", known(r.GlobalSize), r.MaxGlobalSize)
	add("Number of waves per work-group", known(r.WavesPerGroup), r.MaxWavesPerGroup)
	title("Kernel Occupancy")
	add("Number of waves limited by Vector GPR and Work-group size", known(r.WavesByVGPR), r.MaxWavesPerCU)
	add("Number of waves limited by Scalar GPR and Work-group size", known(r.WavesBySGPR), r.MaxWavesPerCU)
	add("Number of waves limited by LDS and Work-group size", known(r.WavesByLDS), r.MaxWavesPerCU)
	add("Number of waves limited by Work-group size", known(r.WavesByGroup), r.MaxWavesPerCU)
	if math.IsNaN(r.Percent) {
		add("Limiting factor(s)", view.Missing("NA"))
		add("Estimated occupancy", view.Missing("NA"))
		return t
	}
	add("Limiting factor(s)", view.String(fileLimits(r)))
	add("Estimated occupancy", view.String(strconv.FormatFloat(r.Percent, 'g', 4, 64)+"%"))
	return t
}
