package amd

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/internal/pagetest"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/view"
)

// TestMadeWorkload shows the panels of a workload of two dispatches.
func TestMadeWorkload(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "MI200")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"sysinfo.csv": "workload_name,gpu_model,gpu_arch,max_sclk,cur_sclk,sclk,mclk,num_cu,cu_per_gpu,simd_per_cu,num_se,se_per_gpu,wave_size,max_waves_per_cu,total_l2_chan,L2Banks,hbmBW,lds_banks_per_cu,num_xcd\n" +
			"w,MI210,gfx90a,1700,1700,1700,1600,104,104,4,8,8,64,32,32,32,1638.4,32,1\n",
		"roofline.csv": "device,HBMBw,HBMBwLow,hbmBwHigh,FP32Flops,FP32FlopsLow,FP32FlopsHigh\n0,1200.5,1190,1210,20000,,\n",
		"pmc_perf.csv": "Dispatch_ID,Kernel_Name,GPU_ID,Grid_Size,Workgroup_Size,LDS_Per_Workgroup,Scratch_Per_Workitem,Arch_VGPR,Accum_VGPR,SGPR,SQ_WAVES,SQ_INSTS_VALU,SQ_INSTS_SALU,SQ_BUSY_CYCLES,SQ_BUSY_CU_CYCLES,SQ_WAVE_CYCLES,GRBM_GUI_ACTIVE,SQ_ACTIVE_INST_VALU,SQ_THREAD_CYCLES_VALU,Start_Timestamp,End_Timestamp\n" +
			"0,gemm,0,1024,256,0,0,32,0,32,16,1600,160,1000,4000,16000,2000,1600,102400,1000,3000\n" +
			"1,copy,0,1024,256,0,0,8,0,16,16,160,80,500,2000,8000,1000,160,10240,4000,5000\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	all, _ := pagetest.Render(t, Workload, dir, view.FormatText, nil)
	one, _ := pagetest.Render(t, Workload, dir, view.FormatText, pagetest.Options("kernel", "gemm"))
	for _, want := range []string{"Wavefront Occupancy", "VALU Active Threads", "Active CUs", "HBMBw 1200.50 1190 1210", "FP32Flops 20000"} {
		if !strings.Contains(strings.Join(strings.Fields(all), " "), want) {
			t.Errorf("no %s in\n%s", want, all)
		}
	}
	if one == all {
		t.Error("one kernel has the figures of both")
	}
	if err := failure(t, Workload, dir, "kernel", "none"); !strings.Contains(err, "no dispatch of 2") {
		t.Error(err)
	}
}

// TestWrongCallOptions: what a file does not have is told with what it has.
func TestWrongCallOptions(t *testing.T) {
	const file = "../../format/amd/testdata/vectors/230-sections-ocl-hsa.atp"
	for _, c := range []struct{ option, value, want string }{
		{"thread", "7", "there is no thread 7; there are "},
		{"between", "9:5", `expected START:END in ns, found "9:5"`},
		{"between", "9", `expected START:END in ns, found "9"`},
	} {
		if err := failure(t, Calls, file, c.option, c.value); !strings.Contains(err, c.want) {
			t.Errorf("--%s %s: %s", c.option, c.value, err)
		}
	}
}

// failure is the error of a page of a file.
func failure(t *testing.T, p *page.Page, file string, options ...string) string {
	t.Helper()
	in, err := load.Open(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	_, err = p.Do(t.Context(), &page.Request{Files: []*load.File{in}, Args: []string{file}, Values: pagetest.Options(options...)})
	if err == nil {
		t.Fatalf("%s %q: no error", p.Name, options)
	}
	return err.Error()
}

// TestWorkloadsInOneFolder: each of several workloads has its own GPU, ceilings and
// panels; what a folder lacks is told.
func TestWorkloadsInOneFolder(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	const counters = "Dispatch_ID,Kernel_Name,GPU_ID,Grid_Size,Workgroup_Size,SQ_WAVES,SQ_BUSY_CU_CYCLES,GRBM_GUI_ACTIVE,Start_Timestamp,End_Timestamp\n0,gemm,0,1024,256,16,4000,2000,1000,3000\n"
	for name, arch := range map[string]string{"MI200": "gfx90a:sramecc+:xnack-", "MI300": "gfx942", "W7900": "gfx1100"} {
		write(name+"/sysinfo.csv", "workload_name,gpu_arch,max_sclk,cu_per_gpu,max_waves_per_cu\nw,"+arch+",1700,104,32\n")
		write(name+"/roofline.csv", "device,HBMBw\n0,1200.5\n")
		write(name+"/pmc_perf.csv", counters)
		write(name+"/pmc_perf_0.csv", counters) // a pass, of which the other file is made
	}
	write("bare/pmc_perf.csv", counters)
	got, notes := pagetest.Render(t, Workload, dir, view.FormatText, nil)
	told := strings.Join(notes, "\n")
	for _, want := range []string{"MI200", "MI300", "W7900", "MFMA FLOPs (F8)"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
	if n := strings.Count(got, "HBMBw"); n != 3 {
		t.Errorf("ceilings of %d workloads, want 3", n)
	}
	for _, want := range []string{"bare: no sysinfo.csv", "gfx1100: AMD publishes no formulas", "gfx90a, gfx940"} {
		if !strings.Contains(told, want) {
			t.Errorf("no %q in %q", want, told)
		}
	}
	f, err := load.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if n := len(f.Report.Devices); n != 4 {
		t.Errorf("%d devices, want 4: %+v", n, f.Report.Devices)
	}
	alone := failure(t, Workload, filepath.Join(dir, "bare"))
	if !strings.Contains(alone, "found a rocprof-compute workload without one") {
		t.Error(alone)
	}
}
