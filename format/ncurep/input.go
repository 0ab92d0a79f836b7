package ncurep

import (
	"errors"
	"fmt"
	"io"

	"github.com/gpuprof/gpuprof/format/internal/cursor"
)

// input is the report's bytes, uncompressed, wherever they are.
type input struct {
	name string
	size int64
	r    io.ReaderAt // nil if all is in mem
	mem  []byte
}

// view returns the n bytes at off. They alias mem or are freshly read; nothing
// is allocated for bytes that the input does not have.
func (in *input) view(off, n int64) ([]byte, error) {
	if off < 0 || n < 0 || off > in.size || n > in.size-off {
		return nil, &FormatError{File: in.name, Offset: off, Want: fmt.Sprintf("%d bytes", n),
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
		return &FormatError{File: in.name, Offset: off + int64(n), Want: fmt.Sprintf("%d more bytes", len(b)-n),
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

// scanWindow is how much of an entry scanFields reads at a time.
const scanWindow = 32 << 10

// scanFields walks the top-level fields of the message at s without reading
// the large ones: visit gets each field's span (tag included) and value; the
// value's bytes are present only if want says so. It stops at the first defect
// and returns it.
func (in *input) scanFields(s span, want func(num int) bool, visit func(num int, wire cursor.Wire, v wireValue, field span) error) error {
	var win []byte
	var at int64 // file offset of win[0]
	pos := s.off
	for pos < s.end() {
		// A tag and a length take at most 20 bytes.
		if win == nil || pos+20 > at+int64(len(win)) && at+int64(len(win)) < s.end() {
			var err error
			if win, err = in.window(win, pos, min(scanWindow, s.end()-pos)); err != nil {
				return err
			}
			at = pos
		}
		c := cursor.New(in.name, pos, win[pos-at:])
		num, wire, ok := c.Field()
		if !ok {
			return c.Err()
		}
		var v wireValue
		if wire != cursor.Len {
			v = readValue(&c, wire)
			if err := c.Err(); err != nil {
				return err
			}
		} else {
			n := c.Uvarint()
			if err := c.Err(); err != nil {
				return err
			}
			v.at = c.Offset()
			if n > uint64(s.end()-v.at) {
				return &FormatError{File: in.name, Offset: pos, Want: fmt.Sprintf("a field of %d bytes", n),
					Found: fmt.Sprintf("%d bytes before the end of the entry", s.end()-v.at), Err: cursor.ErrTruncated}
			}
			v.u = n
			if want(num) {
				var err error
				if v.b, err = in.fieldBytes(&c, v.at, int64(n)); err != nil {
					return err
				}
			}
		}
		end := c.Offset()
		if wire == cursor.Len {
			end = v.at + int64(v.u)
		}
		if err := visit(num, wire, v, span{pos, end - pos}); err != nil {
			return err
		}
		pos = end
	}
	return nil
}

// fieldBytes returns n bytes at off, from the window under c if it has them.
func (in *input) fieldBytes(c *cursor.Cursor, off, n int64) ([]byte, error) {
	if int64(c.Len()) >= n {
		return append([]byte(nil), c.Bytes(int(n))...), nil
	}
	return in.view(off, n)
}

// window reads n bytes at off, reusing buf if it was allocated here.
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
