package load

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/trace"
)

// TestTiedByArrows opens traces in which some calls and kernels have no correlation
// number, but arrows: what the calls and kernels have then is the same number.
func TestTiedByArrows(t *testing.T) {
	slice := func(cat, name, pid, tid string, ts, dur float64, args string) string {
		return fmt.Sprintf(`{"ph":"X","cat":%q,"name":%q,"pid":%s,"tid":%s,"ts":%.3f,"dur":%.3f,"args":{%s}}`, cat, name, pid, tid, ts, dur, args)
	}
	arrow := func(ph, cat string, id int, pid, tid string, ts float64) string {
		return fmt.Sprintf(`{"ph":%q,"cat":%q,"name":%q,"id":%d,"pid":%s,"tid":%s,"ts":%.3f,"bp":"e"}`, ph, cat, cat, id, pid, tid, ts)
	}
	gpu := `"device":0,"stream":7`
	for _, cat := range []string{"ac2g", "async_cpu_to_gpu", "async"} {
		text := "[" + strings.Join([]string{
			slice("cpu_op", "aten::mm", "1", "10", 0, 100, ""),
			slice("cuda_runtime", "cudaLaunchKernel", "1", "10", 10, 5, ""),                  // neither side has a number
			slice("cuda_runtime", "cudaLaunchKernel", "1", "10", 20, 5, ""),                  // the kernel alone has one
			slice("cuda_runtime", "cudaLaunchKernel", "1", "10", 30, 5, `"correlation":900`), // the call alone has one
			slice("cuda_runtime", "cudaGraphLaunch", "1", "10", 40, 5, `"correlation":901`),  // both do: its arrow leads elsewhere
			slice("cuda_runtime", "cudaStreamSynchronize", "1", "10", 50, 5, ""),             // its arrow ends at nothing
			slice("kernel", "a", "0", "7", 1000, 1, gpu), slice("kernel", "b", "0", "7", 1010, 1, gpu+`,"correlation":5`),
			slice("kernel", "c", "0", "7", 1020, 1, gpu), slice("kernel", "d", "0", "7", 1030, 1, gpu+`,"correlation":901`),
			slice("kernel", "e", "0", "7", 1040, 1, gpu), slice("kernel", "f", "0", "7", 1050, 1, gpu), // no arrow; one that begins nowhere
			slice("gpu_memcpy", "Memcpy HtoD (Pinned -> Device)", "0", "7", 1060, 1, gpu),
			arrow("s", cat, 1, "1", "10", 10), arrow("f", cat, 1, "0", "7", 1000),
			arrow("s", cat, 2, "1", "10", 21), arrow("f", cat, 2, "0", "7", 1010),
			arrow("s", cat, 3, "1", "10", 30), arrow("f", cat, 3, "0", "7", 1020), arrow("f", cat, 3, "0", "7", 1060),
			arrow("s", cat, 4, "1", "10", 10), arrow("f", cat, 4, "0", "7", 1030),
			arrow("s", cat, 5, "1", "10", 50), arrow("f", cat, 5, "0", "7", 1234),
			arrow("s", cat, 6, "1", "10", 70), arrow("f", cat, 6, "0", "7", 1050),
		}, ",\n") + "]"
		f, err := OpenReader(strings.NewReader(text), int64(len(text)), "made.json")
		if err != nil {
			t.Fatal(err)
		}
		column := func(table string) (out []int64) {
			tb, err := f.Trace.Table(t.Context(), table, "correlationId")
			if err != nil || tb == nil {
				t.Fatal(table, err)
			}
			for i := range tb.Rows {
				if tb.IsNull("correlationId", i) {
					out = append(out, -1)
				} else {
					out = append(out, tb.Ints("correlationId")[i])
				}
			}
			return out
		}
		if got := fmt.Sprint(column(trace.TableRuntime), column(trace.TableKernel), column(trace.TableMemcpy)); got != "[902 903 900 901 -1] [902 903 900 901 -1 -1] [900]" {
			t.Errorf("%s: calls, kernels and copies have the numbers %s", cat, got)
		}
	}
}
