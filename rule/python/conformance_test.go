package python

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpuprof/gpuprof/internal/corpustest"
)

// serve is the test binary in the part of `gpuprof python serve`.
func serve() {
	s := &Service{Open: openReport}
	if err := Serve(context.Background(), os.Stdin, os.Stdout, s, Output{}); err != nil {
		println(err.Error())
		os.Exit(1)
	}
}

// byHost runs a script on a report in a host.
func byHost(t *testing.T, h host, script, report string) string {
	t.Helper()
	ctx := context.Background()
	dir := filepath.Dir(script) // what lies beside it can be imported
	p, err := h.Start(ctx, Program{Main: "gpuprof_script", Args: []string{filepath.ToSlash(script), report},
		Files: []File{{Path: filepath.ToSlash(dir), Host: dir}}})
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	s := &Service{Open: openReport}
	if err := p.Serve(ctx, s, Output{Print: func(_ string, b []byte) error { out.Write(b); return nil }}); err != nil {
		t.Fatalf("%v\n%s", err, lastLine(out.String()))
	}
	return out.String()
}

// byUser runs a script in a Python that starts gpuprof.
func byUser(t *testing.T, script, report string) string {
	t.Helper()
	dir, err := Install(CacheDir())
	if err != nil {
		t.Fatal(err)
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(corpustest.Python(t), script, report)
	c.Env = append(os.Environ(), "PYTHONPATH="+dir, "GPUPROF="+exe)
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, lastLine(string(out)))
	}
	return string(out)
}

// sameInHosts runs the script on a report in both hosts and in the user's Python
// and returns what it printed, the same in all.
func sameInHosts(t *testing.T, script, report string) string {
	t.Helper()
	want := byHost(t, engine(t), script, report)
	if got := byHost(t, native(t), script, report); got != want {
		t.Errorf("%s: native host: %.1000s", report, cmp.Diff(want, got))
	}
	if got := byUser(t, script, report); got != want {
		t.Errorf("%s: user's Python: %.1000s", report, cmp.Diff(want, got))
	}
	for line := range strings.Lines(want) {
		if strings.Contains(line, "did not fail") {
			t.Errorf("%s: %s", report, line)
		}
	}
	t.Logf("%s: %d lines", filepath.Base(report), strings.Count(want, "\n"))
	return want
}

// TestConformanceOfMade calls what the made report has in all hosts.
func TestConformanceOfMade(t *testing.T) {
	script, err := filepath.Abs(filepath.Join("testdata", "conformance.py"))
	if err != nil {
		t.Fatal(err)
	}
	sameInHosts(t, script, madeReport)
}

// TestOccupancy asks for a kernel of 256 threads with 64 registers and 16 KiB on a
// GPU of compute capability 8.0. A warp takes 2048 of the 65536 registers, so 32
// of 64 warps fit: 4 blocks. Of the 164 KiB a block takes 17, with the one that
// is reserved. With 32 registers or fewer all warps would fit but for shared
// memory, of which there is enough for 9 blocks of 8 warps.
func TestOccupancy(t *testing.T) {
	out, err := runScript(t, context.Background(), engine(t), `
from ncu_occupancy import *
c = OccupancyCalculator(8, 0)
p = OccupancyParameters(threads_per_block=256, registers_per_thread=64, shared_mem_per_block=16384)
u = c.get_resource_utilization(p)
print(c.get_sm_occupancy(p), [l.name for l in c.get_occupancy_limiters(p)], u["allocated_blocks"], u["resource_utilization"]["registers"], u["resource_utilization"]["shared_memory"]["allocated"])
print(c.get_optimal_occupancy(p, [OccupancyVariable.REGISTERS_PER_THREAD]))
for wrong in (lambda: OccupancyCalculator(1, 0), lambda: c.get_sm_occupancy(OccupancyParameters(num_block_barriers=17))):
    try:
        wrong()
        print("did not fail")
    except ValueError as e:
        print(e)
`)
	want := `50.0 ['REGISTERS'] 4 {'allocated': 65536, 'total': 65536, 'utilization': 100.0} 69632
{'optimal_occupancy': 100.0, 'registers_per_thread': 32}
compute capability 1.0 is not known
17 barriers in a block, of 0 to 16
`
	if err != nil || out != want {
		t.Errorf("%v; (-want +got) %s", err, cmp.Diff(want, out))
	}
}

// TestConformance calls every member of ncu_report in both hosts and in the
// user's Python: with equal results.
func TestConformance(t *testing.T) {
	script, err := filepath.Abs(filepath.Join("testdata", "conformance.py"))
	if err != nil {
		t.Fatal(err)
	}
	reports := []string{madeReport}
	for _, pattern := range []string{"NVIDIA*nvtx.ncu-rep", "bwcurless*Mode4.ncu-rep", "2388612861*optimized.ncu-rep"} {
		reports = append(reports, corpustest.Files(t, "corpus/ncu/"+pattern)...)
	}
	never := map[string]int{} // lines about what a run did not call
	for _, report := range reports {
		for line := range strings.Lines(sameInHosts(t, script, report)) {
			if strings.HasPrefix(line, "never ") {
				never[line]++
			}
		}
	}
	for line, n := range never {
		if n == len(reports) {
			t.Error(line)
		}
	}
}

// TestAPI looks for every name of the interface, in both hosts.
func TestAPI(t *testing.T) {
	dir, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	for name, h := range map[string]host{"wasm": engine(t), "native": native(t)} {
		p, err := h.Start(context.Background(), Program{Main: "gpuprof_script", Args: []string{filepath.ToSlash(dir) + "/api.py"},
			Files: []File{{Path: filepath.ToSlash(dir), Host: dir}}})
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		if err := p.Serve(context.Background(), &Service{}, Output{Print: func(_ string, b []byte) error { out.Write(b); return nil }}); err != nil {
			t.Fatalf("%s: %v\n%s", name, err, out.String())
		}
		if strings.Contains(out.String(), "missing") || !strings.HasSuffix(out.String(), " names\n") {
			t.Errorf("%s: %s", name, out.String())
		}
		t.Logf("%s: %s", name, out.String())
	}
}

// TestGuide runs the sample script of the customization guide's chapter 4.3. The
// file is compared with the guide where that is at hand.
func TestGuide(t *testing.T) {
	script, err := filepath.Abs(filepath.Join("testdata", "nvtx_filter.py"))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(script)
	if err != nil {
		t.Fatal(err)
	}
	for _, guide := range corpustest.Files(t, "seeds/nsight-compute-customization-guide.txt") {
		b, err := os.ReadFile(guide)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(b), "```\n"+string(text)+"```\n") {
			t.Errorf("%s does not hold the script", guide)
		}
	}
	for _, report := range corpustest.Files(t, "corpus/ncu/NVIDIA*nvtx.ncu-rep") {
		want := byHost(t, engine(t), script, report)
		if got := byHost(t, native(t), script, report); got != want {
			t.Errorf("native host: %q, want %q", got, want)
		}
		if got := byUser(t, script, report); got != want {
			t.Errorf("user's Python: %q, want %q", got, want)
		}
		t.Logf("%q", want)
	}
}
