package visible

import (
	"encoding/binary"
	"html"
	"io"
	"unicode/utf8"
)

// String returns s with its dangerous characters shown as escapes: s itself where
// there are none.
func String(s string) string {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < 0x20 && c != '\n' && c != '\t' || c >= 0x7f {
			if clean(s[i:]) {
				return s
			}
			b := append(make([]byte, 0, len(s)+16), s[:i]...)
			return string(Append(b, []byte(s[i:])))
		}
	}
	return s
}

// clean reports whether s has no character that is to be shown.
func clean(s string) bool {
	for i := 0; i < len(s); {
		c := s[i]
		if c >= 0x20 && c < 0x7f || c == '\n' || c == '\t' {
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if n == 1 || Dangerous(r) {
			return false
		}
		i += n
	}
	return true
}

// Append appends text to b, its dangerous characters as escapes.
func Append(b, text []byte) []byte {
	for len(text) > 0 {
		n := plain(text)
		b = append(b, text[:n]...)
		if text = text[n:]; len(text) == 0 {
			break
		}
		var size int
		b, size = appendRune(b, text)
		text = text[size:]
	}
	return b
}

// plain is the number of bytes of ASCII that may stand, at the beginning of b.
func plain(b []byte) int {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	i := 0
	for {
		for ; i+8 <= len(b); i += 8 {
			x := binary.LittleEndian.Uint64(b[i:])
			// A bit for each byte that is below a blank, not of ASCII, or DEL.
			if ((x-0x20*ones)|x|(x+ones))&high != 0 {
				break
			}
		}
		end := min(i+8, len(b))
		for ; i < end; i++ {
			if c := b[i]; c < 0x20 && c != '\n' && c != '\t' || c >= 0x7f {
				return i
			}
		}
		if i == len(b) {
			return i
		}
	}
}

// appendRune appends the first character of text, and tells how many bytes it has.
func appendRune(b, text []byte) ([]byte, int) {
	c := text[0]
	if c == '\r' && len(text) > 1 && text[1] == '\n' {
		return b, 1
	}
	r, n := utf8.DecodeRune(text)
	switch {
	case c == '\r':
		return append(b, `\r`...), 1
	case n == 1:
		return append(b, '\\', 'x', digits[c>>4], digits[c&15]), 1
	case !Dangerous(r):
		return append(b, text[:n]...), n
	}
	return Escape(b, r), n
}

const digits = "0123456789abcdef"

// Escape appends the escape of a character beyond ASCII, as Go, C and, up to
// U+FFFF, JSON spell it.
func Escape(b []byte, r rune) []byte {
	b = append(b, '\\')
	from := 12
	if b = append(b, 'u'); r > 0xffff {
		b[len(b)-1], from = 'U', 28
	}
	for ; from >= 0; from -= 4 {
		b = append(b, digits[r>>from&15])
	}
	return b
}

// Dangerous reports whether a character controls what shows it, or is there
// without being seen. Line feed and tab are such too, here.
func Dangerous(r rune) bool {
	switch {
	case r < 0x20, r >= 0x7f && r <= 0x9f:
		return true
	case r < 0x61c:
		return false
	case r == 0x61c, r == 0x200e, r == 0x200f, // marks of direction
		r >= 0x2028 && r <= 0x202e, // separators of lines; embeddings and overrides
		r >= 0x2060 && r <= 0x206f, // isolates, and what is not seen
		r == 0xfeff, r >= 0xfff9 && r <= 0xfffb,
		r >= 0xe0000 && r <= 0xe007f:
		return true
	}
	return false
}

// A Writer shows what is written to it on another writer. Its Close is needed
// where the last bytes may be part of a character.
type Writer struct {
	to   io.Writer
	rest []byte // the beginning of a character
	b    []byte
}

// NewWriter returns a writer that shows text on w.
func NewWriter(w io.Writer) *Writer { return &Writer{to: w} }

// Write writes text.
func (w *Writer) Write(text []byte) (int, error) {
	n := len(text)
	if len(w.rest) > 0 {
		text = append(w.rest, text...)
	}
	text, rest := cut(text)
	w.b = Append(w.b[:0], text)
	w.rest = append([]byte(nil), rest...)
	if len(w.b) > 0 {
		if _, err := w.to.Write(w.b); err != nil {
			return 0, err
		}
	}
	return n, nil
}

// cut splits off the beginning of a character at the end of b, and a carriage
// return, whose meaning is in what follows.
func cut(b []byte) (whole, rest []byte) {
	n := len(b)
	if n > 0 && b[n-1] == '\r' {
		return b[:n-1], b[n-1:]
	}
	for i := n - 1; i >= 0 && i > n-utf8.UTFMax; i-- {
		if utf8.RuneStart(b[i]) {
			if !utf8.FullRune(b[i:]) {
				return b[:i], b[i:]
			}
			break
		}
	}
	return b, nil
}

// Close writes what is left; it does not close the writer below.
func (w *Writer) Close() error {
	b := Append(nil, w.rest)
	w.rest = nil
	if len(b) == 0 {
		return nil
	}
	_, err := w.to.Write(b)
	return err
}

// HTML is text for documents of HTML, XML and SVG.
func HTML(s string) string { return html.EscapeString(String(s)) }
