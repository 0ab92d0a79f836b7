package export_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/gpuprof/gpuprof/export"
	"github.com/gpuprof/gpuprof/internal/kinetogen"
	"github.com/gpuprof/gpuprof/internal/torchmemgen"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/trace"
)

func madeTorch(tb testing.TB) (*trace.Trace, kinetogen.Truth) {
	tb.Helper()
	var b bytes.Buffer
	truth, err := kinetogen.Write(&b, kinetogen.Options{Steps: 3, Layers: 5})
	if err != nil {
		tb.Fatal(err)
	}
	f, err := load.OpenReader(bytes.NewReader(b.Bytes()), int64(b.Len()), "made.pt.trace.json")
	if err != nil {
		tb.Fatal(err)
	}
	return f.Trace, truth
}

// TestTorchSQLite writes every table and reads it back.
func TestTorchSQLite(t *testing.T) {
	tr, _ := madeTorch(t)
	name := filepath.Join(t.TempDir(), "out.sqlite")
	if err := export.SQLite(t.Context(), tr, name, nil); err != nil {
		t.Fatal(err)
	}
	f, err := load.Open(context.Background(), name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if f.Holds()&(load.Operators|load.Memory) != load.Operators|load.Memory {
		t.Errorf("holds %v", f.Holds().Names())
	}
	for _, info := range tr.Tables() {
		want, err := tr.All(t.Context(), info.Name)
		if err != nil {
			t.Fatal(err)
		}
		got, err := f.Trace.All(t.Context(), info.Name)
		if err != nil || got == nil || got.Rows != want.Rows {
			t.Errorf("%s: %v %v", info.Name, got, err)
			continue
		}
		for _, c := range want.Columns {
			g := got.Col(c.Name)
			for i := range want.Rows {
				switch {
				case c.IsNull(i) != g.IsNull(i):
					t.Fatalf("%s.%s row %d: NULL is %v", info.Name, c.Name, i, g.IsNull(i))
				case c.IsNull(i):
				case c.Kind == trace.Integers && c.Ints[i] != g.Ints[i], c.Kind == trace.Texts && tr.Strings.Text(c.Syms[i]) != f.Trace.Strings.Text(g.Syms[i]):
					t.Fatalf("%s.%s row %d differs", info.Name, c.Name, i)
				}
			}
		}
	}
}

func TestTorchElsewhere(t *testing.T) {
	tr, truth := madeTorch(t)
	dir := t.TempDir()
	for name, write := range map[string]func(context.Context, *trace.Trace, string) error{"out.pftrace": export.Perfetto, "out.json": export.Chrome, "out.parquet": export.Parquet} {
		if err := write(t.Context(), tr, filepath.Join(dir, name)); err != nil {
			t.Fatal(name, err)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "out.parquet", trace.TableOps+".parquet")); err != nil {
		t.Error(err)
	}
	f, err := load.Open(context.Background(), filepath.Join(dir, "out.json"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	k, err := f.Trace.All(t.Context(), trace.TableKernel)
	if err != nil || k == nil || k.Rows != truth.Kernels {
		t.Errorf("of the Chrome trace: %v, %v; want %d kernels", k, err, truth.Kernels)
	}
}

// TestChromeOfTorch reads back what was written: operators, calls of Python, ranges and
// the work of GPUs are as they were, inside one another.
func TestChromeOfTorch(t *testing.T) {
	tr, _ := madeTorch(t)
	name := filepath.Join(t.TempDir(), "out.json")
	if err := export.Chrome(t.Context(), tr, name); err != nil {
		t.Fatal(err)
	}
	f, err := load.Open(context.Background(), name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for table, columns := range map[string][]string{
		trace.TableOps:        {"start", "end", "globalTid", "nameId", "externalId", "dimsId", "typesId", "sequence"},
		trace.TablePython:     {"start", "end", "globalTid", "nameId", "parentId"},
		trace.TableNvtx:       {"start", "end", "globalTid", "textId"},
		trace.TableRuntime:    {"start", "end", "globalTid", "nameId", "correlationId"},
		trace.TableKernel:     {"start", "end", "deviceId", "streamId", "correlationId", "demangledName", "gridX", "blockX", "registersPerThread"},
		trace.TableMemcpy:     {"start", "end", "bytes", "copyKind", "nameId", "correlationId"},
		trace.TableMemory:     {"timestamp", "globalTid", "address", "bytes", "deviceType", "deviceId", "allocated", "reserved"},
		"PYTORCH_COLLECTIVES": {"name", "dtype", "inElements", "inBytes", "groupSize"},
		"TARGET_INFO_GPU":     {"id", "name"},
	} {
		want, got := rowsOf(t, tr, table, columns), rowsOf(t, f.Trace, table, columns)
		if table == trace.TableNvtx && len(want) == 0 || len(want) != len(got) {
			t.Errorf("%s: %d rows, want %d", table, len(got), len(want))
			continue
		}
		for i := range want {
			if want[i] != got[i] {
				t.Errorf("%s: row %d of %v is\n%s, want\n%s", table, i, columns, got[i], want[i])
				break
			}
		}
	}
}

// rowsOf are the cells of some columns of a table, texts as texts, in an order of their own.
func rowsOf(t *testing.T, tr *trace.Trace, table string, columns []string) (out []string) {
	t.Helper()
	if err := tr.LoadNames(t.Context()); err != nil {
		t.Fatal(err)
	}
	all, err := tr.All(t.Context(), table)
	if err != nil {
		t.Fatal(err)
	}
	if all == nil {
		return nil
	}
	for i := range all.Rows {
		row := ""
		for _, name := range columns {
			c, text := all.Col(name), "absent"
			switch {
			case c == nil:
			case c.IsNull(i):
				text = "NULL"
			case c.Kind == trace.Texts:
				text = tr.Strings.Text(c.Syms[i])
			case slices.Contains([]string{"nameId", "textId", "dimsId", "typesId", "demangledName"}, name):
				text = tr.NameText(c.Ints[i])
			default:
				text = strconv.FormatInt(c.Ints[i], 10)
			}
			row += text + " | "
		}
		out = append(out, row)
	}
	slices.Sort(out)
	return out
}

func TestPprof(t *testing.T) {
	tr, truth := madeTorch(t)
	p := pprofOf(t, tr)
	if len(p.SampleType) != 2 || p.SampleType[0].Type != "device" || p.SampleType[1].Type != "host" || p.SampleType[0].Unit != "nanoseconds" {
		t.Fatalf("types %v", p.SampleType)
	}
	if p.DefaultSampleType != "device" {
		t.Errorf("by default %q is shown", p.DefaultSampleType)
	}
	for _, f := range p.Function {
		if f.SystemName != "" {
			t.Errorf("%q has the system name %q, which pprof takes apart", f.Name, f.SystemName)
		}
	}
	var device, host int64
	for _, s := range p.Sample {
		device, host = device+s.Value[0], host+s.Value[1]
		if leaf := s.Location[0].Line[0].Function.Name; s.Value[0] > 0 && s.Location[len(s.Location)-1].Line[0].Function.Name != "ProfilerStep#" {
			t.Errorf("%s is not below the step", leaf)
		}
	}
	if want := truth.KernelTime + int64(truth.Copies)*9001; device != want {
		t.Errorf("device time %d, want %d", device, want)
	}
	if want := int64(3 * (5*40_000 + 120_000)); host != want {
		t.Errorf("host time %d, want %d", host, want)
	}
}

func pprofOf(t *testing.T, tr *trace.Trace) *profile.Profile {
	t.Helper()
	name := filepath.Join(t.TempDir(), "out.pb.gz")
	if err := export.Pprof(t.Context(), tr, name); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	p, err := profile.ParseData(b)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestPprofOfMemory(t *testing.T) {
	var b bytes.Buffer
	truth, err := torchmemgen.Write(&b, torchmemgen.Options{Allocations: 400, Slots: 20, Stacks: 4, Depth: 3})
	if err != nil {
		t.Fatal(err)
	}
	f, err := load.OpenReader(bytes.NewReader(b.Bytes()), int64(b.Len()), "made.pickle")
	if err != nil {
		t.Fatal(err)
	}
	p := pprofOf(t, f.Trace)
	var sum int64
	for _, s := range p.Sample {
		sum += s.Value[0]
		if len(s.Location) != 3 {
			t.Errorf("a stack of %d", len(s.Location))
		}
	}
	if sum != truth.Peak || p.SampleType[0].Unit != "bytes" {
		t.Errorf("%d %s, want %d", sum, p.SampleType[0].Unit, truth.Peak)
	}
}
