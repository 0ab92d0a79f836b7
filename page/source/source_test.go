package source

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpuprof/gpuprof/internal/pagetest"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/profile/metric"
	"github.com/gpuprof/gpuprof/source"
	"github.com/gpuprof/gpuprof/view"
)

// sourceLoader gives an action of the tests its parts.
type sourceLoader struct {
	metrics []profile.Metric
	rules   []profile.RuleResult
	code    *profile.Code
}

func (l *sourceLoader) Metrics() (*profile.MetricSet, error) {
	return profile.NewMetricSet(l.metrics), nil
}
func (l *sourceLoader) RuleResults() ([]profile.RuleResult, error) { return l.rules, nil }
func (l *sourceLoader) NvtxState() (*profile.NvtxState, error)     { return nil, nil }
func (l *sourceLoader) CallStack() ([]profile.Frame, error)        { return nil, nil }
func (l *sourceLoader) Code() (*profile.Code, error)               { return l.code, nil }

// lineMap is a line table in a map.
type lineMap map[uint64][]profile.SourceLine

func (m lineMap) At(pc uint64) []profile.SourceLine { return m[pc] }

// counts makes a metric with a value for each of some addresses.
func counts(name string, values map[uint64]uint64) profile.Metric {
	var in []profile.Instance
	var sum uint64
	for pc, v := range values {
		in = append(in, profile.Instance{ID: metric.Uint64(pc), Value: metric.Uint64(v)})
		sum += v
	}
	return profile.NewMetric(name, metric.Uint64(sum), in)
}

// sampleLoader has a kernel of four instructions at 0x1000, the third and fourth
// of which are an inlined call, and another function that it does not call.
func sampleLoader() *sourceLoader {
	const kernel, other = "_Z4workPf", "_Z4idlev"
	return &sourceLoader{
		metrics: []profile.Metric{
			profile.NewMetric(source.SampleGroup, metric.String("smsp__pcsamp_warps_issue_stalled_barrier,smsp__pcsamp_warps_issue_stalled_wait,smsp__pcsamp_warps_issue_stalled_selected"), nil),
			counts("smsp__pcsamp_warps_issue_stalled_barrier", map[uint64]uint64{0x1010: 1, 0x1020: 7}),
			counts("smsp__pcsamp_warps_issue_stalled_wait", map[uint64]uint64{0x1010: 2, 0x1030: 1}),
			counts("smsp__pcsamp_warps_issue_stalled_selected", map[uint64]uint64{0x1010: 9}),
			counts("inst_executed", map[uint64]uint64{0x1000: 4, 0x1010: 4, 0x1020: 2, 0x1030: 0}),
			counts("derived__avg_thread_executed", map[uint64]uint64{0x1000: 32, 0x1010: 32, 0x1020: 16, 0x1030: 0}),
			counts("memory_type", map[uint64]uint64{0x1010: 4, 0x1020: 20}),
			counts("extra", map[uint64]uint64{0x1020: 5}),
			profile.NewMetric("elsewhere", metric.Uint64(1), []profile.Instance{{ID: metric.Uint64(3), Value: metric.Uint64(1)}}),
		},
		rules: []profile.RuleResult{{Identifier: "Stall", Markers: []profile.SourceMarker{
			{Address: 0x1020, Text: "slow", Type: profile.MessageWarning}, {Source: true, File: "/src/a.cu", Line: 3, Text: "slow line", Type: profile.MessageOptimization}}}},
		code: &profile.Code{
			Arch:      80,
			Entries:   2,
			Functions: []profile.Function{{Name: kernel, Address: 0x1000, Size: 0x40}, {Name: other, Address: 0x2000, Size: 0x20}},
			Files:     []profile.SourceFile{{Path: "/src/a.cu", Text: "\n\tfirst();\n    second();\n"}},
			PTX: []string{".extern .func _Z4workPf(", ")", ";", ".visible .entry _Z4workPfoo() {", "}",
				".visible .entry _Z4workPf(", ")", "{", "{", "call f;", "}", "mov.v2.u32 {%r1, %r2}, 0;", "}", "ret;"},
			PTXLines: lineMap{0x1000: {{Line: 10}}, 0x1010: {{Line: 10}}, 0x1030: {{Line: 12}}},
			Lines: lineMap{
				0x1000: {{File: "/src/a.cu", Line: 2}},
				0x1010: {{File: "/src/a.cu", Line: 3}},
				0x1020: {{File: "/src/a.cu", Line: 3}, {File: "/src/b.cuh", Line: 9, Function: "_Z7inlinedv"}},
				0x1030: {{File: "/src/b.cuh", Line: 9, Function: "_Z7inlinedv"}},
			},
			Metrics: []profile.SourceMetric{
				{Name: source.SampleGroup, Label: "Samples (All)"},
				{Name: "inst_executed", Label: "Instructions"},
				{Name: "derived__avg_thread_executed", Label: "Avg. Threads", Mean: true},
				{Name: "memory_type", Label: "Space"},
				{Name: "elsewhere", Label: "Elsewhere"},
				{Name: "absent", Label: "Absent"},
			},
		},
	}
}

// showSource renders the page of a launch that l loads.
func showSource(t *testing.T, l *sourceLoader, f view.Format, values map[string][]string) (out string, notes []string, err error) {
	t.Helper()
	a := profile.NewAction(l)
	a.Mangled, a.Demangled, a.Function = "_Z4workPf", "work(float *)", "work"
	a.Grid, a.Block = [3]uint64{1, 1, 1}, [3]uint64{32, 1, 1}
	file := &load.File{Name: "test", Report: &load.Report{Report: &profile.Report{Ranges: []profile.Range{{Actions: []*profile.Action{a}}}}}}
	q := &page.Request{Files: []*load.File{file}, Format: f, Values: values, Note: func(s string) { notes = append(notes, s) }}
	d, err := Page.Do(context.Background(), q)
	if err != nil {
		return "", notes, err
	}
	var b bytes.Buffer
	if err := view.Render(&b, d, f, q.ViewOptions()); err != nil {
		t.Fatal(err)
	}
	return b.String(), notes, nil
}

func TestSource(t *testing.T) {
	for _, c := range []struct {
		name    string
		format  view.Format
		options []string
		want    string
	}{
		{"sass csv", view.FormatCSV, nil, `"Kernel Name","work(float *)"
"Address","Source","Samples (All)","Instructions","Avg. Threads","Space"
"0x1000","","0","4","32","-"
"0x1010","","12","4","32","Global"
"0x1020","","7","2","16","Global,Shared"
"0x1030","","1","0","0","-"
`},
		{"the vendor's csv repeats a table for each entry and shows all functions", view.FormatCSV, []string{"compat", "2024.1", "metrics", "inst_executed"},
			`"Kernel Name","work(float *)",
"Address","Source","Instructions"
"0x1000","???","4"
"0x1010","???","4"
"0x1020","???","2"
"0x1030","???","0"
"Kernel Name","idle()",
"Address","Source","Instructions"
"0x2000","???","0"
"0x2010","???","0"
"Kernel Name","work(float *)",
"Address","Source","Instructions"
"0x1000","???","4"
"0x1010","???","4"
"0x1020","???","2"
"0x1030","???","0"
"Kernel Name","idle()",
"Address","Source","Instructions"
"0x2000","???","0"
"0x2010","???","0"
`},
		{"hot first", view.FormatCSV, []string{"sort", "hot", "limit", "2", "metrics", "extra"}, `"Kernel Name","work(float *)"
"Address","Source","extra"
"0x1010","","0"
"0x1020","","5"
`},
		{"by a label", view.FormatCSV, []string{"sort", "instructions", "metrics", "inst_executed"}, `"Kernel Name","work(float *)"
"Address","Source","Instructions"
"0x1000","","4"
"0x1010","","4"
"0x1020","","2"
"0x1030","","0"
`},
		{"lines: sums, means over what was executed, and counts", view.FormatCSV, []string{"print-source", "cuda"}, `"File Path","/src/a.cu"
"Function Name","work(float *)"
"Line No","Source","Samples (All)","Instructions","Avg. Threads","Space"
"2","first();","0","4","32","-"
"3","second();","19","6","24","Global(2),Shared"
"File Path","/src/b.cuh"
"Function Name","work(float *)"
"Line No","Source","Samples (All)","Instructions","Avg. Threads","Space"
"9",<Unable to open source file>,"8","2","16","Global,Shared"
`},
		{"lines and instructions of the vendor: sums alone, gaps, twice", view.FormatCSV, []string{"print-source", "cuda,sass", "compat", "2024.1", "metrics", "derived__avg_thread_executed"},
			`"File Path","/src/a.cu"
"Function Name","work(float *)"
"Line No","Source","Address","Source","Avg. Threads"
"2","first();","-","-","32"
"","","0x1000","???","32"
"","","0x1000","???","32"
"3","second();","-","-","48"
"","","0x1010","???","32"
"","","0x1020","???","16"
"","","...","...","-"
"","","0x1010","???","32"
"","","0x1020","???","16"
"File Path","/src/b.cuh"
"Function Name","work(float *)"
"Line No","Source","Address","Source","Avg. Threads"
"9","<Unable to open source file>","-","-","16"
"","","0x1020","???","16"
"","","0x1030","???","0"
"","","...","...","-"
"","","0x1020","???","16"
"","","0x1030","???","0"
`},
		{"ptx", view.FormatCSV, []string{"print-source", "ptx", "metrics", "inst_executed"}, `"Kernel Name","work(float *)"
"Line No","Source","Instructions"
"6",".visible .entry _Z4workPf(",
"7",")",
"8","{",
"9","{",
"10","call f;","8"
"11","}",
"12","mov.v2.u32 {%r1, %r2}, 0;","0"
"13","}",
`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, notes, err := showSource(t, sampleLoader(), c.format, pagetest.Options(c.options...))
			if err != nil {
				t.Fatal(err)
			}
			want := strings.ReplaceAll(c.want, ",<Unable to open source file>,", `,"<Unable to open source file>",`)
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("-want +got:\n%s", d)
			}
			if len(notes) > 0 {
				t.Errorf("notes %q", notes)
			}
		})
	}
}

func TestSourceText(t *testing.T) {
	got, _, err := showSource(t, sampleLoader(), view.FormatText, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"  1  0x1010        a.cu:3       12 60 wait             4\n",
		"  3  0x1030        b.cuh:9       1  5 wait             0\n",
		"   0x1020 WRN  slow\n",
	} {
		if !strings.Contains(got, line) {
			t.Errorf("no line %q in\n%s", line, got)
		}
	}
	if strings.Contains(got, "slow line") {
		t.Error("advice for a source line among instructions")
	}
	if got, _, _ = showSource(t, sampleLoader(), view.FormatText, pagetest.Options("print-source", "cuda")); !strings.Contains(got, "a.cu:3 OPT  slow line\n") {
		t.Errorf("no advice for a line in\n%s", got)
	}
}

func TestSourceJSON(t *testing.T) {
	got, _, err := showSource(t, sampleLoader(), view.FormatJSON, pagetest.Options("print-source", "cuda,sass"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`{"name":"inst_executed","unit":"inst","type":"number"`,
		`[3,"    second();",null,null,19,6,24,20]`, // flags are those of any instruction
		`[3,null,4128,null,7,2,16,20]`,
		`[9,null,null,null,8,2,16,20]`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in %s", want, got)
		}
	}
}

// TestSourceParts removes parts of the program: what is left is shown.
func TestSourceParts(t *testing.T) {
	for _, c := range []struct {
		name    string
		break_  func(l *sourceLoader)
		options []string
		want    string // a part of the output
		note    string // a part of a note
	}{
		{"no code", func(l *sourceLoader) { l.code = nil }, []string{"metrics", "inst_executed"}, "\"0x1000\",\"\",\"4\"\n\"0x1010\",\"\",\"4\"\n", ""},
		{"functions without size", func(l *sourceLoader) {
			for i := range l.code.Functions {
				l.code.Functions[i].Size = 0
			}
		}, nil, "\"0x1000\",\"\",\"0\",\"4\",\"32\",\"-\"\n", ""},
		{"an unknown kernel", func(l *sourceLoader) { l.code.Functions = l.code.Functions[1:] }, nil, "\"0x1000\",\"\",\"0\"", ""},
		{"function addresses", func(l *sourceLoader) {
			l.metrics = append(l.metrics, profile.NewMetric("launch__function_pcs", metric.Uint64(1), []profile.Instance{
				{ID: metric.Uint64(0), Value: metric.Uint64(0x2000)}}))
		}, nil, "\"0x2000\"", ""},
		{"the kernel elsewhere", func(l *sourceLoader) {
			l.code.Functions[0].Address = 0x9000
			l.metrics = append(l.metrics, profile.NewMetric("launch__function_pcs", metric.Uint64(1), []profile.Instance{
				{ID: metric.Uint64(0), Value: metric.Uint64(0x1000)}}))
		}, []string{"metrics", "inst_executed"}, "\"Kernel Name\",\"work(float *)\"\n\"Address\",\"Source\",\"Instructions\"\n\"0x1000\",\"\",\"4\"\n", ""},
		{"no lines", func(l *sourceLoader) { l.code.Lines = nil }, []string{"print-source", "cuda"}, "", "No lineinfo available to show CUDA-C source related to 'work(float *)'."},
		{"no ptx", func(l *sourceLoader) { l.code.PTX = nil }, []string{"print-source", "ptx"}, "", "No PTX in the report for 'work(float *)'."},
		{"an instruction without line", func(l *sourceLoader) { delete(l.code.Lines.(lineMap), 0x1000) }, []string{"print-source", "cuda", "metrics", "inst_executed"},
			"\"File Path\",\"(no source line)\"\n\"Function Name\",\"work(float *)\"\n\"Line No\",\"Source\",\"Instructions\"\n\"-\",\"\",\"4\"\n", ""},
		{"a line beyond the file", func(l *sourceLoader) { l.code.Files[0].Text = "\n" }, []string{"print-source", "cuda"}, "\"3\",\"<Line is not in the source file>\"", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := sampleLoader()
			c.break_(l)
			got, notes, err := showSource(t, l, view.FormatCSV, pagetest.Options(c.options...))
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(got, c.want) {
				t.Errorf("no %q in\n%s", c.want, got)
			}
			if !strings.Contains(strings.Join(notes, "\n"), c.note) {
				t.Errorf("notes %q, want %q", notes, c.note)
			}
		})
	}
}

func TestSourceUsage(t *testing.T) {
	for _, o := range [][]string{{"sort", "nonsense"}, {"print-source", "perl"}, {"metrics", "regex:("}, {"limit", "-1"}} {
		if _, _, err := showSource(t, sampleLoader(), view.FormatText, pagetest.Options(o...)); !errors.Is(err, page.ErrUsage) {
			t.Errorf("%v: error %v, want one of usage", o, err)
		}
	}
}

// TestSourceDisassembler asks a program that answers like nvdisasm.
func TestSourceDisassembler(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the stand-in is a shell script")
	}
	for _, c := range []struct{ name, script, want, note string }{
		{"text", "cat <<'.'\n\t.headerflags\t@\"EF_CUDA_SM80\"\n        /*1000*/                   MOV R1, c[0x0][0x28] ;\n" +
			"        /*1010*/              @!P0 EXIT ;                              /* 0x00000a0000000a02 */\n.\n",
			"\"0x1000\",\"MOV R1, c[0x0][0x28]\",\"4\"\n\"0x1010\",\"@!P0 EXIT\",\"4\"\n\"0x1020\",\"\",\"2\"\n", ""},
		{"failure", "echo 'nvdisasm fatal   : no such GPU' >&2\nexit 1\n", "\"0x1000\",\"\",\"4\"\n", "nvdisasm fatal   : no such GPU"},
		{"arguments", "for a in \"$@\"; do echo \"/*1000*/ $a ;\"; [ \"$a\" = SM80 ] && break; done\n", "\"0x1000\",\"SM80\",\"4\"\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "nvdisasm"), []byte("#!/bin/sh\n"+c.script), 0o755); err != nil {
				t.Fatal(err)
			}
			t.Setenv("TMPDIR", dir)
			l := sampleLoader()
			l.code.Functions[0].Text = make([]byte, 0x40)
			got, notes, err := showSource(t, l, view.FormatCSV, pagetest.Options("metrics", "inst_executed", "disassembler", filepath.Join(dir, "nvdisasm")))
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(got, c.want) {
				t.Errorf("no %q in\n%s", c.want, got)
			}
			if !strings.Contains(strings.Join(notes, "\n"), c.note) || len(notes) > 1 {
				t.Errorf("notes %q, want %q", notes, c.note)
			}
			if left, _ := filepath.Glob(filepath.Join(dir, "gpuprof-*")); len(left) > 0 {
				t.Errorf("left behind: %q", left)
			}
		})
	}
}

func TestResolveSourceFile(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "src", "b.cuh")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(strings.Repeat("\n", 8)+"\tinlined\x1b[31m();\r\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		resolve string
		found   bool
	}{
		{file, true}, {dir, true}, {filepath.Dir(file), true},
		{filepath.Join(dir, "nothing"), false}, {os.DevNull, false},
	} {
		got, _, err := showSource(t, sampleLoader(), view.FormatText, pagetest.Options("print-source", "cuda", "resolve-source-file", c.resolve))
		if err != nil {
			t.Fatal(err)
		}
		// No escape sequence out of a file reaches the terminal.
		if strings.Contains(got, "    inlined[31m();") != c.found || strings.Contains(got, "\x1b") {
			t.Errorf("--resolve-source-file %s: found %v, want %v:\n%q", c.resolve, !c.found, c.found, got)
		}
	}
}

// TestSourceMix counts by class: instructions that are not known are a class too.
func TestSourceMix(t *testing.T) {
	got, _, err := showSource(t, sampleLoader(), view.FormatText, pagetest.Options("mix", "true"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(got, "Instructions by Class") || !strings.Contains(got, "unknown") || !strings.Contains(got, "Samples") || strings.Contains(got, "0x1010") {
		t.Errorf("got\n%s", got)
	}
}
