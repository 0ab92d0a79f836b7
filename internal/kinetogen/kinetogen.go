// Package kinetogen writes traces as PyTorch's profiler does, of a training loop
// that never ran, for tests and measurements. What it writes is known: a [Truth]
// says what a reader has to find.
//
// A step of the loop is a ProfilerStep# with layers; a layer is a module in
// Python, an operator that calls another, a launch and a kernel, and an
// all-reduce on a stream of its own that covers half of the next kernel. The step
// begins with a copy to the GPU and ends with a synchronization.
package kinetogen

import (
	"bufio"
	"fmt"
	"io"
)

// Options say how a trace is to look.
type Options struct {
	Steps, Layers int
	Old           bool // as of 2020: categories with capitals, tids with words, no base
	Indent        bool // many lines an event
	MetaLast      bool // what describes the run stands behind the events
	Rank, World   int  // World 0: no distributedInfo
}

// A Truth is what a trace holds.
type Truth struct {
	Events                        int
	Ops, Python, Calls, Kernels   int
	Copies, Collectives, Memory   int
	KernelTime                    int64 // ns, of all kernels
	Compute, ExposedComm, Exposed int64 // ns: compute kernels; collectives beside none; copies beside neither
	Busy, Idle                    int64 // ns: of the GPU from the first to the last of its work
	CopyBytes, PeakBytes          int64
	Base                          int64
}

// Times within a layer and a step, in ns. A kernel of layer k takes kernelTime +
// k; its all-reduce begins when it ends.
const (
	layerTime  = 40_000
	opOffset   = 1_000
	kernelTime = 20_250
	commTime   = 30_000
	lag        = 6_000 // from the launch to the kernel
	copyTime   = 9_001
	base       = 1_703_473_284_000_000_000
	epoch      = 1_610_366_728_000_000_000
)

type writer struct {
	w     *bufio.Writer
	o     Options
	t     Truth
	first bool
	corr  int
	ev    int
	py    int
	last  int64 // end of the last work of the GPU
}

// Write writes a trace.
func Write(to io.Writer, o Options) (Truth, error) {
	w := &writer{w: bufio.NewWriterSize(to, 1<<20), o: o, first: true}
	if !o.Old {
		w.t.Base = base
	}
	fmt.Fprint(w.w, "{\n")
	if !o.MetaLast {
		w.meta()
		fmt.Fprint(w.w, ",\n")
	}
	fmt.Fprint(w.w, "  \"traceEvents\": [\n")
	w.labels()
	at := int64(1_000_000)
	if o.Old {
		at = epoch
	}
	for s := range o.Steps {
		at = w.step(s, at)
	}
	fmt.Fprint(w.w, "\n  ]")
	if o.MetaLast {
		fmt.Fprint(w.w, ",\n")
		w.meta()
	}
	fmt.Fprint(w.w, "\n}\n")
	return w.t, w.w.Flush()
}

func (w *writer) meta() {
	fmt.Fprint(w.w, `  "schemaVersion": 1,
  "deviceProperties": [
    { "id": 0, "name": "Model GPU 80GB", "totalGlobalMem": 85899345920, "computeMajor": 9, "computeMinor": 0, "maxThreadsPerBlock": 1024, "maxThreadsPerMultiprocessor": 2048, "regsPerBlock": 65536, "warpSize": 32, "sharedMemPerBlock": 49152, "numSms": 132, "regsPerMultiprocessor": 65536, "sharedMemPerBlockOptin": 232448, "sharedMemPerMultiprocessor": 233472 }
  ],
  "record_shapes": 1,
  "with_stack": 1,
`)
	if w.o.World > 0 {
		fmt.Fprintf(w.w, "  \"distributedInfo\": {\"backend\": \"nccl\", \"rank\": %d, \"world_size\": %d, \"pg_count\": 1, \"pg_config\": [{\"pg_name\": \"0\", \"pg_desc\": \"default_pg\", \"backend_config\": \"cuda:nccl\", \"pg_size\": %d, \"ranks\": [0, 1]}]},\n", w.o.Rank, w.o.World, w.o.World)
	}
	if !w.o.Old {
		fmt.Fprintf(w.w, "  \"baseTimeNanoseconds\": %d,\n  \"displayTimeUnit\": \"ms\",\n", int64(base))
	}
	fmt.Fprint(w.w, "  \"traceName\": \"made.pt.trace.json\"")
}

func (w *writer) labels() {
	for _, l := range []string{`"name": "process_name", "pid": 77, "tid": 0, "args": {"name": "python3"}`, `"name": "thread_name", "pid": 77, "tid": 77, "args": {"name": "thread 77 (python3)"}`,
		`"name": "process_labels", "pid": 0, "tid": 0, "args": {"labels": "GPU 0"}`} {
		w.event(`"ph": "M", "ts": 0, ` + l)
	}
}

// event writes an event whose members are given.
func (w *writer) event(members string) {
	if !w.first {
		fmt.Fprint(w.w, ",\n")
	}
	w.first = false
	w.t.Events++
	open, end := "  {\n    ", "\n  }"
	if !w.o.Indent {
		open, end = "  {", "}"
	}
	fmt.Fprint(w.w, open, members, end)
}

// slice writes an X event; times are printed as microseconds with the digits of
// their nanoseconds.
func (w *writer) slice(cat, old, name, pid, tid string, start, dur int64, args string) {
	if w.o.Old {
		cat = old
	}
	nl := " "
	if w.o.Indent {
		nl = "\n    "
	}
	w.event(fmt.Sprintf("\"ph\": \"X\", \"cat\": %q, \"name\": %q, \"pid\": %s, \"tid\": %s,%s\"ts\": %d.%03d, \"dur\": %d.%03d,%s\"args\": {%s}",
		cat, name, pid, tid, nl, start/1000, start%1000, dur/1000, dur%1000, nl, args))
}

// index is the next Ev Idx.
func (w *writer) index() int { w.ev++; return w.ev }

func (w *writer) step(s int, at int64) int64 {
	begin, tid := at, "77"
	w.py++
	loop := w.py
	w.t.Python++
	total := int64(w.o.Layers)*layerTime + 120_000
	w.slice("python_function", "python_function", "train.py(10): train_step", "77", tid, at, total, fmt.Sprintf(`"Python parent id": null, "Python id": %d, "Ev Idx": %d`, loop, w.index()))
	w.slice("user_annotation", "user_annotation", fmt.Sprintf("ProfilerStep#%d", s), "77", tid, at, total, fmt.Sprintf(`"External id": %d, "Ev Idx": %d`, 1_000_000+s, w.index()))
	at += 2_000
	w.copyIn(at)
	// The copy ends before the first kernel begins.
	gpu := at + lag
	w.t.Exposed += copyTime
	busyEnd := gpu + copyTime
	first, last := gpu, busyEnd
	busy := int64(copyTime)
	at += 20_000
	for k := range w.o.Layers {
		start := at + opOffset + lag
		end := w.layer(s, k, at, loop)
		dur := kernelTime + int64(k%100)
		w.t.Compute += dur
		// All-reduces of a layer begin when its kernel ends and run into the next.
		commEnd := start + dur + commTime
		next := start + layerTime
		exposed := int64(commTime)
		if k+1 < w.o.Layers && commEnd > next {
			exposed -= commEnd - next
		}
		w.t.ExposedComm += exposed
		busy += dur + exposed
		last = commEnd
		at = end
	}
	w.t.Busy += busy
	if s > 0 {
		w.t.Idle += first - w.last
	}
	w.t.Idle += last - first - busy
	w.last = last
	w.memory(at, -w.t.PeakBytes)
	w.corr++
	w.slice("cuda_runtime", "Runtime", "cudaDeviceSynchronize", "77", tid, at, 60_000, fmt.Sprintf(`"cbid": 165, "correlation": %d`, w.corr))
	w.t.Calls++
	return begin + total + 50_000
}

func (w *writer) copyIn(at int64) {
	const bytes = 1 << 20
	w.corr++
	w.slice("cuda_runtime", "Runtime", "cudaMemcpyAsync", "77", "77", at, 3_000, fmt.Sprintf(`"cbid": 41, "correlation": %d`, w.corr))
	w.slice("gpu_memcpy", "Memcpy", "Memcpy HtoD (Pinned -> Device)", "0", w.stream(7), at+lag, copyTime, fmt.Sprintf(`"device": 0, "context": 1, "stream": 7, "correlation": %d, "bytes": %d, "memory bandwidth (GB/s)": inf`, w.corr, bytes))
	w.t.Calls, w.t.Copies, w.t.CopyBytes = w.t.Calls+1, w.t.Copies+1, w.t.CopyBytes+bytes
}

func (w *writer) stream(n int) string {
	if w.o.Old {
		return fmt.Sprintf("\"stream %d\"", n)
	}
	return fmt.Sprint(n)
}

func (w *writer) memory(at, bytes int64) {
	dev := `"Device Type": 1, "Device Id": 0`
	cat := `"cat": "cpu_instant_event", `
	if w.o.Old {
		cat = ""
	}
	total := max(bytes, 0)
	w.event(fmt.Sprintf(`"ph": "i", %s"s": "t", "name": "[memory]", "pid": 77, "tid": 77, "ts": %d.%03d, "args": {"Total Reserved": %d, "Total Allocated": %d, "Bytes": %d, "Addr": 140000000000000, %s, "Ev Idx": %d}`,
		cat, at/1000, at%1000, 2<<20, total, bytes, dev, w.index()))
	w.t.Memory++
	w.t.PeakBytes = max(w.t.PeakBytes, total)
}

// layer writes what a layer does and returns when the next begins.
func (w *writer) layer(s, k int, at int64, loop int) int64 {
	w.py++
	w.t.Python++
	ext := w.ev + 5_000_000
	w.slice("python_function", "python_function", fmt.Sprintf("nn.Module: Linear_%d", k), "77", "77", at, 30_000, fmt.Sprintf(`"Python parent id": %d, "Python id": %d, "Python module id": %d, "Ev Idx": %d`, loop, w.py, k, w.index()))
	shapes := `"Input type": ["float", "float", "float"], "Input Dims": [[64, 1024], [4096, 1024], [4096]], "Concrete Inputs": ["", "", ""], "Input Strides": [[1024, 1], [1024, 1], [1]]`
	w.slice("cpu_op", "Operator", "aten::linear", "77", "77", at+100, 20_000, fmt.Sprintf(`"External id": %d, "Sequence number": %d, "Fwd thread id": 0, %s, "Ev Idx": %d`, ext, k, shapes, w.index()))
	mm := `"Input type": ["float", "float", "float", "Scalar", "Scalar"], "Input Dims": [[4096], [64, 1024], [1024, 4096], [], []], "Concrete Inputs": ["", "", "", "1", "1"]`
	w.slice("cpu_op", "Operator", "aten::addmm", "77", "77", at+500, 15_000, fmt.Sprintf(`"External id": %d, %s, "Ev Idx": %d`, ext+1, mm, w.index()))
	w.t.Ops += 2
	w.corr++
	call := at + opOffset
	w.slice("cuda_runtime", "Runtime", "cudaLaunchKernel", "77", "77", call, 4_000, fmt.Sprintf(`"External id": %d, "cbid": 211, "correlation": %d`, ext+1, w.corr))
	dur := kernelTime + int64(k%100)
	w.slice("kernel", "Kernel", "sm90_xmma_gemm_f32f32_tf32f32_f32_tn_n", "0", w.stream(7), call+lag, dur,
		fmt.Sprintf(`"External id": %d, "queued": 0, "device": 0, "context": 1, "stream": 7, "correlation": %d, "registers per thread": 168, "shared memory": 98304, "blocks per SM": 0.969697, "warps per SM": 7.757576, "grid": [32, 4, 1], "block": [256, 1, 1], "est. achieved occupancy %%": 12`, ext+1, w.corr))
	w.flow(w.corr, call, call+lag)
	if k == 0 {
		w.memory(at+300, 4<<20)
	}
	w.corr++
	coll := `"Collective name": "allreduce", "dtype": "Float", "In msg nelems": 4194304, "Out msg nelems": 4194304, "Group size": 2, "Process Group Name": "0", "Process Group Description": "default_pg", "Process Group Ranks": "[0, 1]", "In split size": "[]", "Out split size": "[]"`
	w.slice("cpu_op", "Operator", "record_param_comms", "77", "77", at+22_000, 6_000, fmt.Sprintf(`"External id": %d, %s, "Ev Idx": %d`, ext+2, coll, w.index()))
	w.slice("cuda_runtime", "Runtime", "cudaLaunchKernelExC", "77", "77", at+23_000, 3_000, fmt.Sprintf(`"External id": %d, "cbid": 430, "correlation": %d`, ext+2, w.corr))
	w.slice("kernel", "Kernel", "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)", "0", w.stream(20), call+lag+dur, commTime,
		fmt.Sprintf(`"External id": %d, "queued": 0, "device": 0, "context": 1, "stream": 20, "correlation": %d, "registers per thread": 96, "shared memory": 0, "grid": [24, 1, 1], "block": [512, 1, 1], %s`, ext+2, w.corr, coll))
	w.t.Ops, w.t.Calls, w.t.Kernels, w.t.Collectives = w.t.Ops+1, w.t.Calls+2, w.t.Kernels+2, w.t.Collectives+1
	w.t.KernelTime += dur + commTime
	return at + layerTime
}

func (w *writer) flow(id int, from, to int64) {
	cat := "ac2g"
	if w.o.Old {
		cat = "async"
	}
	w.event(fmt.Sprintf(`"ph": "s", "id": %d, "pid": 77, "tid": 77, "ts": %d.%03d, "cat": %q, "name": %q`, id, from/1000, from%1000, cat, cat))
	w.event(fmt.Sprintf(`"ph": "f", "id": %d, "pid": 0, "tid": %s, "ts": %d.%03d, "cat": %q, "name": %q, "bp": "e"`, id, w.stream(7), to/1000, to%1000, cat, cat))
}
