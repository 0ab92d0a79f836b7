package amd

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/format/amd"
	"github.com/gpuprof/gpuprof/internal/pagetest"
	"github.com/gpuprof/gpuprof/view"
)

// TestCallChoice: calls are chosen by name, by time and by result, of which a function
// that returns a handle tells in its last argument.
func TestCallChoice(t *testing.T) {
	const text = "TraceFileVersion=3.2\n=====ocl API Trace Output=====\n7\n2\n" +
		"NULL = clCreateBuffer ( 0x1;CL_MEM_READ_ONLY;64;NULL;[CL_OUT_OF_RESOURCES] )\nCL_SUCCESS = clFinish ( 0x1 )\n" +
		"=====ocl Timestamp Output=====\n7\n2\n" +
		"12   clCreateBuffer                               100                  200\n51   clFinish                                     300                  400\n"
	tr, err := amd.ReadTrace(strings.NewReader(text), int64(len(text)), "a.atp")
	if err != nil || len(tr.Problems) > 0 {
		t.Fatal(err, tr.Problems)
	}
	th := tr.Threads(amd.OpenCL)[0]
	for _, c := range []struct {
		choose callChoice
		want   bool
	}{
		{callChoice{}, true}, {callChoice{api: "buffer"}, true}, {callChoice{api: "kernel"}, false}, {callChoice{failed: true}, true},
		{callChoice{timed: true, start: 150, end: 160}, true}, {callChoice{timed: true, start: 201, end: 299}, false},
	} {
		if got := c.choose.of(tr, th).has(0); got != c.want {
			t.Errorf("%+v: %v", c.choose, got)
		}
	}
	if (&callChoice{failed: true}).of(tr, th).has(1) {
		t.Error("a call that succeeded failed")
	}
}

// TestNoCallChosen: where no call is chosen the option that leaves none is told.
func TestNoCallChosen(t *testing.T) {
	file := filepath.Join(t.TempDir(), "t.atp")
	text := "TraceFileVersion=3.2\n=====ocl API Trace Output=====\n7\n2\nCL_SUCCESS = clFinish ( 0x1 )\nCL_SUCCESS = clFlush ( 0x1 )\n" +
		"=====ocl Timestamp Output=====\n7\n2\n51   clFinish                                     100                  200\n50   clFlush                                      350                  400\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		options []string
		want    string
	}{
		{[]string{"api", "clFinsh"}, `--api: no call has "clfinsh" in its name; did you mean clFinish`},
		{[]string{"between", "500:600"}, "--between: no call ran in this time; calls ran from 100 to 400 ns"},
		{[]string{"failed", "true"}, "--failed: no call failed"},
		{[]string{"api", "clFinish", "between", "300:400"}, "no call is all of --api, --between"},
	} {
		_, notes := pagetest.Render(t, Calls, file, view.FormatText, pagetest.Options(c.options...))
		if told := strings.Join(notes, "\n"); !strings.Contains(told, c.want) {
			t.Errorf("%v: %q", c.options, told)
		}
	}
}
