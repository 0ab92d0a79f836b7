package lifetime

import (
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/format/simlog"
)

// TestCyclesFromElsewhere: a kernel without trailer whose cycles count from elsewhere than
// its start is as long as its accesses are apart, and that is told.
func TestCyclesFromElsewhere(t *testing.T) {
	for _, c := range []struct {
		text   string
		cycles int64
		notes  int
	}{
		{"kernel,cycle,level,address,op\n1,5400,L1D,0,load\n1,5600,L1D,0,load\n", 5600, 1}, // the first access comes late
		{"kernel,cycle,level,address,op\n1,1700000000000000000,L1D,0,load\n1,1700000000000000200,L1D,0,load\n", 200, 2},
		{"kernel,cycle,level,address,op\n1,-50,L1D,0,load\n1,200,L1D,0,load\n", 250, 1},
		{"kernel,time_ns,level,address,op\n1,1700000000000000000,L1D,0,load\n1,1700000000000000200,L1D,0,load\n", 200, 1},
	} {
		a, err := Analyze(t.Context(), simlog.NewTableReader(t.Context(), strings.NewReader(c.text)), Settings{})
		if err != nil || len(a.Kernels) != 1 || a.Kernels[0].Cycles != c.cycles || len(a.Notes) != c.notes {
			t.Errorf("%.40q: %v, %+v, %v", c.text, err, a.Kernels, a.Notes)
		}
	}
}
