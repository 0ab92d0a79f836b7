package prototext

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

type token uint8

const (
	tokenEnd token = iota
	tokenWord
	tokenNumber
	tokenString
	tokenMark // one character
)

// scanner cuts a text into tokens.
type scanner struct {
	file      string
	text      string
	off       int
	line      int32
	lineStart int

	tok token
	str string
	pos Pos
	err *SyntaxError
}

func (s *scanner) fail(want, found string) {
	if s.err == nil {
		pos := s.pos
		if pos.Line == 0 {
			pos = Pos{1, 1}
		}
		s.err = &SyntaxError{File: s.file, Pos: pos, Want: want, Found: found}
		s.tok = tokenEnd
	}
}

func (s *scanner) mark() byte { return s.str[0] }

// next moves to the next token; after an error it stays at the end.
func (s *scanner) next() {
	if s.err != nil {
		return
	}
	s.blank()
	s.pos = Pos{s.line, int32(s.off-s.lineStart) + 1}
	if s.off >= len(s.text) {
		s.tok, s.str = tokenEnd, ""
		return
	}
	switch c := s.text[s.off]; {
	case isWord(c) && !isDigit(c):
		s.take(tokenWord, func(c byte) bool { return isWord(c) })
	case isDigit(c), c == '.' && s.off+1 < len(s.text) && isDigit(s.text[s.off+1]):
		s.number()
	case c == '"' || c == '\'':
		s.quoted(c)
	default:
		_, n := utf8.DecodeRuneInString(s.text[s.off:])
		s.tok, s.str = tokenMark, s.text[s.off:s.off+n]
		s.off += n
	}
}

// blank passes over white space and comments.
func (s *scanner) blank() {
	for s.off < len(s.text) {
		switch s.text[s.off] {
		case '\n':
			s.off++
			s.line++
			s.lineStart = s.off
		case ' ', '\t', '\r', '\v', '\f':
			s.off++
		case '#':
			if i := strings.IndexByte(s.text[s.off:], '\n'); i >= 0 {
				s.off += i
			} else {
				s.off = len(s.text)
			}
		default:
			return
		}
	}
}

func (s *scanner) take(t token, in func(byte) bool) {
	from := s.off
	for s.off < len(s.text) && in(s.text[s.off]) {
		s.off++
	}
	s.tok, s.str = t, s.text[from:s.off]
}

// number takes digits and what may stand among them; whether they make a number
// is told when its type is known.
func (s *scanner) number() {
	from := s.off
	hex := strings.HasPrefix(s.text[from:], "0x") || strings.HasPrefix(s.text[from:], "0X")
	for s.off < len(s.text) {
		c := s.text[s.off]
		exponent := !hex && s.off > from && (c == '-' || c == '+') && (s.text[s.off-1] == 'e' || s.text[s.off-1] == 'E')
		if !isWord(c) && c != '.' && !exponent {
			break
		}
		s.off++
	}
	s.tok, s.str = tokenNumber, s.text[from:s.off]
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isWord(c byte) bool {
	return c == '_' || isDigit(c) || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// quoted reads a string, which ends on its line.
func (s *scanner) quoted(quote byte) {
	s.off++
	from := s.off
	for i := s.off; i < len(s.text); i++ {
		switch s.text[i] {
		case quote:
			s.tok, s.str, s.off = tokenString, s.text[from:i], i+1
			return
		case '\\':
			s.escaped(quote, i)
			return
		case '\n':
			s.fail("the closing "+string(quote), "the end of the line")
			return
		}
	}
	s.fail("the closing "+string(quote), "the end of the text")
}

// escaped is quoted from the first backslash on.
func (s *scanner) escaped(quote byte, at int) {
	b := []byte(s.text[s.off:at])
	for i := at; i < len(s.text); {
		switch c := s.text[i]; c {
		case quote:
			s.tok, s.str, s.off = tokenString, string(b), i+1
			return
		case '\n':
			s.fail("the closing "+string(quote), "the end of the line")
			return
		case '\\':
			n, out := unescape(s.text[i:])
			if n == 0 {
				s.pos = Pos{s.line, int32(i-s.lineStart) + 1}
				s.fail("an escape", fmt.Sprintf("%q", s.text[i:min(i+2, len(s.text))]))
				return
			}
			b = append(b, out...)
			i += n
		default:
			b = append(b, c)
			i++
		}
	}
	s.fail("the closing "+string(quote), "the end of the text")
}

// unescape reads an escape at the start of s: n is its length, 0 if it is none.
func unescape(s string) (n int, out string) {
	if len(s) < 2 {
		return 0, ""
	}
	if i := strings.IndexByte(`abfnrtv\'"?`, s[1]); i >= 0 {
		return 2, "\a\b\f\n\r\t\v\\'\"?"[i : i+1]
	}
	number := func(from, most, base int) (int, string) {
		end := from
		for end < len(s) && end < from+most {
			if _, err := strconv.ParseUint(s[end:end+1], base, 8); err != nil {
				break
			}
			end++
		}
		v, err := strconv.ParseUint(s[from:end], base, 32)
		switch {
		case err != nil:
			return 0, ""
		case s[1] == 'u' || s[1] == 'U':
			if v > utf8.MaxRune || end != from+most {
				return 0, ""
			}
			return end, string(rune(v))
		case v > 255:
			return 0, ""
		}
		return end, string([]byte{byte(v)})
	}
	switch c := s[1]; {
	case c == 'x' || c == 'X':
		return number(2, 2, 16)
	case c == 'u':
		return number(2, 4, 16)
	case c == 'U':
		return number(2, 8, 16)
	case c >= '0' && c <= '7':
		return number(1, 3, 8)
	}
	return 0, ""
}
