package trace

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
)

// A StackKind says which events a stack of calls was taken for.
type StackKind uint8

// The kinds of events that may have stacks.
const (
	SampleStacks  StackKind = iota // samples of threads: COMPOSITE_EVENTS with SAMPLING_CALLCHAINS
	CUDAStacks                     // calls of CUDA: CUPTI_ACTIVITY_KIND_RUNTIME with CUDA_CALLCHAINS
	OSRTStacks                     // calls of the OS runtime: OSRT_API with OSRT_CALLCHAINS
	syscallStacks                  // system calls: SYSCALL with SYSCALL_CALLCHAINS
)

// StackKinds are all kinds.
var StackKinds = []StackKind{SampleStacks, CUDAStacks, OSRTStacks, syscallStacks}

// stackTables tell where the stacks of each kind are.
var stackTables = [...]struct{ name, chains, events, key, weight string }{
	SampleStacks:  {"samples", "SAMPLING_CALLCHAINS", "COMPOSITE_EVENTS", "id", "cpuCycles"},
	CUDAStacks:    {"cuda", "CUDA_CALLCHAINS", TableRuntime, "callchainId", ""},
	OSRTStacks:    {"osrt", "OSRT_CALLCHAINS", "OSRT_API", "callchainId", ""},
	syscallStacks: {"syscalls", "SYSCALL_CALLCHAINS", "SYSCALL", "callchainId", ""},
}

// String is the short name of a kind: samples, cuda, osrt, syscalls.
func (k StackKind) String() string { return stackTables[k].name }

// Tables are the table of frames and the table of events of a kind.
func (k StackKind) Tables() (chains, events string) {
	return stackTables[k].chains, stackTables[k].events
}

// A Frame is a function on a stack.
type Frame struct {
	Symbol, Module Sym
	Kernel         bool // it is in the operating system
	Unresolved     bool // no symbol was found: Symbol is an address
	Special        bool // it stands for something else, such as frames that were cut off
}

// Stacks are the stacks of one kind of events, as a tree of calls. A node is a
// frame under one sequence of callers; the node of an event is its innermost
// frame, and Parent leads from there out. A parent has a smaller number than its
// children, so that one pass downwards over the nodes adds up subtrees.
//
//	s, err := tr.Stacks(ctx, trace.SampleStacks)
//	if s == nil { … the trace has none … }
//	f := s.Fold(trace.StackFilter{Start: from, End: to, Thread: tid})
//	for n := range s.Parent { … s.Frames[s.Frame[n]], f.Total[n], f.Self[n] … }
type Stacks struct {
	Kind   StackKind
	Frames []Frame // each function once

	// The nodes.
	Parent []int32 // or -1 at an outermost frame
	Frame  []int32 // index of Frames

	// The events that have a stack, by Start.
	Start, End []int64 // ns; of samples both are the same
	Thread     []GlobalID
	Node       []int32
	Cycles     []int64 // of samples: the CPU cycles that it stands for; nil where they were not counted, and of calls
	Row        []int64 // rowid in the table of events

	Bare   int // events without a stack
	Orphan int // stacks that no event has
}

// Len is the number of events with a stack.
func (s *Stacks) Len() int { return len(s.Start) }

// A StackFilter chooses events. The zero value chooses all.
type StackFilter struct {
	// The events that overlap the span from Start to before End, ns; both 0: all.
	// Of calls only the time within the span counts.
	Start, End int64
	Thread     GlobalID // this thread, or, with thread number 0, all of this process; 0: all
}

// A StackFold is what events add up to, by node or by frame: Self are the events
// with it innermost, Total those with it anywhere on the stack. Weights are in
// the unit of [Stacks.Unit].
type StackFold struct {
	Self, Total             []int64 // numbers of events
	SelfWeight, TotalWeight []int64
	Events, Weight          int64 // all together
}

// Unit is that of weights: cycle for samples whose cycles were counted, sample
// for others (each weighs 1), ns for calls.
func (s *Stacks) Unit() string {
	switch {
	case s.Kind != SampleStacks:
		return "ns"
	case s.Cycles != nil:
		return "cycle"
	}
	return "sample"
}

// weight is what event i weighs in the span from start to before end.
func (s *Stacks) weight(i int, start, end int64) int64 {
	switch {
	case s.Kind != SampleStacks:
		return min(s.End[i], end) - max(s.Start[i], start)
	case s.Cycles != nil:
		return s.Cycles[i]
	}
	return 1
}

// Fold adds up the events that the filter takes, by node.
func (s *Stacks) Fold(f StackFilter) *StackFold {
	n := len(s.Parent)
	out := &StackFold{Self: make([]int64, n), SelfWeight: make([]int64, n)}
	start, end := f.span()
	for i, node := range s.Node {
		if s.Start[i] >= end {
			break
		}
		if s.End[i] < start || s.End[i] == start && s.Start[i] < start || !f.takes(s.Thread[i]) {
			continue
		}
		w := s.weight(i, start, end)
		out.Self[node]++
		out.SelfWeight[node] += w
		out.Events++
		out.Weight += w
	}
	out.Total, out.TotalWeight = slices.Clone(out.Self), slices.Clone(out.SelfWeight)
	for k := n - 1; k >= 0; k-- {
		if p := s.Parent[k]; p >= 0 {
			out.Total[p] += out.Total[k]
			out.TotalWeight[p] += out.TotalWeight[k]
		}
	}
	return out
}

func (f *StackFilter) span() (start, end int64) {
	if f.Start == 0 && f.End == 0 {
		return math.MinInt64, math.MaxInt64
	}
	return f.Start, f.End
}

func (f *StackFilter) takes(g GlobalID) bool {
	switch {
	case f.Thread == 0:
		return true
	case f.Thread.TID() == 0:
		return g.Process() == f.Thread
	}
	return g == f.Thread
}

// ByFrame adds up a fold by function, index of Frames. A function that calls
// itself counts once for each event.
func (s *Stacks) ByFrame(f *StackFold) *StackFold {
	n := len(s.Frames)
	out := &StackFold{Self: make([]int64, n), Total: make([]int64, n), SelfWeight: make([]int64, n), TotalWeight: make([]int64, n),
		Events: f.Events, Weight: f.Weight}
	child, next := s.children()
	open := make([]int32, n) // how many nodes of each frame are on the way to here
	for at := child[0]; at >= 0; {
		fr := s.Frame[at]
		out.Self[fr] += f.Self[at]
		out.SelfWeight[fr] += f.SelfWeight[at]
		if open[fr] == 0 {
			out.Total[fr] += f.Total[at]
			out.TotalWeight[fr] += f.TotalWeight[at]
		}
		open[fr]++
		if c := child[at+1]; c >= 0 {
			at = c
			continue
		}
		for at >= 0 {
			open[s.Frame[at]]--
			if next[at] >= 0 {
				at = next[at]
				break
			}
			at = s.Parent[at]
		}
	}
	return out
}

// children links the nodes downwards: the first child of node n is child[n+1],
// the first outermost node child[0], the sibling after n next[n]; -1 for none.
func (s *Stacks) children() (child, next []int32) {
	child, next = make([]int32, len(s.Parent)+1), make([]int32, len(s.Parent))
	for i := range child {
		child[i] = -1
	}
	for n := len(s.Parent) - 1; n >= 0; n-- {
		p := s.Parent[n]
		next[n], child[p+1] = child[p+1], int32(n)
	}
	return child, next
}

// Stack returns the frames of a node, outermost first, in buf.
func (s *Stacks) Stack(node int32, buf []Frame) []Frame {
	buf = buf[:0]
	for ; node >= 0; node = s.Parent[node] {
		buf = append(buf, s.Frames[s.Frame[node]])
	}
	slices.Reverse(buf)
	return buf
}

// Stacks reads the stacks of one kind; nil where the trace has none. It reads
// anew each time: keep what it returns.
func (t *Trace) Stacks(ctx context.Context, kind StackKind) (*Stacks, error) {
	where := stackTables[kind]
	if !t.Has(where.chains) || !t.HasColumn(where.events, where.key) {
		return nil, nil
	}
	if err := t.LoadNames(ctx); err != nil {
		return nil, err
	}
	c, err := t.Table(ctx, where.chains, "id", "symbol", "module", "stackDepth", "kernelMode", "unresolved", "specialEntry")
	if err != nil {
		return nil, err
	}
	if c.Rows > math.MaxInt32 {
		return nil, fmt.Errorf("%s: table %s has %d rows, at most %d can be told apart", t.File, where.chains, c.Rows, math.MaxInt32)
	}
	s := &Stacks{Kind: kind}
	node := s.grow(t, c)
	e, err := t.Table(ctx, where.events, "rowid", "start", "end", "globalTid", where.key, where.weight)
	if err != nil {
		return nil, err
	}
	s.events(e, where.key, where.weight, node)
	return s, nil
}

// grow makes the tree of the table of frames, and returns the node of each
// stack by its id.
func (s *Stacks) grow(t *Trace, c *Table) map[int64]int32 {
	id, depth := c.Ints("id"), c.Ints("stackDepth")
	order := stackOrder(id, depth)
	frame := s.frames(t, c)
	type edge struct{ parent, frame int32 }
	nodes, ends := map[edge]int32{}, map[int64]int32{}
	for lo := 0; lo < len(order); {
		hi := lo + 1
		for hi < len(order) && id[order[hi]] == id[order[lo]] {
			hi++
		}
		at := int32(-1)
		for k := hi - 1; k >= lo; k-- { // from the outermost
			e := edge{at, frame[order[k]]}
			n, ok := nodes[e]
			if !ok {
				n = int32(len(s.Parent))
				nodes[e] = n
				s.Parent, s.Frame = append(s.Parent, e.parent), append(s.Frame, e.frame)
			}
			at = n
		}
		ends[id[order[lo]]] = at
		lo = hi
	}
	return ends
}

// stackOrder puts rows by stack, then depth. Exports mostly have them so.
func stackOrder(id, depth []int64) []int32 {
	order := make([]int32, len(id))
	for i := range order {
		order[i] = int32(i)
	}
	compare := func(a, b int32) int {
		return cmp.Or(cmp.Compare(id[a], id[b]), cmp.Compare(depth[a], depth[b]))
	}
	if !slices.IsSortedFunc(order, compare) {
		slices.SortStableFunc(order, compare)
	}
	return order
}

// frames finds the function of each row.
func (s *Stacks) frames(t *Trace, c *Table) []int32 {
	symbol, module := c.Ints("symbol"), c.Ints("module")
	kernel, unresolved, special := c.Ints("kernelMode"), c.Ints("unresolved"), c.Ints("specialEntry")
	out := make([]int32, c.Rows)
	index := map[Frame]int32{}
	for i := range out {
		y, _ := t.Name(symbol[i])
		m, _ := t.Name(module[i])
		f := Frame{Symbol: y, Module: m, Kernel: kernel[i] != 0, Unresolved: unresolved[i] != 0, Special: special[i] != 0}
		if y == m && strings.HasPrefix(t.Strings.Text(y), "[") { // such as [Max depth], where callers were cut off
			f.Special = true
		}
		n, ok := index[f]
		if !ok {
			n = int32(len(s.Frames))
			index[f] = n
			s.Frames = append(s.Frames, f)
		}
		out[i] = n
	}
	return out
}

// events takes those rows that have a stack.
func (s *Stacks) events(e *Table, key, weight string, node map[int64]int32) {
	start, end, tid, ids, rows := e.Ints("start"), e.Col("end"), e.Ints("globalTid"), e.Ints(key), e.Ints("rowid")
	var order []int32
	used := map[int64]bool{}
	for i, id := range ids {
		if _, ok := node[id]; !ok || e.IsNull(key, i) || e.IsNull("start", i) {
			s.Bare++
			continue
		}
		used[id] = true
		order = append(order, int32(i))
	}
	s.Orphan = len(node) - len(used)
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(start[a], start[b]) })
	for _, i := range order {
		last := start[i]
		if end != nil && !end.IsNull(int(i)) && end.Kind == Integers {
			last = max(last, end.Ints[i])
		}
		s.Start, s.End = append(s.Start, start[i]), append(s.End, last)
		s.Thread = append(s.Thread, GlobalID(tid[i]))
		s.Node, s.Row = append(s.Node, node[ids[i]]), append(s.Row, rows[i])
	}
	if c := e.Col(weight); weight != "" && c != nil && c.Kind == Integers {
		for _, i := range order {
			s.Cycles = append(s.Cycles, c.Ints[i])
		}
		if !slices.ContainsFunc(s.Cycles, func(n int64) bool { return n != 0 }) {
			s.Cycles = nil // they were not counted
		}
	}
}
