package view

import (
	"math"
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
	marked bool // text sets a mark before NaN, so that it is not overlooked
	out    []string
	buf    []byte
	scales map[*Table][]metric.Scale
}

// row formats the cells of a row. The numbers of a row whose unit stands in a
// unit cell share a scale, that of the largest; so do the numbers of a column
// with a unit of its own.
func (c *cells) row(t *Table, row []Value, o Options) []string {
	c.out = c.out[:0]
	scale, hasUnit := rowScale(row, o)
	for i, v := range row {
		c.buf = c.buf[:0]
		s := scale
		if !hasUnit && i < len(t.Columns) {
			s = c.columnScales(t, o)[i]
		}
		switch v.kind {
		case KindNull:
			if c.marked && v.form == formMarked {
				c.buf = append(c.buf, "(!) "...)
			}
			c.buf = append(c.buf, v.text...)
		case KindString:
			c.buf = append(c.buf, v.text...)
		case KindUnit:
			if hasNumber(row) || hasMissing(row) {
				c.buf = scale.AppendUnit(c.buf, o.dialect())
			}
		default:
			if t.Columns[min(i, len(t.Columns)-1)].Type == List {
				break // shown with the cell before
			}
			c.buf = appendValue(c.buf, v, s, t, o)
			if c.marked && v.hasNaN(o) {
				c.buf = append([]byte("(!) "), c.buf...)
			}
		}
		if i+1 < len(row) && i+1 < len(t.Columns) && t.Columns[i+1].Type == List {
			c.buf = appendPoints(c.buf, row[i+1].points, s, row[i+1].showAs(o), v.kind != KindNull)
		}
		c.out = append(c.out, string(c.buf))
	}
	return c.out
}

func hasNumber(row []Value) bool {
	for _, v := range row {
		if v.numberKind() > KindString && v.kind != KindUnit {
			return true
		}
	}
	return false
}

// hasMissing reports whether a cell says why there is no number.
func hasMissing(row []Value) bool {
	for _, v := range row {
		if v.kind == KindNull && v.text != "" {
			return true
		}
	}
	return false
}

// rowScale is the scale for the numbers of a row that has a unit cell.
func rowScale(row []Value, o Options) (s metric.Scale, ok bool) {
	for _, v := range row {
		if v.kind == KindUnit {
			return scaleFor(metric.ParseUnit(v.text), largest(row), o), true
		}
	}
	return s, false
}

// largest is the number of greatest magnitude, NaN left out.
func largest(row []Value) float64 {
	var m float64
	for _, v := range row {
		if k := v.numberKind(); k == KindUint || k == KindInt || k == KindFloat {
			if f := v.Float64(); f > m || -f > m {
				m = max(f, -f)
			}
		}
	}
	return m
}

func scaleFor(u metric.Unit, v float64, o Options) metric.Scale {
	if o.Units == UnitsBase {
		return u.Base()
	}
	return u.Auto(v)
}

// columnScales finds one scale for each column that has a unit.
func (c *cells) columnScales(t *Table, o Options) []metric.Scale {
	if s, ok := c.scales[t]; ok {
		return s
	}
	s := make([]metric.Scale, len(t.Columns))
	for i, col := range t.Columns {
		if col.Unit == "" {
			continue
		}
		var m float64
		for _, row := range t.Rows {
			if i < len(row) {
				m = max(m, largest(row[i:i+1]))
			}
		}
		s[i] = scaleFor(metric.ParseUnit(col.Unit), m, o)
	}
	c.scales = map[*Table][]metric.Scale{t: s}
	return s
}

func (c *cells) columnUnits(t *Table, o Options) []string {
	out := make([]string, len(t.Columns))
	for i, s := range c.columnScales(t, o) {
		out[i] = s.UnitString(o.dialect())
	}
	return out
}

func style(t *Table, s metric.Scale, o Options) metric.Style {
	switch {
	case o.FloatPoint || t.Numbers == Fixed:
		return metric.Fixed
	case t.Numbers == SixDecimals && o.Units != UnitsBase && !s.Unit.IsZero():
		return metric.SixDecimals
	}
	return metric.Compact
}

func appendValue(b []byte, v Value, s metric.Scale, t *Table, o Options) []byte {
	agg := v.Aggregate()
	b = appendNumber(b, agg, s, t, o)
	if v.kind == KindSeries {
		b = appendPoints(b, v.points, s, o, agg.kind != KindNull)
	}
	return b
}

func appendNumber(b []byte, v Value, s metric.Scale, t *Table, o Options) []byte {
	switch v.kind {
	case KindString:
		return append(b, v.text...)
	case KindUint:
		if v.form != formDecimal {
			return v.appendPlain(b)
		}
		return style(t, s, o).Append(b, metric.Uint64(v.bits), s)
	case KindInt, KindFloat:
		return style(t, s, o).Append(b, metric.Double(v.Float64()), s)
	}
	return b
}

// hasNaN reports whether what is shown of v holds a NaN.
func (v Value) hasNaN(o Options) bool {
	if v.numberKind() == KindFloat && math.IsNaN(math.Float64frombits(v.bits)) {
		return true
	}
	if o.Instances == InstancesValues || o.Instances == InstancesDetails {
		for _, p := range v.points {
			if p.Value.hasNaN(o) {
				return true
			}
		}
	}
	return false
}

// showAs are the options for the points of v: those that people always see are
// shown at least as values.
func (v Value) showAs(o Options) Options {
	if v.form == formListed && o.Instances != InstancesDetails {
		o.Instances = InstancesValues
	}
	return o
}

// appendPoints appends a series as " (v; v)" or " (id: v; id: v)".
func appendPoints(b []byte, points []Point, s metric.Scale, o Options, after bool) []byte {
	if len(points) == 0 || o.Instances != InstancesValues && o.Instances != InstancesDetails {
		return b
	}
	if after {
		b = append(b, ' ')
	}
	b = append(b, '(')
	for i, p := range points {
		if i > 0 {
			b = append(b, "; "...)
		}
		if o.Instances == InstancesDetails && p.ID.kind != KindNull {
			if p.ID.kind == KindString {
				b = append(b, p.ID.text...)
			} else {
				b = p.ID.appendPlain(b)
			}
			b = append(b, ": "...)
		}
		b = appendNumber(b, p.Value, s, &Table{}, o)
	}
	return append(b, ')')
}

// speedupLine is the first line of a message with an estimate.
func speedupLine(s Speedup) string {
	b := []byte("Est. Local Speedup: ")
	if s.Global {
		b = []byte("Est. Speedup: ")
	}
	return string(append(strconv.AppendFloat(b, s.Percent, 'g', 4, 64), '%'))
}
