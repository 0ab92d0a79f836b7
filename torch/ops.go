package torch

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/trace"
)

// By says what operators are added up by.
type By string

// The groups of operators.
const (
	ByName   By = "name"
	ByShape  By = "shape"  // name and shapes of inputs
	ByModule By = "module" // innermost nn.Module; without calls of Python, the modules that operators tell
	ByLine   By = "line"   // innermost line of Python that is not PyTorch's; else that of their call stacks
)

// groupings are all of them.
var groupings = []By{ByName, ByShape, ByModule, ByLine}

// An Operator is what operators of a group add up to. Times are ns.
type Operator struct {
	Name        string
	Shapes      string // of ByShape, as JSON
	Types       string
	Calls       int
	HostTotal   int64 // with what is inside; a group within itself counts once
	HostSelf    int64 // less operators and Python inside; calls of the runtime count as the operator's own
	DeviceTotal int64 // kernels, copies and sets that it launched, itself and inside
	DeviceSelf  int64 // those whose innermost operator it is
	Kernels     int   // launched by itself
}

// Operators adds up operators, the largest DeviceSelf first, then DeviceTotal and HostSelf.
// Work that no operator launched is in a row with the name of its call, or "" where
// that is not known or no call is a group.
func (t *Timeline) Operators(ctx context.Context, by By) ([]Operator, error) {
	key, err := t.groups(ctx, by)
	if err != nil {
		return nil, err
	}
	groups := map[string]*Operator{}
	get := func(k string) *Operator {
		o := groups[k]
		if o == nil {
			o = named(k)
			groups[k] = o
		}
		return o
	}
	h := &t.Host
	self := make([]int64, len(h.Start)) // of operators and Python
	for i := range h.Start {
		if h.Kind[i] != Op && h.Kind[i] != Python {
			continue
		}
		self[i] += h.End[i] - h.Start[i]
		for p := h.Parent[i]; p >= 0; p = h.Parent[p] {
			if h.Kind[p] == Op || h.Kind[p] == Python {
				self[p] -= max(0, min(h.End[i], h.End[p])-h.Start[i])
				break
			}
		}
	}
	names := make([]string, len(h.Start))
	for i := range h.Start {
		k, ok := key(int32(i))
		if !ok {
			continue
		}
		names[i] = k
		o := get(k)
		o.HostSelf += self[i]
		inside := t.within(int32(i), names, k)
		if !inside {
			o.HostTotal += h.End[i] - h.Start[i]
		}
		if !inside || h.Kind[i] == Python || by == ByName || by == ByShape {
			o.Calls++ // of a line that operators tell of, those that it called itself
		}
	}
	var seen []string
	for i := range t.Work.Start {
		dur := t.Work.End[i] - t.Work.Start[i]
		seen = seen[:0]
		for s := t.Work.Owner[i]; s >= 0; s = h.Parent[s] {
			k := names[s]
			if k == "" || slices.Contains(seen, k) {
				continue
			}
			o := get(k)
			if len(seen) == 0 {
				o.DeviceSelf += dur
				o.Kernels++
			}
			o.DeviceTotal += dur
			seen = append(seen, k)
		}
		if len(seen) == 0 {
			o := get(t.bare(i, by))
			o.DeviceSelf, o.DeviceTotal, o.Kernels = o.DeviceSelf+dur, o.DeviceTotal+dur, o.Kernels+1
		}
	}
	return sorted(groups), nil
}

// named is the operator of a group, whose key is as groups makes it.
func named(key string) *Operator {
	o := &Operator{Name: key}
	if name, rest, ok := strings.Cut(key, "\x00"); ok {
		o.Name = name
		o.Shapes, o.Types, _ = strings.Cut(rest, "\x00")
	}
	return o
}

// bare is the group of work that no operator launched: by name its call, else
// the empty one.
func (t *Timeline) bare(work int, by By) string {
	if c := t.Work.Call[work]; c >= 0 && (by == ByName || by == ByShape) {
		return t.Name(t.Host.Name[c])
	}
	return ""
}

func sorted(groups map[string]*Operator) []Operator {
	out := make([]Operator, 0, len(groups))
	for _, o := range groups {
		out = append(out, *o)
	}
	slices.SortFunc(out, func(a, b Operator) int {
		return cmp.Or(cmp.Compare(b.DeviceSelf, a.DeviceSelf), cmp.Compare(b.DeviceTotal, a.DeviceTotal), cmp.Compare(b.HostSelf, a.HostSelf), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Shapes, b.Shapes), cmp.Compare(a.Types, b.Types))
	})
	return out
}

// within reports whether a slice lies in another of its group.
func (t *Timeline) within(slice int32, names []string, k string) bool {
	for p := t.Host.Parent[slice]; p >= 0; p = t.Host.Parent[p] {
		if names[p] == k {
			return true
		}
	}
	return false
}

// groups tells the group of a slice; false for slices that are none.
func (t *Timeline) groups(ctx context.Context, by By) (func(slice int32) (string, bool), error) {
	h := &t.Host
	if by == ByModule || by == ByLine {
		if told, err := t.recorded(ctx, by); told != nil || err != nil {
			return told, err
		}
	}
	switch by {
	case ByModule:
		return func(i int32) (string, bool) {
			name := t.Name(h.Name[i])
			return name, h.Kind[i] == Python && strings.HasPrefix(name, "nn.Module: ")
		}, nil
	case ByLine:
		return func(i int32) (string, bool) {
			return t.Name(h.Name[i]), h.Kind[i] == Python && t.line(i) == i
		}, nil
	}
	ops, err := t.Trace.Table(ctx, trace.TableOps, "dimsId", "typesId")
	if err != nil {
		return nil, err
	}
	text := func(c *trace.Column, row int32) string {
		if c == nil || c.IsNull(int(row)) {
			return ""
		}
		return t.Name(c.Ints[row])
	}
	dims, types := ops.Col("dimsId"), ops.Col("typesId")
	return func(i int32) (string, bool) {
		if h.Kind[i] != Op {
			return "", false
		}
		name := t.Name(h.Name[i])
		if by == ByShape {
			name += "\x00" + text(dims, h.Row[i]) + "\x00" + text(types, h.Row[i])
		}
		return name, name != ""
	}, nil
}

// A KernelUse is the runs of a kernel for an operator. Times are ns.
type KernelUse struct {
	Operator        string // "": none
	Kernel          string
	Count           int
	Total, Min, Max int64
}

// Kernels adds up GPU work by kernel and the operator that launched it, the
// largest total first.
func (t *Timeline) Kernels() []KernelUse {
	type key struct{ op, kernel int64 }
	m := map[key]*KernelUse{}
	for i := range t.Work.Start {
		k := key{-1, t.Work.Name[i]}
		if op := t.operator(t.Work.Owner[i]); op >= 0 {
			k.op = t.Host.Name[op]
		}
		dur := t.Work.End[i] - t.Work.Start[i]
		u := m[k]
		if u == nil {
			u = &KernelUse{Kernel: t.WorkName(i), Min: dur}
			if k.op >= 0 {
				u.Operator = t.Name(k.op)
			}
			m[k] = u
		}
		u.Count, u.Total, u.Min, u.Max = u.Count+1, u.Total+dur, min(u.Min, dur), max(u.Max, dur)
	}
	out := make([]KernelUse, 0, len(m))
	for _, u := range m {
		out = append(out, *u)
	}
	slices.SortFunc(out, func(a, b KernelUse) int {
		return cmp.Or(cmp.Compare(b.Total, a.Total), cmp.Compare(a.Operator, b.Operator), cmp.Compare(a.Kernel, b.Kernel))
	})
	return out
}

// WorkName is the name of a piece of work, or its kind.
func (t *Timeline) WorkName(i int) string {
	if id := t.Work.Name[i]; id >= 0 {
		return t.Name(id)
	}
	return [...]string{"kernel", "memcpy", "memset"}[t.Work.Kind[i]]
}

// owner is the name of the operator, else of the innermost slice, that a piece of
// work was for; "" if none is known.
func (t *Timeline) owner(work int) string {
	s := t.Work.Owner[work]
	if op := t.operator(s); op >= 0 {
		return t.Name(t.Host.Name[op])
	}
	if s >= 0 {
		return t.Name(t.Host.Name[s])
	}
	return ""
}
