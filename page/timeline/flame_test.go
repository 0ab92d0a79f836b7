package timeline

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/gpuprof/gpuprof/internal/nsysgen"
	"github.com/gpuprof/gpuprof/internal/pagetest"
	"github.com/gpuprof/gpuprof/view"
)

// TestFlameOrders compares the pictures of one timeline with each other: left
// heavy and the functions of the sandwich weigh the same, and no more boxes are
// made than pixels allow.
func TestFlameOrders(t *testing.T) {
	name := filepath.Join(t.TempDir(), "trace.sqlite")
	if err := nsysgen.Write(name, nsysgen.Size{Kernels: 200, Ranges: 70, Copies: 10, Threads: 2, Devices: 1, Names: 5, Seed: 1}); err != nil {
		t.Fatal(err)
	}
	type table struct {
		ID      string
		Columns []struct{ Name string }
		Rows    [][]any
	}
	read := func(o map[string][]string) (charts, tables []table, weight float64) {
		out, _ := pagetest.Render(t, Flame, name, view.FormatJSON, o)
		var d struct {
			Sections []struct {
				Properties     map[string]any
				Charts, Tables []table
			}
		}
		if err := json.Unmarshal([]byte(out), &d); err != nil {
			t.Fatal(err)
		}
		return d.Sections[0].Charts, d.Sections[0].Tables, d.Sections[0].Properties["weight"].(float64)
	}
	sum := func(c table, column int, keep func(r []any) bool) (v float64) {
		for _, r := range c.Rows {
			if keep(r) {
				v += r[column].(float64)
			}
		}
		return v
	}
	const total, depth = 1, 5
	left, _, weight := read(pagetest.Options("pixels", "100"))
	if got := sum(left[0], total, func(r []any) bool { return r[depth] == 0.0 }); got != weight || weight <= 0 {
		t.Errorf("the outermost boxes weigh %v, all ranges %v", got, weight)
	}
	_, functions, _ := read(pagetest.Options("order", "sandwich"))
	if got := sum(functions[0], 0, func([]any) bool { return true }); got != weight {
		t.Errorf("the functions weigh %v by themselves, all ranges %v", got, weight)
	}
	times, _, _ := read(pagetest.Options("order", "time", "pixels", "20"))
	for d := 0.0; d < 5; d++ {
		if n := sum(times[0], depth, func(r []any) bool { return r[depth] == d }); d > 0 && n/d > 25 {
			t.Errorf("%v boxes of depth %v for 20 pixels", n/d, d)
		}
	}
}
