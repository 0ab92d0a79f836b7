package nvtxt

import "bytes"

// escapeLine is a comment to every other reader. From this line on, Guide
// decodes \n, \r and \xHH in quoted strings, so that a [Writer] can express
// any text: the language itself has no escapes, and a text with a line break,
// with both kinds of quotes or with a backslash at its end cannot be written.
const escapeLine = `#escapes: \n \r \xHH`

// unescape decodes t into the scratch memory of the line. lineLen bounds what
// a line can need, so that earlier strings of the line never move.
func (s *scanner) unescape(t []byte, lineLen int) []byte {
	if cap(s.scratch)-len(s.scratch) < len(t) {
		s.scratch = make([]byte, 0, max(lineLen, 4096))
	}
	from := len(s.scratch)
	for len(t) > 0 {
		n := bytes.IndexByte(t, '\\')
		if n < 0 || n+1 == len(t) {
			break
		}
		s.scratch = append(s.scratch, t[:n]...)
		t = t[n:]
		switch {
		case t[1] == 'n':
			s.scratch, t = append(s.scratch, '\n'), t[2:]
		case t[1] == 'r':
			s.scratch, t = append(s.scratch, '\r'), t[2:]
		case t[1] == 'x' && len(t) >= 4 && isHex(t[2]) && isHex(t[3]):
			u, _ := accumulate(t[2:4], 16)
			s.scratch, t = append(s.scratch, byte(u)), t[4:]
		default:
			s.scratch, t = append(s.scratch, '\\'), t[1:]
		}
	}
	s.scratch = append(s.scratch, t...)
	return s.scratch[from:len(s.scratch):len(s.scratch)]
}

func isHex(c byte) bool { return classes[Nsys][c]&hexDigit != 0 }

// needsEscape reports whether t cannot stand between quotes as it is, and
// which quote to use.
func needsEscape(t string) (escape bool, quote byte) {
	quote = '"'
	var double, single bool
	for i := range len(t) {
		switch t[i] {
		case '\n', '\r':
			escape = true
		case '"':
			double = true
		case '\'':
			single = true
		}
	}
	if double && !single {
		quote = '\''
	}
	if double && single || len(t) > 0 && t[len(t)-1] == '\\' {
		escape = true
	}
	return escape, quote
}

// appendQuoted appends t between quotes. With escapes set, every byte that the
// quoting or the escaping would change is escaped; without, t must not need it.
func appendQuoted(b []byte, t string, escapes bool) []byte {
	_, quote := needsEscape(t)
	b = append(b, quote)
	if !escapes {
		b = append(b, t...)
		return append(b, quote)
	}
	const hex = "0123456789abcdef"
	for i := range len(t) {
		switch c := t[i]; c {
		case '\n':
			b = append(b, '\\', 'n')
		case '\r':
			b = append(b, '\\', 'r')
		case '\\', quote:
			b = append(b, '\\', 'x', hex[c>>4], hex[c&15])
		default:
			b = append(b, c)
		}
	}
	return append(b, quote)
}
