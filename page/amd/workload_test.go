package amd

import (
	"bufio"
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
	panels := map[string]string{"2.1": "Speed of Light", "6.1": "Occupancy", "7.2": "Wavefront"}
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
	for _, c := range []struct{ oracle, folder, flat string }{
		{"vcopy_MI200", compute + "vcopy/MI200", "ROCm__rocprofiler-compute__vcopy_MI200"},
		{"vcopy_MI100", compute + "vcopy/MI100", "ROCm__rocprofiler-compute__vcopy_MI100"},
		{"bmm2_MI300X_A1", "HGLiu1998__batched_gemm/workloads/bmm2/MI300X_A1", ""},
		{"bmm3_MI300X_A1", "HGLiu1998__batched_gemm/workloads/bmm3/MI300X_A1", ""},
		{"kernel_names_MI200", compute + "kernel_names/MI200", ""},
		{"no_roof_MI350", compute + "no_roof/MI350", ""},
		{"vcopy_MI350", compute + "vcopy/MI350", ""},
		{"vcopy_MI300X_A1_rocpd", compute + "vcopy/MI300X_A1_rocpd", ""},
	} {
		t.Run(c.oracle, func(t *testing.T) {
			want := amdValues(t, filepath.Join(dir, "oracle", "rocm", "compute-analyze", c.oracle+".tsv.gz"))
			f, err := load.Open(context.Background(), workloadFolder(t, dir, c.folder, c.flat))
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			launches, err := workloadLaunches(f, "")
			if err != nil {
				t.Fatal(err)
			}
			rows, err := amdgpu.Panels(amdgpu.System(f.Facts("system")), launches)
			if err != nil {
				t.Fatal(err)
			}
			compared := 0
			for _, r := range rows {
				for column, got := range map[string]float64{"Avg": r.Mean, "Peak": r.Peak, "Pct of Peak": r.Percent()} {
					text, ok := want[[3]string{r.Panel, r.Name, column}]
					v, err := strconv.ParseFloat(text, 64)
					if !ok || err != nil || math.IsInf(v, 0) {
						continue
					}
					compared++
					if math.Abs(got-v) > 1e-6*math.Max(1, math.Abs(v)) || math.IsNaN(got) {
						t.Errorf("%s, %s, %s: %.9g, want %s", r.Panel, r.Name, column, got, text)
					}
				}
			}
			if compared < 40 {
				t.Errorf("only %d values compared", compared)
			}
		})
	}
}
