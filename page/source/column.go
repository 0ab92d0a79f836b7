package source

import (
	"math"
	"strings"

	"github.com/gpuprof/gpuprof/source"
	"github.com/gpuprof/gpuprof/view"
)

// A sourceColumn makes a column of a table.
type sourceColumn struct {
	view.Column
	cell func(g *rowGroup, r *sourceRow) view.Value
}

// wide reports whether all metrics are shown: people get a few that fit a
// terminal, unless they name metrics.
func (b *sourceBuilder) wide() bool {
	return b.csv || b.Whole() || b.choice != nil || b.own != nil
}

func (b *sourceBuilder) columns(s *source.Listing, v sourceView) []sourceColumn {
	var cols []sourceColumn
	if !b.csv && v == sassView {
		cols = append(cols, sourceColumn{view.Column{Name: "number", Label: "#", Type: view.Number, Role: view.RoleOrder},
			func(g *rowGroup, _ *sourceRow) view.Value { return view.Uint(uint64(g.from), "") }})
	}
	if v != sassView {
		cols = append(cols, lineColumn())
		if b.wide() {
			cols = append(cols, b.textColumn())
		}
	}
	if v != lineView {
		cols = append(cols, addressColumn())
		cols = append(cols, b.sassColumn(s, v))
		if v == sassView && b.Whole() {
			cols = append(cols, b.instructionColumns(s)...)
		}
		if v == sassView && s.Code.Lines != nil && !b.csv {
			cols = append(cols, b.placeColumns(s)...)
		}
	}
	if b.wide() {
		cols = append(cols, b.metricColumns(s)...)
	} else {
		cols = append(cols, mainColumns(s)...)
		if v == sassView {
			cols = append(cols, b.waitsColumn(s))
		}
		if v != sassView {
			cols = append(cols, b.textColumn())
		}
	}
	return cols
}

func lineColumn() sourceColumn {
	return sourceColumn{view.Column{Name: "line", Label: "Line No", Type: view.Number, Role: view.RoleLine}, func(g *rowGroup, r *sourceRow) view.Value {
		switch {
		case g.head.line == 0: // instructions without a line
			return view.Missing("-")
		case r == &g.head:
			return view.Uint(uint64(r.line), "")
		}
		return view.Named(uint64(g.head.line), "")
	}}
}

func (b *sourceBuilder) textColumn() sourceColumn {
	c := view.Column{Name: "source", Label: "Source", Type: view.Text, Role: view.RoleCode}
	return sourceColumn{c, func(g *rowGroup, r *sourceRow) view.Value {
		switch {
		case r != &g.head:
			return b.nothing()
		case r.lost != "":
			return view.Missing(r.lost)
		case b.csv:
			return view.String(strings.TrimSpace(r.text))
		case b.Whole():
			return view.String(r.text)
		}
		return view.String(source.Printable(r.text))
	}}
}

func addressColumn() sourceColumn {
	return sourceColumn{view.Column{Name: "address", Label: "Address", Type: view.Number, Role: view.RoleAddress}, func(g *rowGroup, r *sourceRow) view.Value {
		switch {
		case r.gap:
			return view.Missing("...")
		case r.pc == 0:
			return view.Missing("-")
		}
		return view.Hex(r.pc)
	}}
}

// sassColumn holds the text of instructions.
func (b *sourceBuilder) sassColumn(s *source.Listing, v sourceView) sourceColumn {
	name := "source"
	if v == lineSassView {
		name = "sass"
	}
	c := view.Column{Name: name, Label: "Source", Type: view.Text, Role: view.RoleCode, MaxWidth: 60}
	return sourceColumn{c, func(g *rowGroup, r *sourceRow) view.Value {
		switch {
		case r.gap:
			return view.Missing("...")
		case r.pc == 0:
			return view.Missing("-")
		}
		text := b.sass.Text(b.ctx, b.Notef, s.Code, r.pc)
		switch {
		case b.Compat2024() && (text == "" || !b.sass.Known(s.Code, r.pc)):
			return view.Missing("???")
		case b.Compat2024():
			return view.String(text)
		case text != "":
			return view.String(source.Plain(text))
		}
		return b.nothing()
	}}
}

// nothing is an empty cell, which ncu's csv quotes.
func (b *sourceBuilder) nothing() view.Value {
	if b.csv {
		return view.String("")
	}
	return view.Null
}

// placeColumns tell the source line of an instruction: the first that the table
// has for it, which is the line of a call where one was inlined. For people it is
// one column that leaves the folders out.
func (b *sourceBuilder) placeColumns(s *source.Listing) []sourceColumn {
	at := func(r *sourceRow) (string, int) {
		if lines := s.Code.Lines.At(r.pc); len(lines) > 0 {
			return lines[0].File, lines[0].Line
		}
		return "", 0
	}
	if b.Whole() {
		return []sourceColumn{
			{view.Column{Name: "file", Type: view.Text, Role: view.RoleFile}, func(_ *rowGroup, r *sourceRow) view.Value {
				if f, n := at(r); n > 0 {
					return view.String(f)
				}
				return view.Null
			}},
			{view.Column{Name: "line", Type: view.Number, Role: view.RoleLine}, func(_ *rowGroup, r *sourceRow) view.Value {
				if _, n := at(r); n > 0 {
					return view.Uint(uint64(n), "")
				}
				return view.Null
			}},
		}
	}
	return []sourceColumn{{view.Column{Name: "line", Label: "Line", Type: view.Text, Role: view.RoleLine}, func(_ *rowGroup, r *sourceRow) view.Value {
		f, n := at(r)
		if n == 0 {
			return view.Missing("-")
		}
		return view.String(source.Printable(shortPlace(f, n)))
	}}}
}

// metricColumns are the metrics that the report's sections show.
func (b *sourceBuilder) metricColumns(s *source.Listing) []sourceColumn {
	var cols []sourceColumn
	mean := !b.Compat2024()
	for i := range s.Columns {
		c := &s.Columns[i]
		col := view.Column{Name: c.Metric.Name, Label: c.Metric.Label, Type: view.Number, Role: measureRole(c.Metric.Name)}
		if b.Whole() { // else it would scale the numbers, which nothing tells the reader
			col.Unit = c.Unit
		}
		cols = append(cols, sourceColumn{col,
			func(g *rowGroup, r *sourceRow) view.Value {
				switch {
				case r.gap:
					return view.Missing("-")
				case len(r.rows) == 0: // a line without instructions
					return view.Null
				}
				return c.Cell(s, r.rows, mean && r == &g.head && r.pc == 0)
			}})
	}
	return cols
}

// measureRole tells metrics that count samples from others, by the way in which
// their names are made.
func measureRole(metric string) view.Role {
	if strings.Contains(metric, "samp") && !strings.HasPrefix(metric, "group:") {
		return view.RoleSamples
	}
	return view.RoleMeasure
}

// mainColumns are the few columns that fit a terminal.
func mainColumns(s *source.Listing) []sourceColumn {
	var cols []sourceColumn
	number := func(label string, f func(rows []int32) view.Value) {
		cols = append(cols, sourceColumn{view.Column{Name: label, Type: view.Number, Role: view.RoleMeasure}, func(_ *rowGroup, r *sourceRow) view.Value {
			if len(r.rows) == 0 {
				return view.Null
			}
			return f(r.rows)
		}})
	}
	if s.Samples != nil {
		number("Samples", func(rows []int32) view.Value { return view.Uint(s.Samples.Sum(rows), "") })
		number("%", func(rows []int32) view.Value { return percent(s.Samples.Sum(rows), s.Total) })
	}
	if len(s.Stalls) > 0 {
		number("Top Stall", func(rows []int32) view.Value {
			return view.String(s.TopStall(rows))
		})
		cols[len(cols)-1].Align = view.AlignLeft
	}
	if s.Issued != nil {
		number("Executed", func(rows []int32) view.Value { return view.Uint(s.Issued.Sum(rows), "") })
	}
	return cols
}

// waitsColumn tells which instructions one waits for, by their numbers.
func (b *sourceBuilder) waitsColumn(s *source.Listing) sourceColumn {
	return sourceColumn{view.Column{Name: "waits", Label: "Waits For", Type: view.Text}, func(_ *rowGroup, r *sourceRow) view.Value {
		i, ok := s.Number(r.pc)
		if !ok {
			return view.Null
		}
		return view.String(b.waitsText(s, r.pc, s.Begin(i)))
	}}
}

// percent is the share of n in all, rounded to hundredths.
func percent(n, all uint64) view.Value {
	if n == 0 || all == 0 {
		return view.String("")
	}
	return view.Float(math.Round(1e4*float64(n)/float64(all))/100, "")
}
