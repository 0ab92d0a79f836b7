package export

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpuprof/gpuprof/trace"
)

// ranged is a trace of one thread: a range of two launches on two streams, of which
// the second runs after the range, and a thread that the program named.
func ranged() tables {
	table := func(name string, columns []string, rows ...[]int64) *trace.Table {
		t := &trace.Table{Name: name, Rows: len(rows)}
		for k, c := range columns {
			v := make([]int64, len(rows))
			for i := range rows {
				v[i] = rows[i][k]
			}
			t.AddInts(c, v, nil)
		}
		return t
	}
	pid, tid := gid(77, 0), gid(77, 78)
	nvtx := table(trace.TableNvtx, []string{"start", "end", "eventType", "globalTid", "domainId", "category", "color"},
		[]int64{0, 100, trace.NvtxPushPop, tid, 0, 0, 0xffff0000},
		[]int64{0, 0, trace.NvtxThread, tid, 0, 0, 0})
	nvtx.AddInts("textId", []int64{1, 2}, nil)
	nvtx.Col("color").Null = []bool{false, true}
	names := table("StringIds", []string{"id"}, []int64{1}, []int64{2}, []int64{3})
	return tables{nvtx, names,
		table(trace.TableRuntime, []string{"start", "end", "globalTid", "correlationId", "nameId"}, []int64{10, 20, tid, 1, 3}, []int64{30, 40, tid, 2, 3}, []int64{200, 210, tid, 3, 3}),
		table(trace.TableKernel, []string{"start", "end", "globalPid", "correlationId", "deviceId", "contextId", "streamId", "shortName"},
			[]int64{50, 60, pid, 1, 0, 1, 7, 3}, []int64{150, 250, pid, 2, 0, 1, 8, 3}, []int64{260, 270, pid, 3, 0, 1, 7, 3}),
	}
}

// named is ranged with the texts of StringIds, which tests of numbers cannot hold.
type named struct{ tables }

func (s named) Tables() []trace.TableInfo {
	out := s.tables.Tables()
	for i := range out {
		if out[i].Name == "StringIds" {
			out[i].Columns = append(out[i].Columns, trace.ColumnInfo{Name: "value", Kind: trace.Texts})
		}
	}
	return out
}

func (s named) Read(ctx context.Context, table string, columns []trace.ColumnInfo, texts *trace.Strings) (*trace.Table, []error, error) {
	t, problems, err := s.tables.Read(ctx, table, columns, texts)
	if table == "StringIds" {
		for k, c := range t.Columns {
			if c.Name == "value" {
				t.Columns[k] = &trace.Column{Name: "value", Kind: trace.Texts, Syms: texts.InternAll(3, func(i int) []byte { return []byte([]string{"step", "Loader", "launch"}[i]) })}
			}
		}
	}
	return t, problems, err
}

func TestPerfettoProjected(t *testing.T) {
	to := filepath.Join(t.TempDir(), "x.pftrace")
	if err := Perfetto(context.Background(), trace.New("made", named{ranged()}), to); err != nil {
		t.Fatal(err)
	}
	p := readPerfetto(t, to)
	want := map[string][][2]uint64{
		"Stream 7 NVTX": {{50, 60}}, "Stream 8 NVTX": {{150, 250}},
		// The last kernel waited for nothing but its launch, at 200, and that for the second call.
		"Critical path": {{10, 20}, {20, 30}, {30, 40}, {40, 200}, {200, 260}, {260, 270}},
	}
	if d := cmp.Diff(want, p.derived); d != "" {
		t.Error(d)
	}
	if n := p.threads[[2]uint64{77, 78}]; n != "Loader" {
		t.Errorf("the thread is called %q", n)
	}
	if p.processes[gpuPIDs] != "GPU 0 (process 77)" {
		t.Errorf("processes %v", p.processes)
	}
	for id, name := range p.trackNames {
		if strings.HasPrefix(name, "Stream ") && p.parents[id]&^(gpuBase|(1<<16-1)) != 0 {
			t.Errorf("%s is below %x", name, p.parents[id])
		}
	}
}

func TestChromeProjected(t *testing.T) {
	to := filepath.Join(t.TempDir(), "x.json")
	if err := Chrome(context.Background(), trace.New("made", named{ranged()}), to); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(to)
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		TraceEvents []struct {
			Ph, Name, Cat, Cname string
			Pid, Tid             int64
			Ts, Dur              float64
			Args                 map[string]any
		}
	}
	if err := json.Unmarshal(b, &file); err != nil {
		t.Fatal(err)
	}
	var processes, threads, derived []string
	for _, e := range file.TraceEvents {
		switch {
		case e.Name == "process_name":
			processes = append(processes, e.Args["name"].(string))
		case e.Name == "thread_name":
			threads = append(threads, e.Args["name"].(string))
		case e.Cat == "nvtx_projected":
			derived = append(derived, e.Name)
			if e.Pid != gpuPIDs || e.Args["operations"] != 1.0 || e.Args["thread"] != 78.0 {
				t.Errorf("projected: %+v", e)
			}
		case e.Cat == "nvtx" && (e.Cname != "rail_animation" && e.Cname != "terrible" || e.Args["color"] != "#FF0000"):
			t.Errorf("range: %+v", e)
		}
	}
	if d := cmp.Diff([]string{"Process 77", "GPU 0 (process 77)", "Counters, critical path"}, processes); d != "" {
		t.Error(d)
	}
	if !slices.Contains(threads, "Loader 78 CUDA API") || !slices.Contains(threads, "Stream 8 NVTX") || !slices.Contains(threads, "Critical path") {
		t.Errorf("tracks %q", threads)
	}
	if d := cmp.Diff([]string{"step", "step"}, derived); d != "" {
		t.Error(d)
	}
}

// TestLeftOut: what is left out because a file is large is told in its place.
func TestLeftOut(t *testing.T) {
	w := &walker{ctx: context.Background(), tr: trace.New("made", named{ranged()}), ties: mostHeld + 1, first: 5}
	spy := &noteSpy{tr: w.tr}
	w.out = spy
	if err := w.projected(); err != nil {
		t.Fatal(err)
	}
	if err := w.critical(); err != nil {
		t.Fatal(err)
	}
	want := []string{"NVTX ranges on streams: left out: 3000001 calls and operations, more than 3000000", "Critical path: left out: 3000001 calls and operations, more than 3000000"}
	if d := cmp.Diff(want, spy.said); d != "" {
		t.Error(d)
	}
}

// A noteSpy keeps the names of slices.
type noteSpy struct {
	sink
	tr   *trace.Trace
	said []string
}

func (*noteSpy) track(*track) error { return nil }
func (*noteSpy) end(*track) error   { return nil }
func (s *noteSpy) slice(t *track, sl *slice) error {
	s.said = append(s.said, t.name+": "+s.tr.Strings.Text(sl.name))
	return nil
}
