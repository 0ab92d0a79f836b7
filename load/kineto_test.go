package load

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/internal/corpustest"
	"github.com/gpuprof/gpuprof/internal/kinetogen"
	"github.com/gpuprof/gpuprof/internal/torchmemgen"
	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/trace/schema"
)

func madeTrace(tb testing.TB, o kinetogen.Options) (*File, kinetogen.Truth) {
	tb.Helper()
	var b bytes.Buffer
	truth, err := kinetogen.Write(&b, o)
	if err != nil {
		tb.Fatal(err)
	}
	f, err := OpenReader(bytes.NewReader(b.Bytes()), int64(b.Len()), "made.pt.trace.json")
	if err != nil {
		tb.Fatal(err)
	}
	return f, truth
}

func TestPyTorchTrace(t *testing.T) {
	for _, o := range []kinetogen.Options{{Steps: 2, Layers: 3, Rank: 1, World: 2}, {Steps: 2, Layers: 3, Old: true}} {
		f, truth := madeTrace(t, o)
		if f.Format != "PyTorch trace" || len(f.Problems()) > 0 || f.Holds() != Timeline|Profile|Operators|Memory {
			t.Errorf("%s, %v, holds %v", f.Format, f.Problems(), f.Holds().Names())
		}
		tr := f.Trace
		if err := tr.LoadNames(t.Context()); err != nil {
			t.Fatal(err)
		}
		rows := map[string]int{trace.TableKernel: truth.Kernels, trace.TableMemcpy: truth.Copies, trace.TableRuntime: truth.Calls, trace.TableOps: truth.Ops,
			trace.TablePython: truth.Python, trace.TableMemory: truth.Memory, trace.TableNvtx: o.Steps + 1, trace.TableCollectives: 1}
		for name, n := range rows {
			table, err := tr.All(t.Context(), name)
			if err != nil || table == nil || table.Rows != n {
				t.Errorf("%s: %v, %v; want %d rows", name, table, err, n)
			}
		}
		k, _ := tr.All(t.Context(), trace.TableKernel)
		if got := tr.NameText(k.Ints("shortName")[1]); got != "ncclDevKernel_AllReduce_Sum_f32_RING_LL" {
			t.Errorf("short name %q", got)
		}
		if k.Ints("gridX")[0] != 32 || k.Ints("blockX")[0] != 256 || k.Ints("registersPerThread")[0] != 168 || k.Ints("deviceId")[0] != 0 || k.Ints("streamId")[1] != 20 {
			t.Error("a kernel has other figures")
		}
		if pid := trace.GlobalID(k.Ints("globalPid")[0]).PID(); pid != 77 {
			t.Errorf("kernels belong to process %d", pid)
		}
		c, _ := tr.All(t.Context(), trace.TableCollectives)
		if c.Ints("inBytes")[0] != 4194304*4 || c.Ints("groupSize")[0] != 2 {
			t.Error("a collective has other figures")
		}
		m, _ := tr.All(t.Context(), trace.TableMemcpy)
		if m.Ints("copyKind")[0] != copyToGPU || m.Ints("srcKind")[0] != 1 || m.Ints("dstKind")[0] != 2 || m.Ints("bytes")[0] != 1<<20 {
			t.Error("a copy has other figures")
		}
		s, err := tr.Session(t.Context())
		if err != nil || !strings.HasPrefix(s.Began, "20") || s.Start != 0 || len(s.GPUs) != 1 || s.GPUs[0].Name != "Model GPU 80GB" || len(s.Processes) != 1 {
			t.Errorf("%+v, %v", s, err)
		}
		for _, info := range tr.Tables() { // every table and column is declared, but for those of the vendor that it has more of
			if !strings.HasPrefix(info.Name, "PYTORCH_") {
				continue
			}
			known := schema.Lookup(info.Name)
			for _, col := range info.Columns {
				if known == nil || known.Column(col.Name) == nil {
					t.Errorf("%s.%s is not in the catalogue", info.Name, col.Name)
				}
			}
		}
	}
}

func TestPyTorchSnapshot(t *testing.T) {
	var b bytes.Buffer
	truth, err := torchmemgen.Write(&b, torchmemgen.Options{Allocations: 300, Slots: 20, Stacks: 3, Depth: 2})
	if err != nil {
		t.Fatal(err)
	}
	f, err := OpenReader(bytes.NewReader(b.Bytes()), int64(b.Len()), "made.pickle")
	if err != nil || f.Memory == nil || f.Holds() != Timeline|Profile|Memory {
		t.Fatal(f, err)
	}
	e, err := f.Trace.All(t.Context(), "PYTORCH_ALLOCATOR_EVENTS")
	if err != nil || e.Rows != truth.Events || e.Ints("allocated")[truth.PeakEvent] != truth.Peak || e.Ints("allocated")[e.Rows-1] != truth.End {
		t.Errorf("%v; want %+v", err, truth)
	}
	for name, n := range map[string]int{"GPU_METRICS": 2 * truth.Events, "PYTORCH_BLOCKS": 20, "PYTORCH_SEGMENTS": 1, "PYTORCH_STACKS": 6} {
		table, err := f.Trace.All(t.Context(), name)
		if err != nil || table == nil || table.Rows != n {
			t.Errorf("%s: %v, %v; want %d rows", name, table, err, n)
		}
	}
}

func TestNeighboursOfPyTorch(t *testing.T) {
	for _, name := range corpustest.Files(t, "corpus/kineto/neighbours/*.*") {
		_, err := Open(context.Background(), name)
		if err == nil || !strings.Contains(err.Error(), "found a") {
			t.Errorf("%s: %v", filepath.Base(name), err)
		}
	}
	for _, name := range corpustest.Files(t, "corpus/kineto/malformed/not_kineto_pprof.json") {
		if _, err := Open(context.Background(), name); !errors.Is(err, ErrUnknown) {
			t.Error(err)
		}
	}
}
