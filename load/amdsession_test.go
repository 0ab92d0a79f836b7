package load

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// sessionTrace has two dispatches of the kernel of counterText and occupancyText,
// of 9 and 5 µs.
const sessionTrace = `TraceFileVersion=3.2
ProfilerVersion=5.6.7262
Application=/home/u/vadd
=====ocl API Trace Output=====
4242
2
CL_SUCCESS = clEnqueueNDRangeKernel ( 0xa0;0xb0;2;NULL;[1000,2];[64,1];0;NULL;NULL )
CL_SUCCESS = clEnqueueNDRangeKernel ( 0xa0;0xb0;2;NULL;[1000,2];[64,1];0;NULL;NULL )
=====ocl Timestamp Output=====
4242
2
66   clEnqueueNDRangeKernel                       1000                 1100                 4592    CL_COMMAND_NDRANGE_KERNEL               1010                 1020                 2000                 11000                0         0xa0                     0         0xc0                     Hawaii                        0xb0                     vadd      {1000,2}     {64,1}
66   clEnqueueNDRangeKernel                       1200                 1300                 4592    CL_COMMAND_NDRANGE_KERNEL               1210                 1220                 12000                17000                0         0xa0                     0         0xc0                     Hawaii                        0xb0                     vadd      {1000,2}     {64,1}
`

// session writes files and opens some of them as one command would.
func session(t *testing.T, files map[string]string, open ...string) []*File {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var out []*File
	for _, name := range open {
		f, err := Open(context.Background(), filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		if p := f.Problems(); len(p) > 0 {
			t.Errorf("%s: %q", name, p)
		}
		out = append(out, f)
	}
	return JoinSessions(out)
}

// TestSessions: which files become one, and what the launches of the first that is
// left have then.
func TestSessions(t *testing.T) {
	other := strings.Replace(counterText, "Application=/home/u/vadd", "Application=/home/u/other", 1)
	for _, c := range []struct {
		name  string
		files map[string]string
		open  []string
		left  int
		want  map[string]float64 // metrics of the first launch; nil: there are no launches
	}{
		{"trace alone", map[string]string{"s.atp": sessionTrace}, []string{"s.atp"}, 1, nil},
		{"all beside", map[string]string{"s.atp": sessionTrace, "s.csv": counterText, "s.occupancy": occupancyText}, []string{"s.atp"}, 1,
			map[string]float64{"gpu__time_duration.sum": 82130, "Wavefronts": 16384, "KernelOccupancy": 62.5}},
		{"occupancy beside", map[string]string{"s.atp": sessionTrace, "s.occupancy": occupancyText}, []string{"s.atp"}, 1,
			map[string]float64{"gpu__time_duration.sum": 9000, "launch__grid_size": 32, "KernelOccupancy": 62.5}},
		{"another application", map[string]string{"s.atp": sessionTrace, "s.csv": other}, []string{"s.atp"}, 1, nil},
		{"a table of another kind", map[string]string{"s.atp": sessionTrace, "s.csv": "a,b\n1,2\n"}, []string{"s.atp"}, 1, nil},
		{"given together", map[string]string{"s.atp": sessionTrace, "c/k.csv": counterText, "c/o.occupancy": occupancyText},
			[]string{"c/o.occupancy", "c/k.csv", "s.atp"}, 1, map[string]float64{"Wavefronts": 16384, "KernelOccupancy": 62.5}},
		{"given together, other names, no header", map[string]string{"s.atp": sessionTrace, "k.csv": strings.Replace(counterText, "#Application=/home/u/vadd\n", "", 1)},
			[]string{"s.atp", "k.csv"}, 2, nil},
		{"two that fit", map[string]string{"s.atp": sessionTrace, "k.csv": counterText, "l.csv": counterText}, []string{"s.atp", "k.csv", "l.csv"}, 3, nil},
		{"two, one by its name", map[string]string{"s.atp": sessionTrace, "d/s.csv": counterText, "l.csv": counterText}, []string{"s.atp", "d/s.csv", "l.csv"}, 2,
			map[string]float64{"Wavefronts": 16384}},
		{"two counter files", map[string]string{"k.csv": counterText, "l.csv": counterText}, []string{"k.csv", "l.csv"}, 2, map[string]float64{"Wavefronts": 16384}},
		{"another run's threads", map[string]string{"s.csv": strings.ReplaceAll(counterText, "4242", "17"), "s.occupancy": occupancyText}, []string{"s.csv"}, 1,
			map[string]float64{"ThreadID": 17, "KernelOccupancy": 62.5}},
	} {
		t.Run(c.name, func(t *testing.T) {
			left := session(t, c.files, c.open...)
			if len(left) != c.left {
				t.Fatalf("%d files are left, want %d", len(left), c.left)
			}
			if c.want == nil {
				if left[0].Report != nil {
					t.Errorf("there are %d launches", len(left[0].Report.Actions()))
				}
				return
			}
			if left[0].Report == nil || len(left[0].Report.Actions()) != 2 {
				t.Fatalf("report %+v", left[0].Report)
			}
			checkMetrics(t, left[0].Report.Actions()[0], c.want)
		})
	}
}

// TestSessionTimes: the launches of HSA's counter files, which have no times, take
// those of the trace.
func TestSessionTimes(t *testing.T) {
	trace := "TraceFileVersion=3.2\nApplication=a\n=====hsa Kernel Timestamp Output=====\n2\n" +
		"f&nbsp;g 0x1 1000 4000 gfx900 0x2 0 0 HSA_PACKET_TYPE_KERNEL_DISPATCH 0 {}\nf&nbsp;g 0x1 5000 6000 gfx900 0x2 0 0 HSA_PACKET_TYPE_KERNEL_DISPATCH 1 {}\n"
	counters := "#API=HSA\n#Application=a\nMethod, ExecutionOrder, ThreadID, GlobalWorkSize, WorkGroupSize, LocalMemSize, VGPRs, SGPRs, Wavefronts\n" +
		"f&nbsp;g_gfx900, 1, 7, {64 1 1}, {64 1 1}, 0, 4, 8, 1.00\nf&nbsp;g_gfx900, 2, 7, {64 1 1}, {64 1 1}, 0, 4, 8, 2.00\n"
	left := session(t, map[string]string{"s.atp": trace, "s.csv": counters}, "s.atp")
	actions := left[0].Report.Actions()
	checkMetrics(t, actions[0], map[string]float64{"gpu__time_duration.sum": 3000, "Wavefronts": 1})
	checkMetrics(t, actions[1], map[string]float64{"gpu__time_duration.sum": 1000, "Wavefronts": 2})
}
