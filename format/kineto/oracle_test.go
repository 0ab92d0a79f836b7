package kineto

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/gpuprof/gpuprof/internal/corpustest"
)

func readFile(tb testing.TB, name string) (*Trace, error) {
	tb.Helper()
	in, err := os.Open(name)
	if err != nil {
		tb.Fatal(err)
	}
	defer in.Close()
	st, err := in.Stat()
	if err != nil {
		tb.Fatal(err)
	}
	return Read(context.Background(), in, st.Size(), filepath.Base(name))
}

// answer has the figures of an independent reader.
type answer struct {
	Bytes       int64            `json:"bytes_uncompressed"`
	Events      int              `json:"events"`
	Base        *int64           `json:"baseTimeNanoseconds"`
	Counts      map[string]int   `json:"by_cat_ph"`
	Durs        map[string]int64 `json:"dur_ns_by_cat"`
	First       int64            `json:"first_ts_ns"`
	Last        int64            `json:"last_end_ns"`
	Names       []gpuName        `json:"gpu_names"`
	Busy        map[string]int64 `json:"gpu_busy_union_ns_by_device"`
	Streams     map[string]int   `json:"streams"`
	GPU         int              `json:"gpu_events"`
	Linked      int              `json:"gpu_with_runtime_correlation"`
	Bare        int              `json:"gpu_without_correlation"`
	API         []apiName        `json:"api"`
	Flows       map[string]flows `json:"flows"`
	Steps       [][]any          `json:"profiler_steps"`
	Threads     int              `json:"threads_with_slices"`
	Collectives map[string]int   `json:"collectives_on_kernels"`
	Memory      struct {
		N     int   `json:"n"`
		Alloc int   `json:"alloc"`
		Plus  int64 `json:"sum_positive_bytes"`
		Minus int64 `json:"sum_negative_bytes"`
	} `json:"memory_events"`
	Roots  int `json:"python_roots"`
	Python int `json:"python_functions"`
}

type gpuName struct {
	Cat   string `json:"cat"`
	Name  string `json:"name"`
	Count int    `json:"count"`
	Total int64  `json:"total_ns"`
	Min   int64  `json:"min_ns"`
	Max   int64  `json:"max_ns"`
	Bytes int64  `json:"bytes"`
}

type apiName struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
	Total int64  `json:"total_ns"`
}

type flows struct {
	IDs   int `json:"ids"`
	S     int `json:"s"`
	F     int `json:"f"`
	Both  int `json:"ids_with_both"`
	FOnly int `json:"ids_f_only"`
	SOnly int `json:"ids_s_only"`
}

// figures counts in a trace what an answer has.
func figures(t *Trace) *answer {
	a := &answer{Bytes: t.Bytes, Events: t.Events, Counts: map[string]int{}, Durs: map[string]int64{}, Busy: map[string]int64{}, Streams: map[string]int{},
		Flows: map[string]flows{}, Collectives: map[string]int{}}
	if t.HasBase {
		a.Base = &t.Base
	}
	for _, c := range t.Counts {
		name := c.Category
		if name == "" {
			name = "None"
		}
		a.Counts[name+"|"+string(rune(c.Phase))] += c.Events
		if c.Phase == 'X' {
			a.Durs[name] += c.Dur
		}
	}
	seen := map[uint32]bool{}
	first := true
	for _, s := range t.slices() {
		for i := range s.Rows() {
			if start, end := s.Start.At(i), s.Start.At(i)+s.Dur.At(i); first {
				a.First, a.Last, first = start, end, false
			} else {
				a.First, a.Last = min(a.First, start), max(a.Last, end)
			}
			seen[s.Track.At(i)] = true
		}
	}
	a.Threads = len(seen)
	a.work(t)
	a.calls(t)
	a.flows(t)
	a.memory(t)
	a.python(t)
	return a
}

func (t *Trace) slices() []*Slices {
	return []*Slices{&t.Ops.Slices, &t.Annotations.Slices, &t.GPUSpans, &t.Python.Slices, &t.Calls.Slices, &t.Kernels.Slices, &t.Copies.Slices,
		&t.Sets.Slices, &t.Syncs.Slices, &t.Overhead, &t.Others}
}

func (a *answer) work(t *Trace) {
	calls := map[int64]bool{}
	for i := range t.Calls.Rows() {
		if c := t.Calls.Correlation.At(i); c != None && strings.Contains("cuda_runtime cuda_driver Runtime", t.Text(t.Calls.Cat.At(i))) {
			calls[c] = true
		}
	}
	names := map[[2]string]*gpuName{}
	type interval struct{ start, end int64 }
	busy := map[string][]interval{}
	add := func(w *Work, bytes *Integers[int64]) {
		for i := range w.Rows() {
			cat, name, dur := t.Text(w.Cat.At(i)), t.Text(w.Name.At(i)), w.Dur.At(i)
			n := names[[2]string{cat, name}]
			if n == nil {
				n = &gpuName{Cat: cat, Name: name, Min: dur}
				names[[2]string{cat, name}] = n
			}
			n.Count, n.Total, n.Min, n.Max = n.Count+1, n.Total+dur, min(n.Min, dur), max(n.Max, dur)
			if bytes != nil && bytes.At(i) != None {
				n.Bytes += bytes.At(i)
			}
			a.GPU++
			if c := w.Correlation.At(i); c == None {
				a.Bare++
			} else if calls[c] {
				a.Linked++
			}
			dev := fmt.Sprint(w.Device.At(i))
			busy[dev] = append(busy[dev], interval{w.Start.At(i), w.Start.At(i) + dur})
			a.Streams[dev+"|"+fmt.Sprint(w.Stream.At(i))]++
		}
	}
	add(&t.Kernels.Work, nil)
	add(&t.Copies.Work, &t.Copies.Bytes)
	add(&t.Sets.Work, &t.Sets.Bytes)
	for dev, list := range busy {
		slices.SortFunc(list, func(x, y interval) int { return cmp.Compare(x.start, y.start) })
		sum, end := int64(0), list[0].start
		for _, v := range list {
			if v.end > end {
				sum += v.end - max(end, v.start)
				end = v.end
			}
		}
		a.Busy[dev] = sum
	}
	for _, n := range names {
		a.Names = append(a.Names, *n)
	}
	for i := range t.Kernels.Rows() {
		if c := t.Kernels.Collective.At(i); c > 0 {
			c := t.Collectives[c-1]
			a.Collectives[fmt.Sprintf("%s|%s|%d|%d", c.Name, c.DType, c.In, c.GroupSize)]++
		}
	}
}

func (a *answer) calls(t *Trace) {
	m := map[string]*apiName{}
	for i := range t.Calls.Rows() {
		if !strings.Contains("cuda_runtime cuda_driver Runtime", t.Text(t.Calls.Cat.At(i))) {
			continue
		}
		name := t.Text(t.Calls.Name.At(i))
		if m[name] == nil {
			m[name] = &apiName{Name: name}
		}
		m[name].Count++
		m[name].Total += t.Calls.Dur.At(i)
	}
	for _, n := range m {
		a.API = append(a.API, *n)
	}
}

func (a *answer) flows(t *Trace) {
	type key struct {
		cat string
		id  int64
	}
	ends := map[key][2]int{}
	f := &t.Flows
	for i := range f.ID.Len() {
		k := key{t.Text(f.Cat.At(i)), f.ID.At(i)}
		e, sum := ends[k], a.Flows[k.cat]
		if f.Phase.At(i) == 's' {
			e[0]++
			sum.S++
		} else {
			e[1]++
			sum.F++
		}
		ends[k], a.Flows[k.cat] = e, sum
	}
	for k, e := range ends {
		sum := a.Flows[k.cat]
		sum.IDs++
		switch {
		case e[0] > 0 && e[1] > 0:
			sum.Both++
		case e[0] > 0:
			sum.SOnly++
		default:
			sum.FOnly++
		}
		a.Flows[k.cat] = sum
	}
}

func (a *answer) memory(t *Trace) {
	for i := range t.Memory.Time.Len() {
		a.Memory.N++
		if b := t.Memory.Bytes.At(i); b > 0 {
			a.Memory.Alloc++
			a.Memory.Plus += b
		} else {
			a.Memory.Minus += b
		}
	}
}

func (a *answer) python(t *Trace) {
	ids := map[int64]bool{}
	for i := range t.Python.Rows() {
		ids[t.Python.ID.At(i)] = true
	}
	for i := range t.Python.Rows() {
		a.Python++
		if p := t.Python.Parent.At(i); p == None || !ids[p] {
			a.Roots++
		}
	}
	for _, x := range []struct {
		cat string
		s   *Slices
	}{{"user_annotation", &t.Annotations.Slices}, {"gpu_user_annotation", &t.GPUSpans}, {"cpu_op", &t.Ops.Slices}} {
		for i := range x.s.Rows() {
			if name := t.Text(x.s.Name.At(i)); strings.HasPrefix(name, "ProfilerStep#") {
				a.Steps = append(a.Steps, []any{t.Text(x.s.Cat.At(i)), name, json.Number(fmt.Sprint(x.s.Start.At(i))), json.Number(fmt.Sprint(x.s.Dur.At(i)))})
			}
		}
	}
}

// tidy brings the lists of an answer into one order.
func (a *answer) tidy() {
	slices.SortFunc(a.Names, func(x, y gpuName) int { return cmp.Or(cmp.Compare(x.Cat, y.Cat), cmp.Compare(x.Name, y.Name)) })
	slices.SortFunc(a.API, func(x, y apiName) int { return cmp.Compare(x.Name, y.Name) })
	slices.SortFunc(a.Steps, func(x, y []any) int { return cmp.Compare(fmt.Sprint(x), fmt.Sprint(y)) })
}

func TestOracle(t *testing.T) {
	dir := corpustest.Dir(t)
	for _, name := range corpustest.Files(t, "corpus/kineto/*.json*") {
		t.Run(filepath.Base(name), func(t *testing.T) {
			var want answer
			d := json.NewDecoder(strings.NewReader(corpustest.Gunzip(t, filepath.Join(dir, "oracle/kineto/own", filepath.Base(name)+".json.gz"))))
			d.UseNumber()
			if err := d.Decode(&want); err != nil {
				t.Fatal(err)
			}
			tr, err := readFile(t, name)
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range tr.Problems {
				t.Error(p)
			}
			got := figures(tr)
			got.tidy()
			want.tidy()
			if diff := gocmp.Diff(&want, got, cmpopts.EquateEmpty()); diff != "" {
				t.Error(diff)
			}
		})
	}
}
