package kineto

import "bytes"

// What a scan comes to.
type outcome uint8

const (
	done  outcome = iota
	short         // the window ends before the value does
	bad           // this is not JSON, nor what is taken for it
)

// Kinds of values.
const (
	absent = iota
	quoted // start and end are those of what is between the quotes
	plain  // a number or a bare word
	nested // an object or an array
)

// A span is a value in the window.
type span struct {
	start, end int32
	kind       uint8
}

func (s span) of(b []byte) []byte { return b[s.start:s.end] }

// text is a span as text: what is between the quotes, or a number as it stands.
func (s span) text(b []byte) ([]byte, bool) {
	return b[s.start:s.end], s.kind == quoted || s.kind == plain
}

// value passes over the value at i.
func value(b []byte, n, i int) (v span, next int, out outcome) {
	switch b[i] {
	case '"':
		end, out := stringEnd(b, n, i+1)
		return span{int32(i + 1), int32(end), quoted}, end + 1, out
	case '{', '[':
		end, out := nestedEnd(b, n, i)
		return span{int32(i), int32(end), nested}, end, out
	}
	k := i
	for wordByte[b[k]] {
		k++
	}
	switch {
	case k >= n:
		return v, n, short
	case k == i:
		return v, i, bad
	}
	return span{int32(i), int32(k), plain}, k, done
}

// wordByte tells the bytes of numbers and bare words.
var wordByte = func() (t [256]bool) {
	for c := '0'; c <= '9'; c++ {
		t[c] = true
	}
	for c := 'a'; c <= 'z'; c++ {
		t[c], t[c-32] = true, true
	}
	t['-'], t['+'], t['.'], t['_'] = true, true, true, true
	return t
}()

// stringEnd finds the quote that ends the string whose text begins at i.
func stringEnd(b []byte, n, i int) (int, outcome) {
	for from := i; ; {
		k := bytes.IndexByte(b[from:n], '"')
		if k < 0 {
			return n, short
		}
		end := from + k
		back := end
		for back > i && b[back-1] == '\\' {
			back--
		}
		if (end-back)&1 == 0 {
			return end, done
		}
		from = end + 1
	}
}

// nestedEnd finds the end of the object or array at i, without recursion.
func nestedEnd(b []byte, n, i int) (int, outcome) {
	depth := 0
	for {
		switch b[i] {
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1, done
			}
		case '"':
			end, out := stringEnd(b, n, i+1)
			if out != done {
				return end, out
			}
			i = end
		case 0:
			if i >= n {
				return n, short
			}
		}
		i++
	}
}

// key reads the key at i, which is a quote, and passes the colon.
func key(b []byte, n, i int) (k span, next int, out outcome) {
	end := i + 1
	for {
		for !keyEnd[b[end]] {
			end++
		}
		if b[end] == '"' {
			break
		}
		if end >= n {
			return k, n, short
		}
		if b[end] == '\\' && end+1 < n {
			end++
		}
		end++
	}
	k = span{int32(i + 1), int32(end), quoted}
	i = space(b, end+1)
	if b[i] != ':' {
		return k, i, ended(n, i)
	}
	return k, space(b, i+1), done
}

// keyEnd tells the bytes that may end a key, or the window.
var keyEnd = [256]bool{0: true, '"': true, '\\': true}

// space passes over white space.
func space(b []byte, i int) int {
	for b[i]-1 < ' ' {
		i++
	}
	return i
}

// ended tells the end of the window from a fault at i.
func ended(n, i int) outcome {
	if i >= n {
		return short
	}
	return bad
}
