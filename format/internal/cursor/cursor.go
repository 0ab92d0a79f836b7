package cursor

import (
	"encoding/binary"
	"fmt"
	"math"
)

// Cursor reads a byte slice from front to back. The zero Cursor is an empty
// input. A Cursor is a small value: copy it to look ahead.
type Cursor struct {
	b    []byte
	off  int
	base int64 // offset of b[0] in the file, for messages
	file string
	err  *FormatError
}

// New returns a Cursor over b, which lies at offset base of the named file.
func New(file string, base int64, b []byte) Cursor {
	return Cursor{b: b, base: base, file: file}
}

// Err returns the first error met, or nil.
func (c *Cursor) Err() error {
	if c.err == nil {
		return nil
	}
	return c.err
}

// Offset is the position in the file of the next byte to be read.
func (c *Cursor) Offset() int64 { return c.base + int64(c.off) }

// Pos is the position of the next byte within the slice.
func (c *Cursor) Pos() int { return c.off }

// Len is the number of bytes left; 0 after an error.
func (c *Cursor) Len() int {
	if c.err != nil {
		return 0
	}
	return len(c.b) - c.off
}

// More reports whether there is something left to read and no error yet.
func (c *Cursor) More() bool { return c.err == nil && c.off < len(c.b) }

// Failf records a malformed value at the current offset unless an error is
// already recorded.
func (c *Cursor) Failf(want, found string, args ...any) {
	c.fail(ErrCorrupt, want, fmt.Sprintf(found, args...))
}

func (c *Cursor) fail(cause error, want, found string) {
	if c.err == nil {
		c.err = &FormatError{File: c.file, Offset: c.Offset(), Want: want, Found: found, Err: cause}
	}
}

func (c *Cursor) short(want string) {
	if c.err == nil {
		n := len(c.b) - c.off
		c.fail(ErrTruncated, want, fmt.Sprintf("%d bytes before the end", n))
	}
}

// take returns the next n bytes without copying, or nil after recording an error.
func (c *Cursor) take(n int, want string) []byte {
	if c.err != nil {
		return nil
	}
	if n < 0 || n > len(c.b)-c.off {
		c.short(want)
		return nil
	}
	b := c.b[c.off : c.off+n : c.off+n]
	c.off += n
	return b
}

// Bytes returns the next n bytes; the slice aliases the input.
func (c *Cursor) Bytes(n int) []byte {
	if c.err == nil && (n < 0 || n > len(c.b)-c.off) {
		c.short(fmt.Sprintf("%d bytes", n))
		return nil
	}
	return c.take(n, "")
}

// Skip passes over n bytes.
func (c *Cursor) Skip(n int) { c.Bytes(n) }

// Rest returns everything that is left and moves to the end.
func (c *Cursor) Rest() []byte { return c.take(c.Len(), "") }

// U8 reads one byte.
func (c *Cursor) U8() uint8 {
	if b := c.take(1, "1 byte"); b != nil {
		return b[0]
	}
	return 0
}

// U16 reads a little-endian 16-bit integer.
func (c *Cursor) U16() uint16 {
	if b := c.take(2, "a 2-byte integer"); b != nil {
		return binary.LittleEndian.Uint16(b)
	}
	return 0
}

// U32 reads a little-endian 32-bit integer.
func (c *Cursor) U32() uint32 {
	if b := c.take(4, "a 4-byte integer"); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

// U64 reads a little-endian 64-bit integer.
func (c *Cursor) U64() uint64 {
	if b := c.take(8, "an 8-byte integer"); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

// F32 reads a little-endian IEEE 754 single.
func (c *Cursor) F32() float32 { return math.Float32frombits(c.U32()) }

// F64 reads a little-endian IEEE 754 double.
func (c *Cursor) F64() float64 { return math.Float64frombits(c.U64()) }
