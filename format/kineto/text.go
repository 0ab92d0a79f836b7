package kineto

import (
	"bytes"
	"hash/maphash"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// A Text is the number of a text in Texts; 0 is none.
type Text uint32

// Texts are the texts of a trace, each kept once.
type Texts struct {
	list  []string
	names interned
	raw   map[string]Text // spellings with escapes or faults, by what stands in the file
	seed  maphash.Seed
	bytes int64
	block *strings.Builder // holds texts one behind the other; it is never grown
}

// textBlock bounds the blocks of texts from below.
const textBlock = 32 << 10

// store keeps the bytes of a text.
func (x *Texts) store(b []byte) string {
	if x.block == nil || x.block.Cap()-x.block.Len() < len(b) {
		x.block = &strings.Builder{}
		x.block.Grow(max(textBlock, len(b)))
	}
	at := x.block.Len()
	x.block.Write(b)
	return x.block.String()[at:]
}

// interned is an open hash table of texts.
type interned struct {
	slots  []Text
	hashes []uint32 // by Text
}

func newTexts() *Texts {
	return &Texts{list: []string{""}, seed: maphash.MakeSeed(), raw: map[string]Text{},
		names: interned{slots: make([]Text, 1024), hashes: []uint32{0}}}
}

// Of returns the text of a number.
func (x *Texts) Of(t Text) string { return x.list[t] }

// Len is the number of texts, that of none among them.
func (x *Texts) Len() int { return len(x.list) }

// keep returns the number of a text, which is kept if it is new.
func (x *Texts) keep(b []byte) Text {
	h := uint32(maphash.Bytes(x.seed, b))
	mask := uint32(len(x.names.slots) - 1)
	at := h & mask
	for ; x.names.slots[at] != 0; at = (at + 1) & mask {
		if t := x.names.slots[at]; x.names.hashes[t] == h && x.list[t] == string(b) {
			return t
		}
	}
	t := Text(len(x.list))
	x.list = append(x.list, x.store(b))
	x.bytes += int64(len(b)) + 28
	x.names.hashes = append(x.names.hashes, h)
	x.names.slots[at] = t
	if 2*len(x.list) > len(x.names.slots) {
		x.grow()
	}
	return t
}

func (x *Texts) grow() {
	slots := make([]Text, 2*len(x.names.slots))
	mask := uint32(len(slots) - 1)
	for t := 1; t < len(x.list); t++ {
		at := x.names.hashes[t] & mask
		for slots[at] != 0 {
			at = (at + 1) & mask
		}
		slots[at] = Text(t)
	}
	x.names.slots = slots
}

// escaped keeps what stands between the quotes of a JSON string. The empty
// string is a text like any other, told from none.
func (x *Texts) escaped(b []byte) Text {
	if bytes.IndexByte(b, '\\') < 0 && utf8.Valid(b) {
		return x.keep(b)
	}
	if t, ok := x.raw[string(b)]; ok {
		return t
	}
	t := x.keep(unescape(b))
	x.raw[string(b)] = t
	return t
}

// unescape takes the escapes out of a JSON string. A backslash that begins no
// escape is kept, as in the Windows paths of 2022 and before; bytes that are no
// UTF-8 become U+FFFD.
func unescape(b []byte) []byte {
	out := make([]byte, 0, len(b))
	for i := 0; i < len(b); i++ {
		c := b[i]
		if c != '\\' || i+1 == len(b) {
			out = append(out, c)
			continue
		}
		i++
		if k := strings.IndexByte(`"\/bfnrt`, b[i]); k >= 0 {
			out = append(out, "\"\\/\b\f\n\r\t"[k])
			continue
		}
		if r, n := unicodeEscape(b[i-1:]); n > 0 {
			out = utf8.AppendRune(out, r)
			i += n - 2
			continue
		}
		out = append(out, '\\', b[i])
	}
	if !utf8.Valid(out) {
		out = bytes.ToValidUTF8(out, []byte("\uFFFD"))
	}
	return out
}

// unicodeEscape reads \uXXXX, or two of them that are one rune; n is how many
// bytes it took, 0 if there is none.
func unicodeEscape(b []byte) (r rune, n int) {
	r, ok := hex4(b)
	if !ok {
		return 0, 0
	}
	if utf16.IsSurrogate(r) && len(b) >= 12 {
		if low, ok := hex4(b[6:]); ok {
			if both := utf16.DecodeRune(r, low); both != utf8.RuneError {
				return both, 12
			}
		}
	}
	return r, 6
}

func hex4(b []byte) (r rune, ok bool) {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return 0, false
	}
	for _, c := range b[2:6] {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}
