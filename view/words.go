package view

import (
	"math"
	"strconv"

	"github.com/gpuprof/gpuprof/profile/metric"
)

// Words is a number with its unit as sentences have it, scaled and rounded to
// three digits: "4.01 ms", "14 %".
func Words(v Value) string {
	if !v.IsNumber() {
		return v.text
	}
	x := v.Float64()
	u := metric.ParseUnit(v.unit)
	if v.unit == "ns" { // as timelines have it
		u = metric.ParseUnit("second")
	}
	s := u.Auto(max(x, -x))
	b := strconv.AppendFloat(nil, round3(s.Apply(x)), 'f', -1, 64)
	if unit := s.UnitString(metric.Current); unit != "" {
		b = append(append(b, ' '), unit...)
	}
	return string(b)
}

// round3 rounds to three significant digits; whole numbers keep all of theirs.
func round3(x float64) float64 {
	if x >= 1000 || x <= -1000 {
		return math.Round(x)
	}
	r, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 3, 64), 64)
	if err != nil {
		return x
	}
	return r
}
