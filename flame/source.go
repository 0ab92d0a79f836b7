package flame

import (
	"context"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/trace/interval"
)

// A Kind says what runs inside what.
type Kind string

// The kinds.
const (
	PyTorch Kind = "pytorch" // Python, ranges, operators and calls, by their nesting on each thread
	Ops     Kind = "ops"     // the same without Python
	Device  Kind = "device"  // work of the GPU below the operators and the Python that launched it
	Memory  Kind = "memory"  // what lived in a GPU's memory when most did, by stack
	NVTX    Kind = "nvtx"    // push/pop ranges, by their nesting on each thread
	Samples Kind = "samples" // stacks of samples
	CUDA    Kind = "cuda"    // stacks of calls of CUDA
	OSRT    Kind = "osrt"    // stacks of calls of the OS runtime
)

// Kinds are all kinds.
var Kinds = []Kind{PyTorch, Ops, Device, Memory, NVTX, Samples, CUDA, OSRT}

// A Filter chooses events. The zero value chooses all.
type Filter struct {
	Start, End int64 // ns; both 0: all. Only what lies within counts.
	PID, TID   int64 // 0: any
}

func (f Filter) takes(g trace.GlobalID) bool {
	return (f.PID == 0 || g.PID() == f.PID) && (f.TID == 0 || g.TID() == f.TID)
}

// clip cuts a span to the filter; false if nothing is left of it.
func (f Filter) clip(start, end int64) (int64, int64, bool) {
	if !interval.Sound(start, end) { // it has no part in what adds up
		return start, end, false
	}
	if f.Start == 0 && f.End == 0 {
		return start, end, true
	}
	start, end = max(start, f.Start), min(end, f.End)
	return start, end, start <= end
}

var stackKinds = map[Kind]trace.StackKind{Samples: trace.SampleStacks, CUDA: trace.CUDAStacks, OSRT: trace.OSRTStacks}

// Has reports whether a timeline has the tables of a kind; they may be empty.
func Has(t *trace.Trace, kind Kind) bool {
	switch kind {
	case NVTX:
		return t.Has(trace.TableNvtx)
	case PyTorch:
		return t.Has(trace.TablePython)
	case Ops, Device:
		return t.Has(trace.TableOps)
	case Memory:
		return t.Has("PYTORCH_BLOCKS")
	}
	chains, _ := stackKinds[kind].Tables()
	return t.Has(chains)
}

// Read makes the profile of one kind; nil where the timeline has nothing of it.
func Read(ctx context.Context, t *trace.Trace, kind Kind, f Filter) (*Profile, error) {
	switch kind {
	case NVTX:
		return ranges(ctx, t, f)
	case PyTorch, Ops, Device:
		return torchTree(ctx, t, kind, f)
	case Memory:
		return memoryTree(ctx, t)
	}
	s, err := t.Stacks(ctx, stackKinds[kind])
	if err != nil || s == nil || s.Len() == 0 {
		return nil, err
	}
	return stacks(t, s, f), nil
}

// ranges nests the push/pop ranges of each thread. Start/end ranges overlap in
// ways that are no nesting and take no part.
func ranges(ctx context.Context, t *trace.Trace, f Filter) (*Profile, error) {
	r, err := t.Ranges(ctx)
	if err != nil || r == nil || r.Len() == 0 {
		return nil, err
	}
	domains, err := t.Domains(ctx)
	if err != nil {
		return nil, err
	}
	unsound, open := 0, 0
	for i := range r.Start {
		switch {
		case !r.PushPop[i] || !f.takes(r.Thread[i]):
		case !interval.Sound(r.Start[i], r.End[i]):
			unsound++
		case r.Open[i]:
			open++
		}
	}
	nest := trace.Nest(r.Thread, r.Start, r.End, func(i int) bool {
		_, _, ok := f.clip(r.Start[i], r.End[i])
		return ok && r.PushPop[i] && f.takes(r.Thread[i])
	})
	if len(nest.Order) == 0 && unsound == 0 {
		return nil, nil
	}
	b := newBuilder("ns")
	b.Whole, b.Unsound, b.Open = true, unsound, open
	node := make([]int32, r.Len())
	type text struct {
		text   trace.Sym
		domain int64
		pid    trace.GlobalID
	}
	names := map[text]int32{} // as most ranges have the text of another
	for _, i := range nest.Order {
		parent := int32(-1)
		if up := nest.Parent[i]; up >= 0 {
			parent = node[up]
		}
		key := text{r.Text[i], r.Domain[i], r.Thread[i].Process()}
		name, ok := names[key]
		if !ok {
			s := operation(t.Strings.Text(r.Text[i]))
			if d := domains.Name(r.Thread[i], r.Domain[i]); d != "" {
				s = d + ": " + s
			}
			name = b.name(s)
			names[key] = name
		}
		n := b.node(parent, name)
		node[i] = n
		start, end, _ := f.clip(r.Start[i], r.End[i])
		b.Self[n] += end - start
		b.Count[n]++
		if parent >= 0 {
			b.Self[parent] -= end - start
		}
		b.Start, b.End = append(b.Start, start), append(b.End, end)
		b.Thread, b.Node = append(b.Thread, r.Thread[i]), append(b.Node, n)
	}
	return b.Profile, nil
}

// operation is the text of a range without what tells one run of an operation
// of PyTorch from another: "aten::mm, seq = 7, op_id = 12, sizes = [[8, 8]]".
func operation(text string) string {
	for _, mark := range []string{", seq = ", ", op_id = "} {
		if i := strings.Index(text, mark); i > 0 {
			text = text[:i]
		}
	}
	return text
}

// stacks takes the tree of stacks with the weights of the events that the filter
// takes.
func stacks(t *trace.Trace, s *trace.Stacks, f Filter) *Profile {
	b := newBuilder(s.Unit())
	at := make([]int32, len(s.Parent))
	for n, up := range s.Parent {
		parent := int32(-1)
		if up >= 0 {
			parent = at[up]
		}
		at[n] = b.node(parent, b.name(t.Strings.Text(s.Frames[s.Frame[n]].Symbol)))
	}
	for i, n := range s.Node {
		start, end, ok := f.clip(s.Start[i], s.End[i])
		if !f.takes(s.Thread[i]) {
			continue
		}
		if !ok {
			b.unsound(s.Start[i], s.End[i])
			continue
		}
		w := int64(1)
		switch {
		case s.Kind != trace.SampleStacks:
			w = end - start
		case s.Cycles != nil:
			w = s.Cycles[i]
		}
		b.Self[at[n]] += w
		b.Count[at[n]]++
		b.Start, b.End = append(b.Start, start), append(b.End, end)
		b.Thread, b.Node = append(b.Thread, s.Thread[i]), append(b.Node, at[n])
	}
	if s.Kind == trace.SampleStacks {
		b.stretch()
	}
	return b.Profile
}

// stretch lets each sample last until the next of its thread, at most ten times
// the median between two.
func (p *Profile) stretch() {
	last := map[trace.GlobalID]int{}
	var gaps []int64
	for i, g := range p.Thread {
		if k, ok := last[g]; ok {
			p.End[k] = p.Start[i]
			gaps = append(gaps, p.End[k]-p.Start[k])
		}
		last[g] = i
	}
	if len(gaps) == 0 {
		return
	}
	slices.Sort(gaps)
	median := gaps[len(gaps)/2]
	for _, k := range last {
		p.End[k] = p.Start[k] + median
	}
	for i := range p.End {
		p.End[i] = min(p.End[i], p.Start[i]+10*median)
	}
}
