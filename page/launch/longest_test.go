package launch

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
)

// TestLongest applies rules to the launches that took most time where there are too
// many, and says so.
func TestLongest(t *testing.T) {
	var b bytes.Buffer
	b.WriteString("# ProfilerVersion=3.0\nMethod,ExecutionOrder,ThreadID,CallIndex,GlobalWorkSize,WorkGroupSize,Time,LocalMemSize,VGPRs,SGPRs,ScratchRegs\n")
	const all = mostRuled + 10
	for i := range all {
		fmt.Fprintf(&b, "k%d,%d,1,%d,{64 1 1},{64 1 1},%d,0,4,4,0\n", i, i, i, 1+i%all)
	}
	f, err := load.OpenReader(bytes.NewReader(b.Bytes()), int64(b.Len()), "many.csv")
	if err != nil {
		t.Fatal(err)
	}
	var notes []string
	q := &page.Request{Files: []*load.File{f}, Args: []string{"many.csv"}, Note: func(s string) { notes = append(notes, s) }}
	launches, err := page.SelectLaunches(q)
	if err != nil || len(launches) != all {
		t.Fatal(len(launches), err)
	}
	got := longest(q, launches)
	if len(got) != mostRuled || got[0].Action != launches[10].Action || got[mostRuled-1].Action != launches[all-1].Action || len(notes) != 1 {
		t.Errorf("%d launches, notes %q", len(got), notes)
	}
	if few := launches[:mostRuled]; !slices.Equal(longest(q, few), few) || len(notes) != 1 {
		t.Errorf("few are not left as they are: notes %q", notes)
	}
}
