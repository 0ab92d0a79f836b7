package view

import (
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// renderCSV writes every table of d: a header line, the units where the table
// asks for them, then the rows. Every field is quoted, unless the table says
// otherwise, but for null, which is empty; a row may be shorter than the header.
// Tables are set apart by an empty line, and by their title where there are
// several.
func renderCSV(w io.Writer, d *Document, o Options) error {
	c := &csvWriter{w: w, o: o}
	n := 0
	for s := range d.All() {
		if n += countTables(s); n > 1 {
			break
		}
	}
	c.titled = n > 1
	for s := range d.All() {
		c.section(s)
	}
	c.flush()
	return c.err
}

func countTables(s *Section) int {
	n := 0
	if s.For == Programs {
		return 0
	}
	for _, it := range s.Items {
		if it.For != Programs && (it.Table != nil || it.Chart != nil) {
			n++
		}
	}
	for i := range s.Sections {
		n += countTables(&s.Sections[i])
	}
	return n
}

type csvWriter struct {
	w      io.Writer
	o      Options
	b      []byte
	err    error
	titled bool
	tables int
	bare   bool // fields are quoted only where they must be
	cell   cells
}

func (c *csvWriter) section(s *Section) {
	if s.For == Programs {
		return
	}
	for _, it := range s.Items {
		switch {
		case it.For == Programs:
		case it.Table != nil:
			c.table(s, it.Table)
		case it.Chart != nil:
			c.table(s, &it.Chart.Table)
		}
	}
	for i := range s.Sections {
		c.section(&s.Sections[i])
	}
}

func (c *csvWriter) table(s *Section, t *Table) {
	t = t.In(FormatCSV)
	c.tables++
	lay := t.Layout.or()
	c.bare = lay.Unquoted
	for _, row := range lay.Preamble {
		c.row(nil, row, c.cell.row(&Table{Columns: make([]Column, len(row))}, row, c.o))
	}
	if c.titled && lay.Preamble == nil {
		if c.tables > 1 {
			c.b = append(c.b, '\n')
		}
		title := t.Title
		if title == "" {
			title = s.Title
		}
		c.field(title)
		c.end()
	}
	shown := 0
	for _, col := range t.Columns {
		if col.For != Programs {
			c.comma(shown)
			c.field(col.Heading())
			shown++
		}
	}
	c.end()
	units := c.cell.columnUnits(t, c.o)
	if lay.UnitRow {
		shown = 0
		for i := range t.Columns {
			if t.Columns[i].For != Programs {
				c.comma(shown)
				c.field(units[i])
				shown++
			}
		}
		c.end()
	}
	for row := range t.All() {
		if t.More == nil || !c.plainRow(t, row) {
			c.row(t, row, c.cell.row(t, row, c.o))
		}
	}
}

// plainRow writes a row of words and of numbers whose columns print them their
// own way, straight into the buffer: tables of millions of rows have only such.
// It reports whether the row is one.
func (c *csvWriter) plainRow(t *Table, row []Value) bool {
	if len(row) > len(t.Columns) {
		return false
	}
	for i := range row {
		v := &row[i]
		col := &t.Columns[i]
		if col.For == Programs || col.Type == List || v.kind == KindNull && v.text != "" ||
			v.kind != KindNull && v.kind != KindString && (!v.IsNumber() || col.Number == nil && (c.bare || v.form != formPlain || col.Type != Text && t.Layout.or().Numbers != SixDecimals)) {
			return false
		}
	}
	for i := range row {
		v := &row[i]
		c.comma(i)
		switch {
		case v.kind == KindNull:
		case v.kind == KindString:
			c.field(v.text)
		case t.Columns[i].Number != nil && c.bare:
			c.b = t.Columns[i].Number.append(c.b, *v)
		case t.Columns[i].Number != nil:
			c.b = append(c.b, '"')
			c.b = append(t.Columns[i].Number.append(c.b, *v), '"')
		case t.Columns[i].Type == Text:
			c.b = append(c.b, '"')
			c.b = append(v.appendPlain(c.b), '"')
		default:
			c.b = append(c.b, '"')
			c.b = append(c.cell.columnsOf(t, c.o)[i].Append(c.b, v.metric()), '"')
		}
	}
	c.end()
	return true
}

// row writes the cells of a row but for those of hidden columns; t may be nil.
func (c *csvWriter) row(t *Table, values []Value, cells []string) {
	shown := 0
	for i, s := range cells {
		if t != nil && i < len(t.Columns) && t.Columns[i].For == Programs {
			continue
		}
		c.comma(shown)
		shown++
		if values[i].kind != KindNull || s != "" {
			c.field(s)
		}
	}
	c.end()
}

// Inert is a text that spreadsheets do not take for a formula: one that begins as
// formulas do and is no number has a ' before it, as in their own cells of text.
func Inert(s string) string {
	if s == "" {
		return s
	}
	switch s[0] {
	case '=', '+', '-', '@', '\t', '\r', '\n':
	default:
		if r, _ := utf8.DecodeRuneInString(s); !strings.ContainsRune("＝＋－＠", r) {
			return s
		}
	}
	if strings.Trim(s, "+-0123456789.,eE%") == "" {
		if _, err := strconv.ParseFloat(strings.ReplaceAll(strings.TrimSuffix(s, "%"), ",", ""), 64); err == nil {
			return s
		}
	}
	return "'" + s
}

func (c *csvWriter) comma(i int) {
	if i > 0 {
		c.b = append(c.b, ',')
	}
}

func (c *csvWriter) field(s string) {
	if c.o.CSVSafe {
		s = Inert(s)
	}
	if c.bare && !strings.ContainsAny(s, ",\"\r\n") {
		c.b = append(c.b, s...)
		return
	}
	c.b = append(c.b, '"')
	if strings.IndexByte(s, '"') >= 0 {
		s = strings.ReplaceAll(s, `"`, `""`)
	}
	c.b = append(c.b, s...)
	c.b = append(c.b, '"')
}

// end ends a line. Lines are handed on many at a time.
func (c *csvWriter) end() {
	c.b = append(c.b, '\n')
	if len(c.b) >= 1<<15 {
		c.flush()
	}
}

func (c *csvWriter) flush() {
	if c.err == nil && len(c.b) > 0 {
		_, c.err = c.w.Write(c.b)
	}
	c.b = c.b[:0]
}
