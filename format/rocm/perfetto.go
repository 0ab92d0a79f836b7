package rocm

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/format/internal/cursor"
)

// maxPacket bounds a packet of a Perfetto trace, and maxDepthSlices how many
// slices of a track are open at once.
const (
	maxPacket      = 64 << 20
	maxDepthSlices = 4096
)

// A perfettoTrack is a thread, a queue, or a counter.
type perfettoTrack struct {
	name     string
	pid, tid uint64
	parent   uint64
	open     []perfettoEvent
}

// A perfettoEvent is a slice that has begun.
type perfettoEvent struct {
	name, category string
	at             uint64
	notes          map[string]string
}

// interned are the texts of a sequence of packets, which events name by numbers.
type interned struct {
	names, categories, notes, values map[uint64]string
	track                            uint64 // where an event does not say
}

// perfetto reads packets.
type perfetto struct {
	s         *Session
	kept      interner
	sequences map[uint64]*interned
	tracks    map[uint64]*perfettoTrack
	counters  map[uint64]bool // tracks of counters
	unended   int
}

// readPerfetto reads the slices and counters of a Perfetto trace. What rocprofv3
// writes becomes dispatches, calls, copies, allocations and ranges; slices of
// other tools become ranges.
func (s *Session) readPerfetto(ctx context.Context, in io.Reader) error {
	p := &perfetto{s: s, kept: interner{}, sequences: map[uint64]*interned{}, tracks: map[uint64]*perfettoTrack{}, counters: map[uint64]bool{}}
	r := bufio.NewReaderSize(in, 1<<20)
	var buf []byte
	for n, at := 0, int64(0); ; n++ {
		if n&0xfff == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		tag, err := r.ReadByte()
		if errors.Is(err, io.EOF) || s.full {
			break
		}
		var size uint64
		if err == nil {
			size, err = binary.ReadUvarint(r)
		}
		if err == nil && (tag != 0x0a || size > maxPacket) {
			err = fmt.Errorf("a field with tag %#x of %d bytes", tag, size)
		}
		if err == nil {
			if uint64(cap(buf)) < size {
				buf = make([]byte, 0, size) // at most maxPacket
			}
			buf = buf[:size]
			_, err = io.ReadFull(r, buf)
		}
		if err != nil {
			s.problem(FormatError{Offset: at, Want: "a packet", Found: err.Error(), Err: cursor.ErrTruncated})
			break
		}
		c := cursor.New(s.Name, at, buf)
		p.packet(&c)
		if e := c.Err(); e != nil {
			var f *FormatError
			if errors.As(e, &f) {
				s.problem(*f)
			}
		}
		at = s.plain.N
	}
	if p.unended > 0 {
		s.problem(FormatError{Want: "an end for each slice", Found: fmt.Sprintf("%d without", p.unended), Err: cursor.ErrTruncated})
	}
	return nil
}

// packet reads a packet. The texts that an event names may follow it.
func (p *perfetto) packet(c *cursor.Cursor) {
	var at, sequence uint64
	var event, texts, track, defaults []byte
	var eventAt int64
	for num, wire, ok := c.Field(); ok; num, wire, ok = c.Field() {
		switch {
		case num == 8 && wire == cursor.Varint:
			at = c.Uvarint()
		case num == 10 && wire == cursor.Varint:
			sequence = c.Uvarint()
		case num == 41 && wire == cursor.Varint:
			if c.Uvarint() != 0 {
				delete(p.sequences, sequence)
			}
		case num == 13 && wire == cursor.Varint:
			if c.Uvarint()&1 != 0 { // the state is cleared
				delete(p.sequences, sequence)
			}
		case num == 11 && wire == cursor.Len:
			event = c.LenBytes()
			eventAt = c.Offset() - int64(len(event))
		case num == 12 && wire == cursor.Len:
			texts = c.LenBytes()
		case num == 59 && wire == cursor.Len:
			defaults = c.LenBytes()
		case num == 60 && wire == cursor.Len:
			track = c.LenBytes()
		default:
			c.SkipField(wire)
		}
	}
	q := p.sequences[sequence]
	if q == nil {
		if len(p.sequences) > 1<<16 {
			return
		}
		q = &interned{names: map[uint64]string{}, categories: map[uint64]string{}, notes: map[uint64]string{}, values: map[uint64]string{}}
		p.sequences[sequence] = q
	}
	if texts != nil {
		p.intern(q, cursor.New(p.s.Name, 0, texts))
	}
	if defaults != nil {
		p.defaults(q, cursor.New(p.s.Name, 0, defaults))
	}
	if track != nil {
		p.describe(cursor.New(p.s.Name, 0, track))
	}
	if event != nil {
		p.event(q, at, cursor.New(p.s.Name, eventAt, event))
	}
}

func (p *perfetto) intern(q *interned, c cursor.Cursor) {
	for num, wire, ok := c.Field(); ok; num, wire, ok = c.Field() {
		to := map[int]map[uint64]string{1: q.categories, 2: q.names, 3: q.notes, 29: q.values}[num]
		if to == nil || wire != cursor.Len {
			c.SkipField(wire)
			continue
		}
		var id uint64
		var text string
		sub := c.Sub()
		for num, wire, ok := sub.Field(); ok; num, wire, ok = sub.Field() {
			switch {
			case num == 1 && wire == cursor.Varint:
				id = sub.Uvarint()
			case num == 2 && wire == cursor.Len:
				text = p.kept.of(string(sub.LenBytes()))
			default:
				sub.SkipField(wire)
			}
		}
		if p.s.take(counterTakes) {
			to[id] = text
		}
	}
}

func (p *perfetto) defaults(q *interned, c cursor.Cursor) {
	for num, wire, ok := c.Field(); ok; num, wire, ok = c.Field() {
		if num != 11 || wire != cursor.Len {
			c.SkipField(wire)
			continue
		}
		sub := c.Sub()
		for num, wire, ok := sub.Field(); ok; num, wire, ok = sub.Field() {
			if num == 11 && wire == cursor.Varint {
				q.track = sub.Uvarint()
			} else {
				sub.SkipField(wire)
			}
		}
	}
}

// track returns that of a number.
func (p *perfetto) track(id uint64) *perfettoTrack {
	t := p.tracks[id]
	if t == nil {
		t = &perfettoTrack{}
		if p.s.take(dispatchTakes) {
			p.tracks[id] = t
		}
	}
	return t
}

// describe reads what a track is.
func (p *perfetto) describe(c cursor.Cursor) {
	var id, parent, pid, tid uint64
	var name string
	counter := false
	for num, wire, ok := c.Field(); ok; num, wire, ok = c.Field() {
		switch {
		case num == 1 && wire == cursor.Varint:
			id = c.Uvarint()
		case num == 5 && wire == cursor.Varint:
			parent = c.Uvarint()
		case (num == 2 || num == 10) && wire == cursor.Len:
			name = p.kept.of(string(c.LenBytes()))
		case (num == 3 || num == 4) && wire == cursor.Len:
			thread := num == 4
			sub := c.Sub()
			for num, wire, ok := sub.Field(); ok; num, wire, ok = sub.Field() {
				switch {
				case num == 1 && wire == cursor.Varint:
					pid = sub.Uvarint()
				case num == 2 && wire == cursor.Varint && thread:
					tid = sub.Uvarint()
				default:
					sub.SkipField(wire)
				}
			}
		case num == 8 && wire == cursor.Len:
			counter = true
			c.LenBytes()
		default:
			c.SkipField(wire)
		}
	}
	t := p.track(id)
	t.parent = parent
	if name != "" {
		t.name = name
	}
	if pid != 0 {
		t.pid, t.tid = pid, tid
	}
	if counter {
		p.counters[id] = true
	}
}

// thread is the process and thread of a track, which may be those of one above it.
func (p *perfetto) thread(t *perfettoTrack) (pid, tid uint64) {
	for range 16 {
		if t.pid != 0 || t.parent == 0 || p.tracks[t.parent] == nil {
			break
		}
		t = p.tracks[t.parent]
	}
	return t.pid, t.tid
}

// The types of events.
const (
	perfettoBegin   = 1
	perfettoEnd     = 2
	perfettoInstant = 3
	perfettoCounter = 4
)

func (p *perfetto) event(q *interned, at uint64, c cursor.Cursor) {
	e := perfettoEvent{at: at}
	typ, id, value := uint64(0), q.track, 0.0
	for num, wire, ok := c.Field(); ok; num, wire, ok = c.Field() {
		switch {
		case num == 9 && wire == cursor.Varint:
			typ = c.Uvarint()
		case num == 10 && wire == cursor.Varint:
			e.name = q.names[c.Uvarint()]
		case num == 23 && wire == cursor.Len:
			e.name = p.kept.of(string(c.LenBytes()))
		case num == 3 && wire == cursor.Varint:
			e.category = q.categories[c.Uvarint()]
		case num == 22 && wire == cursor.Len:
			e.category = p.kept.of(string(c.LenBytes()))
		case num == 11 && wire == cursor.Varint:
			id = c.Uvarint()
		case num == 30 && wire == cursor.Varint:
			value = float64(int64(c.Uvarint()))
		case num == 44 && wire == cursor.Fixed64:
			value = c.F64()
		case num == 4 && wire == cursor.Len:
			name, text := p.note(q, c.Sub())
			if e.notes == nil {
				e.notes = map[string]string{}
			}
			e.notes[name] = text
		default:
			c.SkipField(wire)
		}
	}
	t := p.track(id)
	switch typ {
	case perfettoBegin:
		if len(t.open) < maxDepthSlices && p.s.take(dispatchTakes) {
			t.open = append(t.open, e)
			p.unended++
		}
	case perfettoEnd:
		if n := len(t.open); n > 0 {
			begin := t.open[n-1]
			t.open = t.open[:n-1]
			p.unended--
			p.slice(t, &begin, at)
		}
	case perfettoInstant:
		p.slice(t, &e, at)
	case perfettoCounter:
		if p.s.take(copyTakes) {
			p.s.Monitors = append(p.s.Monitors, Monitor{Device: e.category, Name: firstOf(t.name, e.name), Start: at, Value: value})
		}
	}
}

func firstOf(texts ...string) string {
	for _, s := range texts {
		if s != "" {
			return s
		}
	}
	return ""
}

// note reads an annotation as text.
func (p *perfetto) note(q *interned, c cursor.Cursor) (name, text string) {
	for num, wire, ok := c.Field(); ok; num, wire, ok = c.Field() {
		switch {
		case num == 1 && wire == cursor.Varint:
			name = q.notes[c.Uvarint()]
		case num == 10 && wire == cursor.Len:
			name = p.kept.of(string(c.LenBytes()))
		case (num == 3 || num == 7) && wire == cursor.Varint:
			text = strconv.FormatUint(c.Uvarint(), 10)
		case (num == 2 || num == 4) && wire == cursor.Varint:
			text = strconv.FormatInt(int64(c.Uvarint()), 10)
		case num == 5 && wire == cursor.Fixed64:
			text = strconv.FormatFloat(c.F64(), 'g', -1, 64)
		case (num == 6 || num == 9) && wire == cursor.Len:
			text = p.kept.of(string(c.LenBytes()))
		case num == 17 && wire == cursor.Varint:
			text = q.values[c.Uvarint()]
		default:
			c.SkipField(wire)
		}
	}
	return name, text
}

// slice adds what began at e and ended at end.
func (p *perfetto) slice(t *perfettoTrack, e *perfettoEvent, end uint64) {
	s := p.s
	if !s.take(dispatchTakes) {
		return
	}
	pid, tid := p.thread(t)
	number := func(name string) uint64 { v, _ := strconv.ParseUint(e.notes[name], 0, 64); return v }
	if v := number("tid"); v != 0 {
		tid = v
	}
	start, correlation := e.at, number("corr_id")
	if b, x := number("begin_ns"), number("end_ns"); b != 0 && x >= b {
		start, end = b, x
	}
	agent := func(name string) uint64 { v, _ := agentNumber(e.notes[name]); return v }
	switch {
	case e.category == "kernel_dispatch":
		optional := func(name string) int64 {
			if e.notes[name] == "" {
				return -1
			}
			return int64(number(name) & (1<<63 - 1))
		}
		s.Dispatches = append(s.Dispatches, Dispatch{ID: uint64(len(s.Dispatches)) + 1, Kernel: e.name, Agent: agent("agent"), Queue: number("queue"), PID: pid, TID: tid, Correlation: correlation,
			Start: start, End: end, Grid: [3]uint64{number("grid_size"), 1, 1}, Group: [3]uint64{number("workgroup_size"), 1, 1}, LDS: optional("group_segment_size"),
			Scratch: optional("private_segment_size"), VGPRs: optional("vgpr_count"), AGPRs: optional("accum_vgpr_count"), SGPRs: optional("sgpr_count")})
	case e.category == "memory_copy":
		s.Copies = append(s.Copies, Copy{Direction: e.name, Bytes: -1, From: agent("src_agent"), To: agent("dst_agent"), PID: pid, Correlation: correlation, Start: start, End: end})
	case e.category == "memory_allocation" || e.category == "scratch_memory":
		a := Allocation{Agent: agent("agent"), HasAgent: e.notes["agent"] != "", Bytes: -1, PID: pid, TID: tid, Correlation: correlation, Start: start, End: end}
		a.Operation, a.Level = allocationOf(e.name)
		s.Allocations = append(s.Allocations, a)
	case e.category != "marker_api" && strings.HasSuffix(e.category, "_api"):
		s.Calls = append(s.Calls, Call{Domain: strings.ToUpper(e.category), Name: e.name, PID: pid, TID: tid, Correlation: correlation, Start: start, End: end})
	default:
		s.Ranges = append(s.Ranges, Range{Domain: e.category, Text: e.name, PID: pid, TID: tid, Correlation: correlation, Start: start, End: end, Mark: start == end})
	}
}
