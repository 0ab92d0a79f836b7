package sample

import (
	"math"
	"math/rand/v2"
)

// A Change is where a history moved.
type Change struct {
	At       int     // index of the first point after it
	Estimate         // after as a ratio of before
	P        float64 // chance of a move as clear as that at any place, if the order of runs meant nothing
}

// changeDraws is the number of orders that a change point is compared with.
const changeDraws = 5_000

// ChangePoint finds the place where a history of positive values moved most
// clearly: each point is the values of the runs kept together. At least two
// points stand on each side, unless they have three runs. The statistic is the
// difference of mean logarithms over its standard error with the spread of all
// values added, as that of a [Family]; p is that of its maximum over places when
// the runs are put in other orders, so that looking at every place is paid for.
// It is this project's own choice. ok is false where the history is too short.
func ChangePoint(history [][]float64) (c Change, ok bool) {
	var x []float64
	var places, points []int // run at which a place is, and its point
	for i, point := range history {
		if n := len(x); n > 0 && (n >= 3 || i >= 2) {
			places, points = append(places, n), append(points, i)
		}
		for _, v := range point {
			if v > 0 && !math.IsInf(v, 0) {
				x = append(x, math.Log(v))
			}
		}
	}
	for len(places) > 0 && !enough(history[points[len(points)-1]:]) {
		places, points = places[:len(places)-1], points[:len(points)-1]
	}
	if len(places) == 0 || len(x) < 6 {
		return Change{}, false
	}
	best, t := strongest(x, places)
	c.At = points[best]
	c.Estimate = Ratio(flat(history[:c.At]), flat(history[c.At:]), Level)
	hits := 1
	r := rand.New(rand.NewPCG(1, 2)) // the same history has the same answer
	for range changeDraws - 1 {
		r.Shuffle(len(x), func(i, j int) { x[i], x[j] = x[j], x[i] })
		if _, other := strongest(x, places); other >= t*(1-1e-9) {
			hits++
		}
	}
	c.P = float64(hits) / changeDraws
	return c, true
}

// enough reports whether the points after a place hold two points or three runs.
func enough(after [][]float64) bool {
	return len(after) >= 2 || len(flat(after)) >= 3
}

func flat(points [][]float64) []float64 {
	var out []float64
	for _, p := range points {
		for _, v := range p {
			if v > 0 && !math.IsInf(v, 0) {
				out = append(out, v)
			}
		}
	}
	return out
}

// strongest is the place with the largest statistic.
func strongest(x []float64, places []int) (best int, t float64) {
	n := float64(len(x))
	total, squares := 0.0, 0.0
	for _, v := range x {
		total += v
	}
	for _, v := range x {
		squares += (v - total/n) * (v - total/n)
	}
	if squares == 0 {
		return 0, 0
	}
	t = -1
	sum, done := 0.0, 0
	for k, at := range places {
		for ; done < at; done++ {
			sum += x[done]
		}
		a := float64(at)
		h := a * (n - a) / n
		d := (total-sum)/(n-a) - sum/a
		within := max(0, squares-h*d*d)
		s := math.Sqrt(within/(n-2)/h) + math.Sqrt(squares/(n-1)/h)
		if v := math.Abs(d) / s; v > t {
			best, t = k, v
		}
	}
	return best, t
}
