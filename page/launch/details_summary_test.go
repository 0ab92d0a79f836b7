package launch

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpuprof/gpuprof/format/ncurep"
	"github.com/gpuprof/gpuprof/internal/pagetest"
	"github.com/gpuprof/gpuprof/view"
)

// launchesFile writes a report: scale runs three times, of which the second in
// another NVTX range and the third with a larger grid, and add once.
func launchesFile(t *testing.T) string {
	t.Helper()
	def := &ncurep.Section{Identifier: "Own", DisplayName: "Own Section", Header: &ncurep.SectionHeader{Metrics: []*ncurep.SectionMetric{
		{Name: "gpu__time_duration.sum", Label: ncurep.Some("Duration")}, {Name: "launch__registers_per_thread", Label: ncurep.Some("Registers")},
		{Name: "launch__kernel_name", Label: ncurep.Some("Name")}}}}
	r := &ncurep.Report{Session: &ncurep.Session{}, Process: &ncurep.Process{ID: 42, Name: ncurep.Some("/bin/app"), Hostname: ncurep.Some("gpu7")}}
	for i, l := range []struct {
		kernel    string
		grid      uint64
		ns        float64
		registers uint64
		rng       string
	}{{"scale", 4, 1000, 16, "warm"}, {"scale", 4, 4000, 16, "hot"}, {"scale", 8, 9000, 24, "hot"}, {"add", 4, 500, 8, "hot"}} {
		r.Results = append(r.Results, &ncurep.ResultData{
			ResultHeader: ncurep.ResultHeader{ThreadID: 43, KernelID: uint64(i), MangledName: l.kernel, FunctionName: l.kernel, DemangledName: l.kernel + "(int)",
				WorkDimensions: 3, Grid: ncurep.XYZ(l.grid, 1, 1), Block: ncurep.XYZ(128, 1, 1), ContextID: ncurep.Some(uint32(1)), StreamID: ncurep.Some(uint32(7))},
			Metrics: []ncurep.MetricData{{Name: "gpu__time_duration.sum", Value: ncurep.DoubleValue(l.ns)},
				{Name: "launch__registers_per_thread", Value: ncurep.Uint64Value(l.registers)}, {Name: "launch__kernel_name", Value: ncurep.StringValue(l.kernel)}},
			Sections: []*ncurep.Section{def},
			Nvtx: &ncurep.NvtxState{Domains: []*ncurep.NvtxDomain{{ID: 0, Name: "<default domain>"}}, Threads: []*ncurep.NvtxThread{{TID: 43, Domains: []*ncurep.NvtxPushPopDomain{{
				Stack: []*ncurep.NvtxPushPopRange{{Name: l.rng}}}}}}},
		})
	}
	name := filepath.Join(t.TempDir(), "launches.ncu-rep")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.WriteTo(f); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestDetailsSummaryOfMade groups launches by kernel, grid and block, by NVTX
// range as well where that is asked for; least, most and mean are those of the
// planted values, and a text has no part in them.
func TestDetailsSummaryOfMade(t *testing.T) {
	file := launchesFile(t)
	for mode, want := range map[string][]string{
		"per-kernel": {
			"add(int) 1 Duration 500.00 500.00 500.00", "add(int) 1 Registers 8.00 8.00 8.00",
			"scale(int) 2 Duration 1000.00 4000.00 2500.00", "scale(int) 2 Registers 16.00 16.00 16.00",
			"scale(int) 1 Duration 9000.00 9000.00 9000.00", "scale(int) 1 Registers 24.00 24.00 24.00"},
		"per-nvtx": {
			"add(int) 1 Duration 500.00 500.00 500.00", "add(int) 1 Registers 8.00 8.00 8.00",
			"scale(int) 1 Duration 4000.00 4000.00 4000.00", "scale(int) 1 Registers 16.00 16.00 16.00",
			"scale(int) 1 Duration 9000.00 9000.00 9000.00", "scale(int) 1 Registers 24.00 24.00 24.00",
			"scale(int) 1 Duration 1000.00 1000.00 1000.00", "scale(int) 1 Registers 16.00 16.00 16.00"},
	} {
		out, _ := pagetest.Render(t, Details, file, view.FormatCSV, pagetest.Options("print-summary", mode))
		rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
		if err != nil {
			t.Fatal(mode, err, out)
		}
		at := func(name string) int { return slices.Index(rows[0], name) }
		var got []string
		for _, r := range rows[1:] {
			if r[at("Process Name")] != "app" || r[at("Section Name")] != "Own Section" || r[at("Block Size")] != "(128, 1, 1)" {
				t.Errorf("%s: %v", mode, r)
			}
			got = append(got, strings.Join([]string{r[at("Kernel Name")], r[at("Invocations")], r[at("Metric Name")], r[at("Minimum")], r[at("Maximum")], r[at("Average")]}, " "))
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: %s\n%s", mode, d, out)
		}
	}
	text, _ := pagetest.Render(t, Details, file, view.FormatText, pagetest.Options("print-summary", "per-gpu"))
	device, add, scale := strings.Index(text, "Device 0"), strings.Index(text, "add(int) (4, 1, 1)x(128, 1, 1), Invocations 1"), strings.Index(text, "scale(int) (4, 1, 1)x(128, 1, 1), Invocations 2")
	if device < 0 || add < device || scale < add || strings.Count(text, "Device 0") != 1 || strings.Contains(text, "launch__kernel_name") {
		t.Errorf("per-gpu:\n%s", text)
	}
}
