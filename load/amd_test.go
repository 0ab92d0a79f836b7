package load

import (
	"context"
	"strings"
	"testing"
)

// TestAMD: session files of AMD's profilers are told apart and opened, and what
// is wrong with them is told with its line.
func TestAMD(t *testing.T) {
	const dir = "../format/amd/testdata/vectors/"
	f, err := Open(context.Background(), dir+"001-api-basic.atp")
	if err != nil || !f.AMD.IsTrace() || len(f.Problems()) > 0 {
		t.Fatalf("%+v, %v", f, err)
	}
	f.Close()
	f, err = Open(context.Background(), dir+"300-occupancy-filter.occupancy")
	if err != nil || f.AMD == nil || f.AMD.Occupancy == nil {
		t.Fatalf("%+v, %v", f, err)
	}
	f.Close()
	text := "Method, ExecutionOrder, ThreadID, GlobalWorkSize\na, 1\n"
	f, err = OpenReader(strings.NewReader(text), int64(len(text)), "a.csv")
	if err != nil || f.AMD == nil || f.AMD.Counters == nil {
		t.Fatalf("%+v, %v", f, err)
	}
	if p := f.Problems(); len(p) != 1 || p[0] != "a.csv:2: expected 4 cells, found 2" {
		t.Errorf("problems %q", p)
	}
}
