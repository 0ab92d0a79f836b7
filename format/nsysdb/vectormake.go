package nsysdb

import "math"

// Integers returns a vector of integers; null says which are NULL, or is nil.
func Integers(v []int64, null []bool) Vector { return Vector{Form: formInteger, Ints: v, Null: null} }

// Reals returns a vector of doubles.
func Reals(v []float64, null []bool) Vector { return Vector{Form: formReal, Reals: v, Null: null} }

// Texts returns a vector of texts.
func Texts(v []string, null []bool) Vector {
	n := 0
	for _, s := range v {
		n += len(s)
	}
	out := Vector{Form: formText, Null: null, ends: make([]int, len(v)), data: make([]byte, 0, n)}
	for i, s := range v {
		out.data = append(out.data, s...)
		out.ends[i] = len(out.data)
	}
	return out
}

// Cells returns a vector of cells of any classes.
func Cells(cells []cell) Vector {
	v := Vector{Form: formAny}
	for i, c := range cells {
		v.add(c, i)
	}
	return v
}

// len is the number of cells of the vector.
func (v *Vector) len() int {
	switch v.Form {
	case formInteger:
		return len(v.Ints)
	case formReal:
		return len(v.Reals)
	}
	return len(v.ends)
}

// same reports whether two cells have the same class and value, NaN being
// itself.
func (c cell) same(d cell) bool {
	return c.Class == d.Class && c.Int == d.Int && math.Float64bits(c.Real) == math.Float64bits(d.Real) &&
		string(c.Bytes) == string(d.Bytes)
}
