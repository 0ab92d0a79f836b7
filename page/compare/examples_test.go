package compare

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/internal/corpustest"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/view"
)

// diffed is what diff says of two real files, its lines joined.
func diffed(t *testing.T, old, new string) string {
	t.Helper()
	q := &page.Request{Format: view.FormatText, Values: map[string][]string{}}
	for _, name := range []string{old, new} {
		f, err := load.Open(context.Background(), filepath.Join(corpustest.Dir(t), "corpus", filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		q.Files = append(q.Files, f)
	}
	d, err := Diff.Do(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	for _, format := range view.Formats() {
		var b bytes.Buffer
		if err := view.Render(&b, d, view.Format(format), view.Options{}); err != nil {
			t.Errorf("%s: %v", format, err)
		}
		if n := strings.Count(b.String(), "\n"); format == "md" && n > 40 {
			t.Errorf("the comment has %d lines", n)
		}
		if strings.Contains(b.String(), "slower") || strings.Contains(b.String(), "faster") {
			t.Errorf("%s: slower or faster", format)
		}
	}
	var b bytes.Buffer
	if err := view.Render(&b, d, view.FormatText, view.Options{}); err != nil {
		t.Fatal(err)
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// TestExamples holds docs/compare-examples.md: what a reader of a pair has to
// know is said in so many words.
func TestExamples(t *testing.T) {
	for _, x := range []struct {
		old, new string
		says     []string
	}{
		{"ncu/2388612861__GPU-DEMO__ncu_report.ncu-rep", "ncu/2388612861__GPU-DEMO__ncu_report_optimized.ncu-rep", []string{
			"transposeMatrixOptimized, which is new, takes 10.2 % more time than transposeMatrix", "61.31 60.90 us −0.7 %", "noise is unknown", "1 only old, 3 only new"}},
		{"bench/nvbench/copy1d_run1.json", "bench/nvbench/copy1d_run2.json", []string{"94.73 91.35 us −3.6 % +2.6 % +6.4 % clock +6.4 %", "time = cycles / clock, so compare cycles"}},
		{"nsys/RajaATAli__SC23_Programming-Your-GPU-with-OpenMP_Tutorial__report3.sqlite", "nsys-rep/RajaATAli__SC23_Programming-Your-GPU-with-OpenMP_Tutorial__report3.nsys-rep", []string{
			"nothing differs: both sides hold the same measurement", "because nothing was measured again"}},
		{"nsys/GindaChen__nsys-ai__tests_fixtures_mfu_2gpu_before.sqlite", "nsys/GindaChen__nsys-ai__tests_fixtures_h100_2gpu_1s.sqlite", []string{
			"windows cut out of longer recordings: totals and counts depend on the cut, so values are per instance"}},
		{"ncu/extra-p__extrap__ex-gpu.s10.ncu-rep", "ncu/extra-p__extrap__ex-gpu.s1000.ncu-rep", []string{"another amount of work: 5 kernels", "17.7 times another amount of work"}},
		{"ncu/AveryClapp__ESMM-Research__profile~26b457a.ncu-rep", "ncu/AveryClapp__ESMM-Research__profile~8fce663.ncu-rep", []string{"0×0×0 × 0×0×0 259.62 us no value", "1 launch without a time"}},
		{"ncu/bwd29__self-join-MiSTIC__prof1024.ncu-rep", "ncu/bwd29__self-join-MiSTIC__profile.ncu-rep", []string{"1016 × 1024 → 2047 × 512 1 8.40 0.94 s −88.8 % −89.0 % −1.6 %"}},
		{"ncu/bwcurless__FaSTED__Mode4.ncu-rep", "ncu/bwcurless__FaSTED__Pipeline_Depth_1.ncu-rep", []string{"GPU: Quadro RTX 5000 → NVIDIA A100-PCIE-40GB: times of different GPUs are not comparable"}},
	} {
		t.Run(filepath.Base(x.old), func(t *testing.T) {
			got := diffed(t, x.old, x.new)
			for _, want := range x.says {
				if !strings.Contains(got, want) {
					t.Errorf("it does not say %q:\n%s", want, got)
				}
			}
		})
	}
}

// TestSelfDiffIsEmpty compares real files with themselves: a verdict, and no
// table but that of the runs.
func TestSelfDiffIsEmpty(t *testing.T) {
	for _, name := range []string{"ncu/bwcurless__FaSTED__Conventional_Layout.ncu-rep", "nsys/davidev886__tutorial_vqe__report1.sqlite", "bench/nvbench/lz4_run1.json"} {
		got := diffed(t, name, name)
		if !strings.Contains(got, "nothing differs: both sides hold the same measurement") || strings.Contains(got, "Old New Unit") || strings.Contains(got, "Only in") {
			t.Errorf("%s: %s", name, got)
		}
	}
}
