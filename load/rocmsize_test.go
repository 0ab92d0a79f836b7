package load

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// TestROCmSizes: a size that the file does not tell is not known, and no number is made
// of it; what follows from the rest stays.
func TestROCmSizes(t *testing.T) {
	const names, row = "Kernel_Name,Dispatch_ID,Start_Timestamp,End_Timestamp", "k,1,1000,2000"
	for _, c := range []struct {
		names, row    string
		grid, block   [3]uint64
		known, blocks bool
		threads       string
	}{
		{"", "", [3]uint64{}, [3]uint64{}, false, false, ""},
		{",Grid_Size", ",640", [3]uint64{}, [3]uint64{}, false, false, "640"},
		{",Workgroup_Size", ",64", [3]uint64{}, [3]uint64{64, 1, 1}, false, true, ""},
		{",Grid_Size,Workgroup_Size", ",0,0", [3]uint64{}, [3]uint64{}, false, false, ""},
		{",Grid_Size,Workgroup_Size", ",650,64", [3]uint64{11, 1, 1}, [3]uint64{64, 1, 1}, true, true, "704"},
		{",Grid_Size_X,Grid_Size_Y,Workgroup_Size_X", ",128,4,64", [3]uint64{2, 4, 1}, [3]uint64{64, 1, 1}, true, true, "512"},
	} {
		file := filepath.Join(t.TempDir(), "k.csv")
		if err := os.WriteFile(file, []byte(names+c.names+"\n"+row+c.row+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := Open(context.Background(), file)
		if err != nil {
			t.Fatal(err)
		}
		a := f.Report.Ranges[0].Actions[0]
		if a.Grid != c.grid || a.Block != c.block || a.Knows(a.Grid) != c.known || a.Knows(a.Block) != c.blocks {
			t.Errorf("%q: grid %v, block %v", c.row, a.Grid, a.Block)
		}
		ms, err := a.Metrics()
		if err != nil {
			t.Fatal(err)
		}
		if m := ms.Lookup("launch__grid_size"); (m != nil) != c.known {
			t.Errorf("%q: grid size: %v", c.row, m)
		}
		threads := ""
		if m := ms.Lookup("launch__thread_count"); m != nil {
			threads = fmt.Sprint(m.Value.Double())
		}
		if threads != c.threads {
			t.Errorf("%q: %q threads", c.row, threads)
		}
		f.Close()
	}
}
