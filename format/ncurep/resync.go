package ncurep

import (
	"bytes"
	"fmt"

	"github.com/gpuprof/gpuprof/format/internal/cursor"
)

// A syncer finds blocks in a report whose chain of sizes is broken. There are
// no markers to look for, but a block header starts with two counters and ends
// in a payload size that the entries must match, which chance hardly produces.
type syncer struct {
	in *input
	// budget bounds the work on hostile input, in steps of about a field: without
	// it a file of fake headers would take quadratic time.
	budget int64
}

// headerSize returns the size of the header of the block at offset at. If the
// size there cannot be right but the fields behind it make a sound header, their
// extent is the answer, and repaired tells what was wrong.
func (s *syncer) headerSize(at int64) (n int64, repaired, err error) {
	sz, err := s.in.view(at, min(4, s.in.size-at))
	if err != nil {
		return 0, nil, err
	}
	c := cursor.New(s.in.name, at, sz)
	n = int64(c.U32())
	if err := c.Err(); err != nil {
		return 0, nil, err
	}
	left := s.in.size - at - 4
	if n > 0 && n <= left && s.header(span{at + 4, n}, true) == n {
		return n, nil, nil
	}
	found := &formatError{File: s.in.name, Offset: at, Want: "the size of a block header",
		Found: fmt.Sprintf("%d with %d bytes left", n, left), Err: cursor.ErrCorrupt}
	if n > left {
		found.Err = cursor.ErrTruncated
	}
	if k := s.header(span{at + 4, left}, false); k > 0 && k != n && s.decodes(span{at + 4, k}) {
		found.Want = fmt.Sprintf("a block header of %d bytes", k)
		return k, found, nil
	}
	if n == 0 || n > left {
		return 0, nil, found
	}
	return n, nil, nil // then the header itself is broken
}

// decodes reports whether all of the header in h can be decoded. A header that is
// broken inside rather than mismeasured does not, as it reaches into what follows.
func (s *syncer) decodes(h span) bool {
	s.budget -= h.n / 16
	b, err := s.in.bytes(h)
	if err != nil || s.budget < 0 {
		return false
	}
	d := newDecoder("", h.off, b)
	readMessage(d, h.off, b, new(blockHeader))
	return len(d.problems) == 0
}

// header walks the fields of a header in r. If whole, it takes all of r, else
// it ends where the payload that it announces begins. It returns the header's
// size, 0 if there is no header or its payload does not agree with it.
func (s *syncer) header(r span, whole bool) int64 {
	var h blockHeader
	ok, last, end := true, 0, r.off
	err := s.in.scanFields(r, scan{
		skip: func(int) bool { return true },
		visit: func(num int, wire cursor.Wire, v wireValue, raw []byte) bool {
			s.budget--
			if s.budget < 0 || num <= 7 && (num < last || wire != headerWire(num)) || !whole && num > 7 {
				ok = false
				return false
			}
			last = num
			switch num {
			case 1:
				h.NumSources = Some(uint32(v.u))
			case 2:
				h.NumResults = Some(uint32(v.u))
			case 5:
				h.PayloadSize = Some(uint32(v.u))
			case 7:
				h.NumRangeResults = Some(uint32(v.u))
			}
			if end += int64(len(raw)); wire == cursor.Len {
				end = v.at + int64(v.u)
			}
			return whole || !s.payloadFits(end, &h)
		},
	})
	if err != nil || !ok || !s.payloadFits(end, &h) || whole && end != r.end() {
		return 0
	}
	if !whole && last == 5 && h.PayloadSize.Value == 0 {
		return s.withProcess(span{end, r.end() - end}) - r.off
	}
	return end - r.off
}

// withProcess returns the end of a header that goes on at r, behind the size of
// an empty payload, which tells nothing: all headers known have field 6.
func (s *syncer) withProcess(r span) (end int64) {
	end = r.off
	_ = s.in.scanFields(r, scan{
		skip: func(int) bool { return true },
		visit: func(num int, wire cursor.Wire, v wireValue, raw []byte) bool {
			switch {
			case num == 6 && wire == cursor.Len:
				end = v.at + int64(v.u)
			case num == 7 && wire == cursor.Varint:
				end += int64(len(raw))
			default:
				return false
			}
			return true
		},
	})
	return end
}

// headerWire is the wire type of a field of a block header.
func headerWire(num int) cursor.Wire {
	switch num {
	case 3, 4, 6:
		return cursor.Len
	}
	return cursor.Varint
}

// payloadFits reports whether h's entries take as many bytes from offset at as
// h says.
func (s *syncer) payloadFits(at int64, h *blockHeader) bool {
	if !h.PayloadSize.Set || !h.NumSources.Set && !h.NumResults.Set {
		return false
	}
	end := at + int64(h.PayloadSize.Value)
	got, ok := s.entriesEnd(at, end, h)
	return ok && got == end && end <= s.in.size
}

// entriesEnd walks as many entries as h counts from offset at and returns the
// end of the last; ok is false if they reach beyond end.
func (s *syncer) entriesEnd(at, end int64, h *blockHeader) (int64, bool) {
	for total := h.entries(); total > 0; total-- {
		e, ok := s.in.entry(at, min(end, s.in.size))
		if s.budget--; !ok || s.budget < 0 {
			return 0, false
		}
		at = e.end()
	}
	return at, true
}

// entries is the number of entries that a header announces.
func (h *blockHeader) entries() uint64 {
	return uint64(h.NumSources.Value) + uint64(h.NumResults.Value) + uint64(h.NumRangeResults.Value)
}

// sound reports whether a sound block, or the end of the input, is at offset at.
func (s *syncer) sound(at int64) bool {
	if at == s.in.size {
		return true
	}
	s.budget -= 16
	if at > s.in.size-4 || s.budget < 0 {
		return false
	}
	sz, err := s.in.view(at, 4)
	if err != nil {
		return false
	}
	c := cursor.New("", at, sz)
	n := int64(c.U32())
	return n > 0 && n <= s.in.size-at-4 && s.header(span{at + 4, n}, true) == n
}

// next returns the offset of the next sound block from offset at on, -1 if
// there is none.
func (s *syncer) next(at int64) int64 {
	const window = 64 << 10
	for at < s.in.size && s.budget > 0 {
		b, err := s.in.view(at, min(window, s.in.size-at))
		if err != nil {
			return -1
		}
		s.budget -= int64(len(b)) / 64
		for i := 0; ; i++ {
			// A header starts with field 1, a varint: tag 0x08.
			k := bytes.IndexByte(b[min(i+4, len(b)):], 0x08)
			if k < 0 {
				break
			}
			i += k
			if likelyHeader(b[i:], s.in.size-at-int64(i)) && s.sound(at+int64(i)) {
				return at + int64(i)
			}
			if s.budget < 0 {
				return -1
			}
		}
		if len(b) < window {
			return -1
		}
		at += window - 16 // a header's start may straddle the windows
	}
	return -1
}

// likelyHeader is a quick look at a header's size and first fields.
func likelyHeader(b []byte, left int64) bool {
	c := cursor.New("", 0, b[:min(len(b), 16)])
	if n := int64(c.U32()); n < 6 || n > left-4 {
		return false
	}
	for want := 1; want <= 2; want++ {
		num, wire, _ := c.Field()
		if num != want || wire != cursor.Varint || c.Uvarint() > 1<<20 {
			return false
		}
	}
	return c.Err() == nil
}

// wellFormed reports whether the fields of a message fit together; nested
// messages are not looked into.
func wellFormed(b []byte) bool {
	c := cursor.New("", 0, b)
	for {
		_, wire, ok := c.Field()
		if !ok {
			return c.Err() == nil
		}
		c.SkipField(wire)
	}
}

// wellFormedField is wellFormed for the messages in field num of b.
func wellFormedField(b []byte, num int) bool {
	c := cursor.New("", 0, b)
	for {
		n, wire, ok := c.Field()
		switch {
		case !ok:
			return true
		case n == num && wire == cursor.Len:
			if !wellFormed(c.LenBytes()) {
				return false
			}
		default:
			c.SkipField(wire)
		}
	}
}
