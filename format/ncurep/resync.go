package ncurep

import (
	"bytes"

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

// sound reports whether a sound block, or the end of the input, is at offset at.
func (s *syncer) sound(at int64) bool {
	if at == s.in.size {
		return true
	}
	s.budget -= 16
	sz, err := s.in.view(at, min(4, max(0, s.in.size-at)))
	if err != nil || len(sz) < 4 || s.budget < 0 {
		return false
	}
	c := cursor.New("", at, sz)
	n := int64(c.U32())
	if n == 0 || n > s.in.size-at-4 {
		return false
	}
	var h BlockHeader
	strange := false
	err = s.in.scanFields(span{at + 4, n}, scan{
		skip: func(int) bool { return true },
		visit: func(num int, wire cursor.Wire, v wireValue, _ []byte) {
			s.budget--
			switch {
			case wire != cursor.Varint:
				strange = strange || num == 0 || wire != cursor.Len && num <= 7
			case num == 1:
				h.NumSources = Some(uint32(v.u))
			case num == 2:
				h.NumResults = Some(uint32(v.u))
			case num == 5:
				h.PayloadSize = Some(uint32(v.u))
			case num == 7:
				h.NumRangeResults = Some(uint32(v.u))
			}
		},
	})
	if err != nil || strange || !h.PayloadSize.Set || !h.NumSources.Set && !h.NumResults.Set {
		return false
	}
	start := at + 4 + n
	size := int64(h.PayloadSize.Value)
	end, ok := s.entriesEnd(start, start+size, &h)
	return ok && end == start+size && end <= s.in.size
}

// entriesEnd walks as many entries as h counts from offset at and returns the
// end of the last; ok is false if they reach beyond end.
func (s *syncer) entriesEnd(at, end int64, h *BlockHeader) (int64, bool) {
	total := uint64(h.NumSources.Value) + uint64(h.NumResults.Value) + uint64(h.NumRangeResults.Value)
	for ; total > 0; total-- {
		e, ok := s.in.entry(at, min(end, s.in.size))
		if s.budget--; !ok || s.budget < 0 {
			return 0, false
		}
		at = e.end()
	}
	return at, true
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
