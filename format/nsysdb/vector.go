package nsysdb

import (
	"math"
	"slices"
	"strconv"
)

// class is the storage class of a cell.
type class uint8

// The classes.
const (
	classNull class = iota
	classInteger
	classReal
	classText
	classBlob
)

func (c class) String() string {
	return [...]string{"null", "integer", "real", "text", "blob"}[min(c, classBlob)]
}

// A cell is one value in the class in which it is stored.
type cell struct {
	Class class
	Int   int64   // ClassInteger
	Real  float64 // ClassReal
	Bytes []byte  // ClassText, in UTF-8, and ClassBlob
}

// A Block is a run of rows of a table, column by column.
type Block struct {
	Rows     int
	Columns  []Vector // in the order in which they were asked for
	Problems []error  // pages and rows that were left out because they are broken
}

// A Vector holds the cells of a column. Which of its fields are set depends on
// the form asked for; each then has an element for every row, 0 or empty where
// the cell is NULL.
type Vector struct {
	Form  Form
	Ints  []int64   // FormInteger
	Reals []float64 // FormReal
	Null  []bool    // which cells are NULL; nil if none is

	class []class // FormAny; its numbers are in Ints, doubles as their bits
	ends  []int   // FormText, FormAny: where in data the bytes of each row end
	data  []byte
	spare []bool // memory for Null
}

// isNull reports whether the cell of row i is NULL.
func (v *Vector) isNull(i int) bool { return v.Null != nil && v.Null[i] }

// Bytes returns the bytes of row i of a text vector. They must not be changed.
func (v *Vector) Bytes(i int) []byte {
	start := 0
	if i > 0 {
		start = v.ends[i-1]
	}
	return v.data[start:v.ends[i]:v.ends[i]]
}

// cell returns the cell of row i of a vector of any form.
func (v *Vector) cell(i int) cell {
	switch {
	case v.isNull(i):
		return cell{}
	case v.Form == formInteger:
		return cell{Class: classInteger, Int: v.Ints[i]}
	case v.Form == formReal:
		return cell{Class: classReal, Real: v.Reals[i]}
	case v.Form == formText:
		return cell{Class: classText, Bytes: v.Bytes(i)}
	}
	switch c := v.class[i]; c {
	case classInteger:
		return cell{Class: c, Int: v.Ints[i]}
	case classReal:
		return cell{Class: c, Real: math.Float64frombits(uint64(v.Ints[i]))}
	case classText, classBlob:
		return cell{Class: c, Bytes: v.Bytes(i)}
	}
	return cell{}
}

// add appends a cell that needs conversion, or any cell where speed is no
// matter.
func (v *Vector) add(c cell, rows int) {
	if c.Class == classNull {
		v.addNull(rows)
		return
	}
	if v.Null != nil {
		v.Null = append(v.Null, false)
	}
	switch v.Form {
	case formInteger:
		v.Ints = append(v.Ints, c.integer())
	case formReal:
		v.Reals = append(v.Reals, c.real())
	case formText:
		v.data = c.appendText(v.data)
		v.ends = append(v.ends, len(v.data))
	case formAny:
		n := c.Int
		if c.Class == classReal {
			n = int64(math.Float64bits(c.Real))
		}
		v.class = append(v.class, c.Class)
		v.Ints = append(v.Ints, n)
		v.data = append(v.data, c.Bytes...)
		v.ends = append(v.ends, len(v.data))
	}
}

// addNull appends NULL as the cell of the given row.
func (v *Vector) addNull(row int) {
	if v.Null == nil {
		v.Null = make([]bool, row, max(row+1, cap(v.Ints), cap(v.Reals), cap(v.ends)))
	}
	v.Null = append(v.Null, true)
	switch v.Form {
	case formInteger:
		v.Ints = append(v.Ints, 0)
	case formReal:
		v.Reals = append(v.Reals, 0)
	case formText:
		v.ends = append(v.ends, len(v.data))
	case formAny:
		v.class = append(v.class, classNull)
		v.Ints = append(v.Ints, 0)
		v.ends = append(v.ends, len(v.data))
	}
}

// cut drops the cells from row n on.
func (v *Vector) cut(n int) {
	trim(&v.Ints, n)
	trim(&v.Reals, n)
	trim(&v.Null, n)
	trim(&v.class, n)
	trim(&v.ends, n)
	if v.Form == formText || v.Form == formAny {
		end := 0
		if n > 0 {
			end = v.ends[n-1]
		}
		v.data = v.data[:end]
	}
}

func trim[T any](s *[]T, n int) {
	if len(*s) > n {
		*s = (*s)[:n]
	}
}

func (c cell) integer() int64 {
	switch c.Class {
	case classInteger:
		return c.Int
	case classReal:
		return truncate(c.Real)
	}
	n, _ := number(numericPrefix(string(c.Bytes), false))
	return n.Int
}

// truncate converts as CAST does: towards zero, at the bounds to the bounds.
func truncate(x float64) int64 {
	switch {
	case x != x:
		return 0
	case x >= math.MaxInt64:
		return math.MaxInt64
	case x <= math.MinInt64:
		return math.MinInt64
	}
	return int64(x)
}

func (c cell) real() float64 {
	switch c.Class {
	case classInteger:
		return float64(c.Int)
	case classReal:
		return c.Real
	}
	x, _ := strconv.ParseFloat(numericPrefix(string(c.Bytes), true), 64) // no number: 0, as in SQLite
	return x
}

// numericPrefix is the longest beginning of s that is a decimal number.
func numericPrefix(s string, fraction bool) string {
	i := 0
	for i < len(s) && (s[i] == ' ' || s[i] >= '\t' && s[i] <= '\r') {
		i++
	}
	s, i = s[i:], 0
	if i < len(s) && (s[i] == '-' || s[i] == '+') {
		i++
	}
	digits := func() {
		for i < len(s) && s[i] >= '0' && s[i] <= '9' {
			i++
		}
	}
	digits()
	if fraction && i < len(s) && s[i] == '.' {
		i++
		digits()
	}
	return trimZeros(s[:i])
}

// trimZeros drops leading zeros, which would make a number octal.
func trimZeros(s string) string {
	sign := ""
	if s != "" && (s[0] == '-' || s[0] == '+') {
		sign, s = s[:1], s[1:]
	}
	for len(s) > 1 && s[0] == '0' && s[1] >= '0' && s[1] <= '9' {
		s = s[1:]
	}
	return sign + s
}

func (c cell) appendText(b []byte) []byte {
	switch c.Class {
	case classInteger:
		return strconv.AppendInt(b, c.Int, 10)
	case classReal:
		return strconv.AppendFloat(b, c.Real, 'g', 15, 64)
	}
	return append(b, c.Bytes...)
}

// add appends the rows of p to b. of is the number of blocks that make up the
// table, by which the room for all of them is guessed from the first.
func (b *Block) add(p *Block, of int) {
	room := 0
	if b.Rows == 0 && of > 1 {
		room = p.Rows*of + p.Rows/2
	}
	for c := range b.Columns {
		b.Columns[c].append(&p.Columns[c], b.Rows, p.Rows, room)
	}
	b.Rows += p.Rows
	b.Problems = append(b.Problems, p.Problems...)
}

// append appends n cells of p to v, which has rows cells. room is how many cells
// v will have, or 0 where that is not known.
func (v *Vector) append(p *Vector, rows, n, room int) {
	appendTo(&v.Ints, p.Ints, room)
	appendTo(&v.Reals, p.Reals, room)
	appendTo(&v.class, p.class, room)
	if v.Form == formText || v.Form == formAny {
		start := len(v.data)
		appendTo(&v.data, p.data, len(p.data)*room/max(1, n))
		k := len(v.ends)
		appendTo(&v.ends, p.ends, room)
		for i := range v.ends[k:] {
			v.ends[k+i] += start
		}
	}
	switch {
	case p.Null != nil && v.Null == nil:
		v.Null = make([]bool, rows, max(room, rows+n))
		fallthrough
	case p.Null != nil:
		v.Null = append(v.Null, p.Null...)
	case v.Null != nil:
		v.Null = slices.Grow(v.Null, n)[:rows+n]
		clear(v.Null[rows:])
	}
}

func appendTo[T any](to *[]T, from []T, room int) {
	if len(from) > 0 && cap(*to) < room {
		*to = append(make([]T, 0, room), *to...)
	}
	*to = append(*to, from...)
}

// reset empties a block and keeps its memory.
func (b *Block) reset() {
	b.Rows, b.Problems = 0, nil
	for c := range b.Columns {
		v := &b.Columns[c]
		if cap(v.Null) > cap(v.spare) {
			v.spare = v.Null
		}
		*v = Vector{Form: v.Form, Ints: v.Ints[:0], Reals: v.Reals[:0], class: v.class[:0], ends: v.ends[:0], data: v.data[:0], spare: v.spare}
	}
}
