package annotate

import (
	"iter"
	"slices"

	"github.com/gpuprof/gpuprof/format/nvtxt"
)

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
	text        [blockRows]stringID
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
func (t *Events) At(i int) nvtxt.Event {
	b, j := t.row(i)
	e := nvtxt.Event{
		Type: nvtxt.EventType(b.typ[j]), Start: b.start[j], End: b.end[j],
		Process: b.process[j], Thread: b.thread[j],
		Text:  t.Strings.get(b.text[j]),
		Color: b.color[j], Category: b.category[j],
		HasColor: b.flags[j]&hasColor != 0, HasCategory: b.flags[j]&hasCategory != 0,
		HasID: b.flags[j]&hasID != 0, Open: b.flags[j]&isOpen != 0,
		Line: int(b.line[j]),
	}
	if b.payOf[j] != 0 {
		e.Payload = nvtxt.Payload{Kind: nvtxt.PayloadKind(b.payOf[j]), Bits: b.payload[j]}
	}
	if e.HasID {
		e.ID = int64(b.id[j])
	}
	return e
}

// All yields the events with their indices.
func (t *Events) All() iter.Seq2[int, nvtxt.Event] {
	return func(yield func(int, nvtxt.Event) bool) {
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
func (t *Events) add(typ nvtxt.EventType, r *nvtxt.Record, start, end int64) int {
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
	if r.Has.Has(nvtxt.ParamColor) {
		flags |= hasColor
	}
	b.color[j] = r.Color
	if r.Has.Has(nvtxt.ParamCategory) {
		b.category[j] = r.Category
		flags |= hasCategory
	}
	if r.Payload.Kind != nvtxt.NoPayload {
		if b.payload == nil {
			b.payload = new([blockRows]uint64)
		}
		b.payOf[j], b.payload[j] = uint8(r.Payload.Kind), r.Payload.Bits
	}
	if r.Command == nvtxt.CmdRangeStart && r.Has.Has(nvtxt.ParamID) {
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
