package view

import (
	"math"
	"strconv"
)

// A curve is a line chart of two columns of numbers, or of one series: each value holds
// from its place to the next.
type curve struct {
	x, y         []float64
	first, last  float64 // ends of the x axis
	least, most  float64 // of the y axis
	mark, marked float64 // the place pointed at and the value there; NaN: none
}

// curveOf reads the chart; nil if it is none of this kind.
func curveOf(c *Chart) *curve {
	cv := &curve{least: math.Inf(1), most: math.Inf(-1), mark: math.NaN(), marked: math.NaN()}
	if !cv.readColumns(c) {
		return nil
	}
	return cv.bounded(c)
}

// readColumns reads the table of a chart of two columns of numbers.
func (cv *curve) readColumns(c *Chart) bool {
	if c.Kind != LineChart || len(c.Table.Columns) != 2 || len(c.Table.Rows) == 0 ||
		c.Table.Columns[0].Type != Number || c.Table.Columns[1].Type != Number {
		return false
	}
	for _, row := range c.Table.Rows {
		if len(row) != 2 || !row[0].IsNumber() || !row[1].IsNumber() {
			continue
		}
		cv.add(row[0].Float64(), row[1].Float64())
	}
	return len(cv.x) > 0
}

// seriesCurve reads the series of a line chart, where it has one of more than a point;
// nil where it has none or several.
func seriesCurve(c *Chart, rows []plotRow) *curve {
	cv := &curve{least: math.Inf(1), most: math.Inf(-1), mark: math.NaN(), marked: math.NaN()}
	for _, r := range rows {
		points := ordered(r.points)
		if len(points) < 2 {
			continue
		}
		if len(cv.x) > 0 || c.Kind != LineChart || !points[0].ID.IsNumber() {
			return nil
		}
		for _, p := range points {
			if x := p.ID.Float64(); (!c.X.HasMin || x >= c.X.Min) && (!c.X.HasMax || x <= c.X.Max) {
				cv.add(x, p.Value.Float64())
			}
		}
	}
	if len(cv.x) < 2 {
		return nil
	}
	return cv.bounded(c)
}

func (cv *curve) add(x, y float64) {
	if !drawable(x) || !drawable(y) || len(cv.x) > 0 && x <= cv.x[len(cv.x)-1] {
		return
	}
	cv.x, cv.y = append(cv.x, x), append(cv.y, y)
	cv.least, cv.most = min(cv.least, y), max(cv.most, y)
}

// bounded sets the ends of the axes, and the mark.
func (cv *curve) bounded(c *Chart) *curve {
	cv.first, cv.last = cv.x[0], cv.x[len(cv.x)-1]
	if c.X.HasMin && drawable(c.X.Min) {
		cv.first = min(cv.first, c.X.Min)
	}
	if c.X.HasMax && drawable(c.X.Max) {
		cv.last = max(cv.last, c.X.Max)
	}
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
	mark, marked := c.X.Mark, c.X.HasMark
	if !marked && len(c.X.Guides) == 1 {
		mark, marked = c.X.Guides[0].At, true
	}
	if marked && mark >= cv.first && mark <= cv.last {
		cv.mark, cv.marked = mark, cv.at(mark)
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

// ticks are the places of the x axis that have names: n of them, or for 0 round ones.
func (cv *curve) ticks(n int) []float64 {
	if n < 2 {
		return ticks(cv.first, cv.last)
	}
	var out []float64
	for i := range min(n, 16) {
		out = append(out, rounded(cv.first+(cv.last-cv.first)*float64(i)/float64(min(n, 16)-1)))
	}
	return out
}

// rounded is v with three digits.
func rounded(v float64) float64 {
	if v == 0 {
		return 0
	}
	unit := math.Pow(10, math.Floor(math.Log10(math.Abs(v)))-2)
	return math.Round(v/unit) * unit
}

// short prints a number without needless digits.
func short(v float64) string { return strconv.FormatFloat(v, 'g', 7, 64) }
