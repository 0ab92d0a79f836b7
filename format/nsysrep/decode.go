package nsysrep

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"runtime"

	"github.com/gpuprof/gpuprof/format/internal/cursor"
)

// decoder decodes the events of one frame.
type decoder struct {
	batch  *Batch
	typ    int
	family int
	kind   Kind
	frames [][]byte
	row    [slots]int64
	has    uint64
}

// maxEvents bounds the rows of a batch, and so what one with empty events can
// cost. Frames hold up to 7000.
const maxEvents = 1 << 16

// scratch is what a worker keeps from frame to frame.
type scratch struct {
	packed, buf []byte
	room        [kinds]int // rows of the last frame: neighbours are alike
}

func (f *File) decode(fr Frame, w *scratch) *Batch {
	b := &Batch{Unknown: map[Unknown]int{}}
	for k := range b.rows {
		b.rows[k].room = w.room[k]
	}
	msg, err := f.unpack(fr, &w.packed, &w.buf)
	if err != nil {
		b.Problem = err
		return b
	}
	d := decoder{batch: b}
	events := 0
	c := cursor.New(f.Name, 0, msg) // offsets count within the unpacked frame
	for {
		num, wire, ok := c.Field()
		if !ok {
			break
		}
		if num != 1 || wire != cursor.Len {
			b.Unknown[Unknown{Field: num}]++
			c.SkipField(wire)
			continue
		}
		if events++; events > maxEvents {
			b.Problem = f.fail(fr.Offset, fmt.Sprintf("at most %d events in a frame", maxEvents), "more: the rest is left out")
			break
		}
		d.event(c.LenBytes())
	}
	if b.Problem == nil {
		b.Problem = c.Err()
	}
	for k := range b.rows {
		w.room[k] = b.rows[k].N + b.rows[k].N/8 + 16
	}
	return b
}

// event decodes one event; one that is malformed counts as unknown.
func (d *decoder) event(b []byte) {
	c := cursor.New("", 0, b)
	d.typ, d.family = 0, 0
	var payload []byte
	for {
		num, wire, ok := c.Field()
		if !ok {
			break
		}
		switch {
		case num == 1 && wire == cursor.Varint:
			d.typ = int(c.Uvarint())
		case wire == cursor.Len:
			d.family, payload = num, c.LenBytes()
		default:
			c.SkipField(wire)
		}
	}
	lay := at(families, d.family)
	d.has, d.frames, d.kind = 0, d.frames[:0], -1
	if lay != nil {
		d.kind = lay.kind
	}
	if lay == nil || c.Err() != nil || !d.fields(payload, lay) || d.kind < 0 {
		d.unknown(0)
		return
	}
	if len(d.frames) > 0 { // the column of the field with frames tells how many
		d.row[lay.frames], d.has = int64(len(d.frames)), d.has|1<<lay.frames
	}
	rows := &d.batch.rows[d.kind]
	owner := rows.N
	rows.add(&d.row, d.has)
	for _, fr := range d.frames {
		d.has, d.row[FrameOwner] = 1<<FrameOwner, int64(owner)
		d.fields(fr, &frameLayout)
		d.batch.rows[lay.stack].add(&d.row, d.has)
	}
}

func (d *decoder) unknown(field int) {
	d.batch.Unknown[Unknown{Type: d.typ, Family: d.family, Field: field}]++
}

// fields puts the fields of a message into the row.
func (d *decoder) fields(b []byte, lay *layout) bool {
	for len(b) > 0 {
		tag, n := uvarint(b)
		if n == 0 || tag>>3 == 0 || tag>>3 > 1<<29-1 {
			return false
		}
		b = b[n:]
		num := int(tag >> 3)
		var v uint64
		var sub []byte
		switch cursor.Wire(tag & 7) {
		case cursor.Varint:
			if v, n = uvarint(b); n == 0 {
				return false
			}
		case cursor.Fixed64:
			if n = 8; len(b) < n {
				return false
			}
			v = binary.LittleEndian.Uint64(b)
		case cursor.Fixed32:
			if n = 4; len(b) < n {
				return false
			}
			v = uint64(binary.LittleEndian.Uint32(b))
		case cursor.Len:
			size, k := uvarint(b)
			if k == 0 || size > uint64(len(b)-k) {
				return false
			}
			sub, n = b[k:k+int(size)], k+int(size)
		default:
			return false
		}
		message := tag&7 == uint64(cursor.Len)
		b = b[n:]
		if !d.field(num, v, sub, message, lay) {
			return false
		}
	}
	return true
}

func (d *decoder) field(num int, v uint64, sub []byte, message bool, lay *layout) bool {
	col := lay.base + num
	switch {
	case num < slots && lay.known>>num&1 != 0 && col < slots && !message:
		d.row[col], d.has = int64(v), d.has|1<<col
	case num < slots && lay.texts>>num&1 != 0 && message:
		d.row[col], d.has = int64(len(d.batch.Texts)), d.has|1<<col
		d.batch.Texts = append(d.batch.Texts, string(sub))
	case message && num == lay.frames:
		d.frames = append(d.frames, sub)
	case message:
		in := at(lay.inside, num)
		if in == nil {
			d.unknown(num)
			return true
		}
		d.kind = in.kind
		return d.fields(sub, in)
	default:
		d.unknown(num)
	}
	return true
}

// uvarint reads a varint; n is 0 if it is malformed.
func uvarint(b []byte) (v uint64, n int) {
	if len(b) > 0 && b[0] < 0x80 {
		return uint64(b[0]), 1
	}
	v, n = binary.Uvarint(b)
	if n < 0 || n > 10 {
		return math.MaxUint64, 0
	}
	return v, n
}

// Decode decodes all frames, as many at a time as there are processors, and
// yields their batches in the order of the file. It stops at the first error
// that yield returns and returns it.
func (f *File) Decode(ctx context.Context, yield func(*Batch) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	workers := runtime.GOMAXPROCS(0)
	done := make(chan chan *Batch, 2*workers)
	jobs := make(chan func(*scratch), 2*workers)
	for range workers {
		go func() {
			var w scratch
			for job := range jobs {
				job(&w)
			}
		}()
	}
	go func() {
		defer close(jobs)
		defer close(done)
		for _, fr := range f.Frames {
			out := make(chan *Batch, 1)
			select {
			case done <- out:
			case <-ctx.Done():
				return
			}
			jobs <- func(w *scratch) { out <- f.decode(fr, w) }
		}
	}()
	for out := range done {
		b := <-out
		if err := yield(b); err != nil {
			return err
		}
	}
	return ctx.Err()
}
