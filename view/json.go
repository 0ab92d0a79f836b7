package view

import (
	"encoding/json"
	"io"
	"math"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/gpuprof/gpuprof/profile/metric"
	"github.com/gpuprof/gpuprof/view/visible"
)

// schema is the first member of every JSON document.
const schema = "gpuprof.document/1"

// jsonWriter appends JSON to a buffer and hands full buffers on. Members are
// written in a fixed order, so the same Document gives the same bytes.
type jsonWriter struct {
	w   io.Writer
	o   Options
	b   []byte
	err error
}

func renderJSON(w io.Writer, d *Document, o Options) error {
	j := &jsonWriter{w: w, o: o}
	j.raw(`{"schema":`)
	j.str(schema)
	j.member("title", d.Title)
	j.raw(`,"sections":[`)
	first := true
	for s := range d.All() {
		if !first {
			j.raw(",")
		}
		first = false
		j.section(s)
	}
	j.raw("]}\n")
	j.flush(0)
	return j.err
}

func (j *jsonWriter) flush(keep int) {
	if len(j.b) > keep && j.err == nil {
		_, j.err = j.w.Write(j.b)
	}
	if len(j.b) > keep {
		j.b = j.b[:0]
	}
}

func (j *jsonWriter) raw(s string) { j.b = append(j.b, s...) }

func (j *jsonWriter) str(s string) {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < 0x20 || c >= 0x7f || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' {
			q, _ := json.Marshal(s) // cannot fail for a string
			j.quoted(q)
			return
		}
	}
	j.b = append(append(append(j.b, '"'), s...), '"')
}

// quoted appends a JSON text that may be shown on a terminal: characters that it
// would obey are written as escapes, which mean the same.
func (j *jsonWriter) quoted(q []byte) {
	for len(q) > 0 {
		r, n := utf8.DecodeRune(q)
		if visible.Dangerous(r) {
			if r > 0xffff {
				hi, lo := utf16.EncodeRune(r)
				j.b = visible.Escape(j.b, hi)
				r = lo
			}
			j.b = visible.Escape(j.b, r)
		} else {
			j.b = append(j.b, q[:n]...)
		}
		q = q[n:]
	}
}

func (j *jsonWriter) member(name, value string) {
	j.raw(`,"` + name + `":`)
	j.str(value)
}

func (j *jsonWriter) list(name string, n int, elem func(i int)) {
	j.raw(`,"` + name + `":[`)
	for i := range n {
		if i > 0 {
			j.raw(",")
		}
		elem(i)
	}
	j.raw("]")
}

func (j *jsonWriter) sections(ss []Section) {
	j.list("sections", len(ss), func(i int) { j.section(&ss[i]) })
}

func (j *jsonWriter) section(s *Section) {
	var tables, charts []Item
	var messages []*Message
	for _, it := range s.Items {
		switch {
		case it.For == People && !j.o.Cells:
		case it.Table != nil:
			tables = append(tables, it)
		case it.Chart != nil:
			charts = append(charts, it)
		case it.Message != nil:
			messages = append(messages, it.Message)
		}
	}
	j.raw(`{"id":`)
	j.str(s.ID)
	j.member("title", s.Title)
	j.member("description", s.Description)
	if s.Group != "" {
		j.member("group", s.Group)
	}
	if len(s.Properties) > 0 {
		j.raw(`,"properties":{`)
		for i, p := range s.Properties {
			if i > 0 {
				j.raw(",")
			}
			j.str(p.Name)
			j.raw(":")
			j.value(p.Value)
		}
		j.raw("}")
	}
	j.list("tables", len(tables), func(i int) { j.raw("{"); j.table(tables[i].Table); j.place(&tables[i]); j.raw("}") })
	j.list("charts", len(charts), func(i int) { j.raw("{"); j.chart(charts[i].Chart); j.place(&charts[i]); j.raw("}") })
	j.list("messages", len(messages), func(i int) { j.message(messages[i]) })
	if len(s.Sections) > 0 {
		j.sections(s.Sections)
	}
	j.raw("}")
	j.flush(1 << 15)
}

// place says where an item stands that others stand beside.
func (j *jsonWriter) place(it *Item) {
	if it.Row != "" {
		j.member("beside", it.Row)
		j.integer("column", it.Column)
	}
}

func (j *jsonWriter) integer(name string, n int) {
	j.raw(`,"` + name + `":`)
	j.b = strconv.AppendInt(j.b, int64(n), 10)
}

func (j *jsonWriter) table(t *Table) {
	j.raw(`"id":`)
	j.str(t.ID)
	j.member("title", t.Title)
	if t.Description != "" {
		j.member("description", t.Description)
	}
	j.list("columns", len(t.Columns), func(i int) {
		c := &t.Columns[i]
		j.raw(`{"name":`)
		j.str(c.Name)
		j.member("unit", metric.ParseUnit(c.Unit).Base().UnitString(j.o.dialect()))
		j.member("type", c.Type.String())
		if c.Role != "" {
			j.member("role", string(c.Role))
		}
		j.raw("}")
	})
	if l := t.Link; l != nil {
		j.raw(`,"link":{"to":`)
		j.str(string(l.To))
		j.member("cell", l.Cell)
		j.list("at", len(l.At), func(i int) { j.str(l.At[i]) })
		j.raw("}")
	}
	if m := t.Matrix; m != nil {
		j.matrix(m)
	}
	j.raw(`,"rows":[`)
	first := true
	for row := range t.All() {
		if !first {
			j.raw(",")
		}
		first = false
		j.raw("[")
		for k := range max(len(t.Columns), len(row)) {
			if k > 0 {
				j.raw(",")
			}
			if k < len(row) {
				j.value(row[k])
			} else {
				j.raw("null")
			}
		}
		j.raw("]")
		j.flush(1 << 15)
	}
	j.raw("]")
	if j.o.Cells {
		j.cells(t)
	}
}

func (j *jsonWriter) matrix(m *Matrix) {
	j.raw(`,"matrix":{"rows":[`)
	for i, s := range m.Rows {
		if i > 0 {
			j.raw(",")
		}
		j.str(s)
	}
	j.raw("]")
	j.list("columns", len(m.Columns), func(i int) { j.str(m.Columns[i]) })
	j.list("cells", len(m.Cells), func(i int) {
		j.raw("[")
		for k, n := range m.Cells[i] {
			if k > 0 {
				j.raw(",")
			}
			if n < 0 {
				j.raw("null")
			} else {
				j.b = strconv.AppendInt(j.b, int64(n), 10)
			}
		}
		j.raw("]")
	})
	j.raw("}")
}

// cells writes what people read in a table.
func (j *jsonWriter) cells(t *Table) {
	t = t.In(FormatJSON)
	c := cells{visible: true}
	units := append([]string(nil), c.columnUnits(t, j.o)...)
	j.list("labels", len(t.Columns), func(i int) {
		col := &t.Columns[i]
		switch {
		case !col.For.people():
			j.raw("null")
		case units[i] != "" && col.Number == nil:
			j.str(col.Heading() + " (" + units[i] + ")")
		default:
			j.str(col.Heading())
		}
	})
	j.list("printed", len(t.Columns), func(i int) {
		j.raw(strconv.FormatBool(t.Columns[i].Number != nil && t.Columns[i].Unit == ""))
	})
	j.raw(`,"text":[`)
	first := true
	for row := range t.All() {
		if !first {
			j.raw(",")
		}
		first = false
		texts := c.row(t, row, j.o)
		j.raw("[")
		for i, s := range texts {
			if i > 0 {
				j.raw(",")
			}
			j.str(s)
		}
		j.raw("]")
		j.flush(1 << 15)
	}
	j.raw("]")
}

func (j *jsonWriter) chart(c *Chart) {
	j.raw(`"kind":`)
	j.str(string(c.Kind))
	j.raw(",")
	j.table(&c.Table)
	if c.Upright {
		j.raw(`,"upright":true`)
	}
	if c.Bins > 0 {
		j.integer("bins", c.Bins)
	}
	for _, a := range []struct {
		name string
		axis *Axis
	}{{"x", &c.X}, {"y", &c.Y}} {
		j.raw(`,"` + a.name + `":{"label":`)
		j.str(a.axis.Label)
		if a.axis.HasMin {
			j.raw(`,"min":`)
			j.float(a.axis.Min)
		}
		if a.axis.HasMax {
			j.raw(`,"max":`)
			j.float(a.axis.Max)
		}
		if a.axis.HasMark {
			j.raw(`,"mark":`)
			j.float(a.axis.Mark)
		}
		if a.axis.Log {
			j.raw(`,"log":true`)
		}
		if a.axis.Ticks > 0 {
			j.integer("ticks", a.axis.Ticks)
		}
		if g := a.axis.Guides; len(g) > 0 {
			j.list("guides", len(g), func(i int) {
				j.raw(`{"at":`)
				j.float(g[i].At)
				j.member("label", g[i].Label)
				j.raw("}")
			})
		}
		j.raw("}")
	}
}

func (j *jsonWriter) message(m *Message) {
	j.raw(`{"type":`)
	j.str(string(m.Type))
	j.member("title", m.Title)
	j.member("text", m.Text)
	j.member("source", m.Source)
	j.raw(`,"speedup":`)
	if m.Speedup == nil {
		j.raw("null")
	} else {
		j.raw(`{"scope":`)
		j.str(m.Speedup.Scope())
		j.raw(`,"percent":`)
		j.float(m.Speedup.Percent)
		j.raw("}")
	}
	if len(m.Details) > 0 {
		j.list("tables", len(m.Details), func(i int) { j.raw("{"); j.table(&m.Details[i]); j.raw("}") })
	}
	j.raw("}")
}

func (j *jsonWriter) float(f float64) {
	switch {
	case math.IsNaN(f):
		j.raw(`"nan"`)
	case math.IsInf(f, 1):
		j.raw(`"inf"`)
	case math.IsInf(f, -1):
		j.raw(`"-inf"`)
	default:
		j.b = Float(f, "").appendPlain(j.b)
	}
}

func (j *jsonWriter) value(v Value) {
	switch v.kind {
	case KindNull:
		j.raw("null")
	case KindString:
		j.str(v.text)
	case KindUnit:
		j.str(metric.ParseUnit(v.text).Base().UnitString(j.o.dialect()))
	case KindUint:
		j.b = strconv.AppendUint(j.b, v.bits, 10)
	case KindInt:
		j.b = strconv.AppendInt(j.b, int64(v.bits), 10)
	case KindFloat:
		j.float(math.Float64frombits(v.bits))
	case KindSeries:
		j.raw("[")
		for i := range v.points {
			if i > 0 {
				j.raw(",")
			}
			j.raw("[")
			j.value(v.points[i].ID)
			j.raw(",")
			j.value(v.points[i].Value)
			j.raw("]")
		}
		j.raw("]")
	}
}
