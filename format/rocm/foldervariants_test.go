package rocm

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
)

const (
	folderKernels = "\"Kind\",\"Agent_Id\",\"Queue_Id\",\"Kernel_Name\",\"Dispatch_Id\",\"Correlation_Id\",\"Start_Timestamp\",\"End_Timestamp\"\n\"K\",\"Agent 4\",1,\"f(a, b)\",1,2,10,20\n\"K\",\"Agent 4\",1,\"g\",2,3,30,40\n"
	folderAgents  = "\"Node_Id\",\"Logical_Node_Id\",\"Agent_Type\",\"Name\"\n0,0,\"CPU\",\"EPYC\"\n4,1,\"GPU\",\"gfx942\"\n5,2,\"GPU\",\"gfx942\"\n"
	folderMarkers = "\"Domain\",\"Function\",\"Process_Id\",\"Thread_Id\",\"Correlation_Id\",\"Start_Timestamp\",\"End_Timestamp\"\n\"MARKER_CORE_RANGE_API\",\"step 1\",7,7,1,5,50\n"
)

// counterTable is what rocprofv3 collects of the two kernels in a pass.
func counterTable(counter string) string {
	return "\"Correlation_Id\",\"Dispatch_Id\",\"Agent_Id\",\"Kernel_Name\",\"Counter_Name\",\"Counter_Value\"\n" +
		"2,1,\"Agent 4\",\"f(a, b)\",\"" + counter + "\",3\n3,2,\"Agent 4\",\"g\",\"" + counter + "\",4\n"
}

// TestFolderVariants: folders as options of rocprofv3, spreadsheets and broken disks
// leave them.
func TestFolderVariants(t *testing.T) {
	marked := func(s string) string { return "\ufeff" + strings.ReplaceAll(s, "\n", "\r\n") }
	agentOf := func(label string) string { return strings.ReplaceAll(folderKernels, "Agent 4", label) }
	for _, c := range []struct {
		name  string
		files map[string]string
		want  string // processes with dispatches, dispatches, agents, counters, ranges, calls
		told  []string
	}{
		{"as it is", map[string]string{"h/7_kernel_trace.csv": folderKernels, "h/7_agent_info.csv": folderAgents, "h/7_marker_api_trace.csv": folderMarkers},
			"1 2 [4] 0 1 0", nil},
		{"marks of byte order before quotes", map[string]string{"h/7_kernel_trace.csv": marked(folderKernels), "h/7_agent_info.csv": marked(folderAgents), "h/7_marker_api_trace.csv": marked(folderMarkers)},
			"1 2 [4] 0 1 0", nil},
		{"blanks behind commas", map[string]string{"h/7_kernel_trace.csv": strings.ReplaceAll(folderKernels, ",\"", ", \"")}, "1 2 [4] 0 0 0", nil},
		{"agents counted by type", map[string]string{"h/7_kernel_trace.csv": agentOf("GPU 1"), "h/7_agent_info.csv": folderAgents}, "1 2 [5] 0 0 0", nil},
		{"agents counted as one sees them", map[string]string{"h/7_kernel_trace.csv": agentOf("Agent 2"), "h/7_agent_info.csv": folderAgents}, "1 2 [5] 0 0 0", nil},
		{"no agents", map[string]string{"h/7_kernel_trace.csv": agentOf("GPU 1")}, "1 2 [1] 0 0 0", nil},
		{"an empty file", map[string]string{"h/7_kernel_trace.csv": folderKernels, "h/7_hip_api_trace.csv": ""}, "1 2 [4] 0 0 0",
			[]string{`h/7_hip_api_trace.csv:1: expected the columns of hip_api_trace, found an empty file`}},
		{"no table", map[string]string{"h/7_kernel_trace.csv": folderKernels, "h/7_hip_api_trace.csv": "\x00\x01\x02\x1b[31m"}, "1 2 [4] 0 0 0",
			[]string{`h/7_hip_api_trace.csv:1: expected the columns of hip_api_trace, found "\x00\x01\x02\x1b[31m"`}},
		{"notes of the user", map[string]string{"h/7_kernel_trace.csv": folderKernels, "h/notes.csv": "a,b\n1,2\n", "results.txt": "good"}, "1 2 [4] 0 0 0", nil},
		{"another kernel", map[string]string{"h/7_kernel_trace.csv": folderKernels, "h/7_counter_collection.csv": strings.ReplaceAll(counterTable("A"), `"g"`, `"h"`)}, "1 2 [4] 2 0 0",
			[]string{`expected one kernel for each dispatch of a process in all files, found dispatch 2 of h/7 as "h" and as "g"`}},
		{"passes in folders of hosts", map[string]string{"pmc_1/h/7_counter_collection.csv": counterTable("A"), "pmc_2/h/8_counter_collection.csv": counterTable("B")}, "1 2 [4] 4 0 0", nil},
		{"passes, one with a trace", map[string]string{"pmc_1/h/7_counter_collection.csv": counterTable("A"), "pmc_1/h/7_kernel_trace.csv": folderKernels, "pmc_2/h/8_counter_collection.csv": counterTable("B")},
			"1 2 [4] 4 0 0", nil},
		{"passes of two ranks", map[string]string{"pmc_1/h/7_counter_collection.csv": counterTable("A"), "pmc_1/h/8_counter_collection.csv": counterTable("A"),
			"pmc_2/h/17_counter_collection.csv": counterTable("B"), "pmc_2/h/18_counter_collection.csv": counterTable("B")}, "2 4 [4] 8 0 0", nil},
		{"passes on two hosts", map[string]string{"pmc_1/h1/7_counter_collection.csv": counterTable("A"), "pmc_2/h2/7_counter_collection.csv": counterTable("B")}, "2 4 [4] 4 0 0", nil},
	} {
		s, err := Options{}.OpenFolder(context.Background(), folder(c.files), "out")
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		processes, agents := map[int]bool{}, []uint64{}
		for i := range s.Dispatches {
			d := &s.Dispatches[i]
			processes[d.Process] = true
			if !slices.Contains(agents, d.Agent) {
				agents = append(agents, d.Agent)
			}
		}
		if got := fmt.Sprintf("%d %d %v %d %d %d", len(processes), len(s.Dispatches), agents, len(s.Counters), len(s.Ranges), len(s.Calls)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		if len(s.Kept) != 0 {
			t.Errorf("%s: columns that are known are kept as unknown: %+v", c.name, s.Kept)
		}
		var told []string
		for _, p := range s.Problems {
			told = append(told, p.Error())
		}
		if !slices.EqualFunc(told, c.told, strings.Contains) {
			t.Errorf("%s: told %q, want %q", c.name, told, c.told)
		}
	}
}
