package load

import (
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/trace"
)

// TestUntimed opens traces with a slice at time 0: it makes the trace no longer where all
// others are months later.
func TestUntimed(t *testing.T) {
	for _, c := range []struct {
		what, times string // of the others
		stop        int64
		told        bool
	}{
		{"months later", `"ts":7000000000000`, 50_000, true},
		{"soon after", `"ts":7000`, 7_050_000, false},
	} {
		text := `[{"ph":"X","cat":"kernel","name":"a","pid":0,"tid":7,"ts":0,"dur":5},{"ph":"X","cat":"kernel","name":"b","pid":0,"tid":7,` + c.times + `,"dur":50}]`
		f, err := OpenReader(strings.NewReader(text), int64(len(text)), "x.json")
		if err != nil {
			t.Fatal(err)
		}
		k, err := f.Trace.All(t.Context(), trace.TableKernel)
		if err != nil || k.Rows != 2 || k.Ints("start")[0] != 0 || k.Ints("end")[0] != 5000 || k.Ints("end")[1] != c.stop {
			t.Errorf("%s: %v to %v, %v", c.what, k.Ints("start"), k.Ints("end"), err)
		}
		if told := strings.Contains(strings.Join(f.Problems(), "\n"), "time 0 in 1 slices"); told != c.told {
			t.Errorf("%s: problems %v", c.what, f.Problems())
		}
	}
}
