package amd

import (
	"bufio"
	"io"
	"math"
	"slices"
	"strings"
)

// A Sheet is what counter and occupancy files have in common: a header in
// comments, a line of column names, and rows.
//
// Some writers put another separator into the rows than into the line of the
// column names and than the header says, so each line is split for itself.
type Sheet struct {
	Name     string  // of the file
	Header   []Entry // in file order
	Columns  []string
	Rows     []string // lines as written; see Cells
	Line     int      // of the first row
	Problems []*FormatError
	CRLF     bool

	title string // line of the column names
	lead  string // "#" or "# "
	sep   byte   // that fitted the last row
	gaps  []gap  // blank lines among the rows
}

// A gap tells by how much the lines of the rows from row on are shifted.
type gap struct{ row, by int }

// Get returns the value of the first header line of a key.
func (s *Sheet) Get(key string) (string, bool) { return get(s.Header, key) }

// RowLine is the line of row i in the file.
func (s *Sheet) RowLine(i int) int {
	n := s.Line + i
	for _, g := range s.gaps {
		if g.row <= i {
			n += g.by
		}
	}
	return n
}

// column is the place of the first of the names that the sheet has, or -1.
func (s *Sheet) column(names ...string) int {
	for _, n := range names {
		if i := slices.Index(s.Columns, n); i >= 0 {
			return i
		}
	}
	return -1
}

// separators that have been seen, the default first.
const separators = ",;\t"

// readSheet reads header and lines; isTitle tells the line of column names.
func readSheet(in io.ReaderAt, size int64, name, what string) (*Sheet, *problems, error) {
	text, err := readText(in, size, name)
	if err != nil {
		return nil, nil, err
	}
	p := &problems{file: name}
	noteNUL(p, text)
	l := newLines(text)
	s := &Sheet{Name: name, CRLF: l.crlf, lead: "#"}
	for {
		line, ok := l.next()
		if !ok {
			return nil, nil, &FormatError{File: name, Line: l.num + 1, Offset: int64(l.off), Want: "a line of column names", Found: "the end of the file", Err: ErrTruncated}
		}
		if blank(line) {
			continue
		}
		if line[0] != '#' {
			s.title = line
			break
		}
		text := line[1:]
		if rest, ok := strings.CutPrefix(text, " "); ok {
			s.lead, text = "# ", rest
		}
		if e, ok := headerEntry(text); ok {
			s.Header = append(s.Header, e)
		} else {
			p.add(ErrCorrupt, l.num, int64(l.off), "#key=value", "%s", quote(line))
		}
	}
	s.sep = ','
	most := 0
	for _, c := range []byte(separators) {
		if cells := splitCells(nil, s.title, c); len(cells) > most {
			most, s.sep, s.Columns = len(cells), c, cells
		}
	}
	if len(s.Columns) < 2 {
		return nil, nil, &FormatError{File: name, Line: l.num, Want: what, Found: quote(s.title), Err: ErrCorrupt}
	}
	s.rows(l)
	return s, p, nil
}

func (s *Sheet) rows(l *lines) {
	s.Line = l.num + 1
	if line, ok := l.peek(); ok {
		s.Rows = make([]string, 0, (len(l.s)-l.off)/max(len(line), 20)+16)
	}
	for {
		line, ok := l.next()
		switch {
		case !ok:
			return
		case !blank(line):
			s.Rows = append(s.Rows, line)
		case len(s.gaps) > 0 && s.gaps[len(s.gaps)-1].row == len(s.Rows):
			s.gaps[len(s.gaps)-1].by++
		default:
			s.gaps = append(s.gaps, gap{len(s.Rows), 1})
		}
	}
}

// Cells appends the trimmed cells of row i to dst; ok is false where their
// number is not that of the columns whatever the separator.
func (s *Sheet) Cells(dst []string, i int) (cells []string, ok bool) {
	base := len(dst)
	dst = splitCells(dst, s.Rows[i], s.sep)
	if s.fits(dst[base:]) {
		return dst, true
	}
	for _, c := range []byte(separators) {
		if c == s.sep {
			continue
		}
		other := splitCells(nil, s.Rows[i], c)
		if s.fits(other) || len(other) > len(dst)-base && len(other) <= len(s.Columns) {
			return append(dst[:base], other...), s.fits(other)
		}
	}
	return dst, false
}

// fits reports whether a row has a cell for each column. One at the end may be
// missing or, after a last separator, too many.
func (s *Sheet) fits(cells []string) bool {
	n := len(s.Columns)
	return len(cells) == n || len(cells) == n+1 && cells[n] == ""
}

// splitCells splits a line at a separator outside of braces and quotes.
func splitCells(dst []string, line string, sep byte) []string {
	begin, depth := 0, 0
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == sep && depth == 0:
			dst = append(dst, trim(line[begin:i]))
			begin = i + 1
		case c == '{':
			if strings.IndexByte(line[i:], '}') >= 0 {
				depth++
			}
		case c == '}':
			depth = max(0, depth-1)
		}
	}
	return append(dst, trim(line[begin:]))
}

// trim removes blanks at both ends.
func trim(s string) string {
	for s != "" && (s[0] == ' ' || s[0] == '\t') {
		s = s[1:]
	}
	for s != "" && (s[len(s)-1] == ' ' || s[len(s)-1] == '\t') {
		s = s[:len(s)-1]
	}
	return s
}

// checkNumber notes a cell that should be a number and is none. Empty cells and the
// words for a number that is not known are no problem.
func (s *Sheet) checkNumber(p *problems, row, column int, cell string) {
	for i := range len(cell) {
		if c := cell[i]; (c < '0' || c > '9') && c != '.' {
			if !unknown(cell) && math.IsNaN(Float(cell)) {
				p.add(ErrCorrupt, s.RowLine(row), 0, "a number in column "+s.Columns[column], "%s", quote(cell))
			}
			return
		}
	}
}

// unknown reports whether a cell says that a number is not known.
func unknown(cell string) bool {
	switch strings.ToUpper(cell) {
	case "NA", "N/A", "NULL", "NAN", "-":
		return true
	}
	return false
}

// glue is the separator between cells as the writer of the file sets it.
func (s *Sheet) glue() string {
	c := string(rune(s.sep))
	if s.sep == 0 {
		c = ","
	}
	if strings.Contains(s.title, c+" ") || s.title == "" && s.lead == "#" {
		c += " "
	}
	return c
}

// WriteTo writes the sheet; rows are written as they are.
func (s *Sheet) WriteTo(w io.Writer) (int64, error) {
	x := &writer{w: bufio.NewWriterSize(w, 1<<16), crlf: s.CRLF}
	for _, e := range s.Header {
		x.line(s.lead, e.Key, e.Sep, e.Value)
	}
	title := s.title
	if title == "" {
		title = strings.Join(s.Columns, s.glue())
	}
	x.line(title)
	for _, r := range s.Rows {
		x.line(r)
	}
	err := x.finish(false)
	return x.n, err
}
