package nvtxt

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
)

// Format copies a file in its standard form: "Name = value", one blank after
// each comma, LF line ends, no byte order mark, no blanks around lines, at most
// one empty line in a row and none at the start or end. Values, comments and
// lines in error stay as they are written, so that the file means what it
// meant. It returns how many lines are in error, lexically.
func Format(dst io.Writer, src io.Reader, d Dialect) (wrong int, err error) {
	w := bufio.NewWriterSize(dst, 64<<10)
	l := NewLines(src)
	if l.Begin() {
		return 0, fmt.Errorf("the file is UTF-16, expected UTF-8")
	}
	f := formatter{scanner: scanner{dialect: d, cls: &classes[d]}}
	var out []byte
	gap, any := false, false
	for {
		line, _, long, ok := l.Next()
		if !ok {
			break
		}
		if long {
			return wrong, fmt.Errorf("line %d is longer than %d bytes", l.number, MaxLine)
		}
		var fine bool
		if out, fine = f.line(out[:0], line); !fine {
			wrong++
		}
		if len(out) == 0 {
			gap = any
			continue
		}
		if gap {
			w.WriteByte('\n')
		}
		if !any && bytes.HasPrefix(out, []byte(byteOrderMark)) {
			w.WriteString(byteOrderMark) // so that the one in the line is not taken for the file's
		}
		gap, any = false, true
		w.Write(out)
		if err := w.WriteByte('\n'); err != nil {
			return wrong, err
		}
	}
	if l.err != nil {
		return wrong, fmt.Errorf("line %d: %w", l.number+1, l.err)
	}
	return wrong, w.Flush()
}

// formatter lays out single lines.
type formatter struct {
	scanner
}

// line appends the standard form of b to out. If b cannot be cut into words it
// is appended as it is.
func (f *formatter) line(out, b []byte) (_ []byte, fine bool) {
	b = bytes.Trim(b, " \t\v\f")
	if len(b) == 0 || b[0] == '#' {
		return append(out, b...), true
	}
	n := len(out)
	out, i, ok := f.head(out, b)
	if !ok {
		return append(out[:n], b...), false
	}
	switch i = f.skip(b, i); {
	case i == len(b), b[i] == '#':
	case b[i] == '=' && b[0] != '@':
		out, i, ok = f.assignment(append(out, " ="...), b, i+1)
	case b[i] == ',':
		out, i, ok = f.list(out, b, i+1)
	default:
		ok = false
	}
	if !ok {
		return append(out[:n], b...), false
	}
	if i < len(b) { // a comment behind
		out = append(append(out, ' '), b[i:]...)
	}
	return out, true
}

// head appends the name that a line begins with, and the @ before it.
func (f *formatter) head(out, b []byte) (_ []byte, i int, ok bool) {
	if b[0] == '@' {
		i++
	}
	if i == len(b) {
		return out, 0, false
	}
	end, fault := f.word(b, i)
	if fault || b[i] != '$' && f.cls[b[i]]&wordStart == 0 {
		return out, 0, false
	}
	return append(out, b[:end]...), end, true
}

// word returns the end of the value at i; variables are not expanded.
func (f *formatter) word(b []byte, i int) (end int, fault bool) {
	if b[i] == '$' {
		class := uint8(nameByte)
		if f.dialect == Nsys {
			class = wordByte
		}
		end = f.run(b, i+1, class)
		return end, end == i+1
	}
	var v value
	end, ft := f.scan(b, i, &v)
	return end, ft != nil
}

func (f *formatter) assignment(out, b []byte, i int) (_ []byte, next int, ok bool) {
	i = f.skip(b, i)
	if i == len(b) || b[i] == '#' {
		return out, i, false
	}
	end, fault := f.word(b, i)
	if fault {
		return out, i, false
	}
	out = append(append(out, ' '), b[i:end]...)
	i = f.skip(b, end)
	return out, i, i == len(b) || b[i] == '#'
}

// list appends values, each after a comma and a blank. A comma at the end is
// kept only where it says something: behind no value, or an empty one.
func (f *formatter) list(out, b []byte, i int) (_ []byte, next int, ok bool) {
	bare := true // nothing stands before the next comma
	for {
		if i = f.skip(b, i); i == len(b) || b[i] == '#' {
			break
		}
		out = append(out, ", "...)
		if bare = b[i] == ','; !bare {
			end, fault := f.word(b, i)
			if fault {
				return out, i, false
			}
			out = append(out, b[i:end]...)
			if i = f.skip(b, end); i == len(b) || b[i] == '#' {
				break
			}
		}
		if b[i] != ',' {
			return out, i, false
		}
		i++
	}
	if bare {
		out = append(out, ',')
	}
	return out, i, true
}
