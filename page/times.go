package page

import (
	"math"

	"github.com/gpuprof/gpuprof/view"
)

// timeScales are the units of times in tables for people.
var timeScales = []struct {
	label   string
	divisor float64
}{{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}}

// ScaleTimes says how the columns of a table whose unit is ns and that have no
// style of their own are printed: csv has whole nanoseconds; text and md have the
// unit that suits the largest number of the column, with three decimals. The
// values stay.
func ScaleTimes(t *view.Table, f view.Format) {
	for i := range t.Columns {
		c := &t.Columns[i]
		if c.Unit != "ns" || c.Number != nil {
			continue
		}
		scale := timeScales[0]
		if f != view.FormatCSV {
			largest := largestIn(t, i)
			for _, s := range timeScales {
				if largest >= 2*s.divisor {
					scale = s
				}
			}
		}
		c.Number = &view.NumberStyle{Divisor: scale.divisor, Decimals: 3}
		if scale.divisor == 1 {
			c.Number.Decimals = 0
		}
		c.Label = c.Heading() + " (" + scale.label + ")"
	}
}

// largestIn is the number of greatest magnitude in a column.
func largestIn(t *view.Table, column int) (largest float64) {
	for row := range t.All() {
		if column < len(row) {
			largest = max(largest, math.Abs(row[column].Float64()))
		}
	}
	return largest
}
