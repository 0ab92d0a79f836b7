package ncurep

import (
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/gpuprof/gpuprof/format/internal/cursor"
)

// input is the report's bytes, uncompressed, wherever they are.
type input struct {
	spare sync.Pool // of *[]byte: buffers of entries of which nothing is kept
	name  string
	size  int64
	r     io.ReaderAt // nil if all is in mem
	mem   []byte

	scratch []byte // window for scans while the report is being opened
}

// view returns the n bytes at off. They alias mem or are freshly read; nothing
// is allocated for bytes that the input does not have.
func (in *input) view(off, n int64) ([]byte, error) {
	if off < 0 || n < 0 || off > in.size || n > in.size-off {
		return nil, &formatError{File: in.name, Offset: off, Want: fmt.Sprintf("%d bytes", n),
			Found: fmt.Sprintf("%d bytes before the end", max(0, in.size-off)), Err: cursor.ErrTruncated}
	}
	if in.r == nil {
		return in.mem[off : off+n : off+n], nil
	}
	b := make([]byte, n)
	if err := in.readFull(b, off); err != nil {
		return nil, err
	}
	return b, nil
}

func (in *input) readFull(b []byte, off int64) error {
	n, err := in.r.ReadAt(b, off)
	if n == len(b) {
		return nil
	}
	if err == nil || errors.Is(err, io.EOF) {
		return &formatError{File: in.name, Offset: off + int64(n), Want: fmt.Sprintf("%d more bytes", len(b)-n),
			Found: "the end of the input", Err: cursor.ErrTruncated}
	}
	return fmt.Errorf("%s: reading at offset %d: %w", in.name, off, err)
}

// span is a run of bytes of the input.
type span struct{ off, n int64 }

func (s span) end() int64 { return s.off + s.n }

func (in *input) bytes(s span) ([]byte, error) {
	return in.view(s.off, s.n)
}

// mostKept bounds the buffers that are used again.
const mostKept = 8 << 20

// borrow is bytes for who keeps none of them: give makes the memory free for the
// next entry.
func (in *input) borrow(s span) (b []byte, give func(), err error) {
	if in.r == nil {
		b, err = in.bytes(s)
		return b, func() {}, err
	}
	kept, _ := in.spare.Get().(*[]byte)
	if kept == nil || s.n < 0 || int64(cap(*kept)) < s.n {
		b, err = in.bytes(s)
	} else if b = (*kept)[:s.n]; s.off < 0 || s.off > in.size-s.n {
		_, err = in.bytes(s) // which says what is wrong
	} else {
		err = in.readFull(b, s.off)
	}
	return b, func() {
		if cap(b) > 0 && cap(b) <= mostKept {
			in.spare.Put(&b)
		}
	}, err
}

// scanWindow is how much of an entry scanFields reads at a time.
const scanWindow = 32 << 10

// A scan walks the top-level fields of an entry.
type scan struct {
	// skip tells which length-delimited fields are not to be read; they may be
	// as large as the entry.
	skip func(num int) bool
	// visit gets each field: the value (of a skipped field only its place and,
	// in u, its length) and the bytes of tag and value, nil if skipped. Both are
	// valid until visit returns. The scan ends when it returns false.
	visit func(num int, wire cursor.Wire, v wireValue, raw []byte) bool
}

// scanFields walks the entry at s and stops at the first defect, which it
// returns. It reads what is not skipped, a window at a time.
func (in *input) scanFields(s span, sc scan) error {
	win := in.scratch[:0]
	var winAt int64 // file offset of win[0]
	for pos := s.off; pos < s.end(); {
		if winEnd := winAt + int64(len(win)); len(win) == 0 || pos > winEnd || pos+20 > winEnd && winEnd < s.end() {
			// A tag and a length take at most 20 bytes: those must be in view.
			var err error
			if win, err = in.window(win, pos, min(scanWindow, s.end()-pos)); err != nil {
				return err
			}
			winAt = pos
		}
		c := cursor.New(in.name, pos, win[pos-winAt:])
		num, wire, ok := c.Field()
		if !ok {
			return c.Err()
		}
		if wire != cursor.Len {
			v := readValue(&c, wire)
			if err := c.Err(); err != nil {
				return err
			}
			if !sc.visit(num, wire, v, win[pos-winAt:][:c.Pos()]) {
				return nil
			}
			pos = c.Offset()
			continue
		}
		end, goOn, err := in.scanLen(&c, num, span{pos, s.end() - pos}, win[pos-winAt:], sc)
		if err != nil || !goOn {
			return err
		}
		pos = end
	}
	return nil
}

// scanLen visits a length-delimited field that starts with rest; c is behind
// its tag. It returns the field's end.
func (in *input) scanLen(c *cursor.Cursor, num int, rest span, win []byte, sc scan) (end int64, goOn bool, err error) {
	n := c.Uvarint()
	if err := c.Err(); err != nil {
		return 0, false, err
	}
	v := wireValue{u: n, at: c.Offset()}
	if n > uint64(rest.end()-v.at) {
		return 0, false, &formatError{File: in.name, Offset: rest.off, Want: fmt.Sprintf("a field of %d bytes", n),
			Found: fmt.Sprintf("%d bytes before the end of the entry", rest.end()-v.at), Err: cursor.ErrTruncated}
	}
	end = v.at + int64(n)
	var raw []byte
	if !sc.skip(num) {
		size := end - rest.off
		if raw = win; size > int64(len(win)) {
			if raw, err = in.view(rest.off, size); err != nil {
				return 0, false, err
			}
		}
		raw = raw[:size:size]
		v.b = raw[size-int64(n):]
	}
	return end, sc.visit(num, cursor.Len, v, raw), nil
}

// window reads n bytes at off, into buf if that is large enough.
func (in *input) window(buf []byte, off, n int64) ([]byte, error) {
	if in.r == nil {
		return in.view(off, n)
	}
	if int64(cap(buf)) < n {
		buf = make([]byte, n)
	}
	buf = buf[:n]
	return buf, in.readFull(buf, off)
}
