package nsysrep

import (
	"encoding/binary"
	"fmt"
)

// walk finds the frames of events from at to that of the texts, or to the end of
// the part if its place is not known (-1). Where no frame begins it looks for the
// next one, from behind the head of the last sound one: the damage may be in the
// sizes there. begin is the first place where a frame could be.
func (f *File) walk(begin, at, end, texts int64) {
	stop := end
	if texts >= 0 {
		stop = texts
	}
	if at > stop { // a wrong length of a message
		at = f.nextFrame(begin, stop)
	}
	total := int64(0)
	for at < stop {
		fr, err := f.frame(at, stop)
		if err != nil || !f.opens(at, stop) || texts < 0 && !f.isFrame(at, stop) {
			if n := len(f.Frames); n > 0 {
				begin = f.Frames[n-1].Offset
			}
			next := f.nextFrame(begin, stop)
			f.mendLast(next)
			if texts < 0 && next == stop {
				return // what lies behind the frames, or a cut
			}
			if err == nil {
				err = f.fail(at, "a frame", "none")
			}
			f.problems = append(f.problems, fmt.Errorf("%w; reading goes on at %d of %d", err, next, stop))
			at = next
			continue
		}
		if total += int64(fr.Size); total > maxTotal(f.size) {
			f.problems = append(f.problems, f.fail(at, fmt.Sprintf("frames that unpack to at most %d bytes", maxTotal(f.size)), "more: the rest is left out"))
			return
		}
		f.Frames = append(f.Frames, fr)
		at = fr.Offset + int64(fr.Packed)
	}
}

// maxTotal bounds the unpacked bytes of all frames of a file of size bytes.
// Reports that were seen pack to no less than a tenth.
func maxTotal(size int64) int64 { return 64<<20 + 64*size }

// opens reports whether a frame with a message of messages or texts in field 1
// begins at an offset: its sizes are possible, and the LZ4 block begins with
// literals that hold the length of the message, which fills the frame, and the
// tag of field 1.
func (f *File) opens(at, end int64) bool {
	b, err := f.bytes(at, max(0, min(40, end-at)))
	return err == nil && opens(b, end-at)
}

func opens(b []byte, left int64) bool {
	packed, n := binary.Uvarint(b)
	if n <= 0 {
		return false
	}
	size, k := binary.Uvarint(b[n:])
	n += max(k, 0)
	if k <= 0 || packed == 0 || size == 0 || packed > uint64(left)-uint64(n) || size > maxFrame || size > packed*maxRatio || n >= len(b) {
		return false
	}
	literals := int(b[n] >> 4)
	if n++; literals == 15 { // more bytes of the count follow
		for n < len(b) && b[n] == 255 {
			n++
		}
		n++
	}
	if n >= len(b) {
		return false
	}
	lit := b[n:min(len(b), n+literals)]
	m, k := binary.Uvarint(lit)
	return k > 0 && k < len(lit) && m == size-uint64(k) && lit[k] == 1<<3|2
}

// isFrame unpacks a frame that seems to begin at an offset: among other bytes
// there are some that look like the head of a small one.
func (f *File) isFrame(at, end int64) bool {
	fr, err := f.frame(at, end)
	if err != nil {
		return false
	}
	var packed, buf []byte
	b, err := f.unpack(fr, &packed, &buf)
	for len(b) > 0 && err == nil {
		n, k := uvarint(b[1:])
		if b[0] != 1<<3|2 && b[0] != 2<<3|2 || k == 0 || n > uint64(len(b)-1-k) {
			return false
		}
		b = b[1+k+int(n):]
	}
	return err == nil
}

// nextFrame returns where the next frame begins, behind at, or end.
func (f *File) nextFrame(at, end int64) int64 {
	const window, head = 1 << 20, 40
	buf := make([]byte, min(window+head, max(0, end-at)))
	for ; at < end; at += window {
		b := buf[:min(int64(len(buf)), end-at)]
		n, _ := f.in.ReadAt(b, at)
		for i := range min(n, window) {
			if opens(b[i:min(n, i+head)], end-at-int64(i)) && f.isFrame(at+int64(i), end) {
				return at + int64(i)
			}
		}
	}
	return end
}

// mendLast looks at the last frame when none begins behind it: either it is
// sound, or it ends where the next begins, or it is left for Decode to complain.
func (f *File) mendLast(next int64) {
	if len(f.Frames) == 0 {
		return
	}
	last := &f.Frames[len(f.Frames)-1]
	mended := Frame{Offset: last.Offset, Packed: int(next - last.Offset), Size: last.Size}
	if mended.Packed == last.Packed || mended.Size > mended.Packed*maxRatio {
		return
	}
	var packed, buf []byte
	if _, err := f.unpack(*last, &packed, &buf); err == nil {
		return
	}
	if _, err := f.unpack(mended, &packed, &buf); err == nil {
		*last = mended
	}
}

// findTexts finds the frame of texts among the last frames when its place is not
// known. Unlike texts, all events begin with the number of their type.
func (f *File) findTexts() {
	var packed, buf []byte
	for i := len(f.Frames) - 1; i >= max(0, len(f.Frames)-2); i-- {
		b, err := f.unpack(f.Frames[i], &packed, &buf)
		if err != nil {
			continue
		}
		if !areEvents(b) {
			f.strings = f.Frames[i]
			f.Frames = f.Frames[:i]
		}
		return
	}
}

func areEvents(b []byte) bool {
	for range 16 {
		if len(b) < 2 {
			return true
		}
		n, k := uvarint(b[1:])
		if b[0] != 1<<3|2 || k == 0 || n == 0 || n > uint64(len(b)-1-k) || b[1+k] != 1<<3 {
			return false
		}
		b = b[1+k+int(n):]
	}
	return true
}
