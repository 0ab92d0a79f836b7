package torch

import (
	"cmp"
	"context"
	"slices"
	"sort"
	"strings"

	"github.com/gpuprof/gpuprof/trace"
)

// A Phase is the part of training that an allocation belongs to. The rule is ours
// and goes by what was open around it: a range or function of an optimizer, the
// engine of autograd, else any operator.
type Phase string

// The phases.
const (
	Forward   Phase = "forward"
	Backward  Phase = "backward"
	Optimizer Phase = "optimizer"
	Outside   Phase = "outside" // of every operator
)

// A Holding is what allocations of an operator, made at a line of Python, took.
type Holding struct {
	Phase       Phase
	Operator    string // innermost; "": none
	Line        string // innermost of Python that is not PyTorch's; "": none was recorded
	Bytes       int64
	Allocations int
}

// A MemoryUse is what a trace tells of the memory of a device. The host has Type 0.
type MemoryUse struct {
	Type, Device  int64
	Events        int
	Allocations   int
	Taken, Given  int64 // bytes
	Peak, PeakAt  int64 // bytes in use as the recording says, and when, ns
	Reserved      int64 // the most that the allocator held
	AtPeak        []Holding
	Counted       bool  // the recording does not say how much was in use: Peak counts from 0 at its start, Reserved is not known
	Before        int64 // bytes in use at the peak that no allocation of the trace explains
	withoutPlaces bool
}

// Known reports whether the trace says which allocation each free ends.
func (u *MemoryUse) Known() bool { return !u.withoutPlaces }

// Memory tells of each device how its memory was used, by its type, then number.
// What lived at the peak is the allocations before it less those freed by then.
func (t *Timeline) Memory(ctx context.Context) ([]*MemoryUse, error) {
	m, err := t.Trace.Table(ctx, trace.TableMemory, "timestamp", "globalTid", "address", "bytes", "deviceType", "deviceId", "allocated", "reserved")
	if err != nil || m == nil {
		return nil, err
	}
	at, bytes, typ, id, alloc, reserved := m.Ints("timestamp"), m.Ints("bytes"), m.Ints("deviceType"), m.Ints("deviceId"), m.Ints("allocated"), m.Ints("reserved")
	type key struct{ typ, id int64 }
	of := map[key]*MemoryUse{}
	rows := map[key][]int32{}
	for i := range m.Rows {
		k := key{typ[i], id[i]}
		u := of[k]
		if u == nil {
			u = &MemoryUse{Type: k.typ, Device: k.id, Peak: -1, withoutPlaces: m.IsNull("address", i), Counted: m.IsNull("allocated", i)}
			of[k] = u
		}
		rows[k] = append(rows[k], int32(i))
		u.Events++
		if bytes[i] > 0 {
			u.Allocations++
			u.Taken += bytes[i]
		} else {
			u.Given -= bytes[i]
		}
		if !u.Counted && alloc[i] > u.Peak {
			u.Peak, u.PeakAt = alloc[i], at[i]
		}
		u.Reserved = max(u.Reserved, reserved[i])
	}
	var out []*MemoryUse
	for k, u := range of {
		slices.SortStableFunc(rows[k], func(a, b int32) int { return cmp.Compare(at[a], at[b]) })
		inUse := alloc
		if u.Counted {
			inUse = u.count(rows[k], at, bytes)
		}
		if u.Known() {
			t.hold(u, m, rows[k], inUse)
		}
		out = append(out, u)
	}
	slices.SortFunc(out, func(a, b *MemoryUse) int {
		return cmp.Or(cmp.Compare(a.Type, b.Type), cmp.Compare(a.Device, b.Device))
	})
	return out, nil
}

// count finds the peak of what the events of a device add up to; rows are in the order
// of time. The answer has the sum behind each event, at its row.
func (u *MemoryUse) count(rows []int32, at, bytes []int64) []int64 {
	inUse, sum := make([]int64, len(bytes)), int64(0)
	for _, i := range rows {
		sum += bytes[i]
		inUse[i] = sum
		if sum > u.Peak {
			u.Peak, u.PeakAt = sum, at[i]
		}
	}
	return inUse
}

// hold finds what lived at the peak; rows are those of the device in the order of
// time, alloc is how much was in use behind each event.
func (t *Timeline) hold(u *MemoryUse, m *trace.Table, rows []int32, alloc []int64) {
	address, bytes := m.Ints("address"), m.Ints("bytes")
	live := map[int64]int32{} // by address the row that took it
	for _, i := range rows {
		if bytes[i] > 0 {
			live[address[i]] = i
		} else {
			delete(live, address[i])
		}
		if alloc[i] == u.Peak {
			break
		}
	}
	at, thread := m.Ints("timestamp"), m.Ints("globalTid")
	type place struct{ phase, op, line string }
	sum := map[place]*Holding{}
	u.Before = u.Peak
	for _, i := range live {
		s := t.open(trace.GlobalID(thread[i]), at[i])
		p := place{phase: string(t.phase(s))}
		if op := t.operator(s); op >= 0 {
			p.op = t.Name(t.Host.Name[op])
		}
		if line := t.line(s); line >= 0 {
			p.line = t.Name(t.Host.Name[line])
		}
		h := sum[p]
		if h == nil {
			h = &Holding{Phase: Phase(p.phase), Operator: p.op, Line: p.line}
			sum[p] = h
		}
		h.Bytes += bytes[i]
		h.Allocations++
		u.Before -= bytes[i]
	}
	for _, h := range sum {
		u.AtPeak = append(u.AtPeak, *h)
	}
	slices.SortFunc(u.AtPeak, func(a, b Holding) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(a.Operator, b.Operator), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Phase, b.Phase))
	})
}

// open is the innermost slice of a thread that was open at a moment; -1 if none
// was.
func (t *Timeline) open(thread trace.GlobalID, at int64) int32 {
	h := &t.Host
	n := sort.Search(len(h.Start), func(i int) bool {
		return uint64(h.Thread[i]) > uint64(thread) || h.Thread[i] == thread && h.Start[i] > at
	})
	s := int32(n - 1)
	if s < 0 || h.Thread[s] != thread {
		return -1
	}
	for s >= 0 && h.End[s] < at {
		s = h.Parent[s]
	}
	return s
}

// phase tells the part of training that a host slice is in.
func (t *Timeline) phase(slice int32) Phase {
	phase := Outside
	for ; slice >= 0; slice = t.Host.Parent[slice] {
		name := t.Name(t.Host.Name[slice])
		switch {
		case strings.HasPrefix(name, "Optimizer.") || strings.Contains(name, "torch/optim/"):
			return Optimizer
		case strings.HasPrefix(name, "autograd::engine::"):
			phase = Backward
		case t.Host.Kind[slice] == Op && phase == Outside:
			phase = Forward
		}
	}
	return phase
}
