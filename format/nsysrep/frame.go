package nsysrep

import (
	"encoding/binary"
	"fmt"

	"github.com/pierrec/lz4/v4"
)

const (
	maxFrame = 1 << 28 // bytes of a decoded frame: ten times what 7000 events with deep stacks take
	maxRatio = 260     // LZ4 packs no more than 255 bytes into one; some for the end
)

// readRaw finds the frames and the messages of the part with the events. Defects
// are told in problems; what lies behind them is looked for.
func (f *File) readRaw(p Part) error {
	offsets, err := f.Message("Sampling Data Offsets")
	if err != nil {
		f.problems = append(f.problems, err)
	}
	if codec := offsets.Find(1); codec != nil && string(codec.Bytes) != "lz4" {
		return f.fail(f.part("Sampling Data Offsets").Offset, `the codec "lz4"`, fmt.Sprintf("%q", codec.Bytes))
	}
	begin, end := p.Offset+int64(len(rawMagic)), p.Offset+p.Size
	at := begin
	f.Header = f.message(&at, end)
	f.Summary = f.message(&at, end)
	f.framesAt = at
	texts := int64(-1)
	if o := offsets.Find(2); o != nil && o.Int < uint64(end-begin) && f.opens(begin+int64(o.Int), end) {
		texts = begin + int64(o.Int)
	}
	f.walk(begin, at, end, texts)
	if texts < 0 {
		f.findTexts()
	} else if f.strings, err = f.frame(texts, end); err != nil {
		f.problems = append(f.problems, err)
	}
	if o := offsets.Find(3); o != nil && o.Int < uint64(end-begin) {
		if f.schemas, err = f.frame(begin+int64(o.Int), end); err != nil {
			f.problems = append(f.problems, err)
		}
	}
	if f.strings.Packed > 0 {
		at = f.strings.Offset + int64(f.strings.Packed)
		f.Threads = f.message(&at, end)
		if at < end { // else a report that tells nothing of its target here
			f.Target = f.message(&at, end)
		}
	}
	return nil
}

// message reads a message with its length in front, and moves at behind it.
func (f *File) message(at *int64, end int64) Message {
	n, k, err := f.varints(*at, end, 1)
	if err == nil && n[0] > uint64(end-*at)-uint64(k) {
		err = f.fail(*at, "a message within the part", fmt.Sprintf("%d bytes", n[0]))
	}
	if err != nil {
		f.problems = append(f.problems, err)
		return nil
	}
	b, err := f.bytes(*at+int64(k), int64(n[0]))
	if err != nil {
		f.problems = append(f.problems, err)
		return nil
	}
	m, err := parse(f.Name, *at+int64(k), b)
	if err != nil {
		f.problems = append(f.problems, err)
	}
	*at += int64(k) + int64(n[0])
	return m
}

func (f *File) varints(at, end int64, count int) (v [2]uint64, n int, err error) {
	if at < 0 || at >= end {
		return v, 0, f.fail(at, "a length", "the end of the part")
	}
	b, err := f.bytes(at, min(20, end-at))
	if err != nil {
		return v, 0, err
	}
	for i := range count {
		x, k := binary.Uvarint(b[n:])
		if k <= 0 {
			return v, 0, f.fail(at+int64(n), "a length", fmt.Sprintf("%x", b[n:]))
		}
		v[i], n = x, n+k
	}
	return v, n, nil
}

// frame reads the head of a frame. Sizes that no LZ4 block can have are refused
// before anything is allocated.
func (f *File) frame(at, end int64) (Frame, error) {
	v, n, err := f.varints(at, end, 2)
	if err != nil {
		return Frame{}, err
	}
	packed, size := v[0], v[1]
	left := uint64(end - at - int64(n))
	if packed == 0 || size == 0 || packed > left || size > maxFrame || size > packed*maxRatio {
		return Frame{}, f.fail(at, fmt.Sprintf("a frame within %d bytes that unpacks to at most %d", left, maxFrame), fmt.Sprintf("%d bytes for %d", packed, size))
	}
	return Frame{Offset: at + int64(n), Packed: int(packed), Size: int(size)}, nil
}

// unpack reads a frame into buf, which grows, and returns the message in it.
func (f *File) unpack(fr Frame, packed, buf *[]byte) ([]byte, error) {
	*packed, *buf = sized(*packed, fr.Packed), sized(*buf, fr.Size)
	if _, err := f.in.ReadAt(*packed, fr.Offset); err != nil {
		return nil, fmt.Errorf("%s: offset %d: %w", f.Name, fr.Offset, err)
	}
	n, err := lz4.UncompressBlock(*packed, *buf)
	if err != nil || n != fr.Size {
		return nil, f.fail(fr.Offset, fmt.Sprintf("an LZ4 block of %d bytes", fr.Size), fmt.Sprintf("%d (%v)", n, err))
	}
	size, k := binary.Uvarint(*buf)
	if k <= 0 || size != uint64(fr.Size-k) {
		return nil, f.fail(fr.Offset, "one message that fills the frame", fmt.Sprintf("%d bytes of %d", size, fr.Size))
	}
	return (*buf)[k:], nil
}

func sized(b []byte, n int) []byte {
	if cap(b) < n {
		return make([]byte, n)
	}
	return b[:n]
}

// Need is about what reading the report takes at least, in bytes, when no frames
// are kept: the texts, and some frames with their columns in flight.
func (f *File) Need() int64 {
	largest := 0
	for _, fr := range f.Frames {
		largest = max(largest, fr.Size)
	}
	return 3*int64(f.strings.Size) + 24*int64(largest)
}

// maxTexts bounds the texts: an empty one takes two bytes, and a place in the
// list. Reports that were seen have some thousand.
const maxTexts = 1 << 24

// Strings reads the texts that events refer to by their place in the list, and
// the output streams of processes.
func (f *File) Strings() (texts []string, streams []Message, err error) {
	if f.strings.Packed == 0 {
		return nil, nil, nil
	}
	var packed, buf []byte
	b, err := f.unpack(f.strings, &packed, &buf)
	if err != nil {
		return nil, nil, err
	}
	for at := 0; at < len(b); {
		num, _, sub, n := field(b[at:])
		switch {
		case n == 0:
			return texts, streams, f.fail(f.strings.Offset, "texts that fill the frame", fmt.Sprintf("%x at byte %d of it; the rest is left out", b[at:min(len(b), at+8)], at))
		case len(texts)+len(streams) >= maxTexts:
			return texts, streams, f.fail(f.strings.Offset, fmt.Sprintf("at most %d texts", maxTexts), "more: the rest is left out")
		case num == 1 && sub != nil:
			texts = append(texts, string(sub))
		case num == 2 && sub != nil:
			s, _ := parse(f.Name, f.strings.Offset, sub)
			streams = append(streams, s)
		}
		at += n
	}
	return texts, streams, nil
}

// Schemas reads the layouts of binary NVTX payloads; nil if there are none.
func (f *File) Schemas() (Message, error) {
	if f.schemas.Packed == 0 {
		return nil, nil
	}
	var packed, buf []byte
	b, err := f.unpack(f.schemas, &packed, &buf)
	if err != nil {
		return nil, err
	}
	return parse(f.Name, f.schemas.Offset, b)
}
