package metric

import (
	"math"
	"strconv"
	"strings"
)

// NotAvailable is the cell of a metric that a section asks for and the launch
// does not have. Text pages flag it.
const NotAvailable = "n/a"

// Flag stands before the cells of text pages, never of CSV, that hold NaN or
// [NotAvailable].
const Flag = "(!) "

// IDStyle says how the ids of instances are printed before their values.
type IDStyle uint8

const (
	// IDNone leaves ids out: --print-metric-instances values.
	IDNone IDStyle = iota
	// IDPlain prints numbers in decimal and strings as they are.
	IDPlain
	// IDAddress prints numbers in hexadecimal, 0x7f91b4fb36b0.
	IDAddress
	// IDTime prints the time and the time since the first instance,
	// "1745303366565544224 (+1504)".
	IDTime
)

// InstanceIDs returns the style of the ids of a metric's instances under
// --print-metric-instances details. timed says that the report marks the
// instances as samples over time.
func InstanceIDs(name string, timed bool) IDStyle {
	switch {
	case timed:
		return IDTime
	case name == "smsp__branch_targets_threads_divergent",
		strings.HasPrefix(name, "memory_") && strings.HasSuffix(name, "_type"),
		strings.HasSuffix(name, "_explicit_evict_type"):
		return IDAddress
	}
	return IDPlain
}

// Instances are the values behind a metric's value: one for each instruction,
// hardware unit or point in time. At returns the id, of KindNone if there is
// none, and the value of instance i < Len.
type Instances struct {
	Len int
	At  func(i int) (id, value Value)
}

// A Cell says how a cell with instances is printed.
type Cell struct {
	Style Style
	IDs   IDStyle
	Text  bool // a text page: flag NaN
}

// Append appends the cell: "25.17 (0; 6.29)", or with ids "25.17 (0: 0; 1:
// 6.29)". All numbers are in the scale of the value; where it is missing, so
// is what stands before the parenthesis. Without instances it is the value
// alone.
func (c Cell) Append(dst []byte, v Value, in Instances, s Scale) []byte {
	if c.Text && c.flagged(v, in) {
		dst = append(dst, Flag...)
	}
	if in.Len == 0 {
		return c.Style.Append(dst, v, s)
	}
	if v.Kind() != KindNone && (v.Kind() != KindString || v.Text() != "") {
		dst = append(c.Style.Append(dst, v, s), ' ')
	}
	dst = append(dst, '(')
	var first Value
	for i := range in.Len {
		id, value := in.At(i)
		if i == 0 {
			first = id
		} else {
			dst = append(dst, "; "...)
		}
		dst = c.IDs.append(dst, id, first)
		dst = c.Style.Append(dst, value, s)
	}
	return append(dst, ')')
}

func (c Cell) flagged(v Value, in Instances) bool {
	if v.isNumber() && math.IsNaN(v.Double()) {
		return true
	}
	for i := range in.Len {
		if _, value := in.At(i); value.isNumber() && math.IsNaN(value.Double()) {
			return true
		}
	}
	return false
}

// append appends "id: ".
func (st IDStyle) append(dst []byte, id, first Value) []byte {
	if st == IDNone || id.Kind() == KindNone {
		return dst
	}
	switch {
	case !id.isNumber() || st == IDPlain:
		dst = Compact.Append(dst, id, Scale{})
	case st == IDAddress:
		dst = strconv.AppendUint(append(dst, "0x"...), id.Uint64(), 16)
	default:
		dst = strconv.AppendUint(dst, id.Uint64(), 10)
		dst = strconv.AppendInt(append(dst, " (+"...), int64(id.Uint64()-first.Uint64()), 10)
		dst = append(dst, ')')
	}
	return append(dst, ": "...)
}
