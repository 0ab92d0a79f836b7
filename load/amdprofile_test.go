package load

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/profile"
)

const counterText = `#ProfileFileVersion=5.6
#ProfilerVersion=5.6.7262
#API=OpenCL
#Application=/home/u/vadd
Method, ExecutionOrder, ThreadID, CallIndex, GlobalWorkSize, WorkGroupSize, Time, LocalMemSize, VGPRs, SGPRs, ScratchRegs, Wavefronts, VALUBusy, Mine
vadd__k1_Hawaii1, 1, 4242, 31, {   1000       2       1}, {   64     1     1},         0.08213, 0, 6, 14, NA,     16384.00,        12.31, 7
vadd__k1_Hawaii1, 2, 4242, 33, {   1000       2       1}, {   64     1     1},         0.5, 0, 6, 14, NA,     1.00,        , 
`

const occupancyText = `# ProfilerVersion=5.6.7262
# Application=/home/u/vadd
# ListSeparator=;
# KernelCount=2
Thread ID,Kernel Name,Device Name,Number of compute units,Max. number of wavefronts per CU,Max. number of work-group per CU,Max. number of VGPR,Max. number of SGPR,Max. amount of LDS,Number of VGPR used,Number of SGPR used,Amount of LDS used,Size of wavefront,Work-group size,Wavefronts per work-group,Max work-group size,Max wavefronts per work-group,Global work size,Maximum global work size,Nbr VGPR-limited waves,Nbr SGPR-limited waves,Nbr LDS-limited waves,Nbr of WG-limited waves,Kernel occupancy,Graphics IP Version,Number of SIMDs per CU
4242;vadd;Hawaii;44;40;16;256;104;65536;6;14;0;64;64;1;256;4;2000;16777216;40;40;40;40;62,5;7;4
4242;vadd;Hawaii;44;40;16;256;104;65536;6;14;0;64;64;1;256;4;2000;16777216;40;40;40;40;50;7;4
`

// TestAMDLaunches: rows of a counter file are launches, with the occupancy of the
// file of the same name beside it.
func TestAMDLaunches(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"s.csv": counterText, "s.occupancy": occupancyText} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	f, err := Open(context.Background(), filepath.Join(dir, "s.csv"))
	if err != nil || len(f.Problems()) > 0 {
		t.Fatal(err, f.Problems())
	}
	defer f.Close()
	if err := f.Report.CheckValid(); err != nil {
		t.Error(err)
	}
	actions := f.Report.Actions()
	if len(actions) != 2 {
		t.Fatalf("%d launches", len(actions))
	}
	a := actions[0]
	if a.Function != "vadd" || a.Grid != [3]uint64{16, 2, 1} || a.Block != [3]uint64{64, 1, 1} || a.ThreadID != 4242 {
		t.Errorf("launch %+v", a)
	}
	checkMetrics(t, a, map[string]float64{"gpu__time_duration.sum": 82130, "launch__grid_size": 32, "launch__block_size": 64,
		"launch__thread_count": 2048, "VGPRs": 6, "SGPRs": 14, "Wavefronts": 16384, "VALUBusy": 12.31, "Mine": 7, "KernelOccupancy": 62.5})
	checkMetrics(t, actions[1], map[string]float64{"gpu__time_duration.sum": 500000, "Wavefronts": 1, "KernelOccupancy": 50})
	m, _ := actions[1].Metrics()
	for _, name := range []string{"ScratchRegs", "VALUBusy", "Mine"} {
		if m.Lookup(name) != nil {
			t.Errorf("%s: the cell is empty, but there is a metric", name)
		}
	}
	defs, err := f.Report.Sections(a)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, d := range defs {
		ids = append(ids, d.Identifier)
	}
	if want := []string{"AMDCompute", "AMDLaunch", "AMDOccupancy", "AMDSpeedOfLight", "AMDCounters"}; !slices.Equal(ids, want) {
		t.Errorf("sections %q, want %q", ids, want)
	}
}

// checkMetrics compares values up to the rounding of a product.
func checkMetrics(t *testing.T, a *profile.Action, want map[string]float64) {
	t.Helper()
	m, err := a.Metrics()
	if err != nil {
		t.Fatal(err)
	}
	for name, v := range want {
		if x := m.Lookup(name); x == nil || x.Value.Double() < v-1e-6 || x.Value.Double() > v+1e-6 {
			t.Errorf("%s: %+v, want %v", name, x, v)
		}
	}
}

// TestOccupancyLaunches: an occupancy file alone has launches too.
func TestOccupancyLaunches(t *testing.T) {
	f, err := OpenReader(strings.NewReader(occupancyText), int64(len(occupancyText)), "s.occupancy")
	if err != nil || len(f.Report.Actions()) != 2 {
		t.Fatal(err)
	}
	checkMetrics(t, f.Report.Actions()[0], map[string]float64{"KernelOccupancy": 62.5, "WavesLimitedByVGPR": 40, "launch__grid_size": 32})
}

// TestROCmLaunches: dispatches are launches; values of one counter that stand in
// several rows add up.
func TestROCmLaunches(t *testing.T) {
	text := "\"Dispatch_Id\",\"Agent_Id\",\"Grid_Size\",\"Kernel_Name\",\"Workgroup_Size\",\"LDS_Block_Size\",\"Counter_Name\",\"Counter_Value\",\"Start_Timestamp\",\"End_Timestamp\"\n" +
		"1,\"Agent 2\",1024,\"f(int)\",64,512,SQ_WAVES,1,100,250\n1,\"Agent 2\",1024,\"f(int)\",64,512,SQ_WAVES,2.5,100,250\n"
	f, err := OpenReader(strings.NewReader(text), int64(len(text)), "c.csv")
	if err != nil || f.Report == nil || len(f.Report.Actions()) != 1 {
		t.Fatal(f, err)
	}
	a := f.Report.Actions()[0]
	if a.Function != "f(int)" || a.Grid != [3]uint64{16, 1, 1} {
		t.Errorf("launch %+v", a)
	}
	checkMetrics(t, a, map[string]float64{"SQ_WAVES": 3.5, "gpu__time_duration.sum": 150, "LocalMemSize": 512})
}
