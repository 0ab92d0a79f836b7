package catalogue

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/internal/corpustest"
	"github.com/gpuprof/gpuprof/internal/examples"
	"github.com/gpuprof/gpuprof/internal/kinetogen"
	"github.com/gpuprof/gpuprof/internal/nsysgen"
	"github.com/gpuprof/gpuprof/internal/nsysrepgen"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/stats"
	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/trace/schema"
)

// cuttable are made files of each kind that can be cut and merged, and of the corpus
// the smaller ones.
func cuttable(t *testing.T) (names []string) {
	dir := t.TempDir()
	name := func(s string) string { names = append(names, filepath.Join(dir, s)); return names[len(names)-1] }
	write := func(s string, b []byte) {
		if err := os.WriteFile(name(s), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("made.nsys-rep", nsysrepgen.Sample().Bytes())
	var b strings.Builder
	if _, err := kinetogen.Write(&b, kinetogen.Options{Steps: 4, Layers: 3}); err != nil {
		t.Fatal(err)
	}
	write("made.json", []byte(b.String()))
	if err := nsysgen.Write(name("made.sqlite"), nsysgen.Size{Kernels: 200, Ranges: 80, Copies: 20, Threads: 2, Devices: 2, Names: 9, Seed: 3}); err != nil {
		t.Fatal(err)
	}
	write("made.atp", []byte(madeATP))
	return names
}

// madeATP has two threads of two modules, with places in the source and ranges.
const madeATP = `TraceFileVersion=3.2
Application=/bin/a
=====AMD HSA API Trace Output=====
7
2
HSA_STATUS_SUCCESS = hsa_init (  )
HSA_STATUS_SUCCESS = hsa_queue_create ( 1;2 )
=====AMD HSA Timestamp Output=====
7
2
1 hsa_init 1000 2000
2 hsa_queue_create 2500 3000
=====AMD HSA Kernel Timestamp Output=====
2
k1 0x1 2600 2700 gpu 0x2 0 0x3 HSA_PACKET_TYPE_KERNEL_DISPATCH 1 x
k2 0x1 2800 2900 gpu 0x2 0 0x3 HSA_PACKET_TYPE_KERNEL_DISPATCH 2 y
=====AMD CL API Trace Output=====
8
3
CL_SUCCESS = clFinish ( 0x1 )
CL_SUCCESS = clFlush ( 0x1 )
CL_SUCCESS = clFinish ( 0x1 )
=====AMD CL Timestamp Output=====
8
3
1 clFinish 100 200
2 clFlush 300 400
1 clFinish 5000 6000
=====AMD CL Stack Trace Output=====
8
3
clFinish	main	10	a.c
clFlush	main	11	a.c
clFinish	main	12	a.c
=====Perfmarker Output=====
8
4
clBeginPerfMarker a 50 g
clBeginPerfMarker b 150 g
clEndPerfMarker 250
clEndPerfMarker 5500
`

// real are files of the corpus with timelines: every eighth of those below 150 kB, or
// with GPUPROF_EVERY_FILE=1 all below 2 MB.
func real(t *testing.T) (out []string) {
	most, step := int64(150<<10), 8
	if os.Getenv("GPUPROF_EVERY_FILE") != "" {
		most, step = 2<<20, 1
	}
	for _, pattern := range []string{"nsys-rep/*rep", "kineto/*.json*", "nsys/*.sqlite"} {
		for _, name := range corpustest.Files(t, "corpus/"+pattern) {
			if st, err := os.Stat(name); err == nil && st.Size() < most {
				out = append(out, name)
			}
		}
	}
	for i := range out {
		if i*step < len(out) {
			out[i] = out[i*step]
		}
	}
	return out[:(len(out)+step-1)/step]
}

// textual are columns of gpuprof's own that hold numbers of texts.
var textual = map[string]bool{"nameId": true, "extraId": true, "parametersId": true}

// rowsOf are the rows of the tables of events, numbers of texts as texts.
func rowsOf(t rapidT, f *load.File, tr *trace.Trace, span *stats.Filter) map[string][]string {
	ctx := context.Background()
	if err := tr.LoadNames(ctx); err != nil {
		t.Fatal(err)
	}
	out := map[string][]string{}
	for _, info := range f.Trace.Tables() {
		known := schema.Lookup(info.Name)
		var cols []string
		timed := false
		for _, c := range info.Columns {
			timed = timed || c.Name == "start" || c.Name == "timestamp"
			switch c.Name {
			case "rowid", "id", "callchainId", "callIndex", "line", "collective", "openedAt", "fileAccessId":
			case "correlationId":
				if !strings.HasSuffix(f.Name, ".atp") { // which numbers the calls of a file
					cols = append(cols, c.Name)
				}
			default:
				cols = append(cols, c.Name)
			}
		}
		if !timed || info.Name == "DIAGNOSTIC_EVENT" || info.Name == "PYTORCH_LINKS" || strings.HasPrefix(info.Name, "OSRT_FILE") {
			continue
		}
		table, err := tr.Table(ctx, info.Name, cols...)
		if err != nil {
			t.Fatal(err)
		}
		table = span.Apply(table)
		var rows []string
		for i := range table.Rows {
			var b strings.Builder
			if typ := table.Ints("eventType"); info.Name == trace.TableNvtx && typ[i] == trace.NvtxDomainCreate {
				continue // that of PyTorch is made by the reader, for the process that calls most
			}
			for _, name := range cols {
				c := table.Col(name)
				if c == nil {
					continue
				}
				var def *schema.Column
				if known != nil {
					def = known.Column(c.Name)
				}
				switch {
				case c.IsNull(i):
					continue
				case c.Kind == trace.Texts:
					fmt.Fprintf(&b, "%s=%s ", c.Name, tr.Strings.Text(c.Syms[i]))
				case c.Kind == trace.Reals:
					fmt.Fprintf(&b, "%s=%v ", c.Name, c.Reals[i])
				case def != nil && def.Ref == "StringIds", textual[c.Name]:
					fmt.Fprintf(&b, "%s=%s ", c.Name, tr.NameText(c.Ints[i]))
				case c.Name == "globalTid" && trace.GlobalID(c.Ints[i]).TID() >= 1<<23: // numbered by the reader
				default:
					fmt.Fprintf(&b, "%s=%d ", c.Name, c.Ints[i])
				}
			}
			rows = append(rows, b.String())
		}
		slices.Sort(rows)
		if rows != nil {
			out[info.Name] = rows
		}
	}
	return out
}

type rapidT interface {
	Fatal(...any)
	Errorf(string, ...any)
}

func open(t rapidT, name string) *load.File {
	f, err := load.Options{Alone: true}.Open(context.Background(), name)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// do runs a page of a name.
func do(t rapidT, name, output string, values map[string][]string, args ...string) {
	p := Pages().Lookup(name)
	q := &page.Request{Page: p, Args: args, Output: output, Values: values}
	if !p.Unopened {
		q.Files = []*load.File{open(t, args[0])}
		defer q.Files[0].Close()
	}
	if _, err := p.Do(context.Background(), q); err != nil {
		t.Fatal(name, args, values, err)
	}
}

func same(t rapidT, what string, got, want map[string][]string) {
	for table, rows := range want {
		if !slices.Equal(got[table], rows) {
			i := 0
			for i < min(len(rows), len(got[table])) && rows[i] == got[table][i] {
				i++
			}
			at := func(l []string) string {
				if i < len(l) {
					return l[i]
				}
				return "none"
			}
			t.Errorf("%s: %s: %d rows, want %d; first difference:\n%s\n%s", what, table, len(got[table]), len(rows), at(got[table]), at(rows))
		}
	}
	for table := range got {
		if want[table] == nil {
			t.Errorf("%s: %s: %d rows, want none", what, table, len(got[table]))
		}
	}
}

// extent is the first and the last time of a timeline.
func extent(t rapidT, f *load.File) (first, last int64) {
	first, last = math.MaxInt64, math.MinInt64
	for _, info := range f.Trace.Tables() {
		for _, c := range []string{"start", "end", "timestamp"} {
			table, err := f.Trace.Table(context.Background(), info.Name, c)
			if err != nil {
				t.Fatal(err)
			}
			col := table.Col(c)
			for i, v := range table.Ints(c) {
				if col != nil && !col.IsNull(i) && v < 1<<62 && info.Name != "DIAGNOSTIC_EVENT" {
					first, last = min(first, v), max(last, v)
				}
			}
		}
	}
	return first, last
}

// TestSplitAndMerge cuts timelines at random times, into pieces that overlap by what
// lies across a cut, checks each piece against the selection of the whole, and merges
// them: every row is there again.
func TestSplitAndMerge(t *testing.T)       { splitAndMerge(t, cuttable(t)) }
func TestSplitAndMergeCorpus(t *testing.T) { splitAndMerge(t, real(t)) }

func splitAndMerge(t *testing.T, files []string) {
	dir := t.TempDir()
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			whole := open(t, name)
			defer whole.Close()
			if !whole.Cuttable() {
				t.Skip("no sound timeline")
			}
			first, last := extent(t, whole)
			if first >= last {
				t.Skip("no events")
			}
			want := rowsOf(t, whole, whole.Trace, nil)
			n := 0
			check := func(t rapidT, cuts []int64) {
				n++
				at := append([]int64{math.MinInt64}, cuts...)
				slices.Sort(at)
				at = append(at, math.MaxInt64)
				var pieces []string
				for i := range at[1:] {
					piece := filepath.Join(dir, fmt.Sprintf("%d-%d%s", n, i, ext(name)))
					span := &stats.Filter{Start: at[i], End: at[i+1]}
					window := fmt.Sprintf("%s/%s", text(at[i]), text(at[i+1]))
					do(t, "filter", piece, map[string][]string{"filter-time": {window}}, name)
					p := open(t, piece)
					got := rowsOf(t, p, p.Trace, span) // of .atp a line stays for its command alone
					same(t, "piece "+window, got, rowsOf(t, whole, whole.Trace, span))
					p.Close()
					pieces = append(pieces, piece)
				}
				out := filepath.Join(dir, fmt.Sprintf("%d%s", n, ext(name)))
				do(t, "merge", out, nil, pieces...)
				m := open(t, out)
				defer m.Close()
				same(t, fmt.Sprintf("merged of %d", len(pieces)), rowsOf(t, m, m.Trace, nil), want)
				for _, p := range append(pieces, out) {
					os.Remove(p)
				}
			}
			if strings.HasPrefix(filepath.Base(name), "made") {
				r := rand.New(rand.NewPCG(1, 2))
				for range 12 {
					cuts := make([]int64, 1+r.IntN(3))
					for i := range cuts {
						cuts[i] = first + r.Int64N(last-first)
					}
					check(t, cuts)
				}
				return
			}
			check(t, []int64{first + (last-first)/3, first + (last-first)/3*2})
		})
	}
}

func ext(name string) string {
	base := filepath.Base(name)
	if strings.HasSuffix(base, ".json.gz") {
		return ".json.gz"
	}
	return filepath.Ext(base)
}

func text(at int64) string {
	if at == math.MinInt64 || at == math.MaxInt64 {
		return ""
	}
	return fmt.Sprint(at)
}

// TestFilterSelects cuts timelines by the other selections: the file that is written
// holds what the selection of the whole does.
func TestFilterSelects(t *testing.T)       { filterSelects(t, cuttable(t)) }
func TestFilterSelectsCorpus(t *testing.T) { filterSelects(t, real(t)) }

func filterSelects(t *testing.T, files []string) {
	dir := t.TempDir()
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			whole := open(t, name)
			defer whole.Close()
			if !whole.Cuttable() {
				t.Skip("no sound timeline")
			}
			for i, values := range []map[string][]string{{"kernel-regex": {"e"}}, {"device": {"0"}}, {"stream": {"7"}}, {"range-regex": {"s"}}} {
				q := &page.Request{Page: Pages().Lookup("filter"), Args: []string{name}, Values: values}
				tr, err := page.SelectTrace(context.Background(), q, whole)
				if err != nil {
					t.Fatal(err)
				}
				out := filepath.Join(dir, fmt.Sprint(i)+ext(name))
				do(t, "filter", out, values, name)
				f := open(t, out)
				if !strings.HasSuffix(name, ".atp") {
					same(t, fmt.Sprint(values), rowsOf(t, f, f.Trace, nil), rowsOf(t, whole, tr, nil))
				}
				f.Close()
			}
		})
	}
}

// TestLaunchesSplitAndMerge cuts a report of launches after each launch.
func TestLaunchesSplitAndMerge(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "t.ncu-rep")
	if err := examples.Transpose().WriteFile(name); err != nil {
		t.Fatal(err)
	}
	one, rest, out := filepath.Join(dir, "1.ncu-rep"), filepath.Join(dir, "2.ncu-rep"), filepath.Join(dir, "3.ncu-rep")
	do(t, "filter", one, map[string][]string{"launch-count": {"1"}}, name)
	do(t, "filter", rest, map[string][]string{"launch-skip": {"1"}}, name)
	do(t, "merge", out, nil, one, rest)
	a, b := open(t, name), open(t, out)
	defer a.Close()
	defer b.Close()
	if x, y := a.Report.MetricNames(), b.Report.MetricNames(); !slices.Equal(slices.Sorted(slices.Values(x)), slices.Sorted(slices.Values(y))) {
		t.Errorf("%d names of metrics, want %d", len(y), len(x))
	}
}
