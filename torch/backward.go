package torch

import (
	"cmp"
	"context"
	"slices"

	"github.com/gpuprof/gpuprof/trace"
)

// A Gradient is what the operators of a group cost forward, and what the nodes of
// autograd that they made cost backward. Times are ns.
type Gradient struct {
	Name           string
	Shapes, Types  string // of ByShape
	Calls          int    // of operators around the making of a node
	Nodes          int    // of autograd that ran
	Forward        int64  // of the GPU, launched by the operators themselves and inside
	Backward       int64  // of the GPU, launched by the nodes
	ForwardOnHost  int64
	BackwardOnHost int64
}

// Gradients sets the backward time of operators beside their forward time, the largest
// backward time first; lost are the nodes of autograd whose operator is not known.
//
// Autograd gives each node the sequence number that the thread of the operator has at
// that moment, so that several operators carry it: the one that began last of them made
// the node, and those around it called that one. Numbers are those of a thread, which
// the node tells by a number of autograd's own: where several threads have operators of
// one number, the node is of the one that has most in common with that thread.
func (t *Timeline) Gradients(ctx context.Context, by By) (list []Gradient, lost int, err error) {
	nodes, inBackward, err := t.nodes(ctx)
	if err != nil || len(nodes) == 0 {
		return nil, 0, err
	}
	key, err := t.groups(ctx, by)
	if err != nil {
		return nil, 0, err
	}
	device := t.launchedWithin()
	groups := map[string]*Gradient{}
	counted := map[int32]bool{} // makers, which may have made several nodes
	h := &t.Host
	for _, n := range nodes {
		if n.maker < 0 {
			lost++
			continue
		}
		var seen []string
		for s := n.maker; s >= 0; s = h.Parent[s] {
			if inBackward[s] {
				break // forward once more, within a node, as checkpoints of activations do
			}
			k, ok := key(s)
			if !ok || k == "" {
				continue
			}
			g := groups[k]
			if g == nil {
				o := named(k)
				g = &Gradient{Name: o.Name, Shapes: o.Shapes, Types: o.Types}
				groups[k] = g
			}
			within := slices.Contains(seen, k)
			if !within {
				seen = append(seen, k)
				g.Nodes++
				g.Backward += device[n.slice]
				g.BackwardOnHost += h.End[n.slice] - h.Start[n.slice]
			}
			if !counted[s] && !t.around(s, key, k) {
				g.Calls++
				g.Forward += device[s]
				g.ForwardOnHost += h.End[s] - h.Start[s]
			}
			counted[s] = true
		}
	}
	for _, g := range groups {
		list = append(list, *g)
	}
	slices.SortFunc(list, func(a, b Gradient) int {
		return cmp.Or(cmp.Compare(b.Backward, a.Backward), cmp.Compare(b.Forward, a.Forward), cmp.Compare(b.BackwardOnHost, a.BackwardOnHost),
			cmp.Compare(a.Name, b.Name), cmp.Compare(a.Shapes, b.Shapes), cmp.Compare(a.Types, b.Types))
	})
	return list, lost, nil
}

// around reports whether a slice of the group lies around one.
func (t *Timeline) around(slice int32, key func(int32) (string, bool), group string) bool {
	for p := t.Host.Parent[slice]; p >= 0; p = t.Host.Parent[p] {
		if k, ok := key(p); ok && k == group {
			return true
		}
	}
	return false
}

// launchedWithin is the time of the GPU work that each host slice launched, itself and
// inside, ns.
func (t *Timeline) launchedWithin() []int64 {
	out := make([]int64, len(t.Host.Start))
	for i := range t.Work.Start {
		dur := t.Work.End[i] - t.Work.Start[i]
		for s := t.Work.Owner[i]; s >= 0; s = t.Host.Parent[s] {
			out[s] += dur
		}
	}
	return out
}

// A node is a run of a node of autograd.
type node struct {
	slice int32 // the outermost slice of it
	maker int32 // the operator that made it; -1: not known
}

// nodes finds the nodes of autograd that ran, and what made them; slices are those that
// are nodes, all that are nested.
func (t *Timeline) nodes(ctx context.Context) (list []node, slices map[int32]bool, err error) {
	ops, err := t.Trace.Table(ctx, trace.TableOps, "sequence", "forwardThread")
	if err != nil || ops == nil || ops.Col("sequence") == nil || ops.Col("forwardThread") == nil {
		return nil, nil, err
	}
	h := &t.Host
	number := func(c *trace.Column, i int32) (int64, bool) {
		row := int(h.Row[i])
		if h.Kind[i] != Op || c.IsNull(row) {
			return 0, false
		}
		return c.Ints[row], true
	}
	sequence, forward := ops.Col("sequence"), ops.Col("forwardThread")
	backward := func(i int32) (seq, thread int64, ok bool) {
		seq, ok = number(sequence, i)
		if thread, _ = number(forward, i); thread == 0 {
			return 0, 0, false
		}
		return seq, thread, ok
	}
	makers := map[int64][]int32{} // by sequence number, in the order of threads and time
	slices = map[int32]bool{}
	var found []int32
	for i := range int32(len(h.Start)) {
		seq, ok := number(sequence, i)
		if !ok || seq < 0 {
			continue
		}
		if _, _, ok := backward(i); !ok {
			makers[seq] = append(makers[seq], i)
			continue
		}
		slices[i] = true
		inner := false
		for p := h.Parent[i]; p >= 0 && !inner; p = h.Parent[p] {
			outer, _, ok := backward(p)
			inner = ok && outer == seq
		}
		if !inner {
			found = append(found, i)
		}
	}
	common := map[threads]int{}
	each := func(i int32, use func(thread int64, maker int32)) {
		seq, thread, _ := backward(i)
		had := makers[seq]
		for k, m := range had { // the last of each thread that had begun
			if h.Start[m] <= h.Start[i] && (k+1 == len(had) || h.Thread[had[k+1]] != h.Thread[m] || h.Start[had[k+1]] > h.Start[i]) {
				use(thread, m)
			}
		}
	}
	for _, i := range found {
		each(i, func(thread int64, m int32) { common[threads{thread, h.Thread[m]}]++ })
	}
	for _, i := range found {
		n, most := node{i, -1}, 0
		each(i, func(thread int64, m int32) {
			if c := common[threads{thread, h.Thread[m]}]; c > most {
				n.maker, most = m, c
			}
		})
		list = append(list, n)
	}
	return list, slices, nil
}

// threads are autograd's number of a thread, and the thread.
type threads struct {
	number int64
	thread trace.GlobalID
}
