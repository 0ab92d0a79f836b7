package wiretext

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"
)

func field(num int, b []byte) []byte {
	out := binary.AppendUvarint(nil, uint64(num)<<3|2)
	return append(binary.AppendUvarint(out, uint64(len(b))), b...)
}

func join(bs ...[]byte) []byte { return bytes.Join(bs, nil) }

func TestWalk(t *testing.T) {
	inner := func(s string) []byte {
		return join(field(1, []byte("key")), []byte{2 << 3, 200, 1}, field(2, []byte(s)))
	}
	make := func(s string) []byte {
		return join([]byte{1 << 3, 7}, field(3, inner(s)), []byte{4<<3 | 1, 1, 2, 3, 4, 5, 6, 7, 8}, field(5, []byte(s)), []byte{6<<3 | 5, 1, 2, 3, 4}, field(7, append([]byte{0xff, 0xfe}, s...)))
	}
	var places []string
	w := &Walker{
		Describe: func(at *Place, num int) (Field, any) {
			if at.Name == "top" && num == 3 {
				return Field{Name: "pair", Form: Message, Key: 1}, nil
			}
			return Field{}, nil
		},
		Edit: func(place string, b []byte, fixed, blob bool) []byte {
			places = append(places, place)
			if fixed {
				return bytes.ReplaceAll(b, []byte("secret"), []byte("xxxxxx"))
			}
			return bytes.ReplaceAll(b, []byte("secret"), []byte("a longer one, by far"))
		},
	}
	in := make("my secret")
	got := w.Walk(Root("top", nil), in)
	want := join([]byte{1 << 3, 7}, field(3, inner("my a longer one, by far")), []byte{4<<3 | 1, 1, 2, 3, 4, 5, 6, 7, 8}, field(5, []byte("my a longer one, by far")),
		[]byte{6<<3 | 5, 1, 2, 3, 4}, field(7, append([]byte{0xff, 0xfe}, "my xxxxxx"...)))
	if !bytes.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if p := strings.Join(places, " "); p != "top.pair.1[key] top.pair.2[key] top.5 top.7" {
		t.Errorf("places %s", p)
	}
}

// TestEither edits what may be a text or a message without a change of length.
func TestEither(t *testing.T) {
	both := append([]byte{'*', byte(len("secret of forty or more characters, as it is"))}, "secret of forty or more characters, as it is"...)
	w := &Walker{Edit: func(_ string, b []byte, fixed, blob bool) []byte {
		if !fixed {
			t.Errorf("%q may change its length", b)
		}
		return b
	}}
	in := field(1, both)
	if got := w.Walk(Root("", nil), in); !bytes.Equal(got, in) {
		t.Errorf("%q", got)
	}
}

func FuzzWalk(f *testing.F) {
	f.Add(field(1, field(2, []byte("text"))))
	f.Add([]byte("\x0a\xff"))
	f.Fuzz(func(t *testing.T, b []byte) {
		same := &Walker{Edit: func(_ string, b []byte, _, _ bool) []byte { return b }}
		if got := same.Walk(Root("r", nil), b); !bytes.Equal(got, b) {
			t.Errorf("%q became %q, and nothing was edited", b, got)
		}
		if !IsMessage(b) {
			return
		}
		longer := &Walker{Edit: func(_ string, b []byte, fixed, _ bool) []byte {
			if fixed {
				return bytes.Clone(b)
			}
			return append(bytes.Clone(b), "more"...)
		}}
		if got := longer.Walk(Root("r", nil), b); !IsMessage(got) {
			t.Errorf("%q became %q, which is no message", b, got)
		}
	})
}
