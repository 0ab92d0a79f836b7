package amd_test

import (
	"fmt"
	"strings"

	"github.com/gpuprof/gpuprof/format/amd"
)

const atp = `TraceFileVersion=3.0
ProfilerVersion=5.6.7262
Application=/home/u/vadd
=====CodeXL ocl API Trace Output=====
4242
2
CL_SUCCESS = clEnqueueNDRangeKernel ( 0x10;0x20;1;NULL;[1024];[64];0;NULL;NULL )
CL_SUCCESS = clFinish ( 0x10 )
=====CodeXL ocl Timestamp Output=====
4242
2
79    clEnqueueNDRangeKernel                        1000 2000 4592 CL_COMMAND_NDRANGE_KERNEL 1100 1200 1500 1900 1 0x10 1 0x30 Hawaii 0x20 vadd {1024} {64}
43    clFinish                                      2100 3000
`

// What a trace tells: its sections as they stand in the file, and the calls of
// each thread joined with what they put on the device.
func ExampleReadTrace() {
	t, err := amd.ReadTrace(strings.NewReader(atp), int64(len(atp)), "vadd.atp")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range t.Sections {
		switch s.Kind {
		case amd.APITrace:
			c, _ := amd.ParseCall(s.Calls[0].Lines[0])
			fmt.Printf("%s calls of thread %d, the first is %s\n", s.Module, s.Calls[0].Thread, c.Name)
		case amd.Timestamps:
			fmt.Printf("times of %d calls\n", len(s.Stamps[0].Start))
		case amd.UnknownSection:
			fmt.Println("unknown:", s.Title)
		}
	}
	threads := t.Threads(amd.OpenCL)
	for p := range amd.Walk(threads...) {
		c := threads[p.Thread].Call(int(p.Call))
		fmt.Printf("%d %s %d ns", p.Index, c.Name, c.End-c.Start)
		if e := c.Enqueue; e != nil && e.IsKernel() && e.Shape != amd.Bare {
			fmt.Printf(", kernel %s on %s %d ns", e.Name(), e.Device, e.End-e.Start)
		}
		fmt.Println()
	}
	// Output:
	// ocl calls of thread 4242, the first is clEnqueueNDRangeKernel
	// times of 2 calls
	// 0 clEnqueueNDRangeKernel 1000 ns, kernel vadd on Hawaii 400 ns
	// 1 clFinish 900 ns
}

// What is no file of AMD's profilers is an error that tells what was expected; of a
// damaged file the problems are listed beside what is sound.
func ExampleReadCounters() {
	_, err := amd.ReadCounters(strings.NewReader("a, b\n1, 2\n"), 10, "x.csv")
	fmt.Println(err)
	// Output:
	// x.csv:1: expected a column Method, found "a, b"
}
