package torch

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/internal/corpustest"
	"github.com/gpuprof/gpuprof/internal/kinetogen"
	"github.com/gpuprof/gpuprof/internal/torchmemgen"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/view"
)

var update = flag.Bool("update", false, "write the golden files anew")

// made writes generated files into a folder of the test.
func made(tb testing.TB) (traceFile, snapshot string) {
	tb.Helper()
	dir := tb.TempDir()
	var b bytes.Buffer
	if _, err := kinetogen.Write(&b, kinetogen.Options{Steps: 3, Layers: 4, World: 2}); err != nil {
		tb.Fatal(err)
	}
	traceFile = filepath.Join(dir, "made.pt.trace.json")
	write(tb, traceFile, b.Bytes())
	b.Reset()
	if _, err := torchmemgen.Write(&b, torchmemgen.Options{Allocations: 500, Slots: 40, Stacks: 5, Depth: 4}); err != nil {
		tb.Fatal(err)
	}
	snapshot = filepath.Join(dir, "made.pickle")
	write(tb, snapshot, b.Bytes())
	return traceFile, snapshot
}

func write(tb testing.TB, name string, b []byte) {
	tb.Helper()
	if err := os.WriteFile(name, b, 0o600); err != nil {
		tb.Fatal(err)
	}
}

// show builds a page of a file and renders it.
func show(tb testing.TB, p *page.Page, format view.Format, name string, values map[string][]string) string {
	tb.Helper()
	f, err := load.Open(context.Background(), name)
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	if f.Holds()&p.Needs == 0 {
		tb.Errorf("%s holds %v, which is nothing for %s", name, f.Holds().Names(), p.Name)
	}
	q := &page.Request{Page: p, Files: []*load.File{f}, Format: format, Values: values}
	d, err := p.Build(context.Background(), q)
	if err != nil {
		tb.Fatal(err)
	}
	var b strings.Builder
	if err := view.Render(&b, d, format, view.Options{}); err != nil {
		tb.Fatal(err)
	}
	return b.String()
}

// TestGolden shows the pages of made-up files. What the numbers have to be is
// known: the generators say, and the tests of the engines compare.
func TestGolden(t *testing.T) {
	traceFile, snapshot := made(t)
	for _, c := range []struct {
		golden string
		page   *page.Page
		file   string
		values map[string][]string
	}{
		{"ops", Ops, traceFile, map[string][]string{"kernels": {"true"}}},
		{"ops-shape", Ops, traceFile, map[string][]string{"by": {"shape"}}},
		{"ops-module", Ops, traceFile, map[string][]string{"by": {"module"}}},
		{"ops-line", Ops, traceFile, map[string][]string{"by": {"line"}, "rows": {"1"}}},
		{"breakdown", Breakdown, traceFile, nil},
		{"breakdown-tracelens", Breakdown, traceFile, map[string][]string{"compat": {"tracelens"}, "sequence": {"0"}}},
		{"shapes", Shapes, traceFile, map[string][]string{"peak": {"float32=67,memory=3.35"}}},
		{"memory-trace", Memory, traceFile, nil},
		{"memory", Memory, snapshot, map[string][]string{"rows": {"3"}}},
		{"memory-at", Memory, snapshot, map[string][]string{"at": {"-1"}, "frames": {"0"}, "device": {"0"}}},
	} {
		got := show(t, c.page, view.FormatText, c.file, c.values)
		name := filepath.Join("testdata", c.golden+".txt")
		if *update {
			if err := os.MkdirAll("testdata", 0o755); err != nil {
				t.Fatal(err)
			}
			write(t, name, []byte(got))
			continue
		}
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s: -update shows what changed:\n%s", name, got)
		}
	}
}

// TestNoSuchGPU asks for a GPU that the snapshot knows nothing of, and for the time before
// all events.
func TestNoSuchGPU(t *testing.T) {
	_, snapshot := made(t)
	if got := show(t, Memory, view.FormatText, snapshot, map[string][]string{"device": {"5"}}); !strings.Contains(got, "The snapshot has nothing of GPU 5.") {
		t.Error(got)
	}
	if got := show(t, Memory, view.FormatText, snapshot, map[string][]string{"at": {"-1"}}); !strings.Contains(got, "What lived at the start\n") {
		t.Error(got)
	}
}

// TestLinesOfOperators tells lines by the call stacks of operators, where the trace has no
// calls of Python, and modules by what operators say.
func TestLinesOfOperators(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x.json")
	stack := `"args":{"Call stack":"/lib/site-packages/torch/nn/f.py(3): mm;/home/a/train.py(7): step;/home/a/train.py(9): main","Module Hierarchy":"NET(Net)::forward"}`
	write(t, name, []byte(`[{"ph":"X","cat":"cpu_op","name":"aten::linear","pid":5,"tid":6,"ts":1,"dur":9,`+stack+`},
{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":5,"tid":6,"ts":2,"dur":4,`+stack+`},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":5,"tid":6,"ts":3,"dur":1,"args":{"correlation":1}},
{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":5,"dur":3,"args":{"device":0,"stream":7,"correlation":1}}]`))
	for by, want := range map[string]string{"line": "/home/a/train.py(7): step", "module": "NET(Net)::forward"} {
		got := show(t, Ops, view.FormatCSV, name, map[string][]string{"by": {by}})
		if row := `"100.0","3000","3000","9000","9000","1","1","` + want + `"`; !strings.Contains(got, row) {
			t.Errorf("%s: no row %s in\n%s", by, row, got)
		}
	}
}

// TestNoGPUWork tells what stands in the place of work of a GPU.
func TestNoGPUWork(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x.json")
	slice := `{"ph":"X","cat":"mtia_ccp_events","name":"job","pid":0,"tid":1,"ts":1,"dur":2},`
	write(t, name, []byte(`[`+slice+slice+`{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":5,"tid":6,"ts":1,"dur":2}]`))
	if got := show(t, Breakdown, view.FormatJSON, name, nil); !strings.Contains(got, "most of them (2) \\\"mtia_ccp_events\\\"") {
		t.Error(got)
	}
}

func TestMistakes(t *testing.T) {
	traceFile, snapshot := made(t)
	f, err := load.Open(context.Background(), snapshot)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, c := range []struct {
		page   *page.Page
		values map[string][]string
		want   string
	}{
		{Memory, map[string][]string{"at": {"99999"}}, "is no event of GPU 0"},
		{Ops, nil, "this page is about operators of PyTorch; the file has none"},
		{Shapes, nil, "this page is about operators of PyTorch; the file has none"},
	} {
		_, err := c.page.Build(context.Background(), &page.Request{Page: c.page, Files: []*load.File{f}, Values: c.values})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.page.Name, err, c.want)
		}
	}
	g, err := load.Open(context.Background(), traceFile)
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	for text, want := range map[string]string{"half": "expected NAME=NUMBER", "bf17=3": "the rates are"} {
		_, err := Shapes.Build(context.Background(), &page.Request{Page: Shapes, Files: []*load.File{g}, Values: map[string][]string{"peak": {text}}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("--peak %s: %v, want %q", text, err, want)
		}
	}
}

// TestCorpus shows every page of every real file in every form.
func TestCorpus(t *testing.T) {
	if testing.Short() {
		t.Skip("all real files")
	}
	files := corpustest.Files(t, "corpus/kineto/*.json*")
	files = append(files, corpustest.Files(t, "corpus/torch-memory/*.p*k*")...)
	for i, name := range files {
		if st, err := os.Stat(name); err != nil || st.Size() > 1500<<10 {
			continue
		}
		f, err := load.Open(context.Background(), name)
		if err != nil {
			t.Fatal(err)
		}
		for k, p := range []*page.Page{Ops, Breakdown, Shapes, Memory} {
			if f.Holds()&p.Needs == 0 {
				continue
			}
			format := view.Format(view.Formats()[(i+k)%len(view.Formats())])
			d, err := p.Build(context.Background(), &page.Request{Page: p, Files: []*load.File{f}, Format: format, Values: map[string][]string{"by": {[]string{"name", "shape", "module", "line"}[i%4]}}})
			if err != nil {
				t.Errorf("%s of %s: %v", p.Name, filepath.Base(name), err)
				continue
			}
			if err := view.Render(&bytes.Buffer{}, d, format, view.Options{}); err != nil {
				t.Errorf("%s of %s: %v", p.Name, filepath.Base(name), err)
			}
		}
		_ = f.Close()
	}
}

// TestMemoryWithoutSums counts the peak where a trace of old says only what was taken and
// given back.
func TestMemoryWithoutSums(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x.json")
	event := func(at, bytes string) string {
		return `{"ph":"i","s":"t","name":"[memory]","pid":5,"tid":6,"ts":` + at + `,"args":{"Device Type":1,"Device Id":0,"Bytes":` + bytes + `}}`
	}
	write(t, name, []byte(`[{"ph":"X","cat":"Operator","name":"aten::mm","pid":5,"tid":6,"ts":1,"dur":9},`+event("2", "512")+","+event("4", "-512")+","+event("3", "1024")+`]`))
	if got := show(t, Memory, view.FormatCSV, name, nil); !strings.Contains(got, `"GPU 0","1536","2000",,"3","2","1536","512"`) {
		t.Error(got)
	}
	if got := show(t, Memory, view.FormatText, name, nil); !strings.Contains(got, "count from 0") {
		t.Error(got)
	}
}

// TestNothingOnAGPU leaves out what is said of GPUs where none worked.
func TestNothingOnAGPU(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x.json")
	write(t, name, []byte(`[{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":5,"tid":6,"ts":1,"dur":9}]`))
	got := show(t, Ops, view.FormatText, name, map[string][]string{"kernels": {"true"}})
	if strings.Contains(got, "Device") || strings.Contains(got, "Avg") || !strings.Contains(got, "no kernels") {
		t.Error(got)
	}
	if got := show(t, Ops, view.FormatText, name, map[string][]string{"by": {"module"}}); strings.Contains(got, "Name") {
		t.Error(got)
	}
}

// TestRanksOfOneFile tells GPUs apart that processes count alike, as where a tool put the
// traces of several ranks together.
func TestRanksOfOneFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x.json")
	rank := func(pid, correlation, at string) string {
		return `{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":` + pid + `,"tid":` + pid + `,"ts":` + at + `,"dur":1,"args":{"correlation":` + correlation + `}},
{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":` + at + `5,"dur":3,"args":{"device":0,"stream":7,"correlation":` + correlation + `}}`
	}
	write(t, name, []byte(`[`+rank("51", "1", "1")+","+rank("52", "2", "2")+","+rank("51", "3", "3")+`]`))
	got := show(t, Breakdown, view.FormatCSV, name, nil)
	for _, want := range []string{"\"51\",\"0\",\"busy\",\"6000\"", "\"52\",\"0\",\"busy\",\"3000\"", "\"52\",\"0\",\"total\",\"3000\"", `"51","0","7","0","0","0","0","17000","1"`} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
	if got := show(t, Breakdown, view.FormatText, name, nil); !strings.Contains(got, "GPU 0 of process 51, which is idle longest of 2, computes 26.1 %") {
		t.Error(got)
	}
}

// TestBeside sets what several traces of a run tell side by side before each.
func TestBeside(t *testing.T) {
	dir := t.TempDir()
	kernel := func(dur string) string {
		return `[{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":5,"tid":6,"ts":1,"dur":9},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":5,"tid":6,"ts":2,"dur":1,"args":{"correlation":1}},
{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":5,"dur":` + dur + `,"args":{"device":0,"stream":7,"correlation":1}}]`
	}
	for rank, dur := range map[string]string{"0": "3", "1": "30", "2": "4"} {
		write(t, filepath.Join(dir, "job_rank"+rank+".pt.trace.json"), []byte(kernel(dur)))
	}
	write(t, filepath.Join(dir, "settings.json"), []byte(`{"a": 1}`))
	write(t, filepath.Join(dir, "notes.txt"), []byte("nothing"))
	write(t, filepath.Join(dir, "broken.sqlite"), []byte("SQLite format 3\x00cut"))
	for _, c := range []struct {
		page *page.Page
		want string
	}{{Ops, `"3","3000","4000","30000","9000","9000","9000","rank1.pt.trace.json","aten::mm"`}, {Breakdown, `"0","30000","100.0","30000","0","0","0","0.0","rank1.pt.trace.json"`}} {
		var b strings.Builder
		sink := &textSink{b: &b}
		if _, err := page.Run(t.Context(), page.Request{Page: c.page, Args: []string{dir}, Forms: []string{"csv"}}, sink); err != nil {
			t.Fatal(err)
		}
		if got := b.String(); !strings.Contains(got, c.want) || !strings.Contains(got, "\n\"rank2.pt.trace.json\",\"") {
			t.Errorf("%s: no %s in\n%s", c.page.Name, c.want, got)
		}
		if len(sink.notes) != 2 || !strings.Contains(sink.notes[0], "broken.sqlite: offset 0") || !strings.Contains(sink.notes[1], "1 of 5 files") {
			t.Errorf("%s: notes %q", c.page.Name, sink.notes)
		}
	}
}

// A textSink keeps an answer and what was noted.
type textSink struct {
	b     *strings.Builder
	notes []string
}

func (s *textSink) Note(text string)  { s.notes = append(s.notes, text) }
func (s *textSink) Progress(int, int) {}
func (s *textSink) Put(_ context.Context, a *page.Answer) error {
	return a.Write(s.b, nil)
}
