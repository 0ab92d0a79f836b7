package amd

import (
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/format/amd"
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
