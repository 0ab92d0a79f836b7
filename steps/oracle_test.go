package steps_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/gpuprof/gpuprof/internal/corpustest"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/steps"
)

// A truth is what a generator of distributed runs says of them.
type truth struct {
	Files map[string][]int
	Table []struct {
		Rank, Step                            int
		Start, End, Wall, Busy, Compute, Comm int64
		Memcpy, Idle                          int64
		Exposed                               int64 `json:"exposed_comm"`
		ExposedCopies                         int64 `json:"exposed_memcpy"`
		Alone                                 int64 `json:"comm_alone"`
		Both                                  int64 `json:"compute_and_comm"`
	} `json:"step_table"`
}

// TestPlanted compares every cell of the step tables of generated runs.
func TestPlanted(t *testing.T) {
	cells := 0
	for _, name := range corpustest.Files(t, "oracle/ranks/*/truth.json") {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var want truth
		if err := json.Unmarshal(b, &want); err != nil {
			t.Fatal(err)
		}
		type cell struct { // numbers of steps are the program's: a rank that began late counts from 0 too
			rank  int
			start int64
		}
		got := map[cell]steps.Times{}
		for file, ranks := range want.Files {
			for i, d := range devices(t, filepath.Join(filepath.Dir(name), file)) {
				for _, times := range d.times {
					got[cell{ranks[i], times.Start}] = times
				}
			}
		}
		bad := 0
		for _, w := range want.Table {
			g, ok := got[cell{w.Rank, w.Start}]
			have := [...]int64{g.Start, g.End, g.Wall(), g.Busy(), g.Of(steps.Compute), g.Of(steps.Communication), g.Of(steps.Copy), g.Idle(), g.Exposed(), g.ExposedCopies(), g.Alone(), g.Both(steps.Compute, steps.Communication)}
			expect := [...]int64{w.Start, w.End, w.Wall, w.Busy, w.Compute, w.Comm, w.Memcpy, w.Idle, w.Exposed, w.ExposedCopies, w.Alone, w.Both}
			if !ok || have != expect {
				if bad++; bad < 4 {
					t.Errorf("%s: rank %d, step %d: got %v, want %v", filepath.Base(filepath.Dir(name)), w.Rank, w.Step, have, expect)
				}
			}
			cells += len(expect)
		}
		if len(got) != len(want.Table) {
			t.Errorf("%s: %d windows, want %d", name, len(got), len(want.Table))
		}
	}
	t.Logf("%d cells", cells)
}

type measured struct {
	*steps.Device
	found   *steps.Found
	windows []steps.Window
	times   []steps.Times
}

func devices(t *testing.T, path string) (out []measured) {
	t.Helper()
	f, err := load.Open(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	list, err := steps.Read(context.Background(), f.Trace, nil)
	if err != nil {
		t.Fatal(err)
	}
	finder, err := steps.NewFinder(context.Background(), f.Trace, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range list {
		m := measured{Device: d, found: finder.Find(d)}
		m.windows = d.Windows(m.found, nil)
		m.times, _ = d.Measure(m.windows)
		out = append(out, m)
	}
	return out
}
