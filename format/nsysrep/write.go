package nsysrep

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"iter"
	"sort"

	"github.com/pierrec/lz4/v4"
)

// An Edit tells what of a report is written otherwise. Each function may be nil,
// and is given bytes that it must not change; it returns the same slice for what
// stays, byte for byte, and another one for what does not. Messages are as they
// are in the file, so that an editor that copies fields it does not know keeps
// them.
type Edit struct {
	// Part edits a part but for that with the events. A nil result drops it.
	Part func(name string, b []byte) ([]byte, error)
	// Frame edits the message of frame i of the events. A nil result drops the
	// frame; the count of events in the summary is for Summary to mend.
	Frame func(i int, message []byte) ([]byte, error)
	// Texts edits the message of texts. Events refer to texts by their place.
	Texts func(message []byte) ([]byte, error)
	// Header, Summary, Threads and Target edit the messages of those names.
	Header, Summary, Threads, Target func(message []byte) ([]byte, error)
	// More are messages of frames that are written behind those of the report.
	More iter.Seq2[[]byte, error]
	// Repeat writes the frames so often in a row, for tests of size; 0 is once.
	Repeat int
}

const offsetsPart = "Sampling Data Offsets"

// A writer counts what it has written.
type writer struct {
	*bufio.Writer
	f   *File
	at  int64
	err error
}

func (w *writer) write(b []byte) {
	if w.err == nil {
		var n int
		n, w.err = w.Writer.Write(b)
		w.at += int64(n)
	}
}

// copy takes the bytes from one offset of the report to another.
func (w *writer) copy(from, to int64) {
	if w.err == nil && to > from {
		var n int64
		n, w.err = io.Copy(w.Writer, io.NewSectionReader(w.f.in, from, to-from))
		w.at += n
	}
}

// Write writes the report with edits. The directory and the offsets of frames
// are mended; what is not edited is copied byte for byte. A report with
// Problems is refused: what could not be read could not be edited either.
func (f *File) Write(to io.Writer, e Edit) error {
	if len(f.problems) > 0 {
		return fmt.Errorf("a damaged report is not written: %w", f.problems[0])
	}
	parts := append([]Part(nil), f.Parts...)
	sort.SliceStable(parts, func(i, j int) bool { return parts[i].Offset < parts[j].Offset })
	w := &writer{Writer: bufio.NewWriterSize(to, 1<<20), f: f}
	moved := map[string]Part{}
	var shift [2]int64 // of the frames of texts and of schemas
	at := int64(0)
	for _, p := range parts {
		if p.Offset < at || p.Offset+p.Size > f.dirAt || p.Name == offsetsPart && p.Offset < f.framesAt {
			return f.fail(p.Offset, "parts one behind the other, that with offsets behind that with events, then the directory", fmt.Sprintf("%q", p.Name))
		}
		w.copy(at, p.Offset)
		at = p.Offset + p.Size
		now := Part{Name: p.Name, Offset: w.at}
		keep := true
		switch {
		case p.Name == rawPart:
			shift = w.raw(p, e)
		default:
			keep = w.part(p, e, shift)
		}
		if now.Size = w.at - now.Offset; keep {
			moved[p.Name] = now
		}
		if w.err != nil {
			return w.err
		}
	}
	w.copy(at, f.dirAt)
	w.directory(moved)
	if w.err != nil {
		return w.err
	}
	return w.Flush()
}

// part writes a part, and reports whether it is there.
func (w *writer) part(p Part, e Edit, shift [2]int64) bool {
	if p.Name != offsetsPart && e.Part == nil {
		w.copy(p.Offset, p.Offset+p.Size)
		return true
	}
	b, err := w.f.bytes(p.Offset, p.Size)
	if err == nil && p.Name == offsetsPart {
		b = mend(b, map[int]int64{2: shift[0], 3: shift[1]})
	} else if err == nil {
		b, err = e.Part(p.Name, b)
	}
	if err != nil {
		w.err = err
	}
	w.write(b)
	return b != nil
}

// raw writes the part with the events, and returns by how much the frames of
// texts and of schemas moved.
func (w *writer) raw(p Part, e Edit) (shift [2]int64) {
	f, start := w.f, w.at
	at := p.Offset + int64(len(rawMagic))
	w.copy(p.Offset, at)
	at = w.message(at, e.Header)
	at = w.message(at, e.Summary)
	for range max(1, e.Repeat) {
		for i, fr := range f.Frames {
			var edit func([]byte) ([]byte, error)
			if e.Frame != nil {
				edit = func(b []byte) ([]byte, error) { return e.Frame(i, b) }
			}
			w.frame(at, fr, edit)
			at = fr.Offset + int64(fr.Packed)
		}
		if n := len(f.Frames); n > 0 && e.Repeat > 1 {
			at = f.framesAt
		}
	}
	if n := len(f.Frames); n > 0 {
		at = f.Frames[n-1].Offset + int64(f.Frames[n-1].Packed)
	}
	if e.More != nil {
		for message, err := range e.More {
			if w.err == nil {
				w.err = err
			}
			if w.err != nil {
				break
			}
			w.write(pack(message))
		}
	}
	shift[0] = w.at - start - (at - p.Offset)
	if f.strings.Packed > 0 {
		w.frame(at, f.strings, e.Texts)
		at = f.strings.Offset + int64(f.strings.Packed)
		at = w.message(at, e.Threads)
		if at < p.Offset+p.Size {
			at = w.message(at, e.Target)
		}
	}
	shift[1] = w.at - start - (at - p.Offset)
	w.copy(at, p.Offset+p.Size)
	return shift
}

// message writes the message at an offset, and returns where it ends.
func (w *writer) message(at int64, edit func([]byte) ([]byte, error)) int64 {
	v, n, err := w.f.varints(at, w.f.size, 1)
	if err != nil {
		w.err = err
		return at
	}
	end := at + int64(n) + int64(v[0])
	if edit == nil {
		w.copy(at, end)
		return end
	}
	b, err := w.f.bytes(at+int64(n), int64(v[0]))
	if err == nil {
		b, err = edit(b)
	}
	if err != nil {
		w.err = err
		return at
	}
	w.write(binary.AppendUvarint(nil, uint64(len(b))))
	w.write(b)
	return end
}

// frame writes a frame whose head begins at an offset.
func (w *writer) frame(at int64, fr Frame, edit func([]byte) ([]byte, error)) {
	end := fr.Offset + int64(fr.Packed)
	if edit == nil || w.err != nil {
		w.copy(at, end)
		return
	}
	var packed, buf []byte
	b, err := w.f.unpack(fr, &packed, &buf)
	if err != nil {
		w.err = err
		return
	}
	edited, err := edit(b)
	if err != nil {
		w.err = err
		return
	}
	switch {
	case edited == nil:
	case len(edited) == len(b) && (len(b) == 0 || &edited[0] == &b[0]):
		w.copy(at, end)
	default:
		w.write(pack(edited))
	}
}

// pack makes a frame of a message.
func pack(message []byte) []byte {
	plain := append(binary.AppendUvarint(nil, uint64(len(message))), message...)
	packed := make([]byte, lz4.CompressBlockBound(len(plain)))
	n, err := lz4.CompressBlock(plain, packed, nil)
	if n == 0 || err != nil { // it does not shrink: literals only
		packed = append(packed[:0], 0xf0)
		rest := len(plain) - 15
		if rest < 0 {
			packed[0] = byte(len(plain) << 4)
		}
		for ; rest >= 255; rest -= 255 {
			packed = append(packed, 255)
		}
		if rest >= 0 {
			packed = append(packed, byte(rest))
		}
		packed = append(packed, plain...)
		n = len(packed)
	}
	head := binary.AppendUvarint(nil, uint64(n))
	return append(binary.AppendUvarint(head, uint64(len(plain))), packed[:n]...)
}

// directory writes the directory with the parts where they are now.
func (w *writer) directory(moved map[string]Part) {
	at := w.at
	old, err := w.f.bytes(w.f.dirAt, w.f.size-16-w.f.dirAt)
	if err != nil {
		w.err = err
		return
	}
	for len(old) > 0 {
		tag, n := uvarint(old)
		size, k := uvarint(old[n:])
		if n == 0 || k == 0 || tag != 1<<3|2 || size > uint64(len(old)-n-k) {
			w.write(old) // fields that are not known
			break
		}
		entry := old[n+k : n+k+int(size)]
		old = old[n+k+int(size):]
		m, _ := parse(w.f.Name, w.f.dirAt, entry)
		now, ok := moved[m.Text(1)]
		if !ok {
			continue
		}
		entry = mend(entry, map[int]int64{2: now.Offset - m.Int(2), 3: now.Size - m.Int(3)})
		w.write(binary.AppendUvarint([]byte{1<<3 | 2}, uint64(len(entry))))
		w.write(entry)
	}
	w.write(binary.LittleEndian.AppendUint64(nil, uint64(at)))
	w.write([]byte(trailer))
}

// mend adds to numbers of a message and keeps all else byte for byte.
func mend(b []byte, add map[int]int64) []byte {
	var out []byte
	for len(b) > 0 {
		tag, n := uvarint(b)
		v, k := uvarint(b[n:])
		if n == 0 {
			break
		}
		switch by := add[int(tag>>3)]; {
		case tag&7 == 0 && k > 0:
			if n += k; by != 0 {
				out = binary.AppendUvarint(append(out, b[:n-k]...), v+uint64(by))
				b = b[n:]
				continue
			}
		case tag&7 == 2 && k > 0 && v <= uint64(len(b)-n-k):
			n += k + int(v)
		case tag&7 == 1 && len(b) >= n+8:
			n += 8
		case tag&7 == 5 && len(b) >= n+4:
			n += 4
		default:
			n = len(b)
		}
		out, b = append(out, b[:n]...), b[n:]
	}
	return append(out, b...)
}
