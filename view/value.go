package view

import (
	"math"
	"strconv"

	"github.com/gpuprof/gpuprof/profile/metric"
)

// Kind is the kind of a Value.
type Kind uint8

// The kinds of values.
const (
	KindNull   Kind = iota // nothing: an empty cell
	KindString             // text
	KindUint               // unsigned 64-bit integer
	KindInt                // signed 64-bit integer
	KindFloat              // IEEE 754 double
	KindUnit               // the unit of the numbers in the same row, as base unit
	KindSeries             // values with correlation ids, beside an optional aggregate
)

// A Value is a cell: a raw value with its unit. The zero Value is null.
type Value struct {
	kind   Kind
	agg    Kind   // KindSeries: kind of the aggregate, KindNull if there is none
	bits   uint64 // number
	text   string // string, or base unit of KindUnit
	unit   string // base unit of a number
	form   form
	ids    metric.IDStyle
	points []Point
}

// form is how people see a value.
type form uint8

const (
	formPlain  form = iota
	formHex         // an integer in hexadecimal
	formMarked      // a missing value with a mark, so that it is not overlooked
	formListed      // a series that is always shown
	formNamed       // a number as the text that goes with it
)

// A Point is one element of a series. ID is null where the element has none.
type Point struct{ ID, Value Value }

// Null is the empty cell.
var Null = Value{}

// String returns a cell that holds text.
func String(s string) Value { return Value{kind: KindString, text: s} }

// Uint returns a cell that holds an unsigned integer in a base unit ("" for none).
func Uint(v uint64, unit string) Value { return Value{kind: KindUint, bits: v, unit: unit} }

// Int returns a cell that holds a signed integer in a base unit.
func Int(v int64, unit string) Value { return Value{kind: KindInt, bits: uint64(v), unit: unit} }

// Whole is an integer of which no digit may get lost.
func Whole(n int64) Value {
	if n >= 0 {
		return Uint(uint64(n), "")
	}
	return Int(n, "")
}

// Float returns a cell that holds a double in a base unit.
func Float(v float64, unit string) Value {
	return Value{kind: KindFloat, bits: math.Float64bits(v), unit: unit}
}

// Hex returns a cell that holds an unsigned integer which people read in
// hexadecimal, such as an address.
func Hex(v uint64) Value { return Value{kind: KindUint, bits: v, form: formHex} }

// Named returns a cell that holds an unsigned integer for which people read a
// text, such as the name of an enumerator.
func Named(v uint64, text string) Value {
	return Value{kind: KindUint, bits: v, text: text, form: formNamed}
}

// Worded is a number for which people read a text, as another tool prints it.
func Worded(number Value, text string) Value {
	number.text, number.form = text, formNamed
	return number
}

// Missing returns a null cell for which people read a word that says why.
func Missing(why string) Value { return Value{text: why} }

// Unavailable returns a null cell for which people read a word that says why,
// with a mark in text.
func Unavailable(why string) Value { return Value{text: why, form: formMarked} }

// Listed is a Series that people see whether they ask for the values of metrics
// or not.
func Listed(aggregate Value, points []Point, ids metric.IDStyle) Value {
	v := Series(aggregate, points, ids)
	v.form = formListed
	return v
}

// UnitOf returns a cell that shows the unit of the numbers in its row, scaled as
// they are.
func UnitOf(unit string) Value { return Value{kind: KindUnit, text: unit} }

// Series returns a cell that holds an aggregate, which may be null, and the
// values it is made of; ids says how people read their ids.
func Series(aggregate Value, points []Point, ids metric.IDStyle) Value {
	v := aggregate
	v.agg, v.kind, v.points, v.ids = aggregate.kind, KindSeries, points, ids
	return v
}

// Kind tells what the cell holds.
func (v Value) Kind() Kind { return v.kind }

// IsNumber reports whether the cell holds a single number.
func (v Value) IsNumber() bool {
	return v.kind == KindUint || v.kind == KindInt || v.kind == KindFloat
}

// Text is the text of a string cell, or the base unit of a unit cell.
func (v Value) Text() string { return v.text }

// Unit is the base unit of a number.
func (v Value) Unit() string { return v.unit }

// Uint64 is the number as an unsigned integer; a float is truncated.
func (v Value) Uint64() uint64 {
	if v.numberKind() == KindFloat {
		return uint64(math.Float64frombits(v.bits))
	}
	return v.bits
}

// Float64 is the number as a double.
func (v Value) Float64() float64 {
	switch v.numberKind() {
	case KindFloat:
		return math.Float64frombits(v.bits)
	case KindInt:
		return float64(int64(v.bits))
	case KindUint:
		return float64(v.bits)
	}
	return 0
}

func (v Value) numberKind() Kind {
	if v.kind == KindSeries {
		return v.agg
	}
	return v.kind
}

// Points are the elements of a series.
func (v Value) Points() []Point { return v.points }

// Aggregate is the single value of a series, or v itself.
func (v Value) Aggregate() Value {
	if v.kind == KindSeries {
		v.kind, v.agg, v.points = v.agg, KindNull, nil
	}
	return v
}

// appendPlain appends a number without scaling: integers in their form, doubles
// in the shortest form that reads back to the same value.
func (v Value) appendPlain(b []byte) []byte {
	switch v.kind {
	case KindUint:
		if v.form == formHex {
			return strconv.AppendUint(append(b, "0x"...), v.bits, 16)
		}
		return strconv.AppendUint(b, v.bits, 10)
	case KindInt:
		return strconv.AppendInt(b, int64(v.bits), 10)
	case KindFloat:
		f := math.Float64frombits(v.bits)
		if a := math.Abs(f); a != 0 && (a < 1e-6 || a >= 1e21) {
			return strconv.AppendFloat(b, f, 'e', -1, 64)
		}
		return strconv.AppendFloat(b, f, 'f', -1, 64)
	}
	return b
}
