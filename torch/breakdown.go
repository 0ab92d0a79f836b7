package torch

import (
	"regexp"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/steps"
	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/trace/interval"
)

// A Convention says what counts as what in a breakdown.
type Convention string

// The conventions.
const (
	// own counts communication as package steps does; memory sets are
	// copies; all work counts, whether its call is in the file or not.
	own Convention = "own"
	// hta is that of HolisticTraceAnalysis with exact times: a name that begins
	// with nccl or hip, or holds ncclKernel, is communication, hipMemcpy among them;
	// memory sets are memory, and so are synchronizations that lie on a stream; work
	// without a call is left out, unless none has one.
	hta Convention = "hta"
	// traceLens counts memory sets as computation, and leaves out work without a
	// call, unless none has one.
	traceLens Convention = "tracelens"
)

// A Breakdown says where the time of a device went, in ns.
type Breakdown struct {
	Process      trace.GlobalID
	Device       int64
	Total        int64 // from the first to the last work
	Busy         int64 // at least one piece of work ran
	Compute      int64
	Comm, Copies int64 // with what else ran beside them
	ExposedComm  int64 // communication beside which nothing was computed
	ExposedCopy  int64 // copies beside which nothing was computed or sent
	Idle         int64
	Left         int // pieces of work that the convention leaves out
}

type class uint8

const (
	classCompute class = iota
	classComm
	classCopy
)

var (
	htaComm   = regexp.MustCompile(`^nccl|^hip|^hccl|ncclKernel`)
	htaMemory = regexp.MustCompile(`^(hip)?Memcpy|^(hip)?Memset|^dma`)
)

// classOf sorts a piece of work.
func (c Convention) classOf(kind workKind, name string) class {
	switch {
	case c == hta && htaComm.MatchString(name):
		return classComm
	case c == hta && htaMemory.MatchString(name):
		return classCopy
	case c == hta:
		return classCompute
	case kind == Copy, kind == Set && c == own:
		return classCopy
	case c == traceLens && strings.Contains(strings.ToLower(name), "ccl"):
		return classComm
	case c == traceLens:
		return classCompute
	case steps.IsCommunication(name):
		return classComm
	}
	return classCompute
}

// Breakdown says where the time of each device of each process went.
func (t *Timeline) Breakdown(c Convention) []Breakdown { return t.breakdown(c, false) }

// breakdownAll is the same over all devices together, as peers have it.
func (t *Timeline) breakdownAll(c Convention) Breakdown {
	if all := t.breakdown(c, true); len(all) == 1 {
		return all[0]
	}
	return Breakdown{}
}

func (t *Timeline) breakdown(c Convention, together bool) []Breakdown {
	w := &t.Work
	kinds := map[[2]int64]class{}
	spans := map[gpu]*[3][]interval.Span{}
	left := map[gpu]int{}
	for i := range w.Start {
		device := w.streamOf(i).gpu
		if together {
			device = gpu{}
		}
		if c != own && w.Call[i] < 0 && t.Unlinked < len(w.Start) {
			left[device]++
			continue
		}
		k := [2]int64{int64(w.Kind[i]), w.Name[i]}
		class, ok := kinds[k]
		if !ok {
			class = c.classOf(w.Kind[i], t.Name(w.Name[i]))
			kinds[k] = class
		}
		s := spans[device]
		if s == nil {
			s = &[3][]interval.Span{}
			spans[device] = s
		}
		s[class] = append(s[class], interval.Span{Start: w.Start[i], End: w.End[i]})
	}
	for _, x := range t.waits {
		device := x.of
		if together {
			device = gpu{}
		}
		if s := spans[device]; c == hta && x.stream >= 0 && s != nil {
			s[classCopy] = append(s[classCopy], x.Span)
		}
	}
	var out []Breakdown
	for device, s := range spans {
		compute, comm, copies := interval.UnionOf(s[classCompute]), interval.UnionOf(s[classComm]), interval.UnionOf(s[classCopy])
		busy := interval.UnionOf(slices.Concat(compute, comm, copies))
		kernels := interval.UnionOf(slices.Concat(compute, comm))
		b := Breakdown{Process: device.process, Device: device.device, Busy: interval.Length(busy), Compute: interval.Length(compute), Comm: interval.Length(comm), Copies: interval.Length(copies), Left: left[device]}
		if n := len(busy); n > 0 { // there may be spans alone that make no sense
			b.Total = busy[n-1].End - busy[0].Start
		}
		b.ExposedComm = b.Comm - interval.Overlap(comm, compute)
		b.ExposedCopy = b.Copies - interval.Overlap(copies, kernels)
		b.Idle = b.Total - b.Busy
		out = append(out, b)
	}
	slices.SortFunc(out, func(a, b Breakdown) int { return gpu{a.Process, a.Device}.compare(gpu{b.Process, b.Device}) })
	return out
}
