package lifetime_test

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/gpuprof/gpuprof/format/simlog"
	"github.com/gpuprof/gpuprof/format/simlog/loggen"
	"github.com/gpuprof/gpuprof/lifetime"
	"pgregory.net/rapid"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := gocmp.Diff(string(want), string(got)); d != "" {
		t.Errorf("%s (-update rewrites it): %s", name, d)
	}
}

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

func TestFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	src, err := simlog.NewSource(context.Background(), "log", strings.NewReader(twoKernels), simlog.Options{})
	if err != nil {
		t.Fatal(err)
	}
	_, names, err := lifetime.AnalyzeToFiles(context.Background(), src, lifetime.Settings{Devices: table(t, devices)},
		lifetime.Files{Dir: dir, Name: "two", Time: noon, Lifetimes: true, Charts: true})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, n := range names {
		got = append(got, filepath.Base(n))
		b, err := os.ReadFile(n)
		if err != nil {
			t.Fatal(err)
		}
		golden(t, filepath.Base(n), b)
		if strings.HasSuffix(n, ".svg") {
			if err := xml.Unmarshal(b, new(struct{})); err != nil {
				t.Errorf("%s: %v", n, err)
			}
		}
	}
	if d := gocmp.Diff([]string{"two.sim_l2.csv", "two.sim.csv", "two.json", "two_histogram.svg", "two_cdf.svg"}, got); d != "" {
		t.Error(d)
	}
	if left, _ := os.ReadDir(dir); len(left) != len(names) {
		t.Errorf("%d files in the folder, %d written", len(left), len(names))
	}
	var report map[string]any
	b, _ := os.ReadFile(filepath.Join(dir, "two.json"))
	if err := json.Unmarshal(b, &report); err != nil {
		t.Error(err)
	}
}

// An input that breaks off leaves files of what came before; a folder that cannot
// be written leaves nothing.
func TestFilesOfBrokenInput(t *testing.T) {
	dir := t.TempDir()
	broken := errors.New("connection lost")
	in := io.MultiReader(strings.NewReader("GPGPU-Sim Cycle 5: Load instr from L2 cache at bank 1 addr 40 status 2\n"), iotest.ErrReader(broken))
	a, names, err := lifetime.AnalyzeToFiles(context.Background(), simlog.NewReader(context.Background(), in, simlog.Options{}), lifetime.Settings{},
		lifetime.Files{Dir: dir, Name: "x", Time: noon, Lifetimes: true})
	if !errors.Is(err, broken) || len(names) != 3 || a.Total("L2").Lifetimes.N() != 1 {
		t.Errorf("%v, %v", names, err)
	}
	if err := os.Mkdir(filepath.Join(dir, "y.sim.csv"), 0o700); err != nil {
		t.Fatal(err)
	}
	os.WriteFile(filepath.Join(dir, "y.sim.csv", "full"), nil, 0o600)
	src := simlog.NewReader(context.Background(), strings.NewReader("GPGPU-Sim Cycle 5: Load instr from L2 cache at bank 1 addr 40 status 2\n"), simlog.Options{})
	if _, _, err = lifetime.AnalyzeToFiles(context.Background(), src, lifetime.Settings{}, lifetime.Files{Dir: dir, Name: "y", Time: noon}); err == nil {
		t.Error("a folder in the way is no error")
	}
	if hidden, _ := filepath.Glob(filepath.Join(dir, ".*")); len(hidden) > 0 {
		t.Errorf("left behind: %v", hidden)
	}
}

// What a log gives and what its files give again is the same.
func TestFromCSV(t *testing.T) {
	var log bytes.Buffer
	if _, err := loggen.Write(&log, loggen.Options{Bytes: 1 << 20, Kernels: 3}); err != nil {
		t.Fatal(err)
	}
	files := map[string]*bytes.Buffer{}
	s := lifetime.Settings{Devices: table(t, devices), Machine: lifetime.Machine{ClockMHz: 1132}}
	first := s
	first.Lifetimes = func(level string) (io.Writer, error) {
		files[level] = new(bytes.Buffer)
		return files[level], nil
	}
	a := analyzeText(t, log.String(), first)
	var kernels bytes.Buffer
	if err := lifetime.WriteKernelCSV(&kernels, a.KernelRows()); err != nil {
		t.Fatal(err)
	}
	text := kernels.String()
	b, err := lifetime.FromCSV(s, strings.NewReader(text), "x", map[string]io.Reader{"L1D": files["L1D"], "L2": files["L2"]})
	if err != nil {
		t.Fatal(err)
	}
	if d := gocmp.Diff(a.KernelRows(), b.KernelRows(), cmpopts.EquateNaNs()); d != "" {
		t.Error(d)
	}
	for i, x := range a.Totals {
		y := b.Totals[i]
		if x.Lifetimes.N() != y.Lifetimes.N() || x.Lifetimes.Sum() != y.Lifetimes.Sum() || x.Loads != y.Loads || x.Stores != y.Stores || x.Write.Weighted != y.Write.Weighted || x.Unique != y.Unique {
			t.Errorf("%s: %d lifetimes, sum %v, %d loads, %d stores; from the files %d, %v, %d, %d", x.Name, x.Lifetimes.N(), x.Lifetimes.Sum(), x.Loads, x.Stores, y.Lifetimes.N(), y.Lifetimes.Sum(), y.Loads, y.Stores)
		}
		for j := range x.Uses {
			if d := gocmp.Diff(x.Uses[j], y.Uses[j]); d != "" {
				t.Errorf("%s: %s", x.Name, d)
			}
		}
	}
	if b.Kernels[1].Levels[1].Lifetimes != a.Kernels[1].Levels[1].Lifetimes {
		t.Error("lifetimes of the second kernel differ")
	}
	c, err := lifetime.FromCSV(s, strings.NewReader(text), "x", nil)
	if err != nil || len(c.Notes) != 2 || !math.IsNaN(c.Project(c.Totals[0])[1].Refreshes) {
		t.Errorf("without lifetime files: %v, %v", c.Notes, err)
	}
	// Python writes whole numbers with a point where a column holds a gap.
	rows, err := lifetime.ReadKernelCSV(strings.NewReader("Total Cycles,Kernel ID,L1 Size\n5.0,7.0,\n"), "p")
	if err != nil || rows[0].Cycles != 5 || rows[0].ID != 7 {
		t.Errorf("%+v, %v", rows, err)
	}
	for _, bad := range []string{"", "a,b\n1,2\n", "Kernel ID,Total Cycles\nx,1\n"} {
		if _, err := lifetime.ReadKernelCSV(strings.NewReader(bad), "bad.csv"); err == nil || !strings.Contains(err.Error(), "bad.csv") {
			t.Errorf("%q: error %v", bad, err)
		}
	}
}

func TestLifetimeWriter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := lifetime.Machine{ClockMHz: rapid.SampledFrom([]float64{2235, 1132, 1000, 0.001, 333.3}).Draw(t, "clock")}
		var b bytes.Buffer
		w := lifetime.NewLifetimeWriter(&b, &m)
		want := lifetime.LifetimeHeader
		var kernels, lives []int64
		for range rapid.IntRange(0, 20).Draw(t, "rows") {
			k := rapid.Int64Range(-3, 3).Draw(t, "kernel")
			r := lifetime.Row{Addr: rapid.Uint64().Draw(t, "address"), Cycles: rapid.OneOf(rapid.Int64Range(0, 3000), rapid.Int64Range(0, 1<<62)).Draw(t, "cycles")}
			if err := w.Write(k, &r); err != nil {
				t.Fatal(err)
			}
			want += fmt.Sprintf("%d,%d.00,%d.00,%s\n", k, r.Addr, r.Cycles, strconv.FormatFloat(float64(r.Cycles)*(1000/m.ClockMHz), 'f', 2, 64))
			kernels, lives = append(kernels, k), append(lives, r.Cycles)
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		if b.String() != want {
			t.Fatalf("got\n%s\nwant\n%s", b.String(), want)
		}
		err := lifetime.ReadLifetimes(&b, "x", func(k, c int64) {
			if k != kernels[0] || c != lives[0] {
				t.Fatalf("read %d, %d; wrote %d, %d", k, c, kernels[0], lives[0])
			}
			kernels, lives = kernels[1:], lives[1:]
		})
		if err != nil || len(kernels) > 0 {
			t.Fatal(err, len(kernels))
		}
	})
}

func TestReadLifetimesErrors(t *testing.T) {
	for _, test := range []struct{ file, err string }{
		{"", "empty file"},
		{"a,b\n", "x.csv:1: no columns kernel_id and lifetime_cycles"},
		{lifetime.LifetimeHeader + "1,2.00,3.00,4.00\n1,2,x,4\n", "x.csv:3: expected"},
		{lifetime.LifetimeHeader + "1,2\n", "x.csv:2: expected"},
		{lifetime.LifetimeHeader + "1,2,-3.00,4\n", "x.csv:2: expected"},
	} {
		err := lifetime.ReadLifetimes(strings.NewReader(test.file), "x.csv", func(k, c int64) {})
		if err == nil || !strings.Contains(err.Error(), test.err) {
			t.Errorf("%q: error %v, want %s", test.file, err, test.err)
		}
	}
}

func TestHistogram(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := lifetime.Machine{ClockMHz: rapid.SampledFrom([]float64{2235, 1000, 1, 1e5}).Draw(t, "clock")}
		var d lifetime.Distribution
		values := rapid.SliceOfN(rapid.OneOf(rapid.Int64Range(0, 20), rapid.Int64Range(0, 1<<40), rapid.SampledFrom([]int64{1, 10, 100, 1000, 1e6})), 1, 50).Draw(t, "lifetimes")
		for _, v := range values {
			d.Add(v)
		}
		bins := m.Histogram(&d)
		n := uint64(0)
		for i, b := range bins {
			n += b.N
			if !(b.FromNS < b.ToNS) || i > 0 && b.FromNS != bins[i-1].ToNS {
				t.Fatalf("bins %v", bins)
			}
			k := 0
			for _, v := range values {
				if ns := m.NS(float64(v)); ns >= b.FromNS && ns < b.ToNS {
					k++
				}
			}
			if uint64(k) != b.N {
				t.Fatalf("bin %v holds %d of %v", b, k, values)
			}
		}
		if n != d.N() {
			t.Fatalf("%d of %d in the bins", n, d.N())
		}
		points := m.CDF(&d, 10)
		if last := points[len(points)-1]; last.Share != 1 || math.Abs(last.Time-1) > 1e-12 || len(points) > 10 {
			t.Fatalf("points %v", points)
		}
		for _, p := range points {
			k := 0
			for _, v := range values {
				if m.NS(float64(v)) <= p.NS {
					k++
				}
			}
			if math.Abs(p.Share-float64(k)/float64(len(values))) > 1e-12 {
				t.Fatalf("share %v at %v ns, want %d of %d", p.Share, p.NS, k, len(values))
			}
		}
		at := m.NS(float64(values[0]))
		below := 0
		for _, v := range values {
			if m.NS(float64(v)) < at {
				below++
			}
		}
		if got := m.ShareWithin(&d, at); got != float64(below)/float64(len(values)) {
			t.Fatalf("share below %v ns is %v, want %d of %d", at, got, below, len(values))
		}
	})
}

// A log without any access still gives every table.
func TestNothing(t *testing.T) {
	a := analyzeText(t, "hello\n", lifetime.Settings{})
	var b bytes.Buffer
	if err := a.WriteReport(&b, "nothing", noon); err != nil {
		t.Fatal(err)
	}
	var v map[string]any
	if err := json.Unmarshal(b.Bytes(), &v); err != nil {
		t.Errorf("%v in %s", err, b.Bytes())
	}
	if v["L1 Lifetime Count"] != 0.0 || v["L2 Write Frequency"].(map[string]any)["max"] != nil {
		t.Errorf("%v", v)
	}
	for _, f := range []func(io.Writer, string, []lifetime.Series) error{lifetime.WriteHistogramSVG, lifetime.WriteCDFSVG} {
		b.Reset()
		if err := f(&b, "a & b", append(a.Series(), lifetime.Series{Name: "<none>"})); err != nil || xml.Unmarshal(b.Bytes(), new(struct{})) != nil {
			t.Errorf("%v in %s", err, b.Bytes())
		}
	}
}

// TestBrokenKernelTables: rows that are cut or hold words are told and left out, the
// others are read; a table without rows is no run.
func TestBrokenKernelTables(t *testing.T) {
	const head = "Kernel ID,Mangled Names,L1 Unique Addresses,Total Cycles\n"
	for _, c := range []struct {
		name, text string
		rows       int
		told       string
	}{
		{"sound", head + "1,f,3,50\n2,g,4,60\n", 2, ""},
		{"cut", head + "1,f,3,50\n2,g", 1, "t.sim.csv:3: expected 4 cells, found 2: the row is left out"},
		{"words", head + "1,f,3,fifty\n2,g,4,60\n3,h,x,1\n", 1, `t.sim.csv:2: column "Total Cycles": "fifty" is no number: the row is left out (and 1 more like it)`},
		{"more columns", head + "1,f,3,50,7\n", 1, ""},
		{"no rows", head, 0, "t.sim.csv: expected a row for each kernel"},
	} {
		a, err := lifetime.FromCSV(lifetime.Settings{}, strings.NewReader(c.text), "t.sim.csv", nil)
		rows, told := 0, ""
		if err != nil {
			told = err.Error()
		} else {
			rows = len(a.Kernels)
			for _, n := range a.Notes {
				if strings.HasPrefix(n.Text, "t.sim.csv") {
					told += n.Text
				}
			}
			for _, l := range a.Totals {
				if !l.NoLifetimes {
					t.Errorf("%s: %s has lifetimes", c.name, l.Name)
				}
			}
		}
		if rows != c.rows || !strings.Contains(told, c.told) || (c.told == "") != (told == "") {
			t.Errorf("%s: %d rows, told %q", c.name, rows, told)
		}
	}
}
