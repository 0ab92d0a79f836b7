package ranks

import (
	"github.com/gpuprof/gpuprof/steps"
)

// A Partial is what one rank adds to the analysis of a run. Times are ns on the
// rank's own clock, those of the report.
type Partial struct {
	Identity
	Digest   Digest     // of one that a set held
	Span     steps.Span // from the first work of the device to the last
	Kernels  int64
	Copies   int64
	Unplaced int64    // events without a time
	Problems []string // defects of the report that cost something

	StepSource steps.Source
	StepText   string // how the steps were found, in words
	Numbered   bool   // numbers of steps are the program's
	Steps      []Step
	Whole      steps.Times  // over Span
	Overlap    steps.Matrix // over the steps, or Span where there are none

	Channels []Channel
	Closed   int64 // time in gaps of computing that were closed, ns

	sums            []byte   // see packSums
	computing, busy spanList // unions; short gaps may be closed
}

// Sums are the kernels of the partial, most time first, and what each took in each
// step, by step, then kernel.
func (p *Partial) Sums() ([]KernelSum, []Cost) {
	return newUnpacker(p.sums).sums(len(p.Steps)) // was checked when it was read
}

// A Step is a step of a rank.
type Step struct {
	Number int64
	steps.Times
}

// A Channel is the list of the collectives of a communicator or, where the report
// does not tell communicators, of a stream and a kind of call.
type Channel struct {
	Communicator uint64 // 0: not known
	Ranks        int64  // that its initialization gave, 0: not known
	Stream       int64  // of an unknown communicator
	Class        steps.Class
	InSteps      bool // of an unknown communicator: inside steps, else before or after them
	Count        int
	packed       []byte // see packCalls
	column       [callColumns]int
}

// A Call is a collective as one rank saw it: one kernel, which may carry several
// calls.
type Call struct {
	Start, End int64
	Bytes      int64 // of this rank's part, all calls together; 0: not known
	Calls      int32
	Size       int32 // blocks of its grid
	Step       int32 // index of Partial.Steps, -1: in none
	Class      steps.Class
}

// A KernelSum sums up the runs of a kernel.
type KernelSum struct {
	Name     string
	Class    steps.Class
	Count    int64
	Sum      int64 // ns
	Min, Max int64
	Squares  float64 // sum of squares, ns²
	Sketch   Sketch
}

// A Cost is the time of a kernel in a step.
type Cost struct {
	Step, Kernel int32 // indexes of Partial.Steps and of the kernels of Partial.Sums
	Count, Sum   int64
}

// Bounds of what a partial keeps, so that it stays small.
const (
	mostSums     = 512  // kernels by name; the rest is summed up under otherKernels
	mostCosts    = 8192 // steps times kernels
	mostSpans    = 4096 // of each union
	otherKernels = "(other kernels)"
)
