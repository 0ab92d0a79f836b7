package amd

import (
	"strings"
	"testing"
)

// TestNotANumber: a cell that should be a number is told with line and column; what says
// that a number is not known is not.
func TestNotANumber(t *testing.T) {
	c := readCounters(t, "Method, ExecutionOrder, ThreadID, GlobalWorkSize, WorkGroupSize, VGPRs, VALUBusy\n"+
		"a__k1_gfx9001, 1, 7, {64 1 1}, NULL, NULL, N/A\nb__k2_gfx9001, 2, 7, {64 1 1}, {64 1 1}, 1e1, 12.5e\nc__k3_gfx9001, 3, 7, 64x1, {64 1 1}, 4, 12x\n")
	var got []string
	for _, p := range c.Problems {
		got = append(got, p.Error())
	}
	want := []string{`t.csv:3: expected a number in column VALUBusy, found "12.5e"`, `t.csv:4: expected a size {x y z} in column GlobalWorkSize, found "64x1"`,
		`t.csv:4: expected a number in column VALUBusy, found "12x"`}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%s", strings.Join(got, "\n"))
	}
	o := readOccupancies(t, "Thread ID,Kernel Name,Device Name,Number of VGPR used,Kernel occupancy\n1,2f,Tahiti,NULL,NULL\n1,f,Tahiti,four,50\n")
	if len(o.Problems) != 1 || o.Problems[0].Error() != `t.occupancy:3: expected a number in column Number of VGPR used, found "four"` {
		t.Error(o.Problems)
	}
}

// TestOldColumns: files of 24 columns spell one of them without the hyphen.
func TestOldColumns(t *testing.T) {
	o := readOccupancies(t, "Thread ID,Kernel Name,Nbr VGPR-limited waves,Nbr of WG limited waves,Kernel occupancy\n1,f,20,36,50\n")
	if r := o.Row(0); r.WavesByVGPR != 20 || r.WavesByGroup != 36 || r.WavesBySGPR != -1 || r.SIMDsPerCU != 4 {
		t.Errorf("%+v", r)
	}
}

// TestFailed: a call tells that it failed by its result, or by its last argument.
func TestFailed(t *testing.T) {
	for line, want := range map[string]bool{
		"CL_SUCCESS = clFinish ( 0x1 )":                                  false,
		"CL_INVALID_VALUE = clFinish ( 0x1 )":                            true,
		"0xa0 = clCreateBuffer ( 0x1;1;64;NULL;[CL_SUCCESS] )":           false,
		"NULL = clCreateBuffer ( 0x1;1;64;NULL;[CL_OUT_OF_RESOURCES] )":  true,
		"NULL = clGetExtensionFunctionAddress ( \"[CL_X]\" )":            false,
		"HSA_STATUS_INFO_BREAK = hsa_iterate_agents ( callback=0x1 )":    false,
		"HSA_STATUS_ERROR_INVALID_QUEUE = hsa_queue_destroy ( queue=1 )": true,
	} {
		c, _ := ParseCall(line)
		if got := c.Failed(); got != want || got && !MayFail(line) {
			t.Errorf("%s: %v", line, got)
		}
	}
}

// TestPlaces: calls and stack traces are joined though one side lost a line.
func TestPlaces(t *testing.T) {
	text := "TraceFileVersion=3.2\n=====ocl API Trace Output=====\n7\n5\nCL_SUCCESS = clA ( 1 )\nCL_SUCCESS = clB ( 1 )\nCL_SUCCESS = clC ( 1 )\nCL_SUCCESS = clD ( 1 )\nCL_SUCCESS = clE ( 1 )\n" +
		"=====ocl Stack Trace Output=====\n7\n4\nclA\tNA\t12\tmain.c\nclC\tNA\t14\tmain.c\nclD\t0x40+0x2\nclE\n"
	tr, err := ReadTrace(strings.NewReader(text), int64(len(text)), "t.atp")
	if err != nil || !tr.Placed() {
		t.Fatal(err)
	}
	p := tr.Threads(OpenCL)[0].Places()
	for i, want := range []string{"main.c:12 ", "", "main.c:14 ", "0x40+0x2", ""} {
		f, ok := p.Of(i)
		got := f.Symbol
		if f.File != "" {
			got = f.File + ":" + string(rune('0'+f.Line/10)) + string(rune('0'+f.Line%10)) + " " + f.Symbol
		}
		if ok != (want != "") || ok && got != want {
			t.Errorf("call %d: %q, want %q", i, got, want)
		}
	}
	if _, ok := (*Places)(nil).Of(0); ok {
		t.Error("a place of a trace without any")
	}
}
