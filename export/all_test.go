package export

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/internal/nsysgen"
)

// TestChromeAll writes a file with every table and looks at the form: tracks are
// named, slices of a track nest, flows have both ends, and slices carry their facts.
func TestChromeAll(t *testing.T) {
	path := filepath.Join(t.TempDir(), "all.sqlite")
	if err := nsysgen.WriteAll(path); err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(t.TempDir(), "all.json")
	if err := Chrome(context.Background(), open(t, path), to); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(to)
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		TraceEvents []struct {
			Ph, Name, Cat string
			Pid, Tid      int64
			Ts, Dur       float64
			ID            int64
			Args          map[string]any
		}
	}
	if err := json.Unmarshal(b, &file); err != nil {
		t.Fatal(err)
	}
	type place struct{ pid, tid int64 }
	named := map[place]string{}
	ends := map[int64]string{}
	open := map[place][]float64{}
	facts := map[string]map[string]any{}
	pids := map[string]int64{} // by category
	processes := map[int64]string{}
	for _, e := range file.TraceEvents {
		p := place{e.Pid, e.Tid}
		switch e.Ph {
		case "M":
			switch e.Name {
			case "thread_name":
				named[p] = e.Args["name"].(string)
			case "process_name":
				processes[e.Pid] = e.Args["name"].(string)
			}
		case "s", "f":
			ends[e.ID] += e.Ph
		case "X", "i":
			if named[p] == "" || processes[e.Pid] == "" {
				t.Fatalf("%s is on a track or in a process without a name", e.Name)
			}
			pids[e.Cat] = e.Pid
			if e.Ph == "X" {
				around := open[p]
				for len(around) > 0 && around[len(around)-1] <= e.Ts {
					around = around[:len(around)-1]
				}
				if len(around) > 0 && around[len(around)-1] < e.Ts+e.Dur-0.0005 {
					t.Errorf("%s from %v for %v does not nest on %s", e.Name, e.Ts, e.Dur, named[p])
				}
				open[p] = append(around, e.Ts+e.Dur)
			}
			facts[e.Cat] = e.Args
		}
	}
	for id, both := range ends {
		if !strings.Contains(both, "s") || !strings.Contains(both, "f") {
			t.Errorf("flow %d has the ends %q", id, both)
		}
	}
	for cat, wants := range map[string][]string{
		"kernel": {"grid", "block", "registersPerThread", "staticSharedMemory", "dynamicSharedMemory", "localMemoryPerThread", "launchType", "correlation", "streamId", "contextId", "graphNodeId"},
		"memcpy": {"bytes", "bandwidth", "copyKind", "srcKind", "dstKind", "correlation"}, "memset": {"bytes", "value"}, "graph": {"graphId"}, "api": {"returnValue", "correlation"},
		"sync": {"streamId"}, "sched": {"cpu"},
	} {
		for _, w := range wants {
			if _, ok := facts[cat][w]; !ok {
				t.Errorf("slices of kind %s do not tell %s: %v", cat, w, facts[cat])
			}
		}
	}
	for _, host := range []string{"api", "nvtx", "osrt"} {
		for _, gpu := range []string{"kernel", "memcpy", "nvtx_projected"} {
			if pids[host] == 0 || pids[gpu] == 0 || pids[host] == pids[gpu] || !strings.HasPrefix(processes[pids[gpu]], "GPU 0") {
				t.Errorf("%s is in process %d, %s in %d: %v", host, pids[host], gpu, pids[gpu], processes)
			}
		}
	}
	if facts["nvtx"]["color"] == nil || facts["nvtx_projected"]["operations"] == nil || facts["critical_path"]["step"] == nil {
		t.Errorf("NVTX tells %v, projected %v, the critical path %v", facts["nvtx"], facts["nvtx_projected"], facts["critical_path"])
	}
	if facts["kernel"]["grid"] == nil || !strings.Contains(facts["kernel"]["grid"].(string), " ") {
		t.Errorf("grid is %v", facts["kernel"]["grid"])
	}
}

// TestPerfettoAll writes a file with every table: every slice that begins ends.
func TestPerfettoAll(t *testing.T) {
	path := filepath.Join(t.TempDir(), "all.sqlite")
	if err := nsysgen.WriteAll(path); err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(t.TempDir(), "all.pftrace")
	if err := Perfetto(context.Background(), open(t, path), to); err != nil {
		t.Fatal(err)
	}
	if again := open(t, to); again.OfROCm() || again.Tool != "Perfetto trace" {
		t.Errorf("it opens as made by %q", again.Tool)
	}
	p := readPerfetto(t, to)
	rows, total, instants := rowsOf(t, open(t, path))
	if p.begins != rows || p.ends != rows || p.total != total || p.instants != instants {
		t.Errorf("%d slices begin and %d end, %d ns, %d instants; want %d, %d ns, %d", p.begins, p.ends, p.total, p.instants, rows, total, instants)
	}
	if len(p.derived["Critical path"]) == 0 || len(p.derived["Stream 7 NVTX"]) == 0 {
		t.Errorf("of the critical path and the ranges on streams there are %v", p.derived)
	}
	b, err := os.ReadFile(to)
	if err != nil {
		t.Fatal(err)
	}
	for _, fact := range []string{"registersPerThread", "bandwidth", "launchType", "correlation", "operations", "#0000"} {
		if !strings.Contains(string(b), fact) {
			t.Errorf("no slice tells %s", fact)
		}
	}
}
