package amd

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"context"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/internal/corpustest"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/section/amdgpu"
)

// amdValues are Avg and Peak of the panels in a table of rocprof-compute, by panel and
// metric; "" is a value that it could not compute.
func amdValues(t *testing.T, name string) map[[3]string]string {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Skip(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	panels := map[string]string{"2.1": "Speed of Light", "3.1": "Memory Chart", "6.1": "Occupancy", "6.2": "Occupancy", "7.1": "Wavefront", "7.2": "Wavefront"}
	out := map[[3]string]string{}
	in := bufio.NewScanner(z)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		cells := strings.Split(in.Text(), "\t")
		if len(cells) == 5 && panels[cells[0]] != "" {
			out[[3]string{panels[cells[0]], cells[2], cells[3]}] = cells[4]
		}
	}
	return out
}

// workloadFolder is the folder of a workload. One lies with a name for each file.
func workloadFolder(t *testing.T, dir, folder, flat string) string {
	t.Helper()
	if flat == "" {
		return filepath.Join(dir, "corpus", "rocm", filepath.FromSlash(folder))
	}
	out := t.TempDir()
	names, err := filepath.Glob(filepath.Join(dir, "corpus", "amd", flat+"_*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		copyFile(t, name, filepath.Join(out, strings.TrimPrefix(filepath.Base(name), flat+"_")))
	}
	if folder != "" {
		copyFile(t, filepath.Join(dir, "corpus", "rocm", filepath.FromSlash(folder), "sysinfo.csv"), filepath.Join(out, "sysinfo.csv"))
	}
	return out
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	in, err := os.Open(from)
	if err != nil {
		t.Skip(err)
	}
	defer in.Close()
	out, err := os.Create(to)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	if _, err := io.Copy(out, in); err != nil {
		t.Fatal(err)
	}
}

// TestSpeedOfLight: the panels of real workloads have the values that rocprof-compute
// computes for them.
func TestSpeedOfLight(t *testing.T) {
	dir := corpustest.Dir(t)
	const compute = "ROCm__rocm-systems/rocprofiler-compute/"
	const mi200 = "ROCm__rocprofiler-compute__vcopy_MI200"
	for _, c := range []struct{ oracle, folder, flat, unit, kernel string }{
		{oracle: "vcopy_MI200", folder: compute + "vcopy/MI200", flat: mi200},
		{oracle: "vcopy_MI200_per_wave", folder: compute + "vcopy/MI200", flat: mi200, unit: "per_wave"},
		{oracle: "vcopy_MI200_per_cycle", folder: compute + "vcopy/MI200", flat: mi200, unit: "per_cycle"},
		{oracle: "vcopy_MI200_per_second", folder: compute + "vcopy/MI200", flat: mi200, unit: "per_second"},
		{oracle: "vcopy_MI100", folder: compute + "vcopy/MI100", flat: "ROCm__rocprofiler-compute__vcopy_MI100"},
		{oracle: "bmm2_MI300X_A1", folder: "HGLiu1998__batched_gemm/workloads/bmm2/MI300X_A1"},
		{oracle: "bmm2_MI300X_A1_kernel0", folder: "HGLiu1998__batched_gemm/workloads/bmm2/MI300X_A1", kernel: "batched_matrix_multiplication"},
		{oracle: "bmm3_MI300X_A1", folder: "HGLiu1998__batched_gemm/workloads/bmm3/MI300X_A1"},
		{oracle: "kernel_names_MI200", folder: compute + "kernel_names/MI200"},
		{oracle: "no_roof_MI350", folder: compute + "no_roof/MI350"},
		{oracle: "vcopy_MI350", folder: compute + "vcopy/MI350"},
		{oracle: "vcopy_MI300A_A1", folder: compute + "vcopy/MI300A_A1"},
		{oracle: "vcopy_MI300X_A1", folder: compute + "vcopy/MI300X_A1"},
		{oracle: "vcopy_MI300X_A1_rocpd", folder: compute + "vcopy/MI300X_A1_rocpd"},
	} {
		t.Run(c.oracle, func(t *testing.T) {
			want := amdValues(t, filepath.Join(dir, "oracle", "rocm", "compute-analyze", c.oracle+".tsv.gz"))
			f, err := load.Open(context.Background(), workloadFolder(t, dir, c.folder, c.flat))
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			launches, err := workloadLaunches(f.Report.Actions(), c.kernel)
			if err != nil {
				t.Fatal(err)
			}
			rows, err := amdgpu.Panels(amdgpu.System(f.Facts("system")), launches, cmp.Or(c.unit, "per_kernel"))
			if err != nil {
				t.Fatal(err)
			}
			compared := 0
			for _, r := range rows {
				for column, got := range map[string]float64{"Avg": r.Mean, "Min": r.Min, "Max": r.Max, "Peak": r.Peak, "Pct of Peak": r.Percent(), "Value": r.Mean} {
					text, ok := want[[3]string{r.Panel, r.Name, column}]
					v, err := strconv.ParseFloat(text, 64)
					if !ok || err != nil || math.IsInf(v, 0) {
						continue
					}
					if column == "Value" { // AMD's chart has whole numbers
						if r.Name == "sL1D Lat" {
							got *= 100
						}
						got = math.RoundToEven(got)
					}
					compared++
					if math.Abs(got-v) > 1e-6*math.Max(1, math.Abs(v)) || math.IsNaN(got) {
						t.Errorf("%s, %s, %s: %.9g, want %s", r.Panel, r.Name, column, got, text)
					}
				}
			}
			shown := map[[2]string]bool{}
			for _, r := range rows {
				shown[[2]string{r.Panel, r.Name}] = true
			}
			for k, text := range want {
				if v, err := strconv.ParseFloat(text, 64); err == nil && !math.IsInf(v, 0) && !shown[[2]string{k[0], k[1]}] && k[1] != "IL1 Lat" && k[2] != "Peak" {
					t.Errorf("%s, %s, %s is %s: not shown", k[0], k[1], k[2], text)
				}
			}
			t.Logf("%d values compared", compared)
			if compared < 40 {
				t.Errorf("only %d values compared", compared)
			}
		})
	}
}
