package simlog_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/gpuprof/gpuprof/format/simlog"
)

func TestTraceRows(t *testing.T) {
	const in = "-3.0,10000000.0,10000256.0,-1.0\n" + // floats, a negative cycle, an idle port
		"1,-1,-1,-1\n" + // all idle
		"2,5,-1,7,-1\r\n" +
		"3\n" + // no port at all
		"x,1,2\n" + // no cycle
		"4,1,oops,3\n" +
		"5,8,9,1.0,1.0,1.0\n" + // padded
		"6.5,1e2\n" +
		"7,11,12," // rows may end in a comma, files without line end
	r := simlog.NewTraceReader(strings.NewReader(in))
	var got []string
	for {
		c, a, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprint(c, a))
	}
	want := []string{"-3 [10000000 10000256]", "2 [5 7]", "4 [1 3]", "5 [8 9]", "6 [100]", "7 [11 12]"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if r.Rows != 9 || r.Accesses != 11 || r.Idle != 6 || r.Padding != 3 || r.Skipped != 1 || r.First != -3 || r.Last != 7 {
		t.Errorf("%+v", r)
	}
	if len(r.Notes()) != 4 {
		t.Errorf("notes %v", r.Notes())
	}
}

func TestReport(t *testing.T) {
	rep, err := simlog.ReadReport(strings.NewReader("LayerID, Total Cycles, Overall Util %,\n0, 52447, 15.6,\n1, 9, nix,\n"))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"LayerID", "Total Cycles", "Overall Util %"}, rep.Columns); d != "" {
		t.Error(d)
	}
	if v, ok := rep.Get(0, "total CYCLES"); !ok || v != 52447 {
		t.Error(v, ok)
	}
	if _, ok := rep.Get(1, "Overall Util %"); ok {
		t.Error("a cell that is no number has a value")
	}
	if _, ok := rep.Get(2, "Total Cycles"); ok {
		t.Error("a layer that is not there has a value")
	}
	if _, err := simlog.ReadReport(strings.NewReader("")); err == nil {
		t.Error("an empty report is no error")
	}
}

// Both traces of an operand become one level, in the order of cycles, with rows
// that the file holds out of order put right.
func TestScaleSim(t *testing.T) {
	fsys := fstest.MapFS{
		"layer0/IFMAP_DRAM_TRACE.csv":  {Data: []byte("-2.0,0.0,1.0\n-1.0,2.0,3.0\n")},
		"layer0/IFMAP_SRAM_TRACE.csv":  {Data: []byte("1,0,-1\n2,1,0\n")},
		"layer0/OFMAP_SRAM_TRACE.csv":  {Data: []byte("3,20000000\n4,20000001\n")},
		"layer0/OFMAP_DRAM_TRACE.csv":  {Data: []byte("4,20000000\n9,20000001\n5,20000000\n")},
		"layer10/OFMAP_SRAM_TRACE.csv": {Data: []byte("1,20000000\n")},
		"layer2/OFMAP_SRAM_TRACE.csv":  {Data: []byte("1,20000000\n")},
		"COMPUTE_REPORT.csv":           {Data: []byte("LayerID, Total Cycles, Stall Cycles,\n0, 4, 0,\n2, 7, 0,\n")},
		"DETAILED_ACCESS_REPORT.csv":   {Data: []byte("LayerID, SRAM IFMAP Reads, DRAM IFMAP Reads,\n0, 3, 5,\n")},
	}
	s, err := simlog.OpenScaleSim(context.Background(), fsys, "run")
	if err != nil {
		t.Fatal(err)
	}
	got, err := transcript(s)
	if err != nil {
		t.Fatal(err)
	}
	want := `start 0 id 0 "layer0" L1 0
-2 IFMAP store UNKNOWN 0/0 0
-2 IFMAP store UNKNOWN 0/0 1
-1 IFMAP store UNKNOWN 0/0 2
-1 IFMAP store UNKNOWN 0/0 3
1 IFMAP load UNKNOWN 0/0 0
2 IFMAP load UNKNOWN 0/0 1
2 IFMAP load UNKNOWN 0/0 0
3 OFMAP store UNKNOWN 0/0 1312d00
4 OFMAP store UNKNOWN 0/0 1312d01
4 OFMAP load UNKNOWN 0/0 1312d00
5 OFMAP load UNKNOWN 0/0 1312d00
9 OFMAP load UNKNOWN 0/0 1312d01
end 0 id 0 cycles 4 of 0, insn 0, 0 s, 0 stats
start 1 id 2 "layer2" L1 0
1 OFMAP store UNKNOWN 0/0 1312d00
end 1 id 2 cycles 7 of 0, insn 0, 0 s, 0 stats
start 2 id 10 "layer10" L1 0
1 OFMAP store UNKNOWN 0/0 1312d00
end 2 id 10 cycles 0 of 0, insn 0, 0 s, 0 stats
`
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if s.Traces[0].Reported != 3 || s.Traces[0].Accesses != 3 || s.Traces[1].Reported != 5 || s.Traces[2].Reported != -1 {
		t.Errorf("traces %+v", s.Traces)
	}
	for _, note := range []string{"layer0/FILTER_SRAM_TRACE.csv is missing", "layer0/IFMAP_DRAM_TRACE.csv holds 4 addresses, DETAILED_ACCESS_REPORT says 5", "BANDWIDTH_REPORT.csv is missing"} {
		if !strings.Contains(noteTexts(s), note) {
			t.Errorf("no note %q in\n%s", note, noteTexts(s))
		}
	}
	if _, err := simlog.OpenScaleSim(context.Background(), fstest.MapFS{"a.txt": {}}, "x"); !errors.Is(err, simlog.ErrUnrecognized) {
		t.Errorf("error %v", err)
	}
}
