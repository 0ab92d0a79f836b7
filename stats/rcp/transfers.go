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
	contextHandle  string
	start, end     uint64
	bytes          uint64
	thread         uint64
	index          int
	from, to       agent
	kept           bool // on the transfer pages
	isMap, isImage bool
}

// collectTransfers finds all transfers. Those that only the context page counts
// are not kept.
func (a *Analysis) collectTransfers() {
	var ts []transfer
	a.each(amd.OpenCL, func(c *call) {
		e := a.enqueue(c)
		if e == nil || kindOf(c.name) != memoryCommand || e.Shape != amd.Transfer || a.o.Compat && e.Bytes > math.MaxUint32 {
			return
		}
		t := transfer{kind: strings.TrimPrefix(e.CommandName, "CL_COMMAND_"), context: e.ContextID, queue: e.QueueID, contextHandle: e.Context,
			start: e.Start, end: e.End, bytes: e.Bytes, thread: c.thread, index: c.index}
		t.isMap, t.isImage = strings.Contains(e.CommandName, "MAP"), strings.Contains(e.CommandName, "IMAGE")
		// AMD drops what ends before it starts, but for maps.
		t.kept = !a.o.Compat || e.End >= e.Start || strings.HasPrefix(c.role.name, "clEnqueueMap")
		ts = append(ts, t)
	})
	a.transfers[amd.OpenCL] = ts
	a.collectCopies()
}

// keptTransfers are those of the transfer pages.
func (a *Analysis) keptTransfers(module string) []transfer {
	var out []transfer
	for _, t := range a.transfers[module] {
		if t.kept {
			out = append(out, t)
		}
	}
	return out
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
	ts := a.keptTransfers(module)
	if len(ts) == 0 {
		return nil
	}
	order := longestFirst(a.o.Compat, len(ts), func(i int) (uint64, uint64) { return ts[i].start, ts[i].end })
	if limit > 0 {
		order = order[:min(limit, len(order))]
	}
	head := texts("Command Type", "Context ID", "Command Queue ID")
	if module == amd.HSA {
		head = agentColumns
	}
	t := &view.Table{Columns: columns(head, numbers("Duration(ms)", "Transfer Size", "Transfer Rate(MB/s)"), texts("Thread ID", "Call Index"))}
	for _, i := range order {
		x := &ts[i]
		row := []view.Value{view.String(x.kind), a.count(uint64(x.context)), a.count(uint64(x.queue))}
		if module == amd.HSA {
			row = x.agentCells()
		}
		t.Rows = append(t.Rows, append(row, a.duration(x.start, x.end), a.size(x.bytes), a.listRate(x), a.count(x.thread), a.index(x.index)))
	}
	return t
}

// transferTotal sums the transfers of one kind.
type transferTotal struct {
	first transfer // the longest
	n     uint64
	ns    uint64
	bytes uint64
}

// transferSummary is CLDataTransferSummary and HSADataTransferSummary.
func (a *Analysis) transferSummary(module string) *view.Table {
	ts := a.keptTransfers(module)
	if len(ts) == 0 {
		return nil
	}
	totals := map[string]*transferTotal{}
	var keys []string
	for _, i := range longestFirst(a.o.Compat, len(ts), func(i int) (uint64, uint64) { return ts[i].start, ts[i].end }) {
		x := &ts[i]
		k := x.kind + "\x00" + strconv.FormatUint(uint64(x.queue), 10)
		switch {
		case module == amd.HSA:
			k = x.from.handle + "\x00" + x.from.name + "\x00" + x.to.handle + "\x00" + x.to.name
		case !a.o.Compat:
			k += "\x00" + strconv.FormatUint(uint64(x.context), 10) // AMD throws contexts together
		}
		t := totals[k]
		if t == nil {
			t = &transferTotal{first: *x}
			totals[k] = t
			keys = append(keys, k)
		}
		t.n++
		t.bytes += x.bytes
		if a.o.Compat || x.end >= x.start {
			t.ns += x.end - x.start
		}
	}
	slices.Sort(keys)
	head := texts("Command Type", "Context ID", "Command Queue ID")
	if module == amd.HSA {
		head = agentColumns
	}
	out := &view.Table{Columns: columns(head, numbers("Number of Transfers", "Total Duration(ms)", "Total Transfer Size", "Average Transfer Rate(MB/s)"))}
	for _, k := range keys {
		t := totals[k]
		row := []view.Value{view.String(t.first.kind), a.count(uint64(t.first.context)), a.count(uint64(t.first.queue))}
		if module == amd.HSA {
			row = t.first.agentCells()
		}
		rate := notAvailable
		if t.bytes != 0 && !((t.first.isMap || t.first.isImage) && t.ns < 1000) && (a.o.Compat || t.ns > 0) {
			rate = a.rate(t.bytes, t.ns)
		}
		out.Rows = append(out.Rows, append(row, a.count(t.n), a.ms(t.ns), a.size(t.bytes), rate))
	}
	return out
}
