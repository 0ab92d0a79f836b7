package lifetime_test

import (
	"bytes"
	"context"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/gpuprof/gpuprof/format/simlog"
	"github.com/gpuprof/gpuprof/format/simlog/loggen"
	"github.com/gpuprof/gpuprof/lifetime"
)

func generate(t *testing.T, o loggen.Options) ([]byte, loggen.Truth) {
	t.Helper()
	var b bytes.Buffer
	truth, err := loggen.Write(&b, o)
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), truth
}

func lifetimesOf(t *testing.T, log []byte) (*lifetime.Analysis, string) {
	t.Helper()
	var files bytes.Buffer
	a, err := lifetime.Analyze(context.Background(), simlog.NewReader(context.Background(), bytes.NewReader(log), simlog.Options{}),
		lifetime.Settings{Options: lifetime.Options{Jobs: 1}, Lifetimes: func(string) (io.Writer, error) { return &files, nil }})
	if err != nil {
		t.Fatal(err)
	}
	return a, files.String()
}

// A generated log holds what the generator says it does, and is the same each time.
func TestGenerated(t *testing.T) {
	o := loggen.Options{Bytes: 2 << 20, Kernels: 4, Seed: 5}
	log, truth := generate(t, o)
	again, _ := generate(t, o)
	if !bytes.Equal(log, again) {
		t.Error("the same options give another log")
	}
	a, _ := lifetimesOf(t, log)
	for i, k := range a.Kernels {
		for j, want := range []loggen.CacheTruth{truth.Kernels[i].L1, truth.Kernels[i].L2} {
			l := k.Levels[j]
			got := loggen.CacheTruth{Accesses: l.Loads + l.Stores, Loads: l.Loads, Stores: l.Stores, ReservationFails: l.Retries}
			want.Hits, want.Misses, want.PendingHits = 0, 0, 0
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("kernel %d, %s: %s", i, l.Name, d)
			}
		}
		if k.Cycles != truth.Kernels[i].Cycles || k.Name != truth.Kernels[i].Name {
			t.Errorf("kernel %+v, want %+v", k.KernelRow, truth.Kernels[i])
		}
	}
	// Accesses and retries reconcile exactly; misses only as far as the merge window
	// tells a refill from a miss that waits.
	for _, k := range a.Kernels {
		for _, c := range k.Checks {
			if (c.What == "L2 accesses" || c.What == "L1D retries") && !c.Equal() {
				t.Error(c)
			}
		}
	}
}

// Cycles that count from the start of the run give the same lifetimes.
func TestGlobalCycles(t *testing.T) {
	perKernel, _ := generate(t, loggen.Options{Bytes: 1 << 20, Kernels: 3, Seed: 2})
	_, want := lifetimesOf(t, perKernel)
	global, _ := generate(t, loggen.Options{Bytes: 1 << 20, Kernels: 3, Seed: 2, Global: true})
	a, got := lifetimesOf(t, global)
	if a.Kernels[2].Clock != simlog.Global {
		t.Errorf("the third kernel's clock is %v", a.Kernels[2].Clock)
	}
	// The longer numbers make the global log's kernels end a little earlier: what can
	// be compared is its first kernel, and that no lifetime exceeds its kernel.
	first := func(s string) string {
		i := bytes.Index([]byte(s), []byte("\n2,"))
		return s[:i]
	}
	if first(got) != first(want) {
		t.Error("lifetimes of the first kernel differ")
	}
	for _, k := range a.Kernels {
		for _, l := range k.Levels {
			if l.MaxUS > a.Machine.US(float64(k.Cycles)) {
				t.Errorf("kernel %d: a lifetime of %v us in %d cycles", k.ID, l.MaxUS, k.Cycles)
			}
		}
	}
}

// A log that is cut, in the stock wording, keeps its accesses.
func TestCutProbe(t *testing.T) {
	log, truth := generate(t, loggen.Options{Bytes: 1 << 20, Kernels: 2, Cut: true, Probe: true})
	a, _ := lifetimesOf(t, log)
	k := a.Kernels[1]
	if k.Complete || k.Levels[1].Unknown != truth.Kernels[1].L2.Accesses || k.Levels[0].Loads != truth.Kernels[1].L1.Loads {
		t.Errorf("%+v, want %+v", k, truth.Kernels[1])
	}
}
