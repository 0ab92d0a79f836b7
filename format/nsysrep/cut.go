package nsysrep

import (
	"encoding/binary"
	"io"

	"github.com/gpuprof/gpuprof/format/internal/cursor"
)

// A Cut says which events of a report are written, and what of them is known to be
// no number of a text.
type Cut struct {
	// Keep tells of event n of a kind, in the order of the file from 0, whether it is
	// written. Events that are not known always are.
	Keep func(k Kind, n int) bool
	// Plain are the columns of a kind, and Frames those of frames of stacks, that hold
	// no number of a text. Any other number may be one.
	Plain  [Kinds]uint64
	Frames uint64
}

// countField is where the summary has how many events there are.
const countField = 1

// Cut writes the report with some of its events. A text that nothing refers to any
// more becomes empty and keeps its place, as events refer to texts by it; what is
// not known counts as referring. A report with Problems is refused.
func (f *File) Cut(to io.Writer, c Cut) error {
	x := &cutter{file: f, cut: c, used: map[uint64]bool{}}
	if err := x.look(); err != nil {
		return err
	}
	return f.Write(to, Edit{
		Frame: func(i int, b []byte) ([]byte, error) { return x.frame(b, x.dropped[i]), nil },
		Texts: x.texts,
		Summary: func(b []byte) ([]byte, error) {
			return mend(b, map[int]int64{countField: -x.gone}), nil
		},
	})
}

// A cutter finds out which events go and which texts are used.
type cutter struct {
	file    *File
	cut     Cut
	walker  walker
	seen    [Kinds]int
	used    map[uint64]bool
	limit   uint64 // how many texts there are
	dropped []map[int]bool
	gone    int64
}

// look goes over all that refers to texts.
func (x *cutter) look() error {
	f := x.file
	texts, streams, err := f.Strings()
	if err != nil {
		return err
	}
	x.limit = uint64(len(texts))
	for _, m := range append([]Message{f.Header, f.Summary, f.Threads, f.Target}, streams...) {
		x.message(m)
	}
	schemas, err := f.Schemas()
	if err != nil {
		return err
	}
	x.message(schemas)
	var packed, buf []byte
	x.dropped = make([]map[int]bool, len(f.Frames))
	for i, fr := range f.Frames {
		b, err := f.unpack(fr, &packed, &buf)
		if err != nil {
			return err
		}
		x.dropped[i] = x.events(b)
		x.gone += int64(len(x.dropped[i]))
	}
	return nil
}

// message takes all numbers of a message for texts.
func (x *cutter) message(m Message) {
	for i := range m {
		if m[i].Bytes != nil {
			x.mark(m[i].Bytes)
		} else {
			x.use(m[i].Int)
		}
	}
}

func (x *cutter) use(v uint64) {
	if v < x.limit {
		x.used[v] = true
	}
}

// mark takes all numbers in bytes that may be a message for texts.
func (x *cutter) mark(b []byte) { x.markWithin(b, 0) }

const maxMarked = 16 // messages within messages

func (x *cutter) markWithin(b []byte, depth int) {
	for i := 0; i < len(b) && depth < maxMarked; {
		_, v, sub, n := field(b[i:])
		if n == 0 {
			return
		}
		if i += n; sub != nil {
			x.markWithin(sub, depth+1)
		} else {
			x.use(v)
		}
	}
}

// events tells which events of a frame go, by their place in it, and marks the texts
// of the others.
func (x *cutter) events(b []byte) (drop map[int]bool) {
	w, out := &x.walker, &walked{unknown: map[Unknown]int{}}
	n := -1
	for at := 0; at < len(b); {
		num, _, sub, size := field(b[at:])
		if size == 0 {
			break
		}
		at += size
		if num != 1 || sub == nil {
			x.mark(b[at-size : at])
			continue
		}
		n++
		w.kinds, w.order = w.kinds[:0], w.order[:0]
		w.event(b, at-len(sub), len(sub), out)
		if len(w.kinds) == 0 {
			x.mark(sub)
			continue
		}
		k := w.kinds[0]
		row := x.seen[k]
		x.seen[k]++
		if !x.cut.Keep(k, row) {
			if drop == nil {
				drop = map[int]bool{}
			}
			drop[n] = true
			continue
		}
		pay := w.order[0]
		x.fields(b[pay.at:pay.at+pay.size], layouts[k], x.cut.Plain[k])
	}
	return drop
}

// fields marks the texts of an event, or of a message in it.
func (x *cutter) fields(b []byte, lay *layout, plain uint64) {
	for i := 0; i < len(b); {
		num, v, sub, n := field(b[i:])
		if n == 0 {
			return
		}
		i += n
		slot := uint8(fieldUnknown)
		if num <= lastField {
			slot = lay.slot[num]
		}
		switch {
		case slot == fieldInside && sub != nil:
			x.fields(sub, lay.inside[num], plain)
		case slot == fieldStack && sub != nil:
			x.fields(sub, stackLayout, x.cut.Frames)
		case slot-1 < maxColumns-1 && (plain|lay.text)>>slot&1 != 0:
		case sub != nil:
			x.mark(sub)
		default:
			x.use(v)
		}
	}
}

// frame is a frame without the events that go; nil where none stays.
func (x *cutter) frame(b []byte, drop map[int]bool) []byte {
	if len(drop) == 0 {
		return b
	}
	out := make([]byte, 0, len(b))
	n := -1
	for at := 0; at < len(b); {
		num, _, sub, size := field(b[at:])
		if size == 0 {
			out = append(out, b[at:]...)
			break
		}
		if num == 1 && sub != nil {
			n++
		}
		if num != 1 || sub == nil || !drop[n] {
			out = append(out, b[at:at+size]...)
		}
		at += size
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// texts empties the texts that are not used.
func (x *cutter) texts(b []byte) ([]byte, error) {
	out, place := make([]byte, 0, len(b)), uint64(0)
	for at := 0; at < len(b); {
		num, _, sub, n := field(b[at:])
		if n == 0 {
			out = append(out, b[at:]...)
			break
		}
		switch {
		case num == 1 && sub != nil && len(sub) > 0 && !x.used[place]:
			out = append(binary.AppendUvarint(out, 1<<3|uint64(cursor.Len)), 0)
		default:
			out = append(out, b[at:at+n]...)
		}
		if num == 1 && sub != nil {
			place++
		}
		at += n
	}
	return out, nil
}
