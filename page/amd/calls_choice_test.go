package amd

import (
	"testing"

	"github.com/gpuprof/gpuprof/format/amd"
)

// TestCallChoice: calls are chosen by name, by time and by result.
func TestCallChoice(t *testing.T) {
	call := &amd.Call{Timed: true, Start: 100, End: 200}
	call.Name, call.Result = "clCreateBuffer", "CL_OUT_OF_RESOURCES"
	for _, c := range []struct {
		choose callChoice
		want   bool
	}{
		{callChoice{}, true}, {callChoice{api: "buffer"}, true}, {callChoice{api: "kernel"}, false}, {callChoice{failed: true}, true},
		{callChoice{timed: true, start: 150, end: 160}, true}, {callChoice{timed: true, start: 201, end: 300}, false},
	} {
		if got := c.choose.has(call); got != c.want {
			t.Errorf("%+v: %v", c.choose, got)
		}
	}
	call.Result = "CL_SUCCESS"
	if (&callChoice{failed: true}).has(call) {
		t.Error("a call that succeeded failed")
	}
}
