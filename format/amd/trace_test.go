package amd

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/gpuprof/gpuprof/internal/corpustest"
)

func readTrace(tb testing.TB, text string) *Trace {
	tb.Helper()
	t, err := ReadTrace(strings.NewReader(text), int64(len(text)), "t.atp")
	if err != nil {
		tb.Fatal(err)
	}
	return t
}

func vectors(tb testing.TB, ext string) []string {
	tb.Helper()
	names, err := filepath.Glob("testdata/vectors/*." + ext)
	if err != nil || len(names) == 0 {
		tb.Fatalf("no vectors: %v", err)
	}
	return names
}

// sameTrace compares what two traces hold.
func sameTrace(tb testing.TB, got, want *Trace) {
	tb.Helper()
	if d := cmp.Diff(want, got, cmp.AllowUnexported(Trace{}, Section{}, StampBlock{}, Packet{}), cmpopts.EquateEmpty(),
		cmpopts.IgnoreFields(Trace{}, "Problems"),
		cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == ".Line" || p.Last().String() == ".CountLine" }, cmp.Ignore())); d != "" {
		tb.Errorf("writing and reading again differs:\n%s", d)
	}
}

func traceText(tb testing.TB, t *Trace) string {
	tb.Helper()
	var b bytes.Buffer
	n, err := t.WriteTo(&b)
	if err != nil || n != int64(b.Len()) {
		tb.Fatalf("wrote %d of %d bytes: %v", n, b.Len(), err)
	}
	return b.String()
}

// trimLines removes what the profilers' padding leaves at the end of lines.
func trimLines(s string) string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " \r")
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}

// TestTraceRoundTrip writes each vector byte for byte as it was, but for blanks
// at the end of lines, and reads the same from that.
func TestTraceRoundTrip(t *testing.T) {
	for _, name := range vectors(t, "atp") {
		t.Run(filepath.Base(name), func(t *testing.T) {
			in, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			tr := readTrace(t, string(in))
			out := traceText(t, tr)
			if d := cmp.Diff(trimLines(string(in)), trimLines(out)); d != "" {
				t.Errorf("written differs from read:\n%s", d)
			}
			sameTrace(t, readTrace(t, out), tr)
			for _, p := range tr.Problems {
				t.Log(p)
			}
		})
	}
}

const small = `TraceFileVersion=3.2
ProfilerVersion=5.6.0
=====ocl API Trace Output=====
7
3
0xa0 = clCreateCommandQueue ( 0xc0;0xe0;0;[CL_SUCCESS] )
CL_SUCCESS = clEnqueueReadBuffer ( 0xa0;0xd0;CL_FALSE;0;4096;0x7f0000001000;0;NULL;NULL )
CL_SUCCESS = clFinish ( 0xa0 )
=====ocl Timestamp Output=====
7
3
9    clCreateCommandQueue                         1000                 1100                 
52   clEnqueueReadBuffer                          1300                 1400                 4595    CL_COMMAND_READ_BUFFER                  1320                 1330                 1800                 3800                 0         0xa0                     0         0xc0                     gfx900                        4096                
51   clFinish                                     1450                 1850                 
`

func TestCall(t *testing.T) {
	th := readTrace(t, small).Threads(OpenCL)
	if len(th) != 1 || th[0].ID != 7 || th[0].Len() != 3 {
		t.Fatalf("threads: %+v", th)
	}
	got := th[0].Call(1)
	want := Call{CallText: CallText{"CL_SUCCESS", "clEnqueueReadBuffer", "0xa0;0xd0;CL_FALSE;0;4096;0x7f0000001000;0;NULL;NULL", 1},
		API: 1, Whole: true, Timed: true, ID: 52, Start: 1300, End: 1400, Line: 7, Stamp: 13,
		Enqueue: &Enqueue{Queued: 1320, Submit: 1330, Start: 1800, End: 3800, Bytes: 4096,
			Work: &Work{Command: 4595, CommandName: "CL_COMMAND_READ_BUFFER", Queue: "0xa0", Context: "0xc0", Device: "gfx900", Shape: Transfer}}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// edit replaces the first occurrence of old, which must be there.
func edit(tb testing.TB, s, old, new string) string {
	tb.Helper()
	if !strings.Contains(s, old) {
		tb.Fatalf("no %q to replace", old)
	}
	return strings.Replace(s, old, new, 1)
}

// TestDamage: what is recovered, and on which line each problem is.
func TestDamage(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       string // calls, timed calls, commands; lines of problems
	}{
		{"sound", small, "3 3 1 []"},
		{"crlf", strings.ReplaceAll(small, "\n", "\r\n"), "3 3 1 []"},
		{"no end of line", strings.TrimRight(small, " \n"), "3 3 1 []"},
		{"byte order mark", bom + small, "3 3 1 []"},
		{"header only", small[:40], "0 0 0 [3]"},
		{"cut in a call", small[:strings.Index(small, "0xa0 )")], "3 0 0 [8 6]"},
		{"cut in a time", small[:strings.Index(small, "                 1850")], "3 2 1 [14]"},
		{"cut in a command", small[:strings.Index(small, "20                 1330")], "3 2 0 [13 14 8]"},
		{"no times", small[:strings.Index(small, "=====ocl Timestamp")], "3 0 0 [6]"},
		{"no calls", small[:strings.Index(small, "=====ocl API")] + small[strings.Index(small, "=====ocl Timestamp"):], "3 3 1 [6]"},
		{"count of calls too large", edit(t, small, "7\n3\n0xa0", "7\n5\n0xa0"), "3 3 1 [9]"},
		{"count of calls too small", edit(t, small, "7\n3\n0xa0", "7\n1\n0xa0"), "3 3 1 [7]"},
		{"count absurd", edit(t, small, "7\n3\n0xa0", "7\n99999999999999999\n0xa0"), "3 3 1 [5 9]"},
		{"count of times too large", edit(t, small, "7\n3\n9 ", "7\n4\n9 "), "3 3 1 [15]"},
		{"no count", edit(t, small, "7\n3\n0xa0", "7\n0xa0"), "3 3 1 [5]"},
		{"no thread", edit(t, small, "7\n3\n0xa0", "0xa0"), "6 3 1 [4 4 10]"},
		{"another name", edit(t, small, "51   clFinish", "51   clFlush "), "3 3 1 [14]"},
		{"line of a call lost", edit(t, small, "3\n0xa0 = clCreateCommandQueue ( 0xc0;0xe0;0;[CL_SUCCESS] )\n", "2\n"), "2 2 1 [11]"},
		{"line of a time lost", edit(t, small, "3\n9    clCreateCommandQueue                         1000                 1100                 \n", "2\n"), "3 2 1 [6]"},
		{"line of a time garbled", edit(t, small, "1450                 1850", "?"), "3 2 1 [14]"},
		{"line of a time blank", edit(t, small, "\n52 ", "\n\n52 "), "3 3 1 [13 15 13]"},
		{"garbage between", edit(t, small, "=====ocl T", "garbage\n=====ocl T"), "4 3 1 [9 9 9]"},
		{"unknown section", small + "=====GL Wonder Output=====\nx\n", "3 3 1 [15]"},
		{"zero byte", edit(t, small, "0xd0", "0x\x00"), "3 3 1 [7]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tr := readTrace(t, c.text)
			calls, timed, commands := 0, 0, 0
			for _, th := range tr.Threads(OpenCL) {
				for i := range th.Len() {
					calls++
					call := th.Call(i)
					if call.Timed {
						timed++
					}
					if call.Enqueue != nil {
						commands++
					}
				}
			}
			var lines []int
			for _, p := range tr.Problems {
				lines = append(lines, p.Line)
			}
			if got := fmt.Sprintf("%d %d %d %v", calls, timed, commands, lines); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
				for _, p := range tr.Problems {
					t.Log(p)
				}
			}
			sameTrace(t, readTrace(t, traceText(t, tr)), tr)
		})
	}
}

// TestTruncated reads the damaged files that AMD's own parser was measured on.
func TestTruncated(t *testing.T) {
	for _, c := range []struct {
		file                   string
		calls, timed, commands int
		lines                  string
	}{
		{"t1_midapi", 13, 0, 0, "[26 13]"},
		{"t2_no_ts", 21, 0, 0, "[13]"},
		{"t3_midts", 21, 13, 4, "[49 50 26]"},
		{"t4_ts_header_only", 21, 0, 0, "[13]"},
		{"t5_count_too_big", 21, 21, 6, "[34 58]"},
		{"t6_ts_more", 21, 21, 6, "[58]"},
		{"t7_crlf", 21, 21, 6, "[]"},
		{"t8_header_only", 0, 0, 0, "[6]"},
		{"t9_name_mismatch", 21, 21, 6, "[53]"},
		{"t10_legacy", 21, 21, 6, "[]"},
	} {
		t.Run(c.file, func(t *testing.T) {
			b, err := os.ReadFile(filepath.Join(corpustest.Dir(t), "oracle/amd/trunc", c.file+".atp"))
			if err != nil {
				t.Fatal(err)
			}
			tr := readTrace(t, string(b))
			calls, timed, commands := 0, 0, 0
			for _, th := range tr.Threads(OpenCL) {
				for i := range th.Len() {
					calls++
					if _, _, _, ok := th.Times(i); ok {
						timed++
					}
					if th.Enqueue(i) != nil {
						commands++
					}
				}
			}
			var lines []int
			for _, p := range tr.Problems {
				lines = append(lines, p.Line)
				t.Log(p)
			}
			if calls != c.calls || timed != c.timed || commands != c.commands || fmt.Sprint(lines) != c.lines {
				t.Errorf("%d calls, %d timed, %d commands, problems on lines %v", calls, timed, commands, lines)
			}
		})
	}
}
