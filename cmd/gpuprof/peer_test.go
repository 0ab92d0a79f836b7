package main

import (
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/gpuprof/gpuprof/internal/corpustest"
)

// loads is what any reader in Python begins with.
const loads = `import gzip, json, sys; json.loads(gzip.open(sys.argv[1]).read())`

// BenchmarkTorchAgainstPython runs info and stats on traces of PyTorch by turns with
// json.loads of the same file: whole processes, their user and system time. Where
// HolisticTraceAnalysis can be imported, its loading is measured too.
func BenchmarkTorchAgainstPython(b *testing.B) {
	python := corpustest.Python(b)
	bin := filepath.Join(b.TempDir(), "gpuprof")
	if out, err := exec.Command("go", "build", "-o", bin, ".").CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	hta := exec.Command(python, "-c", "import hta").Run() == nil
	for name, file := range map[string]string{
		"mtia": "facebookresearch__HolisticTraceAnalysis__mtia_trace_single_rank~mtia_rank_0.json.gz",
		"xdit": "AMD-AGI__TraceLens__inference~xdit_flux.1_aiter_sage~profile_trace_rank_0.json.gz",
		"owl":  "AMD-AGI__TraceLens__h100~google_owlv2-large-patch14-ensemble__1016001.json.gz",
	} {
		path := filepath.Join(corpustest.Dir(b), "corpus/kineto", file)
		b.Run(name, func(b *testing.B) {
			least := map[string]time.Duration{}
			run := func(what, program string, args ...string) {
				c := exec.Command(program, args...)
				if err := c.Run(); err != nil {
					b.Fatal(what, err)
				}
				if took := c.ProcessState.UserTime() + c.ProcessState.SystemTime(); least[what] == 0 || took < least[what] {
					least[what] = took
				}
			}
			for b.Loop() {
				run("info", bin, "info", path)
				run("stats", bin, "stats", path)
				run("json.loads", python, "-c", loads, path)
				if hta {
					run("hta", python, "-c", "import sys; from hta.common.trace import parse_trace_file; parse_trace_file(sys.argv[1])", path)
				}
			}
			for what, took := range least {
				b.ReportMetric(took.Seconds()*1000, what+"-cpu-ms")
			}
			b.ReportMetric(least["stats"].Seconds()/least["json.loads"].Seconds(), "stats/json.loads")
			if hta {
				b.ReportMetric(least["info"].Seconds()/least["hta"].Seconds(), "info/hta")
			}
		})
	}
}
