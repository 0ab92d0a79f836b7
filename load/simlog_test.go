package load

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/internal/corpustest"
)

const simLog = `GPGPU-Sim: Configuration options:
-gpgpu_clock_domains 1000.0:1132.0:1132.0:850.0 # Clock Domain Frequencies in MhZ
-gpgpu_n_clusters                     132 # number of processing clusters
Processing kernel traces/kernel-7.traceg
-kernel name = _ZN2at6native5gemmxEPfi
-kernel id = 7
-grid dim = (4,2,1)
-block dim = (128,1,1)
-nregs = 40
GPGPU-Sim Cycle 100: Load instr from L2 cache at partition 1 addr 1000 status 2
GPGPU-Sim Cycle 300: Load instr from L2 cache at partition 1 addr 1000 status 0
gpu_sim_cycle = 1100
gpu_sim_insn = 5000
gpu_tot_sim_cycle = 1100
gpu_occupancy = -nan% 
L2_total_cache_accesses = 2
L2_cache_bank[1]: Access = 2, Miss = 1
`

func TestSimLog(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write([]byte(simLog))
	z.Close()
	for _, text := range []string{simLog, packed.String()} {
		f, err := OpenReader(strings.NewReader(text), int64(len(text)), "run.log")
		if err != nil {
			t.Fatal(err)
		}
		if f.Format != "log of a GPU simulator" || len(f.Problems()) > 0 {
			t.Errorf("%s, problems %v", f.Format, f.Problems())
		}
		if err := f.Report.CheckValid(); err != nil {
			t.Error(err)
		}
		a := f.Report.Actions()[0]
		if a.Function != "gemmx" || a.Demangled != "at::native::gemmx(float *, int)" || a.Grid != [3]uint64{4, 2, 1} || a.Block != [3]uint64{128, 1, 1} {
			t.Errorf("%+v", a)
		}
		m, _ := a.Metrics()
		for name, want := range map[string]float64{
			"launch__grid_size": 8, "launch__block_size": 128, "launch__registers_per_thread": 40, "sm__cycles_elapsed.max": 1100,
			"smsp__thread_inst_executed.sum": 5000, "gpu__time_duration.sum": 1100, "l2__accesses_load.sum": 2, "l2__lifetimes.sum": 1,
			"l2__lifetime_time_duration.avg": 1000, "L2_total_cache_accesses": 2,
		} {
			if got := m.Lookup(name); got == nil || got.Value.Double() != want {
				t.Errorf("%s is %+v, want %v", name, got, want)
			}
		}
		for _, name := range []string{"gpu_occupancy", "L2_cache_bank[1].Access"} {
			if m.Lookup(name) != nil {
				t.Errorf("%s is there", name)
			}
		}
		if d := f.Report.Devices; len(d) != 1 || d[0].Attributes[0].Value.Uint64() != 132 {
			t.Errorf("devices %+v", d)
		}
	}
	text := "GPGPU-Sim is a simulator, this is no log of it\n"
	if _, err := OpenReader(strings.NewReader(text), int64(len(text)), "x.txt"); !errors.Is(err, ErrUnknown) || !strings.Contains(err.Error(), "with kernels") {
		t.Errorf("error %v", err)
	}
}

func TestCorpusSimLogs(t *testing.T) {
	for name, actions := range map[string]int{"accel-sim/gslog_h100_elementwise_gemv.log.gz": 2, "accel-sim/gslog_h100_matmul_TRUNCATED.log.gz": 1, "gpgpu-sim-mvt/mvt.txt": 2} {
		f, err := Open(context.Background(), filepath.Join(corpustest.Dir(t), "corpus/sim", name))
		if err != nil {
			t.Error(err)
			continue
		}
		if len(f.Report.Actions()) != actions {
			t.Errorf("%s: %d actions", name, len(f.Report.Actions()))
		}
		if err := f.Report.CheckValid(); err != nil {
			t.Error(err)
		}
		f.Close()
	}
}
