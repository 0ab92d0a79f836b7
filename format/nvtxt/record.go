package nvtxt

import "math"

// Record is one executed call: a command with the values its definition takes
// from the line and the static values of the other arguments. Times are as the
// file has them.
type Record struct {
	Command  Command
	TimeBase TimeBase
	Line     int
	Has      ParamSet // which arguments the call or a static value gives
	Start    int64    // or the Time of a command that has but one
	End      int64    // of RangeStartEnd
	Process  uint32
	Thread   uint32
	Category uint32
	Color    uint32 // ARGB
	Payload  Payload
	ID       int64
	Text     []byte // Message, or the Name of the Name… and Set… commands

	// Skipped marks a RangeStartEnd that the importer of Nsight Systems leaves
	// out because it does not end after its start. Its times count all the same.
	Skipped bool
}

// PayloadKind is the type of a [Payload].
type PayloadKind uint8

// The types of payloads.
const (
	NoPayload PayloadKind = iota
	IntPayload
	FloatPayload
)

// Payload is the number that an event carries.
type Payload struct {
	Kind PayloadKind
	Bits uint64 // of an int64 or a float64, as Kind says
}

// PayloadOfInt returns an integer payload.
func PayloadOfInt(i int64) Payload { return Payload{Kind: IntPayload, Bits: uint64(i)} }

// PayloadOfFloat returns a floating-point payload.
func PayloadOfFloat(f float64) Payload {
	return Payload{Kind: FloatPayload, Bits: math.Float64bits(f)}
}

// Int returns the value of an IntPayload, else 0.
func (p Payload) Int() int64 {
	if p.Kind != IntPayload {
		return 0
	}
	return int64(p.Bits)
}

// Float returns the value as a float64; NaN if there is none.
func (p Payload) Float() float64 {
	switch p.Kind {
	case IntPayload:
		return float64(int64(p.Bits))
	case FloatPayload:
		return math.Float64frombits(p.Bits)
	}
	return math.NaN()
}

// fill makes the record of command c from a.
func (m *machine) fill(c Command, a *arguments) *Record {
	r := &m.rec
	r.Command, r.TimeBase, r.Line, r.Has = c, a.timeBase, m.line, a.has
	r.Process, r.Thread, r.Category, r.Color = a.process, a.thread, a.category, a.color
	r.Payload, r.ID, r.Skipped = a.payload, a.id, false
	r.Start, r.End = a.time, a.time
	if c == CmdRangeStartEnd {
		r.Start, r.End = a.start, a.end
	}
	r.Text = a.message
	if !c.Event() {
		r.Text = a.name
	}
	return r
}
