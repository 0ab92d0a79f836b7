package rcp

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/format/amd"
	"github.com/gpuprof/gpuprof/view"
)

// A transfer is a command that moves memory, or a copy of HSA.
type transfer struct {
	kind           string // READ_BUFFER, …
	context, queue uint32
	start, end     uint64
	bytes          uint64
	thread         uint64
	index          int
	from, to       agent
	isMap, isImage bool
}

// transfers are those of a module that its transfer pages show, in file order.
type transfers struct {
	a      *Analysis
	calls  []amd.Place // of OpenCL
	copies []transfer  // of HSA
}

// transfers finds the transfers of a module.
func (a *Analysis) transfers(module string) *transfers {
	ts := a.transferLists[module]
	if ts != nil {
		return ts
	}
	ts = &transfers{a: a}
	a.transferLists[module] = ts
	if module == amd.HSA {
		ts.copies = a.copies()
		return ts
	}
	ts.calls = a.commands(memoryCommand, func(e *amd.Enqueue) bool {
		return e.Shape == amd.Transfer && (!a.o.Compat || e.Bytes <= math.MaxUint32)
	})
	if a.o.Compat { // AMD drops what ends before it starts, but for maps
		ts.calls = slices.DeleteFunc(ts.calls, func(p amd.Place) bool {
			th, e := a.placed(p)
			return e.End < e.Start && !strings.HasPrefix(a.role(amd.OpenCL, th, int(p.Call), 0).name, "clEnqueueMap")
		})
	}
	return ts
}

func (ts *transfers) len() int { return len(ts.calls) + len(ts.copies) }

func (ts *transfers) times(i int) (start, end uint64) {
	if i >= len(ts.calls) {
		t := &ts.copies[i-len(ts.calls)]
		return t.start, t.end
	}
	_, e := ts.a.placed(ts.calls[i])
	return e.Start, e.End
}

// at returns transfer i.
func (ts *transfers) at(i int) transfer {
	if i >= len(ts.calls) {
		return ts.copies[i-len(ts.calls)]
	}
	th, e := ts.a.placed(ts.calls[i])
	return transfer{kind: strings.TrimPrefix(e.CommandName, "CL_COMMAND_"), context: e.ContextID, queue: e.QueueID,
		start: e.Start, end: e.End, bytes: e.Bytes, thread: th.ID, index: int(ts.calls[i].Index),
		isMap: strings.Contains(e.CommandName, "MAP"), isImage: strings.Contains(e.CommandName, "IMAGE")}
}

// listRate is the rate in the lists: not available where the runtime's times
// make no sense.
func (a *Analysis) listRate(t *transfer) view.Value {
	d := t.end - t.start
	if d == 0 || t.end < t.start && !a.o.Compat || (t.isMap || t.isImage) && d < 1000 {
		return notAvailable
	}
	return a.rate(t.bytes, d)
}

// transferList is the list of transfers, longest first; limit 0 means all.
func (a *Analysis) transferList(module string, limit int) *view.Table {
	ts := a.transfers(module)
	if ts.len() == 0 {
		return nil
	}
	order := longestFirst(a.o.Compat, ts.len(), limit, ts.times)
	t := &view.Table{Columns: columns(transferColumns(module), numbers("Duration(ms)", "Transfer Size", "Transfer Rate(MB/s)"), texts("Thread ID", "Call Index"))}
	t.More = func(yield func([]view.Value) bool) {
		for _, r := range order {
			x := ts.at(r.i)
			row := append(a.transferCells(module, &x), a.duration(x.start, x.end), a.size(x.bytes), a.listRate(&x), a.count(x.thread), a.index(x.index))
			if !yield(row) {
				return
			}
		}
	}
	return t
}

// transferColumns say what was transferred by whom.
func transferColumns(module string) []view.Column {
	if module == amd.HSA {
		return agentColumns
	}
	return texts("Command Type", "Context ID", "Command Queue ID")
}

func (a *Analysis) transferCells(module string, x *transfer) []view.Value {
	if module == amd.HSA {
		return x.agentCells()
	}
	return []view.Value{view.String(x.kind), a.count(uint64(x.context)), a.count(uint64(x.queue))}
}

// transferTotal sums the transfers of one kind.
type transferTotal struct {
	key     transferKey
	longest transfer
	length  uint64 // of the longest
	n       uint64
	ns      uint64
	bytes   uint64
}

// A transferKey is what the transfers of a row of the summary have in common.
type transferKey struct {
	kind           string
	queue, context uint32
	from, to       agent
}

// text is the key as AMD spells it, which orders the rows.
func (k *transferKey) text(module string) string {
	if module == amd.HSA {
		return k.from.handle + "\x00" + k.from.name + "\x00" + k.to.handle + "\x00" + k.to.name
	}
	return k.kind + "\x00" + strconv.FormatUint(uint64(k.queue), 10) + "\x00" + strconv.FormatUint(uint64(k.context), 10)
}

// transferSummary is CLDataTransferSummary and HSADataTransferSummary.
func (a *Analysis) transferSummary(module string) *view.Table {
	totals := a.transferTotals(module)
	if len(totals) == 0 {
		return nil
	}
	slices.SortFunc(totals, func(x, y *transferTotal) int { return strings.Compare(x.key.text(module), y.key.text(module)) })
	out := &view.Table{Columns: columns(transferColumns(module), numbers("Number of Transfers", "Total Duration(ms)", "Total Transfer Size", "Average Transfer Rate(MB/s)"))}
	for _, t := range totals {
		rate := notAvailable
		if t.bytes != 0 && !((t.longest.isMap || t.longest.isImage) && t.ns < 1000) && (a.o.Compat || t.ns > 0) {
			rate = a.rate(t.bytes, t.ns)
		}
		out.Rows = append(out.Rows, append(a.transferCells(module, &t.longest), a.count(t.n), a.ms(t.ns), a.size(t.bytes), rate))
	}
	return out
}

// transferTotals sums transfers by what they have in common.
func (a *Analysis) transferTotals(module string) []*transferTotal {
	var totals []*transferTotal
	byKey := map[transferKey]*transferTotal{}
	ts := a.transfers(module)
	for i := range ts.len() {
		x := ts.at(i)
		k := transferKey{kind: x.kind, queue: x.queue, context: x.context}
		switch {
		case module == amd.HSA:
			k = transferKey{from: x.from, to: x.to}
		case a.o.Compat:
			k.context = 0 // AMD throws contexts together
		}
		t := byKey[k]
		if t == nil {
			t = &transferTotal{key: k}
			byKey[k] = t
			totals = append(totals, t)
		}
		length := x.end - x.start
		if x.end < x.start && !a.o.Compat {
			length = 0
		}
		t.n++
		t.bytes += x.bytes
		t.ns += length
		if length >= t.length { // among equals the later one
			t.longest, t.length = x, length
		}
	}
	return totals
}
