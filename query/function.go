package query

import (
	"fmt"
	"math"
	"slices"

	"zombiezen.com/go/sqlite"
)

// An aggregate keeps numbers and makes one of them. NULLs are left out; of no
// numbers it is NULL.
type aggregate struct {
	values []float64
	share  float64 // of percentile, 0 to 100
	err    error   // of a step; SQLite asks for the value all the same
	finish func(*aggregate) float64
}

func (a *aggregate) Step(_ sqlite.Context, args []sqlite.Value) error {
	if a.err == nil {
		a.err = a.step(args)
	}
	return a.err
}

func (a *aggregate) step(args []sqlite.Value) error {
	switch args[0].Type() {
	case sqlite.TypeInteger, sqlite.TypeFloat:
	case sqlite.TypeNull:
		return nil
	default:
		return fmt.Errorf("expected a number, found %q", args[0].Text())
	}
	if len(args) > 1 {
		a.share = args[1].Float()
		if !(a.share >= 0 && a.share <= 100) {
			return fmt.Errorf("percentile: %v is not between 0 and 100", a.share)
		}
	}
	a.values = append(a.values, args[0].Float())
	return nil
}

func (a *aggregate) WindowInverse(_ sqlite.Context, args []sqlite.Value) error {
	if args[0].Type() == sqlite.TypeNull || len(a.values) == 0 {
		return nil
	}
	if i := slices.Index(a.values, args[0].Float()); i >= 0 {
		a.values = slices.Delete(a.values, i, i+1)
	}
	return nil
}

func (a *aggregate) WindowValue(sqlite.Context) (sqlite.Value, error) {
	if a.err != nil || len(a.values) == 0 {
		return sqlite.Value{}, a.err
	}
	v := a.finish(a)
	if math.IsNaN(v) {
		return sqlite.Value{}, nil
	}
	return sqlite.FloatValue(v), nil
}

func (a *aggregate) Finalize(sqlite.Context) {}

// percentile interpolates between the two nearest, as SQLite's own percentile
// extension does.
func percentile(values []float64, share float64) float64 {
	v := slices.Clone(values)
	slices.Sort(v)
	at := share / 100 * float64(len(v)-1)
	lo := int(at)
	hi := min(lo+1, len(v)-1)
	return v[lo] + (v[hi]-v[lo])*(at-float64(lo))
}

// variance is that of a sample, or of all there is.
func variance(v []float64, less int) float64 {
	if len(v) <= less {
		return math.NaN()
	}
	var sum, sq float64
	for _, x := range v {
		sum += x
	}
	mean := sum / float64(len(v))
	for _, x := range v {
		sq += (x - mean) * (x - mean)
	}
	return sq / float64(len(v)-less)
}

// functions are those that SQL has here beyond SQLite's own.
var functions = []struct {
	name   string
	args   int
	finish func(*aggregate) float64
}{
	{"median", 1, func(a *aggregate) float64 { return percentile(a.values, 50) }},
	{"percentile", 2, func(a *aggregate) float64 { return percentile(a.values, a.share) }},
	{"stddev", 1, func(a *aggregate) float64 { return math.Sqrt(variance(a.values, 1)) }},
	{"stddev_pop", 1, func(a *aggregate) float64 { return math.Sqrt(variance(a.values, 0)) }},
	{"variance", 1, func(a *aggregate) float64 { return variance(a.values, 1) }},
}

func addFunctions(c *sqlite.Conn) error {
	for _, f := range functions {
		err := c.CreateFunction(f.name, &sqlite.FunctionImpl{NArgs: f.args, Deterministic: true, MakeAggregate: func(sqlite.Context) (sqlite.AggregateFunction, error) {
			return &aggregate{finish: f.finish}, nil
		}})
		if err != nil {
			return err
		}
	}
	return nil
}
