package rocm

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/format/internal/cursor"
)

// isText reports whether a file begins as the output of rocprof v2 on a
// terminal does: a line of Name(value) cells among lines of the application.
func isText(head []byte) bool {
	for _, word := range []string{"Dispatch_ID(", "Domain("} {
		if bytes.HasPrefix(head, []byte(word)) || bytes.Contains(head, []byte("\n"+word)) {
			return true
		}
	}
	return false
}

// maxLine bounds a line of a text file, in bytes.
const maxLine = 16 << 20

// readText reads what rocprof v2 prints. Each line names its own columns, so
// each is read as a table of one row. Lines of the application are passed over.
func (s *Session) readText(ctx context.Context, r io.Reader) error {
	in := bufio.NewScanner(r)
	in.Buffer(make([]byte, 64<<10), maxLine)
	t := newTable(s)
	marks := &markers{open: map[string]int{}}
	var names []string
	for in.Scan() {
		t.line++
		if t.line&0xffff == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if s.full {
			break
		}
		line := in.Text()
		if !strings.HasPrefix(line, "Dispatch_ID(") && !strings.HasPrefix(line, "Domain(") {
			continue
		}
		var ok bool
		if names, t.row, ok = textCells(line, names[:0], t.row[:0]); !ok {
			s.problem(FormatError{Line: t.line, Want: "cells Name(value)", Found: strconv.Quote(line[:min(len(line), 80)]), Err: cursor.ErrCorrupt})
			continue
		}
		if strings.HasPrefix(line, "Domain(ROCTX") {
			t.roctx(names, marks)
			continue
		}
		t.textRow(names)
	}
	if err := in.Err(); errors.Is(err, bufio.ErrTooLong) {
		s.problem(FormatError{Line: t.line + 1, Want: "a line of at most " + strconv.Itoa(maxLine) + " bytes", Found: "a longer one", Err: cursor.ErrCorrupt})
	} else if errors.Is(err, ErrTooLarge) {
		s.problem(FormatError{Line: t.line + 1, Want: "the rest of the text", Found: err.Error(), Err: ErrTooLarge})
	} else if err != nil {
		return err
	}
	marks.nest(s.Calls)
	return nil
}

// textCells splits "A(1), B("x)y"), C(2)". A value in quotes may hold anything.
func textCells(line string, names, cells []string) (n, c []string, ok bool) {
	for line = strings.TrimRight(line, ", \r"); line != ""; {
		name, rest, found := strings.Cut(line, "(")
		if !found {
			return names, cells, false
		}
		end, skip := strings.Index(rest, "), "), 3
		if strings.HasPrefix(rest, `"`) {
			if k := strings.Index(rest[1:], `"), `); k >= 0 {
				end = k + 2
			} else {
				end = -1
			}
		}
		if end < 0 { // the last cell
			if !strings.HasSuffix(rest, ")") {
				return names, cells, false
			}
			end, skip = len(rest)-1, 1
		}
		names = append(names, strings.TrimSpace(name))
		cells = append(cells, strings.Trim(rest[:end], `"`))
		line = rest[end+skip:]
	}
	return names, cells, true
}

// textRow reads a line with the columns names.
func (t *table) textRow(names []string) {
	t.bad, t.names, t.counters = "", t.names[:0], t.counters[:0]
	operation := ""
	for i, n := range names {
		if n == "Operation_Name" {
			operation = t.row[i]
			names[i] = "Direction" // COPY, FILL, …
		}
	}
	read, err := t.header(names)
	switch {
	case err != nil:
		t.s.problem(FormatError{Line: t.line, Want: "a dispatch, call or operation", Found: strings.Join(names, ", "), Err: cursor.ErrCorrupt})
	case t.at[fKernel] >= 0 || operation == "":
		read(t)
	default:
		(*table).copy(t)
	}
}
