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

// TestWorkloadVariants: what tells a workload, what is its own in a folder of several,
// and what one lacks.
func TestWorkloadVariants(t *testing.T) {
	const system, counters = "workload_name,gpu_arch\nw,gfx90a\n", "Dispatch_ID,Kernel_Name,SQ_WAVES\n0,f,4\n"
	const level = "Dispatch_ID,Kernel_Name,SQ_ACCUM_PREV_HIRES\n0,f,40\n"
	for _, c := range []struct {
		name     string
		files    map[string]string
		kind     Kind
		counters float64 // sum of SQ_WAVES
		facts    string  // subjects
		told     int
	}{
		{"as it is", map[string]string{"sysinfo.csv": system, "pmc_perf.csv": counters}, KindCompute, 4, "system", 0},
		{"no sysinfo", map[string]string{"pmc_perf.csv": counters, "pmc_perf_0.csv": counters, "SQ_LEVEL_WAVES.csv": level}, KindCompute, 4, "", 0},
		{"no pmc_perf", map[string]string{"sysinfo.csv": system, "SQ_LEVEL_WAVES.csv": level}, KindCompute, 0, "system", 1},
		{"passes only", map[string]string{"sysinfo.csv": system, "pmc_perf_0.csv": counters}, KindCompute, 4, "system", 0},
		{"two", map[string]string{"a/sysinfo.csv": system, "a/pmc_perf.csv": counters, "b/sysinfo.csv": system, "b/pmc_perf.csv": counters}, KindCompute, 8, "system of a,system of b", 0},
		{"broken", map[string]string{"sysinfo.csv": system, "pmc_perf.csv": "\x00\x01", "SQ_LEVEL_WAVES.csv": level}, KindCompute, 0, "system", 2},
	} {
		s, err := Options{}.OpenFolder(context.Background(), folder(c.files), "w")
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		sum, facts := 0.0, []string{}
		for _, x := range s.Counters {
			if x.Name == "SQ_WAVES" {
				sum += x.Value
			} else if x.File != "SQ_LEVEL_WAVES" {
				t.Errorf("%s: %s of %q", c.name, x.Name, x.File)
			}
		}
		for _, f := range s.Facts {
			if !slices.Contains(facts, f.Of) {
				facts = append(facts, f.Of)
			}
		}
		if s.Kind != c.kind || sum != c.counters || strings.Join(facts, ",") != c.facts || len(s.Problems) != c.told {
			t.Errorf("%s: %s, %v, %q, %v", c.name, s.Kind, sum, facts, s.Problems)
		}
	}
}
