package stats

import (
	"context"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/trace/interval"
)

func TestDist(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.SliceOfN(rapid.Int64Range(-50, 1000), 1, 40).Draw(t, "v")
		sorted := slices.Clone(v)
		sort.Slice(sorted, func(i, j int) bool { return sorted[i] < sorted[j] })
		med := float64(sorted[len(v)/2])
		if len(v)%2 == 0 {
			med = (med + float64(sorted[len(v)/2-1])) / 2
		}
		d := distOf(slices.Clone(v))
		if d.med != med || d.min != sorted[0] || d.max != sorted[len(v)-1] {
			t.Fatalf("%v: %+v, median %v", v, d, med)
		}
	})
	if d := distOf([]int64{2, 4, 4, 4, 5, 5, 7, 9}); d.stddev < 2.138 || d.stddev > 2.139 {
		t.Errorf("standard deviation %v", d.stddev)
	}
	if d := distOf([]int64{7}); d.stddev != 0 {
		t.Errorf("standard deviation of one value %v", d.stddev)
	}
}

// TestOddTimes: whatever the times are, no report fails, and what is sound counts.
func TestOddTimes(t *testing.T) {
	time := rapid.OneOf(rapid.Int64Range(-100, 100), rapid.Int64(), rapid.SampledFrom([]int64{math.MinInt64, math.MaxInt64, interval.Farthest, -interval.Farthest, interval.Farthest + 1}))
	rapid.Check(t, func(t *rapid.T) {
		cell := rapid.Custom(func(t *rapid.T) string {
			if rapid.IntRange(0, 9).Draw(t, "null") == 0 {
				return "-"
			}
			return strconv.FormatInt(time.Draw(t, "time"), 10)
		})
		rows := func(head, rest string) string {
			out := head
			for i := range rapid.IntRange(0, 6).Draw(t, "rows") {
				out += "\n" + cell.Draw(t, "start") + " " + cell.Draw(t, "end") + " " + strings.ReplaceAll(rest, "#", strconv.Itoa(i))
			}
			return out
		}
		m := made{
			"StringIds":                       "id value\n1 k\n2 cudaLaunchKernel\n3 cudaDeviceSynchronize",
			"CUPTI_ACTIVITY_KIND_KERNEL":      rows("start end globalPid deviceId contextId streamId correlationId demangledName shortName", "p7 0 1 7 # 1 1"),
			"CUPTI_ACTIVITY_KIND_MEMCPY":      rows("start end globalPid deviceId contextId streamId correlationId bytes copyKind", "p7 0 1 7 # 4096 1"),
			"CUPTI_ACTIVITY_KIND_RUNTIME":     rows("start end globalTid correlationId nameId returnValue", "p7t9 # 2 0"),
			"CUPTI_ACTIVITY_KIND_GRAPH_TRACE": rows("start end globalPid deviceId contextId", "p7 0 1"),
			"PROFILER_OVERHEAD":               rows("start end globalTid", "p7t9"),
			"OSRT_API":                        rows("start end globalTid nameId", "p7t9 3"),
		}
		for _, r := range Reports() {
			table, err := r.Build(context.Background(), &Request{Trace: trace.New("made", m), Args: map[string]string{}})
			if _, skip := err.(*Skip); skip {
				continue
			}
			if err != nil {
				t.Fatalf("%s: %v", r.Name, err)
			}
			for row := range table.All() {
				for i, v := range row {
					if c := table.Columns[i].Name; r.Rule && (c == "busy_time" || c == "idle_time" || c == "span" || c == "duration") && v.Float64() < 0 {
						t.Fatalf("%s: %s is %v", r.Name, c, v.Float64())
					}
				}
			}
		}
	})
}

// TestFoundPanics: files that once ended gpu_busy and gpu_idle.
func TestFoundPanics(t *testing.T) {
	const runtime = "start end globalTid correlationId nameId\n1 2 p7t9 1 1"
	backward := made{"StringIds": "id value\n1 cudaLaunchKernel", "CUPTI_ACTIVITY_KIND_RUNTIME": runtime,
		"CUPTI_ACTIVITY_KIND_KERNEL": "start end globalPid deviceId contextId correlationId shortName\n0 -5 p7 0 1 1 1"}
	huge := made{"StringIds": "id value\n1 cudaLaunchKernel", "CUPTI_ACTIVITY_KIND_RUNTIME": runtime,
		"CUPTI_ACTIVITY_KIND_KERNEL": "start end globalPid deviceId contextId correlationId shortName\n0 9223372036854775807 p7 0 1 1 1\n-9223372036854775808 2010000 p7 0 1 1 1\n10 20 p7 0 1 1 1\n30 40 p7 0 1 1 1"}
	for _, spec := range []string{"gpu_busy", "gpu_idle", "launch_bound", "gpu_gaps", "gpu_time_util"} {
		t.Log(report(t, backward, spec))
		t.Log(report(t, huge, spec))
	}
	if got := report(t, huge, "gpu_busy"); !strings.Contains(got, "66.7,20,30,10,2,") {
		t.Errorf("of sound spans alone: %s", got)
	}
	if got := report(t, huge, "cuda_gpu_kern_sum"); !strings.Contains(got, "9223372036854775807") || strings.Contains(got, "-") {
		t.Errorf("a total beyond int64: %s", got)
	}
}
