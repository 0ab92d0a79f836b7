package amd

import (
	"errors"
	"fmt"
	"io"
	"strings"
)

// ErrEncoding is wrapped by the error for a text in UTF-16 or UTF-32.
var ErrEncoding = errors.New("text is not in a one-byte encoding or UTF-8")

// readText reads a whole input into one string, of which every record is a part.
func readText(r io.ReaderAt, size int64, name string) (string, error) {
	const most = 1 << 36 // no sound trace is larger; a size that lies must not reserve memory
	if size < 0 || size > most {
		return "", &FormatError{File: name, Want: fmt.Sprintf("a file of at most %d bytes", int64(most)), Found: fmt.Sprintf("%d bytes", size), Err: ErrCorrupt}
	}
	var b strings.Builder
	b.Grow(int(size))
	n, err := io.CopyBuffer(onlyWriter{&b}, io.NewSectionReader(r, 0, size), make([]byte, 1<<20))
	if err != nil {
		return "", fmt.Errorf("%s: offset %d: %w", name, n, err)
	}
	s := b.String()
	return s, checkEncoding(s, name)
}

// checkEncoding refuses a text of two or four bytes a character.
func checkEncoding(s, name string) error {
	if strings.HasPrefix(s, "\xff\xfe") || strings.HasPrefix(s, "\xfe\xff") || strings.HasPrefix(s, "\x00\x00\xfe\xff") {
		return &FormatError{File: name, Line: 1, Want: "text of one byte a character or UTF-8", Found: "the mark of UTF-16 or UTF-32", Err: ErrEncoding}
	}
	if len(s) >= 4 && (s[1] == 0 && s[3] == 0 && s[0] != 0 || s[0] == 0 && s[2] == 0 && s[1] != 0) {
		return &FormatError{File: name, Line: 1, Want: "text of one byte a character or UTF-8", Found: "every second byte zero, as in UTF-16", Err: ErrEncoding}
	}
	return nil
}

// onlyWriter hides the other methods of a strings.Builder from io.Copy.
type onlyWriter struct{ io.Writer }

const bom = "\xef\xbb\xbf"

// lines walks a text line by line. With a source, s is a window on the text that
// moves on: a line stays good, and keeps its window in memory while it is held.
type lines struct {
	s    string
	src  *source // of what follows s; nil: nothing does
	base int64   // place of s in the file
	off  int     // of the next line, in s
	num  int     // of the line last returned, from 1
	crlf bool
	cut  bool   // the line last returned is the last and has no line end
	tail string // that line
}

func newLines(s string) *lines {
	l := &lines{s: s}
	l.begin()
	return l
}

// newWindow walks the text of a source.
func newWindow(src *source) *lines {
	l := &lines{src: src}
	l.at(0)
	l.begin()
	return l
}

func (l *lines) begin() {
	if strings.HasPrefix(l.s, bom) {
		l.off = len(bom)
	}
	if i := strings.IndexByte(l.s, '\n'); i > 0 && l.s[i-1] == '\r' {
		l.crlf = true
	}
}

// pos is the place of the next line in the file.
func (l *lines) pos() int64 { return l.base + int64(l.off) }

// left is how many bytes follow.
func (l *lines) left() int64 {
	n := int64(len(l.s) - l.off)
	if l.src != nil {
		n += l.src.left()
	}
	return n
}

// fill moves the window on so that it begins with the next line and holds more
// than it did. It returns where the byte at off is then.
func (l *lines) fill(off int) (int, bool) {
	if l.src == nil || l.src.left() == 0 {
		return off, false
	}
	l.s = l.src.window(l.s[l.off:])
	l.base += int64(l.off)
	off -= l.off
	l.off = 0
	return off, true
}

// at splits off the line at off and returns where the next one begins.
func (l *lines) at(off int) (line string, next int, cut bool) {
	i := strings.IndexByte(l.s[off:], '\n')
	for more := true; i < 0; {
		if off, more = l.fill(off); !more {
			return strings.TrimSuffix(l.s[off:], "\r"), len(l.s), true
		}
		i = strings.IndexByte(l.s[off:], '\n')
	}
	rest := l.s[off:]
	next = off + i + 1
	if i > 0 && rest[i-1] == '\r' {
		i--
	}
	return rest[:i], next, false
}

// end reports whether nothing follows.
func (l *lines) end() bool { return l.off >= len(l.s) && l.left() <= 0 }

// next returns the next line; ok is false at the end.
func (l *lines) next() (line string, ok bool) {
	if l.end() {
		return "", false
	}
	l.num++
	if line, l.off, l.cut = l.at(l.off); l.cut {
		l.tail = line
	}
	return line, true
}

// peek returns the next line without moving.
func (l *lines) peek() (line string, ok bool) {
	if l.end() {
		return "", false
	}
	line, _, _ = l.at(l.off)
	return line, true
}

// more returns the next line that is not blank without moving.
func (l *lines) more() (line string, ok bool) {
	for off := l.off; ; {
		if off >= len(l.s) {
			if off, ok = l.fill(off); !ok {
				return "", false
			}
		}
		// at may move the window, by as much as the place of the next line
		if line, off, _ = l.at(off); !blank(line) {
			return line, true
		}
	}
}

func blank(s string) bool {
	for i := range len(s) {
		if s[i] != ' ' && s[i] != '\t' && s[i] != '\r' {
			return false
		}
	}
	return true
}

// noteNUL reports the first zero byte of a text, which no profiler writes.
func noteNUL(p *problems, s string) {
	if i := strings.IndexByte(s, 0); i >= 0 {
		p.add(ErrCorrupt, 1+strings.Count(s[:i], "\n"), int64(i), "text", "a zero byte")
	}
}

// field returns the next token of s from i, and where it ends. Tokens are set
// apart by blanks and tabs; the token is empty at the end.
func field(s string, i int) (tok string, end int) {
	for i < len(s) && (s[i] == ' ' || s[i] == '\t') {
		i++
	}
	begin := i
	for i < len(s) && s[i] != ' ' && s[i] != '\t' {
		i++
	}
	return s[begin:i], i
}

// number parses a decimal of 64 bits.
func number(s string) (v uint64, ok bool) {
	if len(s) == 0 || len(s) > 20 {
		return 0, false
	}
	for i := range len(s) {
		c := s[i] - '0'
		if c > 9 {
			return 0, false
		}
		if len(s) == 20 && i == 19 && (v > 1844674407370955161 || v == 1844674407370955161 && c > 5) {
			return 0, false
		}
		v = v*10 + uint64(c)
	}
	return v, true
}

// integerLine reports whether a line holds a decimal number and nothing else,
// as the lines that begin a block do.
func integerLine(s string) (uint64, bool) {
	if len(s) == 0 || s[0] > '9' && s[0] != ' ' {
		return 0, false
	}
	tok, end := field(s, 0)
	if !blank(s[end:]) {
		return 0, false
	}
	return number(tok)
}

// Unescape turns the &nbsp; and &comma; of names into what they stand for.
func Unescape(s string) string {
	if strings.IndexByte(s, '&') < 0 {
		return s
	}
	return unescaper.Replace(s)
}

var (
	unescaper = strings.NewReplacer("&nbsp;", " ", "&comma;", ",")
)
