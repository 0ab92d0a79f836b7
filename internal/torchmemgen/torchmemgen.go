// Package torchmemgen writes snapshots of an allocator that never was, as
// PyTorch on Python does (pickle protocol 4), for tests and measurements.
//
// The allocator has slots of 1 MiB in one segment. Allocations take the lowest
// free slot, frees take any; each asks for a little less than its slot.
package torchmemgen

import (
	"bufio"
	"encoding/binary"
	"io"
)

// slot is the size of a block, in bytes.
const slot = 1 << 20

// Options say how a snapshot is to look.
type Options struct {
	Allocations  int
	Slots        int  // most allocations that live at once
	Stacks       int  // different ones
	Depth        int  // frames of a stack
	OldHistories bool // blocks as before 2.1
	Categories   bool // of stacks with even numbers "activation", of others "gradient", as the profiler writes them
}

// A Truth is what a snapshot holds.
type Truth struct {
	Events    int
	Peak, End int64 // bytes asked for
	PeakEvent int
	Reserved  int64
	Live      int // blocks at the end
}

type writer struct {
	w      *bufio.Writer
	memo   uint32
	texts  map[string]uint32
	frames []uint32 // memo of each frame, 0: not written yet
	stacks []uint32
	o      Options
}

// Write writes a snapshot.
func Write(to io.Writer, o Options) (Truth, error) {
	w := &writer{w: bufio.NewWriterSize(to, 1<<20), texts: map[string]uint32{}, frames: make([]uint32, o.Stacks+o.Depth), stacks: make([]uint32, o.Stacks), o: o}
	w.raw(0x80, 4, '}', 0x94, '(')
	w.memo++
	w.text("device_traces")
	w.raw(']', 0x94)
	w.memo++
	w.raw(']', 0x94, '(')
	w.memo++
	t, live := w.events()
	w.raw('e', 'a')
	w.text("segments")
	w.raw(']', 0x94)
	w.memo++
	w.segment(live, &t)
	w.raw('a')
	w.text("allocator_settings")
	w.raw('}', 0x94, '(')
	w.memo++
	w.text("PYTORCH_CUDA_ALLOC_CONF")
	w.text("")
	w.text("max_split_size")
	w.number(-1)
	w.text("expandable_segments")
	w.raw(0x89, 'u')
	w.text("external_annotations")
	w.raw(']', 0x94, '}', 0x94, '(')
	w.memo += 2
	w.text("name")
	w.text("step")
	w.text("stage")
	w.text("START")
	w.text("device")
	w.number(0)
	w.text("time_us")
	w.number(1_700_000_000_000_000)
	w.raw('u', 'a', 'u', '.')
	return t, w.w.Flush()
}

func (w *writer) raw(b ...byte) { _, _ = w.w.Write(b) }

func (w *writer) get(n uint32) {
	if n < 256 {
		w.raw('h', byte(n))
		return
	}
	w.raw(append([]byte{'j'}, binary.LittleEndian.AppendUint32(nil, n)...)...)
}

func (w *writer) text(s string) {
	if n, ok := w.texts[s]; ok {
		w.get(n)
		return
	}
	w.raw(0x8c, byte(len(s)))
	_, _ = w.w.WriteString(s)
	w.raw(0x94)
	w.texts[s] = w.memo
	w.memo++
}

func (w *writer) number(n int64) {
	switch {
	case n >= 0 && n < 256:
		w.raw('K', byte(n))
	case n >= 0 && n < 65536:
		w.raw('M', byte(n), byte(n>>8))
	case n == int64(int32(n)):
		w.raw(append([]byte{'J'}, binary.LittleEndian.AppendUint32(nil, uint32(n))...)...)
	default:
		w.raw(append([]byte{0x8a, 8}, binary.LittleEndian.AppendUint64(nil, uint64(n))...)...)
	}
}

// stack writes the list of frames of a stack: once as such, then as a list of
// shared frames, as PyTorch makes one for each event.
func (w *writer) stack(k int) {
	w.raw(']', 0x94, '(')
	w.stacks[k] = w.memo
	w.memo++
	for d := range w.o.Depth {
		f := k + d
		if w.frames[f] != 0 {
			w.get(w.frames[f])
			continue
		}
		w.raw('}', 0x94, '(')
		w.frames[f] = w.memo
		w.memo++
		w.text("filename")
		w.text("/app/train_" + letters(f/16) + ".py")
		w.text("line")
		w.number(int64(f))
		w.text("name")
		w.text("forward_" + letters(f))
		w.raw('u')
	}
	w.raw('e')
}

func letters(n int) string {
	s := ""
	for ; n > 0 || s == ""; n /= 26 {
		s += string(rune('a' + n%26))
	}
	return s
}

// An alloc is an allocation that lives.
type alloc struct {
	slot, stack int
	size        int64
}

func (w *writer) events() (t Truth, live []alloc) {
	random := uint64(1)
	next := func(n int) int {
		random = random*6364136223846793005 + 1442695040888963407
		return int(random >> 33 % uint64(n))
	}
	var free []int
	for s := w.o.Slots - 1; s >= 0; s-- {
		free = append(free, s)
	}
	t.PeakEvent = -1
	now, allocated, pending := int64(0), 0, 0
	emit := func(action string, a alloc, fresh bool) {
		if pending == 1000 { // pickle writes lists in batches
			w.raw('e', '(')
			pending = 0
		}
		pending++
		w.event(action, a, t.Events, fresh)
		t.Events++
	}
	emit("segment_alloc", alloc{0, 0, int64(w.o.Slots) * slot}, true)
	for allocated < w.o.Allocations {
		if len(free) > 0 && (len(live) == 0 || next(100) < 52) {
			a := alloc{free[len(free)-1], next(w.o.Stacks), slot - int64(next(512))}
			free = free[:len(free)-1]
			live = append(live, a)
			emit("alloc", a, true)
			allocated++
			if now += a.size; now > t.Peak {
				t.Peak, t.PeakEvent = now, t.Events-1
			}
			continue
		}
		k := next(len(live))
		a := live[k]
		live[k] = live[len(live)-1]
		live = live[:len(live)-1]
		free = append(free, a.slot)
		emit("free_requested", a, true)
		emit("free_completed", a, false)
		now -= a.size
	}
	t.End, t.Live = now, len(live)
	return t, live
}

const address = 0x7f0000000000

func (w *writer) event(action string, a alloc, n int, fresh bool) {
	w.raw('}', 0x94, '(')
	w.memo++
	w.text("action")
	w.text(action)
	w.text("addr")
	w.number(address + int64(a.slot)*slot)
	w.text("size")
	w.number(a.size)
	w.text("stream")
	w.number(0)
	w.text("time_us")
	w.number(1_700_000_000_000_000 + int64(n)*7)
	w.text("compile_context")
	w.text("N/A")
	if w.o.Categories {
		w.text("category")
		w.text([]string{"activation", "gradient"}[a.stack%2])
	}
	w.text("frames")
	if fresh {
		w.stack(a.stack)
	} else {
		w.get(w.stacks[a.stack])
	}
	w.raw('u')
}

func (w *writer) segment(live []alloc, t *Truth) {
	bySlot := make(map[int]alloc, len(live))
	sum := int64(0)
	for _, a := range live {
		bySlot[a.slot] = a
		sum += a.size
	}
	t.Reserved = int64(w.o.Slots) * slot
	w.raw('}', 0x94, '(')
	w.memo++
	for _, kv := range []struct {
		key string
		n   int64
	}{{"device", 0}, {"address", address}, {"total_size", t.Reserved}, {"allocated_size", int64(len(live)) * slot}, {"active_size", int64(len(live)) * slot}, {"requested_size", sum}, {"stream", 0}} {
		w.text(kv.key)
		w.number(kv.n)
	}
	w.text("segment_type")
	w.text("large")
	w.text("segment_pool_id")
	w.raw('K', 0, 'K', 0, 0x86, 0x94)
	w.memo++
	w.text("blocks")
	w.raw(']', 0x94, '(')
	w.memo++
	for s := range w.o.Slots {
		a, ok := bySlot[s]
		w.raw('}', 0x94, '(')
		w.memo++
		w.text("size")
		w.number(slot)
		w.text("state")
		if ok {
			w.text("active_allocated")
		} else {
			w.text("inactive")
		}
		switch {
		case ok && w.o.OldHistories:
			w.text("history")
			w.raw(']', 0x94, '}', 0x94, '(')
			w.memo += 2
			w.text("addr")
			w.number(address + int64(s)*slot)
			w.text("real_size")
			w.number(a.size)
			w.text("frames")
			w.get(w.stacks[a.stack])
			w.raw('u', 'a')
		case ok:
			w.text("requested_size")
			w.number(a.size)
			w.text("address")
			w.number(address + int64(s)*slot)
			w.text("frames")
			w.get(w.stacks[a.stack])
		default:
			w.text("requested_size")
			w.number(0)
			w.text("address")
			w.number(address + int64(s)*slot)
			w.text("frames")
			w.raw(']', 0x94)
			w.memo++
		}
		w.raw('u')
	}
	w.raw('e', 'u')
}
