package load

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/format/ncurep"
	"github.com/gpuprof/gpuprof/internal/corpustest"
	"github.com/gpuprof/gpuprof/profile"
)

// TestDerivedOccupancy: a counter file without an occupancy file gets the
// occupancy of a known device, as AMD's profiler computed it for this kernel.
func TestDerivedOccupancy(t *testing.T) {
	text := "Method, ExecutionOrder, ThreadID, CallIndex, GlobalWorkSize, WorkGroupSize, Time, LocalMemSize, VGPRs, SGPRs, ScratchRegs, FetchSize, WriteSize\n" +
		"f__k1_Hawaii1, 1, 7, 1, {2560 1 1}, {256 1 1}, 0.5, 7040, 42, 68, 0, 1000, 24\n" +
		"f__k1_Unheard0, 2, 7, 1, {2560 1 1}, {256 1 1}, 0.5, 7040, 42, 68, 0, 1000, 24\n" +
		"f__k1_Hawaii1, 3, 7, 1, {2560 1 1}, {256 1 1}, 0, 999999, 42, 68, 0, 1000, 24\n"
	f, err := OpenReader(strings.NewReader(text), int64(len(text)), "s.csv")
	if err != nil {
		t.Fatal(err)
	}
	a := f.Report.Actions()
	checkMetrics(t, a[0], map[string]float64{"KernelOccupancy": 50, "WavesLimitedByVGPR": 20, "WavesLimitedBySGPR": 28, "WavesLimitedByLDS": 36,
		"WavesLimitedByWorkgroup": 40, "WavesPerWorkGroup": 4, "MaxWavesPerComputeUnit": 40, "dram__bytes.sum.per_second": 1024 * 1024 / 0.5e-3})
	for i, name := range map[int]string{1: "KernelOccupancy", 2: "KernelOccupancy"} { // an unknown device, a kernel that does not fit
		if lookup(t, a[i], name) != nil {
			t.Errorf("launch %d has %s", i, name)
		}
	}
	if lookup(t, a[2], "dram__bytes.sum.per_second") != nil {
		t.Error("a launch without a duration has a throughput")
	}
	if m := lookup(t, a[0], "OccupancyComputedFor"); m == nil || m.Value.Text() != "SI_CI" {
		t.Error(m)
	}
}

// TestDerivedNames: the names of a file's metrics hold those that only a later
// launch has.
func TestDerivedNames(t *testing.T) {
	const head = "Method, ExecutionOrder, ThreadID, CallIndex, GlobalWorkSize, WorkGroupSize, Time, LocalMemSize, VGPRs, SGPRs, ScratchRegs, FetchSize, WriteSize\n"
	const good = "f__k1_Hawaii1, 3, 7, 1, {2560 1 1}, {256 1 1}, 0.5, 0, 42, 68, 0, 1, 2\n"
	for name, rows := range map[string]string{
		"first":   "",
		"unknown": "f__k1_Unheard0, 1, 7, 1, {2560 1 1}, {256 1 1}, 0, 0, 42, 68, 0, 1, 2\nf__k1_Hawaii1, 2, 7, 1, {2560 1 1}, {256 1 1}, 0, 0, , 68, 0, 1, 2\n",
		"no room": "f__k1_Hawaii1, 1, 7, 1, {2560 1 1}, {256 1 1}, 0.5, 999999, 42, 68, 0, , \n",
	} {
		text := head + rows + good
		f, err := OpenReader(strings.NewReader(text), int64(len(text)), "s.csv")
		if err != nil {
			t.Fatal(err)
		}
		actions := f.Report.Actions()
		set, err := actions[len(actions)-1].Metrics()
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range set.All() {
			if !slices.Contains(f.Report.names, m.Name) {
				t.Errorf("%s: %s is not named", name, m.Name)
			}
		}
	}
}

func lookup(t *testing.T, a *profile.Action, name string) *profile.Metric {
	t.Helper()
	m, err := a.Metrics()
	if err != nil {
		t.Fatal(err)
	}
	return m.Lookup(name)
}

// TestDerivedCounters derives ROCm's counters from those of the hardware.
func TestDerivedCounters(t *testing.T) {
	const head = "Dispatch_Id,Agent_Id,Grid_Size,Kernel_Name,Workgroup_Size,LDS_Block_Size,Counter_Name,Counter_Value,Start_Timestamp,End_Timestamp\n"
	var b strings.Builder
	b.WriteString(head)
	for name, v := range map[string]string{"SQ_WAVES": "10", "SQ_INSTS_VALU": "250", "SQ_INSTS_LDS": "50", "SQ_INSTS_FLAT_LDS_ONLY": "20", "TCC_HIT_sum": "30", "TCC_MISS_sum": "10",
		"SQ_THREAD_CYCLES_VALU": "3200", "SQ_ACTIVE_INST_VALU": "100", "TCC_EA_RDREQ_sum": "160", "TCC_EA_RDREQ_32B_sum": "96", "TCC_EA_WRREQ_sum": "32", "TCC_EA_WRREQ_64B_sum": "32"} {
		b.WriteString("1,Agent 2,1024,f,64,512," + name + "," + v + ",100,1100\n")
	}
	f, err := OpenReader(strings.NewReader(b.String()), int64(b.Len()), "c.csv")
	if err != nil {
		t.Fatal(err)
	}
	a := f.Report.Actions()[0]
	checkMetrics(t, a, map[string]float64{"VALUInsts": 25, "LDSInsts": 3, "L2CacheHit": 75, "VALUUtilization": 50, "FetchSize": 7, "WriteSize": 2,
		"dram__bytes.sum.per_second": 9 * 1024 / 1000e-9})
	for _, name := range []string{"SALUInsts", "KernelOccupancy"} {
		if lookup(t, a, name) != nil {
			t.Errorf("there is %s", name)
		}
	}
}

// TestDerivedReal: the copy of 8 MiB that the real profile of an MI200 measured
// fetches that much, by what is derived; some of what it writes stays in the cache.
func TestDerivedReal(t *testing.T) {
	f, err := Open(t.Context(), filepath.Join(corpustest.Dir(t), "corpus/amd/ROCm__rocprofiler-compute__vcopy_MI200_pmc_perf.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, a := range f.Report.Actions() {
		if m := lookup(t, a, "FetchSize"); m == nil || m.Value.Double() < 8192 || m.Value.Double() > 8192*1.05 {
			t.Errorf("%d: %+v, want 8192 and little more", a.ID, m)
		}
		if m := lookup(t, a, "WriteSize"); m == nil || m.Value.Double() < 4096 || m.Value.Double() > 8192*1.05 {
			t.Errorf("%d: %+v, want most of 8192", a.ID, m)
		}
	}
	defs, err := f.Report.Sections(f.Report.Actions()[0])
	if err != nil || !slices.ContainsFunc(defs, func(d *ncurep.Section) bool { return d.Identifier == "AMDSpeedOfLight" }) {
		t.Errorf("no speed of light: %v", err)
	}
}
