// Package jsontext goes over the strings of a JSON text of any length and puts
// others in their stead. All else stays byte for byte: numbers, spaces, the way in
// which strings are escaped. It reads what is malformed as far as strings can be told
// from what is between them.
package jsontext

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// Edit gets a string without its escapes, and returns it or what takes its place.
// Place is the keys that lead to it, joined by dots; arrays are left out of it. Of
// what stands where no string can, place is "malformed".
type Edit = func(place string, b []byte) []byte

// ErrLong is wrapped by the error about a string or a malformed piece that is too
// long to be held.
var ErrLong = errors.New("string too long")

const (
	window   = 1 << 20
	maxPiece = 256 << 20 // bytes of a string
	maxDepth = 200       // keys of a place
	maxPlace = 1 << 14   // places that are remembered
)

// Rewrite copies a JSON text with its strings edited.
func Rewrite(w io.Writer, r io.Reader, edit Edit) error {
	s := &scanner{r: r, w: w, edit: edit, root: &node{}, buf: make([]byte, 0, window)}
	s.at = s.root
	for {
		more, err := s.token()
		if err != nil {
			return err
		}
		if !more {
			break
		}
	}
	return s.flush()
}

// A node is a place.
type node struct {
	name  string
	below map[string]*node
}

// scanner holds the part of the text in hand: buf[pos:] is to come.
type scanner struct {
	r    io.Reader
	w    io.Writer
	edit Edit
	buf  []byte
	pos  int
	done bool // r has no more
	out  []byte

	root, at *node
	stack    []*node // places of the objects and arrays that are open
	objects  []bool
	key      bool // a key comes next
	nodes    int
}

func (s *scanner) flush() error {
	_, err := s.w.Write(s.out)
	s.out = s.out[:0]
	return err
}

// fill reads more behind what is in hand; false: there is no more.
func (s *scanner) fill() (bool, error) {
	if s.done {
		return false, nil
	}
	if s.pos > 0 {
		s.buf = s.buf[:copy(s.buf, s.buf[s.pos:])]
		s.pos = 0
	}
	if len(s.buf) == cap(s.buf) {
		if cap(s.buf) >= maxPiece {
			return false, fmt.Errorf("a string of more than %d bytes: %w", maxPiece, ErrLong)
		}
		s.buf = append(make([]byte, 0, 2*cap(s.buf)), s.buf...)
	}
	n, err := s.r.Read(s.buf[len(s.buf):cap(s.buf)])
	s.buf = s.buf[:len(s.buf)+n]
	if err == io.EOF {
		s.done, err = true, nil
	}
	return n > 0 || !s.done, err
}

// token takes a piece of the text.
func (s *scanner) token() (more bool, err error) {
	if s.pos == len(s.buf) {
		for s.pos == len(s.buf) {
			if more, err = s.fill(); !more || err != nil {
				return false, err
			}
		}
	}
	if len(s.out) > window {
		if err := s.flush(); err != nil {
			return false, err
		}
	}
	c := s.buf[s.pos]
	switch c {
	case '"':
		return s.str()
	case '{', '[':
		if len(s.stack) < maxDepth {
			s.stack, s.objects = append(s.stack, s.at), append(s.objects, c == '{')
		}
		s.key = c == '{'
	case '}', ']':
		if n := len(s.stack); n > 0 {
			s.at = s.stack[n-1]
			s.stack, s.objects = s.stack[:n-1], s.objects[:n-1]
		}
		s.key = false
	case ',':
		n := len(s.stack)
		s.key = n > 0 && s.objects[n-1]
		if s.key {
			s.at = s.stack[n-1]
		}
	case ':', ' ', '\n', '\r', '\t':
	default:
		return s.bare()
	}
	s.out = append(s.out, c)
	s.pos++
	return true, nil
}

// bare takes a number, a word, or what is malformed.
func (s *scanner) bare() (bool, error) {
	n := 0
	for {
		for s.pos+n < len(s.buf) && bytes.IndexByte([]byte("\"{}[],: \n\r\t"), s.buf[s.pos+n]) < 0 {
			n++
		}
		if s.pos+n < len(s.buf) {
			break
		}
		if more, err := s.fill(); err != nil {
			return false, err
		} else if !more {
			break
		}
	}
	b := s.buf[s.pos : s.pos+n]
	if !plain(b) {
		b = s.edit("malformed", b)
	}
	s.out = append(s.out, b...)
	s.pos += n
	return true, nil
}

// plain reports whether b is a number or a word of JSON, also one of those that
// writers of it should not use.
func plain(b []byte) bool {
	switch string(b) {
	case "true", "false", "null", "nan", "inf", "-nan", "-inf", "NaN", "Infinity", "-Infinity":
		return true
	}
	for _, c := range b {
		if (c < '0' || c > '9') && c != '-' && c != '+' && c != '.' && c != 'e' && c != 'E' {
			return false
		}
	}
	return true
}

// str takes a string.
func (s *scanner) str() (bool, error) {
	n, escaped := 1, false
	for {
		i := bytes.IndexAny(s.buf[s.pos+n:], `"\`)
		if i >= 0 {
			n += i
			if s.buf[s.pos+n] == '"' {
				break
			}
			if escaped = true; s.pos+n+1 < len(s.buf) {
				n += 2
				continue
			}
		} else {
			n = len(s.buf) - s.pos
		}
		if more, err := s.fill(); err != nil {
			return false, err
		} else if !more { // cut off
			s.out = append(s.out, '"')
			s.out = append(s.out, s.edit("malformed", s.buf[s.pos+1:])...)
			s.pos = len(s.buf)
			return true, nil
		}
	}
	raw := s.buf[s.pos : s.pos+n+1]
	s.string(raw, escaped)
	s.pos += n + 1
	return true, nil
}

// string edits a string with its quotes.
func (s *scanner) string(raw []byte, escaped bool) {
	b := raw[1 : len(raw)-1]
	if escaped {
		var text string
		if json.Unmarshal(raw, &text) == nil {
			b = []byte(text)
		} else {
			escaped = false // as it stands
		}
	}
	place := s.at.name
	if s.key {
		place += " (key)"
	}
	now := s.edit(place, b)
	if s.key {
		s.at, s.key = s.child(s.at, b), false
	}
	if len(now) == len(b) && (len(now) == 0 || &now[0] == &b[0]) {
		s.out = append(s.out, raw...)
		return
	}
	s.out = appendQuoted(s.out, now)
}

// child is the place of a key.
func (s *scanner) child(at *node, key []byte) *node {
	if c := at.below[string(key)]; c != nil {
		return c
	}
	if s.nodes >= maxPlace || len(key) > 100 {
		return at
	}
	s.nodes++
	c := &node{name: string(key)}
	if at.name != "" {
		c.name = at.name + "." + c.name
	}
	if at.below == nil {
		at.below = map[string]*node{}
	}
	at.below[string(key)] = c
	return c
}

// appendQuoted appends a string as JSON has it.
func appendQuoted(out, b []byte) []byte {
	const hex = "0123456789abcdef"
	out = append(out, '"')
	for len(b) > 0 {
		c := b[0]
		switch {
		case c == '"' || c == '\\':
			out = append(out, '\\', c)
		case c == '\n':
			out = append(out, `\n`...)
		case c == '\t':
			out = append(out, `\t`...)
		case c == '\r':
			out = append(out, `\r`...)
		case c < ' ':
			out = append(out, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		case c >= utf8.RuneSelf:
			_, n := utf8.DecodeRune(b)
			out, b = append(out, b[:n]...), b[n:]
			continue
		default:
			out = append(out, c)
		}
		b = b[1:]
	}
	return append(out, '"')
}
