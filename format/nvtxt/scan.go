package nvtxt

import (
	"bytes"
	"math"
	"strconv"
)

// kind is what a value was written as.
type kind uint8

const (
	empty    kind = iota // nothing between two commas
	word                 // bare
	quoted               // between quotes
	integer              // decimal, hexadecimal, in Nsys also octal
	floating             // Guide only
)

func (k kind) String() string {
	return [...]string{"nothing", "a word", "a string", "an integer", "a floating-point number"}[k]
}

// text reports whether the kind is a string to the language.
func (k kind) text() bool { return k == word || k == quoted }

// value is an argument or the right side of an assignment. s aliases the line,
// or the machine's own memory where a variable was expanded.
type value struct {
	s     []byte
	i     int64 // or the bits of a float64
	pos   int   // in the line
	kind  kind
	octal bool // Guide: has a leading 0, so Nsys would read it as octal
}

func (v *value) setWord(pos int, s []byte) { v.s, v.i, v.pos, v.kind, v.octal = s, 0, pos, word, false }
func (v *value) setQuoted(pos int, s []byte) {
	v.s, v.i, v.pos, v.kind, v.octal = s, 0, pos, quoted, false
}
func (v *value) setEmpty(pos int) { v.s, v.i, v.pos, v.kind, v.octal = nil, 0, pos, empty, false }
func (v *value) setInteger(pos int, i int64) {
	v.s, v.i, v.pos, v.kind, v.octal = nil, i, pos, integer, false
}

// Classes of bytes, as bits.
const (
	blank     = 1 << iota
	wordStart // may begin a bare word
	wordByte  // may continue one
	nameByte  // letter, digit, underscore
	hexDigit
)

type byteClasses [256]uint8

// classes is indexed by Dialect.
var classes = [2]byteClasses{classesOf(Guide), classesOf(Nsys)}

func classesOf(d Dialect) (t byteClasses) {
	for c := range 256 {
		b := byte(c)
		letter := b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
		digit := b >= '0' && b <= '9'
		switch {
		case b == ' ' || b == '\t' || b == '\v' || b == '\f':
			t[c] |= blank
		case letter || b == '_':
			t[c] |= wordStart | wordByte | nameByte
		case digit:
			t[c] |= wordByte | nameByte
		case b == '-':
			t[c] |= wordByte
		case d == Guide && b >= 0x80:
			t[c] |= wordStart | wordByte
		case d == Guide && b > ' ' && b != 0x7f && bytes.IndexByte([]byte(`,"'=$`), b) < 0:
			t[c] |= wordByte // the documentation does not say which characters a word may have
		}
		if digit || letter && b|0x20 <= 'f' {
			t[c] |= hexDigit
		}
	}
	return t
}

// scanner finds the words of one line. It never expands variables; so it also
// serves the formatter.
type scanner struct {
	dialect Dialect
	cls     *byteClasses
	escapes bool   // Guide: \n, \r and \xHH in quotes stand for bytes; see [Writer]
	scratch []byte // decoded strings of the current line
}

// skip returns the first position from i that is not blank.
func (s *scanner) skip(b []byte, i int) int {
	for i < len(b) && s.cls[b[i]]&blank != 0 {
		i++
	}
	return i
}

// run returns the end of the run of bytes of class c that begins at i.
func (s *scanner) run(b []byte, i int, c uint8) int {
	for i < len(b) && s.cls[b[i]]&c != 0 {
		i++
	}
	return i
}

// scan reads the value at i, where there is neither a blank nor a comma nor
// the end of the line, into v and returns the position after it.
func (s *scanner) scan(b []byte, i int, v *value) (next int, f *fault) {
	c := b[i]
	switch {
	case c-'0' <= 9:
		// Most numbers are short decimal ones.
		j, n := i, int64(0)
		for ; j < len(b) && j-i < 18; j++ {
			d := b[j] - '0'
			if d > 9 {
				break
			}
			n = n*10 + int64(d)
		}
		if (c != '0' || j == i+1) && (j == len(b) || b[j] == ',' || s.cls[b[j]]&blank != 0) {
			v.setInteger(i, n)
			return j, nil
		}
		return s.scanNumber(b, i, v)
	case c == '"' || c == '\'':
		return s.scanString(b, i, v)
	case s.cls[c]&wordStart != 0:
		next = s.run(b, i+1, wordByte)
		v.setWord(i, b[i:next:next])
		return next, nil
	case c == '-' || c == '+' && s.dialect == Guide:
		return s.scanNumber(b, i, v)
	}
	return i, &fault{class: Lexing, pos: i, found: describe(b, i) + cannotBegin,
		want: "a word, a quoted string, an integer or $ and a variable's name"}
}

const cannotBegin = " cannot begin a value"

// describe names the character at i for a message.
func describe(b []byte, i int) string {
	if i >= len(b) {
		return "the end of the line"
	}
	r := []rune(string(b[i:min(len(b), i+4)]))[0]
	if r == '�' {
		return "byte 0x" + strconv.FormatUint(uint64(b[i]), 16)
	}
	return strconv.QuoteRune(r)
}

// scanString reads a quoted string. A backslash directly before the closing
// quote keeps the string open and stays in the text; no other escape exists
// unless s.escapes is set.
func (s *scanner) scanString(b []byte, i int, v *value) (next int, f *fault) {
	q := b[i]
	first := -1 // the first closing quote, whatever stands before it
	for j := i + 1; ; j++ {
		n := bytes.IndexByte(b[j:], q)
		if n < 0 {
			break
		}
		j += n
		if j == i+1 || b[j-1] != '\\' {
			s.setString(b, i, j, v)
			return j + 1, nil
		}
		if first < 0 {
			first = j
		}
	}
	if first >= 0 && s.dialect == Guide {
		// As "C:\dir\" is meant: with the backslash as a plain character.
		s.setString(b, i, first, v)
		return first + 1, nil
	}
	found := "the string is not closed on its line"
	if first >= 0 {
		found = "the string is not closed on its line: a backslash before a quote keeps it open"
	}
	return i, &fault{class: Lexing, pos: i, found: found, want: "a closing " + string(q)}
}

func (s *scanner) setString(b []byte, open, end int, v *value) {
	t := b[open+1 : end : end]
	if s.escapes && bytes.IndexByte(t, '\\') >= 0 {
		t = s.unescape(t, len(b))
	}
	v.setQuoted(open, t)
}

// scanNumber reads an integer, in Guide also a floating-point number, at a
// digit or a sign.
func (s *scanner) scanNumber(b []byte, i int, v *value) (next int, f *fault) {
	if s.dialect == Nsys {
		return scanNsysInteger(b, i, v)
	}
	return s.scanGuideNumber(b, i, v)
}

func (s *scanner) scanGuideNumber(b []byte, i int, v *value) (next int, f *fault) {
	j := i
	if b[j] == '-' || b[j] == '+' {
		j++
	}
	digits := j
	for j < len(b) && (s.cls[b[j]]&nameByte != 0 || b[j] == '.' || signOfExponent(b, digits, j)) {
		j++
	}
	text := string(b[i:j])
	bad := func(found, want string) (int, *fault) {
		return j, &fault{class: Lexing, pos: i, found: found, want: want}
	}
	if digits == j {
		return bad(describe(b, i)+" without digits", "an integer")
	}
	if j-digits > 2 && b[digits] == '0' && b[digits+1]|0x20 == 'x' {
		u, err := strconv.ParseUint(string(b[digits+2:j]), 16, 64)
		if err != nil {
			return bad(quoteName(b[i:j])+" is not a hexadecimal number of 64 bits", "0x and up to 16 digits")
		}
		if b[i] == '-' {
			u = -u
		}
		v.setInteger(i, int64(u))
		return j, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err == nil {
		v.setInteger(i, n)
		v.octal = b[digits] == '0' && j > digits+1
		return j, nil
	}
	if isDecimal(b[digits:j]) {
		return bad(clipName(b[i:j])+" does not fit Int64", "at most 9223372036854775807 and at least -9223372036854775808")
	}
	if fl, err := strconv.ParseFloat(text, 64); err == nil && !math.IsInf(fl, 0) && !math.IsNaN(fl) && b[digits] != '.' {
		v.setInteger(i, int64(math.Float64bits(fl)))
		v.kind = floating
		return j, nil
	}
	if b[digits] > '9' {
		return bad(quoteName(b[i:j])+" is neither a word nor a number", "a letter first, or only digits")
	}
	return bad(quoteName(b[i:j])+" begins with a digit but is not a number", "a letter or '_' first, or only digits")
}

// signOfExponent reports whether b[j] is the sign in a number like 1e-3.
func signOfExponent(b []byte, digits, j int) bool {
	return (b[j] == '-' || b[j] == '+') && j > digits && b[j-1]|0x20 == 'e' && b[digits] <= '9' &&
		!(digits+1 < len(b) && b[digits+1]|0x20 == 'x')
}

func isDecimal(b []byte) bool {
	for _, c := range b {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

// scanNsysInteger reads what C's strtoll takes with base 0 from a run of
// digits: decimal, octal with a leading 0 up to the first other digit, or
// hexadecimal, which has no sign.
func scanNsysInteger(b []byte, i int, v *value) (next int, f *fault) {
	j, neg := i, b[i] == '-'
	if neg {
		j++
	}
	digits := j
	for j < len(b) && b[j]-'0' <= 9 {
		j++
	}
	text, base := b[digits:j], 10
	if len(text) > 0 && b[digits] == '0' {
		base = 8
		if !neg && j == digits+1 && j < len(b) && b[j]|0x20 == 'x' {
			base, digits = 16, j+1
			for j++; j < len(b) && isHex(b[j]); j++ {
			}
			text = b[digits:j]
		}
	}
	if len(text) == 0 {
		return i, &fault{class: Lexing, pos: i, found: "not a number", want: "decimal digits, or 0x and hexadecimal digits"}
	}
	u, ok := accumulate(text, uint64(base))
	limit := uint64(math.MaxInt64)
	if neg {
		limit++
	}
	if !ok || u > limit {
		return i, &fault{class: Lexing, pos: i, found: clipName(b[i:j]) + " does not fit Int64",
			want: "at most 9223372036854775807 (the importer stops here without naming the line)"}
	}
	if neg {
		u = -u
	}
	v.setInteger(i, int64(u))
	return j, nil
}

// accumulate reads digits up to the first that base does not have.
func accumulate(digits []byte, base uint64) (u uint64, ok bool) {
	for _, c := range digits {
		d := uint64(c - '0')
		if c > '9' {
			d = uint64(c|0x20-'a') + 10
		}
		if d >= base {
			break
		}
		if u > (math.MaxUint64-d)/base {
			return 0, false
		}
		u = u*base + d
	}
	return u, true
}
