// Package linetext goes over texts that consist of lines, such as logs, settings and
// tables of comma-separated values, and puts other texts in the stead of some. What
// is not edited stays byte for byte.
package linetext

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// Edit gets a text and returns it or what takes its place. Place is the name of a
// setting or column, else "line"; the line of a setting comes as one, too.
type Edit = func(place string, b []byte) []byte

// ErrLong is wrapped by the error about a line that is too long to be held.
var ErrLong = errors.New("line too long")

const (
	maxLine   = 64 << 20
	maxRecord = 1 << 20 // bytes of a record with line breaks
	maxKey    = 64      // bytes of the name of a setting
	maxColumn = 100
)

// Rewrite copies lines with their texts edited. Table says that lines with commas
// are records, of which the first names the columns.
func Rewrite(w io.Writer, r io.Reader, table bool, edit Edit) error {
	l := &lines{in: bufio.NewReaderSize(r, 1<<20), out: bufio.NewWriterSize(w, 1<<20), edit: edit, table: table}
	for {
		b, err := l.read()
		if len(b) > 0 {
			l.line(b)
		}
		if err == io.EOF {
			return l.out.Flush()
		}
		if err != nil {
			return err
		}
	}
}

type lines struct {
	in      *bufio.Reader
	out     *bufio.Writer
	edit    Edit
	table   bool
	columns []string
	buf     []byte
	now     []byte
}

// read returns the next line with its end; one that opens a key or, in a table, a
// quoted cell goes on to where that ends.
func (l *lines) read() ([]byte, error) {
	l.buf = l.buf[:0]
	var err error
	for {
		var b []byte
		b, err = l.in.ReadSlice('\n')
		l.buf = append(l.buf, b...)
		if errors.Is(err, bufio.ErrBufferFull) {
			if len(l.buf) > maxLine {
				return nil, fmt.Errorf("a line of more than %d bytes: %w", maxLine, ErrLong)
			}
			continue
		}
		if err != nil || len(l.buf) > maxRecord || !l.goesOn() {
			return l.buf, err
		}
	}
}

func (l *lines) goesOn() bool {
	if i := bytes.LastIndex(l.buf, []byte("-----BEGIN ")); i >= 0 && bytes.Contains(l.buf[i:], []byte("PRIVATE KEY")) {
		return !bytes.Contains(l.buf[i:], []byte("-----END ")) && bytes.Count(l.buf[i:], []byte("\n")) < 200
	}
	return l.table && bytes.Count(l.buf, []byte(`"`))%2 == 1 && bytes.Count(l.buf, []byte("\n")) < 200
}

func (l *lines) line(b []byte) {
	text := bytes.TrimRight(b, "\r\n")
	end := b[len(text):]
	if l.table && len(text) > 0 && text[0] != '#' && bytes.IndexByte(text, ',') >= 0 {
		if l.columns == nil {
			l.head(text)
			l.out.Write(l.edit("line", text))
		} else {
			l.record(text)
		}
	} else if key, at := setting(text); key != "" {
		value := l.edit(key, text[at:])
		l.now = append(append(l.now[:0], text[:at]...), value...)
		l.out.Write(l.edit("line", l.now))
	} else {
		l.out.Write(l.edit("line", text))
	}
	l.out.Write(end)
}

// head takes the names of columns.
func (l *lines) head(text []byte) {
	l.columns = []string{}
	for len(text) > 0 {
		cell, rest := next(text)
		name := string(bytes.Trim(cell, ` "`))
		if len(name) > maxColumn {
			name = name[:maxColumn]
		}
		l.columns = append(l.columns, name)
		text = rest
	}
}

// next splits the first cell off, with its quotes and without the comma.
func next(text []byte) (cell, rest []byte) {
	quoted := false
	for i, c := range text {
		switch {
		case c == '"':
			quoted = !quoted
		case c == ',' && !quoted:
			return text[:i], text[i+1:]
		}
	}
	return text, nil
}

// record edits the cells of a record.
func (l *lines) record(text []byte) {
	for i := 0; ; i++ {
		cell, rest := next(text)
		place := "line"
		if i < len(l.columns) && l.columns[i] != "" {
			place = l.columns[i]
		}
		l.cell(place, cell)
		if len(cell) == len(text) {
			return
		}
		l.out.WriteByte(',')
		text = rest
	}
}

// cell edits one cell, with or without quotes.
func (l *lines) cell(place string, cell []byte) {
	body := bytes.TrimSpace(cell)
	at := bytes.Index(cell, body)
	quoted := len(body) > 1 && body[0] == '"' && body[len(body)-1] == '"'
	text := body
	if quoted {
		text = body[1 : len(body)-1]
	}
	plain := text
	if quoted && bytes.Contains(text, []byte(`""`)) {
		plain = bytes.ReplaceAll(text, []byte(`""`), []byte(`"`))
	}
	now := l.edit(place, plain)
	if len(now) == len(plain) && (len(now) == 0 || &now[0] == &plain[0]) {
		l.out.Write(cell)
		return
	}
	l.out.Write(cell[:at])
	if quoted || bytes.ContainsAny(now, ",\"\n") {
		l.out.WriteByte('"')
		l.out.Write(bytes.ReplaceAll(now, []byte(`"`), []byte(`""`)))
		l.out.WriteByte('"')
	} else {
		l.out.Write(now)
	}
	l.out.Write(cell[at+len(body):])
}

// setting finds the name of a line such as "name = value" or "# name: value", and
// where the value begins; "" if the line is none.
func setting(text []byte) (key string, at int) {
	i := 0
	for i < len(text) && (text[i] == '#' || text[i] == ' ' || text[i] == '\t' || text[i] == '"') {
		i++
	}
	start := i
	for i < len(text) && i-start < maxKey && isKey(text[i]) {
		i++
	}
	name := bytes.TrimSpace(text[start:i])
	if len(name) == 0 || i >= len(text) || text[i] != '=' && text[i] != ':' {
		return "", 0
	}
	for i++; i < len(text) && (text[i] == ' ' || text[i] == '\t'); i++ {
	}
	return string(name), i
}

func isKey(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-' || c == ' ' || c == '.'
}
