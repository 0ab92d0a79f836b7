package cursor

import "fmt"

// Wire is the wire type of a protocol buffer field.
type Wire uint8

// The wire types. Groups (3 and 4) are obsolete; [Cursor.Field] refuses them.
const (
	Varint  Wire = 0
	Fixed64 Wire = 1
	Len     Wire = 2
	Fixed32 Wire = 5
)

func (w Wire) String() string {
	switch w {
	case Varint:
		return "varint"
	case Fixed64:
		return "fixed64"
	case Len:
		return "length-delimited"
	case Fixed32:
		return "fixed32"
	}
	return fmt.Sprintf("wire type %d", uint8(w))
}

// Uvarint reads a base-128 varint of at most ten bytes.
func (c *Cursor) Uvarint() uint64 {
	if c.err != nil {
		return 0
	}
	if c.off < len(c.b) && c.b[c.off] < 0x80 { // one byte: most tags and lengths
		v := c.b[c.off]
		c.off++
		return uint64(v)
	}
	var v uint64
	for i := 0; i < 10; i++ {
		if c.off+i >= len(c.b) {
			c.short("a varint")
			return 0
		}
		x := c.b[c.off+i]
		v |= uint64(x&0x7f) << (7 * i)
		if x < 0x80 {
			if i == 9 && x > 1 {
				break
			}
			c.off += i + 1
			return v
		}
	}
	c.Failf("a varint of at most 64 bits", "one that goes on")
	return 0
}

// Field reads the next tag. ok is false at the end of the message and after an
// error, so that it can drive a loop.
func (c *Cursor) Field() (num int, wire Wire, ok bool) {
	if !c.More() {
		return 0, 0, false
	}
	at := c.off
	tag := c.Uvarint()
	if c.err != nil {
		return 0, 0, false
	}
	num, wire = int(tag>>3), Wire(tag&7)
	if tag>>3 == 0 || tag>>3 > 1<<29-1 {
		c.off = at
		c.Failf("a field number from 1 to 536870911", "%d", tag>>3)
		return 0, 0, false
	}
	switch wire {
	case Varint, Fixed64, Len, Fixed32:
		return num, wire, true
	}
	c.off = at
	c.Failf("wire type 0, 1, 2 or 5", "%d in field %d", tag&7, num)
	return 0, 0, false
}

// LenBytes reads a length and as many bytes; the slice aliases the input.
func (c *Cursor) LenBytes() []byte {
	at := c.off
	n := c.Uvarint()
	if c.err != nil {
		return nil
	}
	if n > uint64(len(c.b)-c.off) {
		left := len(c.b) - c.off
		c.off = at
		c.fail(ErrTruncated, fmt.Sprintf("a field of %d bytes", n), fmt.Sprintf("%d bytes before the end", left))
		return nil
	}
	b := c.b[c.off : c.off+int(n) : c.off+int(n)]
	c.off += int(n)
	return b
}

// Sub reads a length-delimited field and returns a Cursor over it, which keeps
// file name and offsets for its own messages.
func (c *Cursor) Sub() Cursor {
	b := c.LenBytes()
	return Cursor{b: b, base: c.Offset() - int64(len(b)), file: c.file, err: c.err}
}

// Fixed32 reads a 4-byte field value.
func (c *Cursor) Fixed32() uint32 { return c.U32() }

// Fixed64 reads an 8-byte field value.
func (c *Cursor) Fixed64() uint64 { return c.U64() }

// SkipField passes over the value of a field of the given wire type.
func (c *Cursor) SkipField(w Wire) {
	switch w {
	case Varint:
		c.Uvarint()
	case Fixed64:
		c.take(8, "an 8-byte field")
	case Fixed32:
		c.take(4, "a 4-byte field")
	case Len:
		c.LenBytes()
	default:
		c.Failf("wire type 0, 1, 2 or 5", "%d", uint8(w))
	}
}
