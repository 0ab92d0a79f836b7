package load

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/internal/corpustest"
	"github.com/gpuprof/gpuprof/trace"
)

// expectedSession is what a made-up session must show: for a name, how many and the
// sum.
type expectedSession struct {
	Calls, Kernels, Copies, Ranges map[string][2]float64
	Marks                          int
	Allocated                      map[string][2]float64 `json:"allocated_bytes"`
	Args                           int
	Counters                       map[string][2]float64
	KernelCausedBy                 map[string][2]float64 `json:"kernel_caused_by"`
	CopyCausedBy                   map[string][2]float64 `json:"copy_caused_by"`
	GPU                            map[string][2]float64
	Containing                     int `json:"ranges_containing_calls"`
}

// rowsOf reads columns of a table of a timeline; names of StringIds are looked up.
func rowsOf(t *testing.T, tr *trace.Trace, table string) *trace.Table {
	t.Helper()
	if err := tr.LoadNames(context.Background()); err != nil {
		t.Fatal(err)
	}
	a, err := tr.All(context.Background(), table)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestMadeUpSessions: a session is the same as a database of schema 3 and of schema
// 4, of one run and of two, and as a folder of tables, but for what tables lack.
func TestMadeUpSessions(t *testing.T) {
	root := filepath.Join(corpustest.Dir(t), "oracle", "rocm")
	for _, session := range []string{"made-up-1", "made-up-2"} {
		b, err := os.ReadFile(filepath.Join(root, session, "expect.json"))
		if err != nil {
			t.Skip(err)
		}
		var legend struct{ One, Two expectedSession }
		if err := json.Unmarshal(b, &legend); err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			name   string
			want   *expectedSession
			folder bool
		}{{"one-v3_results.db", &legend.One, false}, {"one-v4_results.db", &legend.One, false}, {"two-v3_results.db", &legend.Two, false}, {"two-v4_results.db", &legend.Two, false},
			{"folder", &legend.Two, true}} {
			t.Run(session+"/"+c.name, func(t *testing.T) {
				f, err := Open(context.Background(), filepath.Join(root, session, c.name))
				if err != nil {
					t.Fatal(err)
				}
				defer f.Close()
				if p := f.Problems(); len(p) > 0 {
					t.Error(p)
				}
				compareMadeUp(t, f, c.want, c.folder)
			})
		}
	}
}

func textOf(tr *trace.Trace, a *trace.Table, column string, i int) string {
	return tr.Strings.Text(a.Col(column).Syms[i])
}

func sameSums(t *testing.T, what string, want, got map[string][2]float64, countsOnly bool) {
	t.Helper()
	if len(want) != len(got) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
	for name, w := range want {
		if g := got[name]; g[0] != w[0] || g[1] != w[1] && !countsOnly {
			t.Errorf("%s %q: %v, want %v", what, name, g, w)
		}
	}
}

func compareMadeUp(t *testing.T, f *File, want *expectedSession, folder bool) {
	t.Helper()
	tr := f.Trace
	sum := func(m map[string][2]float64, name string, v int64) {
		x := m[name]
		m[name] = [2]float64{x[0] + 1, x[1] + float64(v)}
	}
	calls, kernels, copies, ranges := map[string][2]float64{}, map[string][2]float64{}, map[string][2]float64{}, map[string][2]float64{}
	byKernel, byCopy, gpu := map[string][2]float64{}, map[string][2]float64{}, map[string][2]float64{}
	r := rowsOf(t, tr, trace.TableRuntime)
	x := trace.NewIndex(r.Ints("globalTid"), r.Ints("correlationId"))
	args := 0
	for i := range r.Rows {
		sum(calls, tr.NameText(r.Ints("nameId")[i]), r.Ints("end")[i]-r.Ints("start")[i])
		if p := textOf(tr, r, "parameters", i); p != "" {
			args += strings.Count(p, ", ") + 1
		}
	}
	infos := rowsOf(t, tr, "TARGET_INFO_GPU")
	index := map[int64]string{}
	for i := range infos.Rows {
		index[infos.Ints("id")[i]] = string('0' + rune(infos.Ints("agentIndex")[i]))
	}
	cause := func(m map[string][2]float64, a *trace.Table, i int, from string) { // from: the call's start, or that of the work itself
		for k := x.Find(a.Ints("globalPid")[i], a.Ints("correlationId")[i]); k >= 0; k = x.Next(k) {
			v := a.Ints("start")[i] - r.Ints("start")[k]
			if from == "own" {
				v = a.Ints("end")[i] - a.Ints("start")[i]
			}
			sum(m, tr.NameText(r.Ints("nameId")[k]), v)
		}
	}
	k := rowsOf(t, tr, trace.TableKernel)
	for i := range k.Rows {
		d := k.Ints("end")[i] - k.Ints("start")[i]
		sum(kernels, tr.NameText(k.Ints("demangledName")[i]), d)
		sum(gpu, index[k.Ints("deviceId")[i]], d)
		cause(byKernel, k, i, "call")
	}
	c := rowsOf(t, tr, trace.TableMemcpy)
	kinds := map[int64]string{copyToGPU: "MEMORY_COPY_HOST_TO_DEVICE", copyToHost: "MEMORY_COPY_DEVICE_TO_HOST", copyOnGPU: "MEMORY_COPY_DEVICE_TO_DEVICE"}
	for i := range c.Rows {
		b := int64(0)
		if !folder {
			b = c.Ints("bytes")[i]
		}
		sum(copies, kinds[c.Ints("copyKind")[i]], b)
		cause(byCopy, c, i, "own")
	}
	n := rowsOf(t, tr, trace.TableNvtx)
	marks := 0
	for i := range n.Rows {
		if n.Ints("eventType")[i] == trace.NvtxMark {
			marks++
			continue
		}
		sum(ranges, textOf(tr, n, "text", i), n.Ints("end")[i]-n.Ints("start")[i])
	}
	sameSums(t, "calls", want.Calls, calls, false)
	sameSums(t, "kernels", want.Kernels, kernels, false)
	sameSums(t, "copies", want.Copies, copies, folder)
	sameSums(t, "ranges", want.Ranges, ranges, false)
	sameSums(t, "kernels caused by", want.KernelCausedBy, byKernel, false)
	sameSums(t, "copies caused by", want.CopyCausedBy, byCopy, false)
	sameSums(t, "GPU", want.GPU, gpu, false)
	if marks != want.Marks || !folder && args != want.Args {
		t.Errorf("%d marks, %d arguments; want %d and %d", marks, args, want.Marks, want.Args)
	}
	compareMadeUpRest(t, f, want, folder)
}

func compareMadeUpRest(t *testing.T, f *File, want *expectedSession, folder bool) {
	t.Helper()
	allocated := map[string][2]float64{}
	a := rowsOf(t, f.Trace, "AMD_ALLOCATIONS")
	for i := range a.Rows {
		level := textOf(f.Trace, a, "level", i)
		v := allocated[level]
		allocated[level] = [2]float64{v[0] + 1, v[1] + float64(max(a.Ints("bytes")[i], 0))}
	}
	sameSums(t, "allocated", want.Allocated, allocated, false)
	counters := map[string][2]float64{}
	for _, x := range f.Report.Actions() {
		ms, err := x.Metrics()
		if err != nil {
			t.Fatal(err)
		}
		for name := range want.Counters {
			if m := ms.Lookup(name); m != nil {
				v := counters[name]
				counters[name] = [2]float64{v[0], v[1] + m.Value.Double()}
			}
		}
	}
	for name, w := range want.Counters {
		if counters[name][1] != w[1] {
			t.Errorf("counter %s: %v, want %v", name, counters[name][1], w[1])
		}
	}
}
