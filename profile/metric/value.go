package metric

// Kind says how a report stores a metric's value.
// The numbers are those of the NvRules interface.
type Kind uint8

// The kinds of values.
const (
	KindNone   Kind = 0 // no value was collected
	KindString Kind = 2
	KindFloat  Kind = 3
	KindDouble Kind = 4
	KindUint32 Kind = 5
	KindUint64 Kind = 6
)

// A Value is one number or string of a report, in the unit that the report
// stores: bytes, nanoseconds for "second", everything else as the unit says.
type Value struct {
	Kind   Kind
	Text   string  // KindString
	Number float64 // the four numeric kinds
	Uint   uint64  // KindUint32 and KindUint64, exact beyond 2^53
}

// Double returns a double value.
func Double(v float64) Value { return Value{Kind: KindDouble, Number: v} }

// Uint64 returns an unsigned value.
func Uint64(v uint64) Value { return Value{Kind: KindUint64, Number: float64(v), Uint: v} }

// String returns a string value.
func String(s string) Value { return Value{Kind: KindString, Text: s} }

// IsNumber reports whether the value is numeric.
func (v Value) IsNumber() bool { return v.Kind >= KindFloat && v.Kind <= KindUint64 }
