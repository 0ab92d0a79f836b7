package view

import (
	"math"
	"slices"
)

// timeScales are the units of times in tables for people.
var timeScales = []struct {
	label   string
	divisor float64
}{{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}}

// In is the table as a format has it: what its layout leaves to the format is
// decided. Neither t nor its values change.
func (t *Table) In(f Format) *Table {
	lay := t.Layout.or()
	text := f == FormatText
	if !lay.Times && !(text && (lay.Same > 0 || lay.Most > 0)) {
		return t
	}
	out := *t
	if text && lay.Most > 0 {
		out.First(int64(lay.Most))
	}
	if lay.Times {
		out.Columns = out.scaled(f == FormatCSV)
	}
	if text && lay.Same > 0 {
		out.Rows = once(lay.Same, out.Rows)
	}
	return &out
}

// once are rows in which the first n cells are empty where the row above has the
// same.
func once(n int, rows [][]Value) [][]Value {
	out := make([][]Value, len(rows))
	for i, row := range rows {
		out[i] = row
		if i > 0 && len(row) >= n && len(rows[i-1]) >= n && slices.EqualFunc(row[:n], rows[i-1][:n], func(a, b Value) bool { return a.kind == b.kind && a.bits == b.bits && a.text == b.text }) {
			out[i] = slices.Concat(make([]Value, n), row[n:])
		}
	}
	return out
}

// First leaves the first n rows.
func (t *Table) First(n int64) {
	if int64(len(t.Rows)) >= n {
		t.Rows, t.More = t.Rows[:n], nil
		return
	}
	more, left := t.More, n-int64(len(t.Rows))
	if more == nil {
		return
	}
	t.More = func(yield func([]Value) bool) {
		k := int64(0)
		more(func(row []Value) bool {
			k++
			return yield(row) && k < left
		})
	}
}

// exceeds reports whether the table has more than n rows, of which it makes one.
func (t *Table) exceeds(n int) bool {
	for range t.All() {
		if n--; n < 0 {
			return true
		}
	}
	return false
}

// scaled are the columns with the units in which their times are printed.
func (t *Table) scaled(whole bool) []Column {
	columns := slices.Clone(t.Columns)
	for i := range columns {
		c := &columns[i]
		if c.Unit != "ns" || c.Number != nil {
			continue
		}
		scale := timeScales[0]
		if !whole {
			largest := t.largest(i)
			for _, s := range timeScales {
				if largest >= 2*s.divisor {
					scale = s
				}
			}
		}
		c.Number = &NumberStyle{Divisor: scale.divisor, Decimals: 3}
		if scale.divisor == 1 {
			c.Number.Decimals = 0
		}
		c.Label = c.Heading() + " (" + scale.label + ")"
	}
	return columns
}

// largest is the number of greatest magnitude in a column.
func (t *Table) largest(column int) (largest float64) {
	for row := range t.All() {
		if column < len(row) {
			largest = max(largest, math.Abs(row[column].Float64()))
		}
	}
	return largest
}
