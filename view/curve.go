package view

import (
	"math"
	"strconv"
)

// A curve is a line chart of two columns of numbers: each value holds from its
// place to the next.
type curve struct {
	x, y         []float64
	first, last  float64 // ends of the x axis
	least, most  float64 // of the y axis
	mark, marked float64 // the place pointed at and the value there; NaN: none
}

// curveOf reads the chart; nil if it is none of this kind.
func curveOf(c *Chart) *curve {
	if c.Kind != LineChart || len(c.Table.Columns) != 2 || len(c.Table.Rows) == 0 ||
		c.Table.Columns[0].Type != Number || c.Table.Columns[1].Type != Number {
		return nil
	}
	cv := &curve{least: math.Inf(1), most: math.Inf(-1), mark: math.NaN(), marked: math.NaN()}
	for _, row := range c.Table.Rows {
		if len(row) != 2 || !row[0].IsNumber() || !row[1].IsNumber() {
			continue
		}
		x, y := row[0].Float64(), row[1].Float64()
		if !drawable(x) || !drawable(y) || len(cv.x) > 0 && x <= cv.x[len(cv.x)-1] {
			continue
		}
		cv.x, cv.y = append(cv.x, x), append(cv.y, y)
		cv.least, cv.most = min(cv.least, y), max(cv.most, y)
	}
	if len(cv.x) == 0 {
		return nil
	}
	cv.first, cv.last = cv.x[0], cv.x[len(cv.x)-1]
	if cv.last == cv.first {
		cv.last++
	}
	cv.least = min(cv.least, 0)
	if c.Y.HasMin {
		cv.least = c.Y.Min
	}
	if c.Y.HasMax {
		cv.most = max(cv.most, c.Y.Max)
	}
	if cv.most <= cv.least {
		cv.most = cv.least + 1
	}
	if c.X.HasMark && c.X.Mark >= cv.first && c.X.Mark <= cv.last {
		cv.mark, cv.marked = c.X.Mark, cv.at(c.X.Mark)
	}
	return cv
}

// drawable tells numbers whose differences are numbers, too; NaN is none.
func drawable(v float64) bool { return math.Abs(v) < 1e300 }

// at is the value that holds at x.
func (cv *curve) at(x float64) float64 {
	low, high := 0, len(cv.x) // the last place not beyond x lies in between
	for high-low > 1 {
		if mid := (low + high) / 2; cv.x[mid] <= x {
			low = mid
		} else {
			high = mid
		}
	}
	return cv.y[low]
}

// ticks are round numbers between first and last: quarters of last where these
// are small or whole kilobytes, else steps of 1, 2 or 5 times a power of ten.
func ticks(first, last float64) []float64 {
	step := last / 4
	if step <= 0 || step != math.Trunc(step) || step > 1024 && math.Mod(step, 1024) != 0 {
		step = math.Pow(10, math.Floor(math.Log10((last-first)/6)))
		for _, f := range []float64{2, 2.5, 2} { // 1, 2, 5, 10
			if (last-first)/step <= 6 {
				break
			}
			step *= f
		}
	}
	var out []float64
	for v := math.Ceil(first/step) * step; v <= last+step/1e6 && len(out) < 16; v += step {
		out = append(out, v)
	}
	return out
}

// short prints a number without needless digits.
func short(v float64) string { return strconv.FormatFloat(v, 'g', 7, 64) }
