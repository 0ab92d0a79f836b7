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

// ScaleTimes prints the columns of a table whose unit is ns and that have no style
// of their own in the unit that suits the largest of their numbers, with three
// decimals. The values stay.
func ScaleTimes(t *view.Table) {
	for i := range t.Columns {
		c := &t.Columns[i]
		if c.Unit != "ns" || c.Number != nil {
			continue
		}
		largest := 0.0
		for row := range t.All() {
			if i < len(row) {
				largest = max(largest, math.Abs(row[i].Float64()))
			}
		}
		scale := timeScales[0]
		for _, s := range timeScales {
			if largest >= 2*s.divisor {
				scale = s
			}
		}
		c.Number = &view.NumberStyle{Divisor: scale.divisor, Decimals: 3}
		if scale.divisor == 1 {
			c.Number.Decimals = 0
		}
		c.Label = c.Heading() + " (" + scale.label + ")"
	}
}
