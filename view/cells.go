package view

import (
	"strconv"

	"github.com/gpuprof/gpuprof/profile/metric"
)

// Units says how numbers are scaled for reading.
type Units string

// The ways to scale.
const (
	UnitsAuto Units = "auto" // by powers of 1000, so that one to three digits stand before the point
	UnitsBase Units = "base" // as recorded
)

// Spelling says how units are written.
type Spelling uint8

// The spellings.
const (
	SpellingCurrent Spelling = iota // ns, us, Ghz: Nsight Compute since 2024.3
	Spelling2024                    // nsecond, usecond, cycle/nsecond: up to 2024.1
)

func (o Options) dialect() metric.Dialect {
	if o.Spelling == Spelling2024 {
		return metric.Compat2024
	}
	return metric.Current
}

// cells turns the values of a row into text. It holds buffers between rows.
type cells struct {
	marked  bool // text sets a mark before NaN, so that it is not overlooked
	out     []string
	buf     []byte
	table   *Table
	columns []metric.Column // of table
}

// row formats the cells of a row. The numbers of a row whose unit stands in a
// unit cell share a scale, that of the largest; so do the numbers of a column
// with a unit of its own.
func (c *cells) row(t *Table, row []Value, o Options) []string {
	c.out = c.out[:0]
	scale, hasUnit := rowScale(t, row, o)
	for i, v := range row {
		c.buf = c.buf[:0]
		s, list := scale, i < len(t.Columns) && t.Columns[i].Type == List
		if !hasUnit && i < len(t.Columns) {
			s = c.columnsOf(t, o)[i].Scale()
		}
		from, points := v, v.points
		if i+1 < len(row) && i+1 < len(t.Columns) && t.Columns[i+1].Type == List {
			from, points = row[i+1], row[i+1].points
		}
		ids := metric.IDNone
		switch {
		case o.Instances == InstancesDetails:
			ids = from.ids
		case o.Instances != InstancesValues && from.form != formListed:
			points = nil
		}
		switch {
		case list: // shown with the cell before
		case i < len(t.Columns) && t.Columns[i].Number != nil && v.IsNumber():
			c.buf = t.Columns[i].Number.append(c.buf, v)
		case v.kind == KindUnit:
			c.buf = scale.AppendUnit(c.buf, o.dialect())
		case v.form == formNamed:
			c.buf = append(c.buf, v.text...)
		case v.IsNumber() && t.Columns[min(i, len(t.Columns)-1)].Type == Text:
			c.buf = v.appendPlain(c.buf) // a number that is a name, such as an id
		case v.kind == KindNull && len(points) == 0:
			if c.marked && v.form == formMarked {
				c.buf = append(c.buf, metric.Flag...)
			}
			c.buf = append(c.buf, v.text...)
		case t.Layout.or().Numbers == SixDecimals:
			c.buf = c.appendColumn(i, v, points, ids)
		default:
			c.buf = c.appendCell(c.buf, style(t, o), v, points, ids, s)
		}
		c.out = append(c.out, string(c.buf))
	}
	return c.out
}

// rowScale is the scale for the numbers of a row that has a unit cell.
func rowScale(t *Table, row []Value, o Options) (s metric.Scale, ok bool) {
	for _, v := range row {
		if v.kind == KindUnit {
			u := metric.ParseUnit(v.text)
			if o.Units == UnitsBase {
				return u.Base(), true
			}
			return u.Auto(largest(t, row)), true
		}
	}
	return s, false
}

// largest is the number of greatest magnitude, NaN left out, and numbers in
// columns of texts too: they are names.
func largest(t *Table, row []Value) float64 {
	var m float64
	for i, v := range row {
		if i < len(t.Columns) && t.Columns[i].Type == Text {
			continue
		}
		if f := v.Float64(); f > m || -f > m {
			m = max(f, -f)
		}
	}
	return m
}

// columnsOf finds one scale for each column that has a unit.
func (c *cells) columnsOf(t *Table, o Options) []metric.Column {
	if c.table == t {
		return c.columns
	}
	c.table, c.columns = t, make([]metric.Column, len(t.Columns))
	for i, col := range t.Columns {
		c.columns[i] = metric.Column{Unit: metric.ParseUnit(col.Unit), Base: o.Units == UnitsBase, FP: o.FloatPoint}
	}
	scaled := false
	for i := range t.Columns {
		if t.Columns[i].Known {
			c.columns[i].Add(metric.Double(t.Columns[i].Largest))
		}
		scaled = scaled || t.Columns[i].Unit != "" && t.Columns[i].Number == nil && !t.Columns[i].Known
	}
	if !scaled || o.Units == UnitsBase { // base units heed no value
		return c.columns
	}
	for row := range t.All() {
		for i := range row[:min(len(row), len(t.Columns))] {
			if t.Columns[i].Unit != "" && !t.Columns[i].Known {
				c.columns[i].Add(row[i].metric())
			}
		}
	}
	return c.columns
}

func (c *cells) columnUnits(t *Table, o Options) []string {
	out := make([]string, len(t.Columns))
	for i, col := range c.columnsOf(t, o) {
		out[i] = col.Scale().UnitString(o.dialect())
	}
	return out
}

func style(t *Table, o Options) metric.Style {
	if t.Layout.or().Numbers == Micro {
		return metric.SixDecimals
	}
	if o.FloatPoint || t.Layout.or().Numbers == Fixed {
		return metric.Fixed
	}
	return metric.Compact
}

// metric is the aggregate of v as package metric takes it.
func (v Value) metric() metric.Value {
	switch v.numberKind() {
	case KindUint:
		return metric.Uint64(v.bits)
	case KindInt:
		if int64(v.bits) >= 0 {
			return metric.Uint64(v.bits) // exact beyond 2^53
		}
		return metric.Double(v.Float64())
	case KindFloat:
		return metric.Double(v.Float64())
	}
	return metric.String(v.text)
}

func instancesOf(points []Point) metric.Instances {
	return metric.Instances{Len: len(points), At: func(i int) (id, value metric.Value) {
		id = points[i].ID.metric()
		if points[i].ID.kind == KindNull {
			id = metric.Value{}
		}
		return id, points[i].Value.metric()
	}}
}

func (c *cells) appendCell(b []byte, st metric.Style, v Value, points []Point, ids metric.IDStyle, s metric.Scale) []byte {
	if v.form == formHex {
		return v.appendPlain(b)
	}
	return metric.Cell{Style: st, IDs: ids, Text: c.marked}.Append(b, v.metric(), instancesOf(points), s)
}

// appendColumn appends a cell of a table whose columns have a unit each.
func (c *cells) appendColumn(i int, v Value, points []Point, ids metric.IDStyle) []byte {
	col := &c.columns[i]
	switch {
	case !v.IsNumber() && v.kind != KindSeries:
		return append(c.buf, v.text...)
	case len(points) == 0:
		return col.Append(c.buf, v.metric())
	}
	return col.AppendInstances(c.buf, v.metric(), instancesOf(points), ids)
}

// speedupLine is the first line of a message with an estimate.
func speedupLine(s Speedup) string {
	b := []byte("Est. Local Speedup: ")
	if s.Global {
		b = []byte("Est. Speedup: ")
	}
	return string(append(strconv.AppendFloat(b, s.Percent, 'g', 4, 64), '%'))
}
