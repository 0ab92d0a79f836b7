package nsysdb

import "math"

// Integers returns a vector of integers; null says which are NULL, or is nil.
func Integers(v []int64, null []bool) Vector { return Vector{Form: FormInteger, Ints: v, Null: null} }

// Reals returns a vector of doubles.
func Reals(v []float64, null []bool) Vector { return Vector{Form: FormReal, Reals: v, Null: null} }

// Texts returns a vector of texts.
func Texts(v []string, null []bool) Vector {
	n := 0
	for _, s := range v {
		n += len(s)
	}
	out := Vector{Form: FormText, Null: null, ends: make([]int, len(v)), data: make([]byte, 0, n)}
	for i, s := range v {
		out.data = append(out.data, s...)
		out.ends[i] = len(out.data)
	}
	return out
}

// Cells returns a vector of cells of any classes.
func Cells(cells []Cell) Vector {
	v := Vector{Form: FormAny}
	for i, c := range cells {
		v.add(c, i)
	}
	return v
}

// Len is the number of cells of the vector.
func (v *Vector) Len() int {
	switch v.Form {
	case FormInteger:
		return len(v.Ints)
	case FormReal:
		return len(v.Reals)
	}
	return len(v.ends)
}

// Same reports whether two cells have the same class and value, NaN being
// itself.
func (c Cell) Same(d Cell) bool {
	return c.Class == d.Class && c.Int == d.Int && math.Float64bits(c.Real) == math.Float64bits(d.Real) &&
		string(c.Bytes) == string(d.Bytes)
}
