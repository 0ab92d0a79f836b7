package simlog

import (
	"bytes"
	"fmt"
)

// assembler turns header and trailer lines into kernel events. It sees the
// chunks in the order of the input.
//
// A kernel's header begins at "Processing kernel", or where a header field comes
// a second time. The kernel starts with its first access (or its trailer, if no
// access is logged), so that a start event always carries the whole header. It
// ends at the next header, at an access behind its trailer, or with the input.
type assembler struct {
	notes   *notes
	options options

	waiting []*running // headers read, kernels not started, oldest first
	header  *running   // the header being read: the last of waiting, or nil
	cur     *running   // started and not ended
	into    *running   // whose trailer is being read, or nil
	ahead   []*running // kernels that overlap cur and whose trailers came first

	prev    Stats // the statistics at the end of the kernel before
	kernels int
	ids     map[int64]int64 // kernel id -> line of its header
	exited  bool
}

// running is a kernel being put together.
type running struct {
	Kernel
	table *statTable // nil before the trailer
}

func newAssembler(n *notes) *assembler { return &assembler{notes: n, ids: map[int64]int64{}} }

// chunk adds the events of a parsed chunk to its batch. base is the number of
// lines before the chunk.
func (a *assembler) chunk(c *chunk, base int64) {
	b := &c.batch
	pos := 0
	for _, t := range c.texts {
		if t.at > pos {
			a.access(b, pos, base+1)
			pos = t.at
		}
		line := c.arena[t.off:t.end]
		if t.cut && bytes.IndexByte(line, '=') >= 0 {
			a.notes.add(base+t.line, "the input ends within this line; its value is not trusted")
			continue
		}
		a.text(b, pos, line, base+t.line)
	}
	if b.Len() > pos {
		a.access(b, pos, base+1)
	}
}

// access is told of accesses at position at: a kernel must be running.
func (a *assembler) access(b *Batch, at int, line int64) {
	if a.cur != nil && a.cur.Complete() {
		a.end(b, at)
	}
	if a.cur == nil {
		if len(a.waiting) == 0 {
			a.notes.add(line, "accesses before any kernel header; they are kept as a kernel of their own")
			a.waiting = append(a.waiting, &running{})
		}
		a.start(b, at)
	}
}

// start starts the oldest waiting kernel.
func (a *assembler) start(b *Batch, at int) {
	k := a.waiting[0]
	a.waiting = a.waiting[1:]
	if a.header == k {
		a.header = nil
	}
	a.cur = k
	a.announce(b, at, k)
}

// announce gives a kernel its index and id, and adds its start event.
func (a *assembler) announce(b *Batch, at int, k *running) {
	k.Index = a.kernels
	a.kernels++
	if k.ID == 0 {
		if k.ID = k.UID; k.ID == 0 {
			k.ID = int64(k.Index) + 1
		}
	}
	const maxIDs = 1 << 20
	if first, dup := a.ids[k.ID]; dup {
		a.notes.add(k.HeaderLine, fmt.Sprintf("kernel id %d was used before (line %d); both are kept, apart", k.ID, first))
	} else if len(a.ids) < maxIDs {
		a.ids[k.ID] = k.HeaderLine
	}
	header := k.Kernel
	b.Events = append(b.Events, Event{Kind: KernelStart, At: at, Kernel: &header})
}

// end ends the running kernel, and behind it those that overlapped it: their
// trailers came first, but a stream of accesses has one kernel at a time.
func (a *assembler) end(b *Batch, at int) {
	for _, k := range a.ahead {
		a.settle(k)
	}
	a.settle(a.cur)
	b.Events = append(b.Events, Event{Kind: KernelEnd, At: at, Kernel: &a.cur.Kernel})
	for _, k := range a.ahead {
		a.announce(b, at, k)
		b.Events = append(b.Events, Event{Kind: KernelEnd, At: at, Kernel: &k.Kernel})
	}
	a.cur, a.into, a.ahead = nil, nil, nil
}

// settle computes a kernel's own share of the statistics.
func (a *assembler) settle(k *running) {
	if !k.Complete() {
		a.notes.add(k.HeaderLine, "a kernel without trailer: its end is taken to be its last access")
	}
	if k.table != nil {
		k.Stats = k.table.list
		k.Delta = k.Stats.sub(a.prev)
		a.prev = k.Stats
	}
}

// close ends what is still open when the input is over.
func (a *assembler) close(b *Batch) {
	if a.cur != nil {
		a.end(b, b.Len())
	}
	a.flushWaiting(b, b.Len())
}

// begin makes way for a new header.
func (a *assembler) begin(b *Batch, at int, line int64) {
	switch {
	case a.cur == nil:
	case a.cur.Complete() || !a.options.concurrent:
		a.end(b, at)
	default:
		a.notes.add(line, "kernels overlap and access lines do not say whose they are; they count for the one that started first")
	}
	if !a.options.concurrent {
		a.flushWaiting(b, at)
	}
	a.header = &running{Kernel: Kernel{HeaderLine: line}}
	a.waiting = append(a.waiting, a.header)
}

// flushWaiting passes on kernels of which only the header was seen.
func (a *assembler) flushWaiting(b *Batch, at int) {
	for len(a.waiting) > 0 {
		a.notes.add(a.waiting[0].HeaderLine, "a kernel header with no access and no trailer behind it")
		a.start(b, at)
		a.end(b, at)
	}
}

// trailerOf finds the kernel that a trailer belongs to whose first line is
// "kernel_name" or, where the log leaves that out, "gpu_sim_cycle".
func (a *assembler) trailerOf(b *Batch, at int, line int64, name string) *running {
	if a.cur != nil && a.cur.Complete() && !(a.options.concurrent && len(a.waiting) > 0) {
		a.end(b, at) // a second trailer: of a kernel with neither header nor accesses
	}
	if a.cur != nil && name != "" && name != a.cur.Name {
		for i, k := range a.waiting {
			if k.Name == name {
				a.waiting = append(a.waiting[:i:i], a.waiting[i+1:]...)
				a.ahead = append(a.ahead, k)
				return k
			}
		}
	}
	if a.cur == nil {
		if len(a.waiting) == 0 {
			a.waiting = append(a.waiting, &running{Kernel: Kernel{HeaderLine: line}})
		}
		if k := a.waiting[0]; k.Name == "" {
			k.Name = name
		}
		a.start(b, at)
	}
	return a.cur
}
