package cursor

import (
	"encoding/binary"
	"errors"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestFixedWidths(t *testing.T) {
	b := []byte{1, 2, 0, 3, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x3f, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f, 9, 8}
	c := New("f", 100, b)
	if v := [...]uint64{uint64(c.U8()), uint64(c.U16()), uint64(c.U32()), c.U64()}; v != [...]uint64{1, 2, 3, 4} {
		t.Errorf("read %v", v)
	}
	if f, d := c.F32(), c.F64(); f != 1 || d != 1 {
		t.Errorf("read %v, %v", f, d)
	}
	if c.Offset() != 127 || c.Len() != 2 || string(c.Rest()) != "\x09\x08" || c.More() || c.Err() != nil {
		t.Errorf("at %d with %d left: %v", c.Offset(), c.Len(), c.Err())
	}
}

// TestErrorsStick checks that the first error stays, names its place, and that
// every read after it gives a zero value.
func TestErrorsStick(t *testing.T) {
	for _, c := range []struct {
		name  string
		in    string
		read  func(*Cursor)
		cause error
		want  string
	}{
		{"u32", "\x01\x02", func(c *Cursor) { c.U32() }, ErrTruncated, "f: offset 10: expected a 4-byte integer, found 2 bytes before the end"},
		{"bytes", "abc", func(c *Cursor) { c.U8(); c.Bytes(7) }, ErrTruncated, "f: offset 11: expected 7 bytes, found 2 bytes before the end"},
		{"negative", "abc", func(c *Cursor) { c.Bytes(-1) }, ErrTruncated, "expected -1 bytes"},
		{"varint", "\x80\x80", func(c *Cursor) { c.Uvarint() }, ErrTruncated, "expected a varint"},
		{"endless varint", strings.Repeat("\xff", 12), func(c *Cursor) { c.Uvarint() }, ErrCorrupt, "at most 64 bits"},
		{"varint over 64 bits", strings.Repeat("\xff", 9) + "\x02", func(c *Cursor) { c.Uvarint() }, ErrCorrupt, "at most 64 bits"},
		{"field 0", "\x00", func(c *Cursor) { c.Field() }, ErrCorrupt, "a field number from 1"},
		{"group", "\x0b", func(c *Cursor) { c.Field() }, ErrCorrupt, "wire type 0, 1, 2 or 5, found 3 in field 1"},
		{"length", "\x0a\x05ab", func(c *Cursor) { c.Field(); c.LenBytes() }, ErrTruncated, "f: offset 11: expected a field of 5 bytes, found 2"},
		{"huge length", "\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", func(c *Cursor) { c.Field(); c.Sub() }, ErrTruncated, "18446744073709551615 bytes"},
		{"skip", "\x01", func(c *Cursor) { c.SkipField(Fixed64) }, ErrTruncated, "an 8-byte field"},
		{"skip group", "\x01", func(c *Cursor) { c.SkipField(3) }, ErrCorrupt, "wire type"},
	} {
		cur := New("f", 10, []byte(c.in))
		c.read(&cur)
		err := cur.Err()
		var fe *FormatError
		if !errors.Is(err, c.cause) || !errors.As(err, &fe) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
		if cur.U64() != 0 || cur.Uvarint() != 0 || cur.LenBytes() != nil || cur.More() || cur.Len() != 0 || len(cur.Rest()) != 0 {
			t.Errorf("%s: reads go on after the error", c.name)
		}
		if cur.Failf("x", "y"); cur.Err() != err {
			t.Errorf("%s: a later error took the place of the first", c.name)
		}
	}
}

func TestVarintRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.Uint64().Draw(t, "v")
		c := New("", 0, binary.AppendUvarint(nil, v))
		if got := c.Uvarint(); got != v || c.More() || c.Err() != nil {
			t.Fatalf("%d came back as %d: %v", v, got, c.Err())
		}
	})
}

func TestMessage(t *testing.T) {
	// field 1 = 150, field 2 = "hi", field 3 = fixed32, field 4 = fixed64
	b := []byte{0x08, 0x96, 1, 0x12, 2, 'h', 'i', 0x1d, 1, 0, 0, 0, 0x21, 2, 0, 0, 0, 0, 0, 0, 0}
	c := New("m", 0, b)
	var got []uint64
	for {
		num, wire, ok := c.Field()
		if !ok {
			break
		}
		switch wire {
		case Varint:
			got = append(got, uint64(num), c.Uvarint())
		case Len:
			s := c.Sub()
			got = append(got, uint64(num), uint64(s.Offset()), uint64(s.Len()))
		case Fixed32:
			got = append(got, uint64(num), uint64(c.Fixed32()))
		case Fixed64:
			got = append(got, uint64(num), c.Fixed64())
		}
	}
	want := []uint64{1, 150, 2, 5, 2, 3, 1, 4, 2}
	if len(got) != len(want) || c.Err() != nil {
		t.Fatalf("%v: %v", got, c.Err())
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%v, want %v", got, want)
			break
		}
	}
}

// FuzzCursor reads anything as a message, nested messages too, and checks that
// the cursor always moves on or stops.
func FuzzCursor(f *testing.F) {
	f.Add([]byte{0x08, 0x96, 1, 0x12, 2, 'h', 'i'})
	f.Add([]byte{0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f})
	f.Fuzz(func(t *testing.T, b []byte) {
		walk(t, New("fuzz", 7, b), 0)
	})
}

func walk(t *testing.T, c Cursor, depth int) {
	for {
		before := c.Len()
		_, wire, ok := c.Field()
		if !ok {
			break
		}
		if wire == Len && depth < 8 {
			walk(t, c.Sub(), depth+1)
		} else {
			c.SkipField(wire)
		}
		if c.Err() == nil && c.Len() >= before {
			t.Fatal("the cursor stands still")
		}
	}
	if c.Err() == nil && c.Len() != 0 {
		t.Fatal("stopped before the end without an error")
	}
	_ = math.Float64bits(c.F64())
}

// A long finding is cut, at a whole character, and tells its length.
func TestLongFinding(t *testing.T) {
	e := &FormatError{File: "f", Line: 3, Want: "a number", Found: "x" + strings.Repeat("ä", 200_000)}
	if text := e.Error(); len(text) > 600 || !utf8.ValidString(text) || !strings.HasPrefix(text, "f:3: expected a number, found xä") || !strings.HasSuffix(text, "… (400001 bytes)") {
		t.Errorf("%d bytes: %.100q", len(text), text)
	}
}
