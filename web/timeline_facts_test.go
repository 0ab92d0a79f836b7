package web

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpuprof/gpuprof/timeline"
	"github.com/gpuprof/gpuprof/trace"
)

// TestFactsOf: everything that a row tells reaches the drawer, in words.
func TestFactsOf(t *testing.T) {
	got := factsOf(&timeline.Details{RowID: 9, Facts: []trace.Fact{
		{Name: "deviceId"}, {Name: "streamId", Number: 7}, {Name: "contextId", Number: 1}, {Name: "registersPerThread", Number: 32}, {Name: "grid", Text: "8 2 1", IsText: true},
		{Name: "block", Text: "1 1 1", IsText: true}, {Name: "staticSharedMemory", Unit: "byte"}, {Name: "dynamicSharedMemory", Number: 512, Unit: "byte"}, {Name: "launchType", Text: "Regular", IsText: true},
		{Name: "graphNodeId", Number: 4}, {Name: "cacheConfigExecuted", Number: 2}, {Name: "bytes", Number: 64, Unit: "byte"}, {Name: "bandwidth", Number: 8, Unit: "byte/s"}, {Name: "correlation", Number: 77}}})
	want := []fact{{"Grid", "8 × 2", 0, ""}, {"Block", "1", 0, ""}, {"Registers per thread", "", 32, ""}, {"Shared, dynamic", "", 512, "byte"}, {"Launch type", "Regular", 0, ""},
		{"Bytes", "", 64, "byte"}, {"Bandwidth", "", 8, "byte/s"}, {"Device", "", 0, ""}, {"Context", "", 1, ""}, {"Stream", "", 7, ""}, {"Graph node", "", 4, ""},
		{"Cache config executed", "", 2, ""}, {"Correlation", "", 77, ""}, {"Row", "", 9, ""}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
