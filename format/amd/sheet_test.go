package amd

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/gpuprof/gpuprof/internal/corpustest"
)

func readCounters(tb testing.TB, text string) *Counters {
	tb.Helper()
	c, err := ReadCounters(strings.NewReader(text), int64(len(text)), "t.csv")
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

func readOccupancies(tb testing.TB, text string) *Occupancies {
	tb.Helper()
	o, err := ReadOccupancy(strings.NewReader(text), int64(len(text)), "t.occupancy")
	if err != nil {
		tb.Fatal(err)
	}
	return o
}

const counterFile = `#ProfileFileVersion=5.6
#API=OpenCL
#Device gfx900 Platform Vendor=Advanced Micro Devices, Inc.
#ListSeparator=,
Method, ExecutionOrder, ThreadID, CallIndex, GlobalWorkSize, WorkGroupSize, Time, LocalMemSize, VGPRs, SGPRs, ScratchRegs, Wavefronts, VALUBusy
vadd__k1_gfx9001, 1, 4242, 31, {1048576       1       1}, {   64     1     1},         0.08213, 0, 6, 14, 0,     16384.00,        12.31
uncounted__k2_gfx9001, 2, 4242, 32, {64 1 1}, NULL, 0.5, 0, NA, NA, 0, , 
`

func TestCounters(t *testing.T) {
	c := readCounters(t, counterFile)
	if len(c.Problems) > 0 || len(c.Rows) != 2 || len(c.Counter) != 2 || c.Counter[1].Name != "VALUBusy" {
		t.Fatalf("problems %v, %d rows, counters %v", c.Problems, len(c.Rows), c.Counter)
	}
	cells, _ := c.Cells(nil, 0)
	want := Kernel{Method: "vadd__k1_gfx9001", Name: "vadd", Device: "gfx9001", ID: 1, Order: 1, Thread: 4242, CallIndex: 31,
		Global: [3]uint64{1048576, 1, 1}, Group: [3]uint64{64, 1, 1}, HasGlobal: true, HasGroup: true, Time: 0.08213,
		VGPRs: 6, SGPRs: 14, Stacks: -1, Bytes: -1}
	if d := cmp.Diff(want, c.Kernel(cells)); d != "" {
		t.Error(d)
	}
	if got := Float(cells[c.Counter[1].Column]); got != 12.31 {
		t.Errorf("VALUBusy %v", got)
	}
	cells, _ = c.Cells(nil, 1)
	if k := c.Kernel(cells); k.HasGroup || k.VGPRs != -1 || !math.IsNaN(Float(cells[c.Counter[0].Column])) {
		t.Errorf("row without counts: %+v", k)
	}
	if v, _ := c.Get("Device gfx900 Platform Vendor"); v != "Advanced Micro Devices, Inc." {
		t.Errorf("vendor %q", v)
	}
}

func TestCounterVariants(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"semicolons", strings.ReplaceAll(counterFile, ", ", "; "), "vadd 1 [1048576 1 1] 14"},
		{"rows with another separator", counterFile[:strings.Index(counterFile, "vadd")] + strings.ReplaceAll(counterFile[strings.Index(counterFile, "vadd"):], ", ", "; "), "vadd 1 [1048576 1 1] 14"},
		{"crlf", strings.ReplaceAll(counterFile, "\n", "\r\n"), "vadd 1 [1048576 1 1] 14"},
		{"semicolons in braces", strings.ReplaceAll(counterFile, "       1       1}", ";1;1}"), "vadd 1 [1048576 1 1] 14"},
		{"hsa", "#API=HSA\nMethod, ExecutionOrder, ThreadID, GlobalWorkSize, WorkGroupSize, LocalMemSize, VGPRs, SGPRs, Wavefronts\nf(int&comma;&nbsp;int)_gfx900, 1, 2, {1048576 1 1}, {64 1 1}, 0, 6, 14, 9\n", "f(int, int) 1 [1048576 1 1] 14"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := readCounters(t, c.text)
			if len(f.Problems) > 0 {
				t.Fatal(f.Problems)
			}
			cells, ok := f.Cells(nil, 0)
			k := f.Kernel(cells)
			if s := k.Name + " " + itoa(k.Order) + " [" + utoa(k.Global[0]) + " " + utoa(k.Global[1]) + " " + utoa(k.Global[2]) + "] " + itoa(k.SGPRs); s != c.want || !ok {
				t.Errorf("got %s, want %s", s, c.want)
			}
		})
	}
}

func TestCounterDamage(t *testing.T) {
	c := readCounters(t, counterFile+"\nshort, 1, 2\n")
	if len(c.Problems) != 1 || c.Problems[0].Line != 9 {
		t.Errorf("problems %v, want one on line 9", c.Problems)
	}
	for _, text := range []string{"#a=b\n", "x\n", "\xff\xfeM\x00e\x00", "M\x00e\x00t\x00h\x00"} {
		if _, err := ReadCounters(strings.NewReader(text), int64(len(text)), "bad.csv"); err == nil || !strings.HasPrefix(err.Error(), "bad.csv:") {
			t.Errorf("%q: error %v, want one that names file and line", text, err)
		}
	}
}

func TestMergedPasses(t *testing.T) {
	c := readCounters(t, "Method, ExecutionOrder, ThreadID_pass_0, ThreadID_pass_1, Time_pass_0, Time_pass_1, VALUBusy_pass_0, VALUBusy_pass_1\nf__k1_gfx9001, 1, 7, 8, 0.5, 0.6, 1, 2\n")
	want := []CounterColumn{{"VALUBusy", 0, 6}, {"VALUBusy", 1, 7}}
	if d := cmp.Diff(want, c.Counter); d != "" {
		t.Error(d)
	}
}

// TestOldCounters reads a counter file from before 2011, where transfers are rows.
func TestOldCounters(t *testing.T) {
	c := readCounters(t, readFile(t, filepath.Join(corpustest.Dir(t), "corpus/amd/bryancatanzaro__SpMV__Session1.csv")))
	kernels, bytes, ms := 0, int64(0), 0.0
	for i := range c.Rows {
		cells, ok := c.Cells(nil, i)
		if !ok {
			t.Errorf("row %d has %d cells", i, len(cells))
		}
		if k := c.Kernel(cells); k.Name != "" {
			kernels++
			ms += k.Time
		} else {
			bytes += k.Bytes
		}
	}
	// summed with awk
	if kernels != 10 || bytes != 51271500 || math.Abs(ms-189.885) > 0.001 {
		t.Errorf("%d kernels of %.3f ms, %d bytes moved", kernels, ms, bytes)
	}
}

func readFile(tb testing.TB, name string) string {
	tb.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		tb.Fatal(err)
	}
	return string(b)
}

func TestOccupancyVariants(t *testing.T) {
	base := readFile(t, "testdata/vectors/300-occupancy-filter.occupancy")
	want := readOccupancies(t, base).Row(0)
	if want.KernelName != "filter" || want.Percent != 50 || want.WavesByVGPR != 20 || want.SIMDsPerCU != 4 || want.LDS != 7040 {
		t.Fatalf("row %+v", want)
	}
	i := strings.Index(base, "5075")
	half := want
	half.Percent = 62.5
	odd := want
	odd.KernelName = "f<int,2>"
	for _, c := range []struct {
		name, text string
		want       Occupancy
	}{
		{"rows with semicolons", base[:i] + strings.ReplaceAll(base[i:], ",", ";"), want},
		{"all semicolons", strings.ReplaceAll(base, ",", ";"), want},
		{"decimal comma", base[:i] + edit(t, strings.ReplaceAll(base[i:], ",", ";"), ";50;", ";62,5;"), half},
		{"decimal comma among commas", edit(t, base, ",50,", ",62,5,"), half},
		{"comma in the name", edit(t, base, ",filter,", ",f<int,2>,"), odd},
		{"crlf", strings.ReplaceAll(base, "\n", "\r\n"), want},
		{"one name and value a line", "ThreadID=5075\nKernelName=filter\nDeviceName=Hawaii\nComputeUnits=44\nMaxWavesPerComputeUnit=40\nMaxWorkGroupPerComputeUnit=16\nMaxVGPRs=256\nMaxSGPRs=104\nMaxLDS=65536\nUsedVGPRs=42\nUsedSGPRs=68\nUsedLDS=7040\nWavefrontSize=64\nWorkGroupSize=256\nWavesPerWorkGroup=4\nMaxWorkGroupSize=256\nMaxWavesPerWorkGroup=4\nGlobalWorkSize=16777216\nMaxGlobalWorkSize=1073741824\nWavesLimitedByVGPR=20\nWavesLimitedBySGPR=28\nWavesLimitedByLDS=36\nWavesLimitedByWorkgroup=40\nOccupancy=50\nDeviceGfxIpVer=7\nSimdsPerCU=4\n", want},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := readOccupancies(t, c.text)
			if d := cmp.Diff(c.want, o.Row(0)); d != "" || len(o.Problems) > 0 {
				t.Errorf("%v\n%s", o.Problems, d)
			}
			var b bytes.Buffer
			if _, err := o.WriteTo(&b); err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(c.want, readOccupancies(t, b.String()).Row(0)); d != "" {
				t.Errorf("written and read again: %s", d)
			}
		})
	}
}

func TestSheetRoundTrip(t *testing.T) {
	for _, name := range vectors(t, "occupancy") {
		in := readFile(t, name)
		o := readOccupancies(t, in)
		var b bytes.Buffer
		if _, err := o.WriteTo(&b); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(in, b.String()); d != "" {
			t.Errorf("%s: written differs from read:\n%s", name, d)
		}
	}
	c := readCounters(t, counterFile)
	var b bytes.Buffer
	if _, err := c.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(counterFile, b.String()); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(c, readCounters(t, b.String()), cmp.AllowUnexported(Counters{}, Sheet{}, baseColumns{}, gap{}), cmpopts.EquateEmpty()); d != "" {
		t.Error(d)
	}
}

func itoa(v int64) string  { return strconv.FormatInt(v, 10) }
func utoa(v uint64) string { return strconv.FormatUint(v, 10) }
