// Package synth makes session files of any size for benchmarks and tests. What
// it makes depends on its arguments only.
package synth

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
)

// Trace writes an .atp file of an OpenCL application with the given number of
// API calls, spread over threads.
func Trace(w io.Writer, calls, threads int, seed uint64) error {
	b := bufio.NewWriterSize(w, 1<<20)
	fmt.Fprint(b, "TraceFileVersion=3.2\nProfilerVersion=5.6.7262\nApplication=synth\nApplicationArgs=\nWorkingDirectory=.\n"+
		"UserTimer=False\nOS Version=Linux\nDisplayName=synth\nCLExcludedAPIs=\n=====ocl API Trace Output=====\n")
	for t := range threads {
		g := newThread(t, seed)
		n := share(calls, threads, t)
		fmt.Fprintf(b, "%d\n%d\n", 1000+t, n)
		for i := range n {
			g.next(i)
			g.call(b)
		}
	}
	fmt.Fprint(b, "=====ocl Timestamp Output=====\n")
	for t := range threads {
		g := newThread(t, seed)
		n := share(calls, threads, t)
		fmt.Fprintf(b, "%d\n%d\n", 1000+t, n)
		for i := range n {
			g.next(i)
			g.stamp(b)
		}
	}
	return b.Flush()
}

func share(calls, threads, t int) int { return calls*(t+1)/threads - calls*t/threads }

// thread makes the calls of one thread.
type thread struct {
	r     *rand.Rand
	id    int
	now   uint64
	kind  int
	size  uint64
	event uint64
	dur   uint64
}

func newThread(id int, seed uint64) *thread {
	return &thread{r: rand.New(rand.NewPCG(seed, uint64(id))), id: id, now: 1e12}
}

// next chooses the next call: of ten, one is a kernel and one a transfer.
func (g *thread) next(i int) {
	g.kind = g.r.IntN(10)
	g.size = 64 << g.r.IntN(16)
	g.event = 0x55950000 + uint64(i)*0x100
	g.dur = 100 + uint64(g.r.IntN(20000))
	g.now += g.dur + uint64(g.r.IntN(500))
}

var names = []string{"clEnqueueNDRangeKernel", "clEnqueueWriteBuffer", "clSetKernelArg", "clSetKernelArg",
	"clSetKernelArg", "clSetKernelArg", "clGetEventInfo", "clFlush", "clRetainEvent", "clReleaseEvent"}

var ids = []int{66, 54, 36, 36, 36, 36, 43, 50, 45, 46}

func (g *thread) call(b *bufio.Writer) {
	queue := 0xa0000 + g.id*0x100
	switch g.kind {
	case 0:
		fmt.Fprintf(b, "CL_SUCCESS = clEnqueueNDRangeKernel ( 0x%x;0xb%d00;1;NULL;[%d];[64];0;NULL;[0x%x] )\n", queue, g.size%7, g.size, g.event)
	case 1:
		fmt.Fprintf(b, "CL_SUCCESS = clEnqueueWriteBuffer ( 0x%x;0xd0;CL_FALSE;0;%d;0x7f0000001000;0;NULL;NULL )\n", queue, g.size)
	case 6:
		fmt.Fprintf(b, "CL_SUCCESS = clGetEventInfo ( 0x%x;CL_EVENT_COMMAND_EXECUTION_STATUS;4;[CL_COMPLETE];NULL ) \n", g.event)
	case 7:
		fmt.Fprintf(b, "CL_SUCCESS = clFlush ( 0x%x )\n", queue)
	case 8, 9:
		fmt.Fprintf(b, "CL_SUCCESS = %s ( 0x%x )\n", names[g.kind], g.event)
	default:
		fmt.Fprintf(b, "CL_SUCCESS = clSetKernelArg ( 0xb%d00;%d;8;[0x%x] )\n", g.size%7, g.kind-2, g.event)
	}
}

func (g *thread) stamp(b *bufio.Writer) {
	start := g.now - g.dur
	fmt.Fprintf(b, "%-5d%-45s%-21d%-21d", ids[g.kind], names[g.kind], start, g.now)
	if g.kind > 1 {
		b.WriteByte('\n')
		return
	}
	id, name := 4592, "CL_COMMAND_NDRANGE_KERNEL"
	if g.kind == 1 {
		id, name = 4596, "CL_COMMAND_WRITE_BUFFER"
	}
	queue := fmt.Sprintf("0x%x", 0xa0000+g.id*0x100)
	fmt.Fprintf(b, "%-8d%-40s%-21d%-21d%-21d%-21d%-10d%-25s%-10d%-25s%-30s", id, name, start+20, start+30, g.now+100, g.now+100+g.dur,
		g.id, queue, 0, "0xc0", "gfx900")
	if g.kind == 1 {
		fmt.Fprintf(b, "%-20d\n", g.size)
		return
	}
	fmt.Fprintf(b, "%-25skernel_%d      {%d}     {64}\n", fmt.Sprintf("0xb%d00", g.size%7), g.size%7, g.size)
}

// Counters writes a .csv file with a row for each of the given number of kernel
// dispatches.
func Counters(w io.Writer, kernels int, seed uint64) error {
	r := rand.New(rand.NewPCG(seed, 1))
	b := bufio.NewWriterSize(w, 1<<20)
	fmt.Fprint(b, "#ProfileFileVersion=5.6\n#ProfilerVersion=5.6.7262\n#API=OpenCL\n#Application=synth\n#ListSeparator=,\n"+
		"Method, ExecutionOrder, ThreadID, CallIndex, GlobalWorkSize, WorkGroupSize, Time, LocalMemSize, VGPRs, SGPRs, ScratchRegs, "+
		"Wavefronts, VALUInsts, SALUInsts, VFetchInsts, SFetchInsts, VWriteInsts, LDSInsts, VALUUtilization, VALUBusy, SALUBusy, FetchSize, CacheHit, MemUnitBusy, MemUnitStalled, WriteUnitStalled, LDSBankConflict\n")
	for i := range kernels {
		fmt.Fprintf(b, "kernel_%d__k%d_gfx9001, %d, 1000, %d, {%7d %7d %7d}, {%5d %5d %5d}, %15.5f, 0, %d, %d, 0", i%7, i%7+1, i+1, i*3,
			1<<(10+i%10), 1, 1, 64, 1, 1, r.Float64(), 4+i%60, 8+i%90)
		for range 16 {
			fmt.Fprintf(b, ", %12.2f", 100*r.Float64())
		}
		b.WriteByte('\n')
	}
	return b.Flush()
}
