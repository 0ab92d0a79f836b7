package annotation

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/trace"
)

// TestMergeIntoTraces: annotations on a timeline are written as slices of Perfetto and of
// Chrome, with their times, and a name that no writer knows is refused.
func TestMergeIntoTraces(t *testing.T) {
	dir := t.TempDir()
	base := filepath.Join(dir, "base.sqlite")
	first := put(t, filepath.Join(dir, "first", "a.nvtxt"), "ProcessId = 7\nThreadId = 8\nTimeBase = Manual\n@RangeStartEnd, Start, End, Message\nRangeStartEnd, 0, 10000, \"frame\"\n")
	if _, failed, err := buildFile(t, Create, base, nil, first); err != nil || failed {
		t.Fatal(err, failed)
	}
	more := put(t, filepath.Join(dir, "b.nvtxt"), "ProcessId = 7\nThreadId = 8\nTimeBase = Manual\n@RangeStartEnd, Start, End, Message\nRangeStartEnd, 1000, 5000, \"upload\"\n@Marker, Time, Message\nMarker, 1500, \"tick\"\n")

	chrome := filepath.Join(dir, "out.json")
	if _, failed, err := buildFile(t, Merge, chrome, nil, base, more); err != nil || failed {
		t.Fatal(err, failed)
	}
	b, err := os.ReadFile(chrome)
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		TraceEvents []struct {
			Name, Ph string
			Ts, Dur  float64
		}
	}
	if err := json.Unmarshal(b, &doc); err != nil {
		t.Fatal(err)
	}
	spans := map[string][2]float64{}
	for _, e := range doc.TraceEvents {
		if e.Ph == "X" || e.Ph == "i" || e.Ph == "b" || e.Ph == "e" {
			x := spans[e.Name]
			switch e.Ph {
			case "e":
				x[1] = e.Ts - x[0]
			default:
				x = [2]float64{e.Ts, e.Dur}
			}
			spans[e.Name] = x
		}
	}
	if spans["upload"][1] != 4 || spans["upload"][0]-spans["frame"][0] != 1 || spans["frame"][1] != 10 || spans["tick"][0]-spans["frame"][0] != 1.5 {
		t.Errorf("%v of\n%s", spans, b)
	}

	perfetto := filepath.Join(dir, "out.pftrace")
	if _, failed, err := buildFile(t, Merge, perfetto, nil, base, more); err != nil || failed {
		t.Fatal(err, failed)
	}
	f, err := load.Open(t.Context(), perfetto)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	e, err := f.Trace.Table(t.Context(), trace.TableNvtx, "start", "end", "text")
	if err != nil {
		t.Fatal(err)
	}
	length := map[string]int64{}
	for i, sym := range e.Col("text").Syms {
		length[f.Trace.Strings.Text(sym)] = e.Ints("end")[i] - e.Ints("start")[i]
	}
	if length["upload"] != 4000 || length["frame"] != 10000 {
		t.Error(length)
	}
	if _, _, err := buildFile(t, Merge, filepath.Join(dir, "out.nsys-rep"), nil, base, more); err == nil {
		t.Error("a native report was written")
	}
}
