package torch

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// A Convention says what counts as what in a breakdown.
type Convention string

// The conventions.
const (
	// Own counts communication by the names of today's libraries; memory sets are
	// copies; all work counts, whether its call is in the file or not.
	Own Convention = "own"
	// HTA is that of HolisticTraceAnalysis with exact times: a name that begins
	// with nccl or hip, or holds ncclKernel, is communication, hipMemcpy among them;
	// memory sets are memory, and so are synchronizations that lie on a stream; work
	// without a call is left out, unless none has one.
	HTA Convention = "hta"
	// TraceLens counts memory sets as computation, and leaves out work without a
	// call, unless none has one.
	TraceLens Convention = "tracelens"
)

// Conventions are all of them.
var Conventions = []Convention{Own, HTA, TraceLens}

// A Breakdown says where the time of a device went, in ns.
type Breakdown struct {
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

// CommunicationOverlap is the part of communication that was hidden behind
// computation, 0 to 1; 0 without communication.
func (b *Breakdown) CommunicationOverlap() float64 {
	if b.Comm == 0 {
		return 0
	}
	return float64(b.Comm-b.ExposedComm) / float64(b.Comm)
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

// communication are parts of the names of kernels that communicate, in lower
// case: NCCL and RCCL, NVSHMEM, DeepEP, and the all-reduces of vLLM, SGLang, AITER
// and TensorRT-LLM.
var communication = []string{"nccl", "rccl", "nvshmem", "msccl", "deep_ep::", "cross_device_reduce", "allreduce", "all_reduce", "allgather", "all_gather", "reduce_scatter", "reducescatter", "alltoall", "all_to_all"}

// IsCommunication tells kernels that communicate by their name. The list is ours.
func IsCommunication(name string) bool {
	low := strings.ToLower(name)
	return slices.ContainsFunc(communication, func(p string) bool { return strings.Contains(low, p) })
}

// classOf sorts a piece of work.
func (c Convention) classOf(kind WorkKind, name string) class {
	switch {
	case c == HTA && htaComm.MatchString(name):
		return classComm
	case c == HTA && htaMemory.MatchString(name):
		return classCopy
	case c == HTA:
		return classCompute
	case kind == Copy, kind == Set && c == Own:
		return classCopy
	case c == TraceLens && strings.Contains(strings.ToLower(name), "ccl"):
		return classComm
	case c == TraceLens:
		return classCompute
	case IsCommunication(name):
		return classComm
	}
	return classCompute
}

// Breakdown says where the time of each device went.
func (t *Timeline) Breakdown(c Convention) []Breakdown { return t.breakdown(c, false) }

// BreakdownAll is the same over all devices together, as peers have it.
func (t *Timeline) BreakdownAll(c Convention) Breakdown {
	if all := t.breakdown(c, true); len(all) == 1 {
		return all[0]
	}
	return Breakdown{}
}

func (t *Timeline) breakdown(c Convention, together bool) []Breakdown {
	w := &t.Work
	kinds := map[[2]int64]class{}
	spans := map[int64]*[3][]span{}
	left := map[int64]int{}
	for i := range w.Start {
		device := w.Device[i]
		if together {
			device = 0
		}
		if c != Own && w.Call[i] < 0 && t.Unlinked < len(w.Start) {
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
			s = &[3][]span{}
			spans[device] = s
		}
		s[class] = append(s[class], span{w.Start[i], w.End[i]})
	}
	for _, x := range t.waits {
		device := x.device
		if together {
			device = 0
		}
		if s := spans[device]; c == HTA && x.stream >= 0 && s != nil {
			s[classCopy] = append(s[classCopy], x.span)
		}
	}
	var out []Breakdown
	for device, s := range spans {
		compute, comm, copies := union(s[classCompute]), union(s[classComm]), union(s[classCopy])
		busy := union(slices.Concat(compute, comm, copies))
		kernels := union(slices.Concat(compute, comm))
		b := Breakdown{Device: device, Busy: length(busy), Compute: length(compute), Comm: length(comm), Copies: length(copies), Left: left[device]}
		b.Total = busy[len(busy)-1].end - busy[0].start
		b.ExposedComm = b.Comm - overlap(comm, compute)
		b.ExposedCopy = b.Copies - overlap(copies, kernels)
		b.Idle = b.Total - b.Busy
		out = append(out, b)
	}
	slices.SortFunc(out, func(a, b Breakdown) int { return cmp.Compare(a.Device, b.Device) })
	return out
}
