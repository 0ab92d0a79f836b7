package export

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpuprof/gpuprof/trace"
)

// tables is a source of tables that a test made.
type tables []*trace.Table

func (s tables) Tables() []trace.TableInfo {
	var out []trace.TableInfo
	for _, t := range s {
		info := trace.TableInfo{Name: t.Name}
		for _, c := range t.Columns {
			info.Columns = append(info.Columns, trace.ColumnInfo{Name: c.Name, Kind: c.Kind})
		}
		out = append(out, info)
	}
	return out
}

func (s tables) Read(_ context.Context, table string, columns []trace.ColumnInfo, _ *trace.Strings) (*trace.Table, []error, error) {
	for _, t := range s {
		if t.Name == table {
			out := &trace.Table{Name: table, Rows: t.Rows}
			for _, c := range columns {
				if col := t.Col(c.Name); col != nil {
					out.Columns = append(out.Columns, col)
					continue
				}
				rows := make([]int64, t.Rows) // rowid
				for i := range rows {
					rows[i] = int64(i + 1)
				}
				out.AddInts(c.Name, rows, nil)
			}
			return out, nil, nil
		}
	}
	return nil, nil, nil
}

// gid makes a serialized number of process and thread.
func gid(pid, tid int64) int64 { return 1<<48 | pid<<24 | tid }

// sampleTrace is a launch, its kernel, and the samples of two GPUs, the first out
// of order and before zero.
func sampleTrace() *trace.Trace {
	tr := trace.New("made", tables{})
	text := func(s ...string) *trace.Column {
		c := &trace.Column{Kind: trace.Texts}
		for _, s := range s {
			c.Syms = append(c.Syms, tr.Strings.Intern(s))
		}
		return c
	}
	table := func(name string, rows int, texts map[string]*trace.Column, ints map[string][]int64) *trace.Table {
		t := &trace.Table{Name: name, Rows: rows}
		for n, c := range texts {
			c.Name = n
			t.Columns = append(t.Columns, c)
		}
		for n, v := range ints {
			t.AddInts(n, v, nil)
		}
		return t
	}
	list0, list1 := int64(0x500), int64(0x501)
	src := tables{
		table("StringIds", 3, map[string]*trace.Column{"value": text("launch", "saxpy", "worker")}, map[string][]int64{"id": {1, 2, 3}}),
		table("PROCESSES", 1, map[string]*trace.Column{"name": text("trainer")}, map[string][]int64{"globalPid": {gid(7, 0)}}),
		table("ThreadNames", 1, nil, map[string][]int64{"nameId": {3}, "globalTid": {gid(7, 9)}, "priority": {0}}),
		table(trace.TableRuntime, 1, nil, map[string][]int64{"start": {10}, "end": {20}, "globalTid": {gid(7, 9)}, "correlationId": {77}, "nameId": {1}}),
		table(trace.TableKernel, 1, nil, map[string][]int64{"start": {30}, "end": {50}, "globalPid": {gid(7, 0)}, "correlationId": {77}, "shortName": {2}, "deviceId": {1}, "streamId": {13}}),
		table("TARGET_INFO_GPU_METRICS", 2, map[string]*trace.Column{"metricName": text("SMs Active", "SMs Active")}, map[string][]int64{"typeId": {list0, list1}, "metricId": {4, 4}}),
		table("GPU_METRICS", 5, nil, map[string][]int64{"timestamp": {40, -5, 12, 12, 12}, "typeId": {list0, list0, list0, list1, list1}, "metricId": {4, 4, 4, 4, 5}, "value": {1, 2, -3, 99, 1 << 40}}),
	}
	out := trace.New("made", src)
	out.Strings = tr.Strings
	return out
}

// TestPerfettoCounters reads names, flows and samples back.
func TestPerfettoCounters(t *testing.T) {
	to := filepath.Join(t.TempDir(), "x.pftrace")
	if err := Perfetto(context.Background(), sampleTrace(), to); err != nil {
		t.Fatal(err)
	}
	p := readPerfetto(t, to)
	if d := cmp.Diff(map[uint64]string{7: "trainer", gpuPIDs: "GPU 1 (trainer 7)"}, p.processes); d != "" {
		t.Error("processes", d)
	}
	if d := cmp.Diff(map[[2]uint64]string{{7, 9}: "worker"}, p.threads); d != "" {
		t.Error("threads", d)
	}
	got := map[string][][2]int64{}
	for id, s := range p.samples {
		got[p.trackNames[p.parents[id]]+"/"+p.trackNames[id]] = s
	}
	want := map[string][][2]int64{ // the trace begins at -5
		"GPU metrics 0/SMs Active": {{0, 2}, {17, -3}, {45, 1}},
		"GPU metrics 1/SMs Active": {{17, 99}},
		"GPU metrics 1/metric 5":   {{17, 1 << 40}},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error("samples", d)
	}
	if d := cmp.Diff(p.flows, p.endsOf); d != "" || len(p.flows) != 1 {
		t.Error("flows", p.flows, p.endsOf)
	}
	var stream bool
	for _, n := range p.trackNames {
		stream = stream || n == "Stream 13"
	}
	if !stream {
		t.Error("no track of the stream", p.trackNames)
	}
}

func TestChromeCounters(t *testing.T) {
	to := filepath.Join(t.TempDir(), "x.json")
	if err := Chrome(context.Background(), sampleTrace(), to); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(to)
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		TraceEvents []struct {
			Ph, Name string
			Ts       json.Number
			Args     struct{ Value int64 }
		}
	}
	if err := json.Unmarshal(b, &doc); err != nil {
		t.Fatal(err)
	}
	got := map[string]int64{}
	for _, e := range doc.TraceEvents {
		if e.Ph == "C" {
			got[e.Name+" "+e.Ts.String()] = e.Args.Value
		}
	}
	want := map[string]int64{"GPU metrics 0: SMs Active -0.005": 2, "GPU metrics 0: SMs Active 0.012": -3, "GPU metrics 0: SMs Active 0.040": 1,
		"GPU metrics 1: SMs Active 0.012": 99, "GPU metrics 1: metric 5 0.012": 1 << 40}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
