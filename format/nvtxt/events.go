package nvtxt

import (
	"fmt"
	"iter"
	"slices"
)

// EventType is the eventType of a row in the NVTX_EVENTS table of Nsight
// Systems.
type EventType uint8

// The types that annotations from text files have.
const (
	TypeCategory      EventType = 64 // NvtxtCategory: the name of a category
	TypeMarker        EventType = 65 // NvtxtMark
	TypePushPopRange  EventType = 70 // NvtxtPushPopRange
	TypeStartEndRange EventType = 71 // NvtxtStartEndRange
	TypeThread        EventType = 72 // NvtxtThread: the name of a thread
	TypeProcess       EventType = 73 // NvtxtProcess: the name of a process
	TypeFile          EventType = 74 // NvtxtFile: the display name of a file
)

// String returns a word for tables, such as "marker".
func (t EventType) String() string {
	switch t {
	case TypeCategory:
		return "category"
	case TypeMarker:
		return "marker"
	case TypePushPopRange:
		return "push/pop range"
	case TypeStartEndRange:
		return "start/end range"
	case TypeThread:
		return "thread"
	case TypeProcess:
		return "process"
	case TypeFile:
		return "file"
	}
	return fmt.Sprintf("EventType(%d)", uint8(t))
}

// Native returns the type that the same annotation has when a program makes
// it through the NVTX API; 0 if there is none.
func (t EventType) Native() uint8 {
	switch t {
	case TypeCategory:
		return 33
	case TypeMarker:
		return 34
	case TypeThread:
		return 39
	case TypePushPopRange:
		return 59
	case TypeStartEndRange:
		return 60
	}
	return 0
}

// Event is a marker or a range of the timeline.
type Event struct {
	Type    EventType
	Start   int64 // ns
	End     int64 // ns; Start for a marker
	Process uint32
	Thread  uint32

	Text     string
	Color    uint32 // ARGB; see [DrawColor]
	Category uint32
	Payload  Payload
	ID       int64 // of RangeStart and RangeEnd

	HasColor    bool
	HasCategory bool
	HasID       bool
	// Open marks a range that nothing ends. In Guide it ends with the session;
	// in Nsys its End is the largest int64.
	Open bool
	Line int // of the call that begins it
}

// Flags of a row.
const (
	hasColor = 1 << iota
	hasCategory
	hasID
	isOpen
)

const blockRows = 4096

// block holds blockRows events, a column a field. Columns that few files use
// are made when first needed. The gaps keep the fields of one row out of the
// same set of the processor's cache.
type block struct {
	payload, id *[blockRows]uint64 // first, so that the collector looks no further
	start       [blockRows]int64
	_           [64]byte
	end         [blockRows]int64
	_           [64]byte
	process     [blockRows]uint32
	_           [64]byte
	thread      [blockRows]uint32
	_           [64]byte
	category    [blockRows]uint32
	_           [64]byte
	color       [blockRows]uint32
	_           [64]byte
	text        [blockRows]StringID
	_           [64]byte
	line        [blockRows]uint32
	_           [64]byte
	typ         [blockRows]uint8
	_           [64]byte
	flags       [blockRows]uint8
	_           [64]byte
	payOf       [blockRows]uint8
}

// Events is a table of events in the order of their first lines.
type Events struct {
	Strings Strings
	blocks  []*block
	n       int
	clean   bool // texts lose the bytes that are not UTF-8
}

// Len returns the number of events.
func (t *Events) Len() int { return t.n }

// row locates a row.
func (t *Events) row(i int) (*block, int) {
	return t.blocks[uint(i)/blockRows], int(uint(i) % blockRows)
}

// At returns event i.
func (t *Events) At(i int) Event {
	b, j := t.row(i)
	e := Event{
		Type: EventType(b.typ[j]), Start: b.start[j], End: b.end[j],
		Process: b.process[j], Thread: b.thread[j],
		Text:  t.Strings.Get(b.text[j]),
		Color: b.color[j], Category: b.category[j],
		HasColor: b.flags[j]&hasColor != 0, HasCategory: b.flags[j]&hasCategory != 0,
		HasID: b.flags[j]&hasID != 0, Open: b.flags[j]&isOpen != 0,
		Line: int(b.line[j]),
	}
	if b.payOf[j] != 0 {
		e.Payload = Payload{Kind: PayloadKind(b.payOf[j]), bits: b.payload[j]}
	}
	if e.HasID {
		e.ID = int64(b.id[j])
	}
	return e
}

// TextID returns which of Strings is the text of event i.
func (t *Events) TextID(i int) StringID {
	b, j := t.row(i)
	return b.text[j]
}

// All yields the events with their indices.
func (t *Events) All() iter.Seq2[int, Event] {
	return func(yield func(int, Event) bool) {
		for i := range t.n {
			if !yield(i, t.At(i)) {
				return
			}
		}
	}
}

// ByStart returns the indices of the events in the order of their starts;
// events that start together stay in file order.
func (t *Events) ByStart() []int {
	order := make([]int, t.n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		ba, ja := t.row(a)
		bb, jb := t.row(b)
		x, y := ba.start[ja], bb.start[jb]
		switch {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
	return order
}

// add appends an event made of r with converted times.
func (t *Events) add(typ EventType, r *Record, start, end int64) int {
	i := t.n
	if i%blockRows == 0 {
		t.blocks = append(t.blocks, new(block))
	}
	t.n++
	b, j := t.row(i)
	b.typ[j] = uint8(typ)
	b.start[j], b.end[j] = start, end
	b.process[j], b.thread[j] = r.Process, r.Thread
	b.text[j], b.line[j] = t.Strings.intern(r.Text, t.clean), uint32(r.Line)
	var flags uint8
	if r.Has.Has(ParamColor) {
		flags |= hasColor
	}
	b.color[j] = r.Color
	if r.Has.Has(ParamCategory) {
		b.category[j] = r.Category
		flags |= hasCategory
	}
	if r.Payload.Kind != NoPayload {
		if b.payload == nil {
			b.payload = new([blockRows]uint64)
		}
		b.payOf[j], b.payload[j] = uint8(r.Payload.Kind), r.Payload.bits
	}
	if r.Command == CmdRangeStart && r.Has.Has(ParamID) {
		if b.id == nil {
			b.id = new([blockRows]uint64)
		}
		flags |= hasID
		b.id[j] = uint64(r.ID)
	}
	b.flags[j] = flags
	return i
}

// close ends the range in row i.
func (t *Events) close(i int, end int64) {
	b, j := t.row(i)
	b.end[j] = end
}

// open marks the range in row i as never ended.
func (t *Events) open(i int, end int64) {
	b, j := t.row(i)
	b.end[j] = end
	b.flags[j] |= isOpen
}

// keep drops all rows for which f is false.
func (t *Events) keep(f func(i int) bool) {
	n := 0
	for i := range t.n {
		if !f(i) {
			continue
		}
		if n != i {
			t.move(n, i)
		}
		n++
	}
	t.n = n
	t.blocks = t.blocks[:(n+blockRows-1)/blockRows]
}

func (t *Events) move(to, from int) {
	d, i := t.row(to)
	s, j := t.row(from)
	d.start[i], d.end[i] = s.start[j], s.end[j]
	d.process[i], d.thread[i] = s.process[j], s.thread[j]
	d.category[i], d.color[i] = s.category[j], s.color[j]
	d.text[i], d.line[i] = s.text[j], s.line[j]
	d.typ[i], d.flags[i], d.payOf[i] = s.typ[j], s.flags[j], s.payOf[j]
	if s.payOf[j] != 0 {
		if d.payload == nil {
			d.payload = new([blockRows]uint64)
		}
		d.payload[i] = s.payload[j]
	}
	if s.flags[j]&hasID != 0 {
		if d.id == nil {
			d.id = new([blockRows]uint64)
		}
		d.id[i] = s.id[j]
	}
}

// writable reports whether e is a marker or a range.
func (e *Event) writable() bool {
	return e.Type == TypeMarker || e.Type == TypePushPopRange || e.Type == TypeStartEndRange
}
