package nvtxfilter

import "strings"

// special holds the characters that mean something in an expression.
const special = `@,[]/*+\`

const regexPrefix = "regex:"

// piece is a part of an expression, escapes still in it.
type piece struct {
	text string
	off  int // byte offset in the expression
}

// split cuts p at every unescaped sep; n separators give n+1 pieces, of which
// any may be empty.
func split(p piece, sep byte) []piece {
	var out []piece
	start := 0
	for i := 0; i < len(p.text); i++ {
		switch p.text[i] {
		case '\\':
			i++ // the next character stands for itself
		case sep:
			out = append(out, piece{p.text[start:i], p.off + start})
			start = i + 1
		}
	}
	return append(out, piece{p.text[start:], p.off + start})
}

// endsWith reports whether s ends with suffix and no backslash escapes that.
func endsWith(s, suffix string) bool {
	head, ok := strings.CutSuffix(s, suffix)
	if !ok {
		return false
	}
	slashes := len(head) - len(strings.TrimRight(head, `\`))
	return slashes%2 == 0
}

// unescape drops the backslash of every escape. One at the very end escapes
// nothing and stays.
func unescape(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
		}
		b = append(b, s[i])
	}
	return string(b)
}

// escape writes a domain or range name so that it stands for itself in an
// expression that is not a "regex:".
func escape(name string) string {
	var b strings.Builder
	if strings.HasPrefix(name, regexPrefix) {
		b.WriteByte('\\')
	}
	for i := 0; i < len(name); i++ {
		if strings.IndexByte(special, name[i]) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(name[i])
	}
	return b.String()
}
