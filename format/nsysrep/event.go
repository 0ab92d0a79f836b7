package nsysrep

import "math/bits"

// A Kind is a kind of event.
type Kind int

// The kinds of events, with the field numbers of their columns where details
// begin. Columns of details lie behind those of the event itself.
const (
	Kernel Kind = iota
	Memcpy
	Memset
	Synchronization
	EventRecord
	GraphLaunch
	API // calls of CUDA, the OS runtime, OpenACC, cuDNN, …; see field 6
	NVTX
	Sample
	SampleFrame // frames of the stacks of samples
	APIFrame    // frames of the stacks of calls
	Sched
	Process
	Mmap
	Diagnostic
	kinds
)

// Where the columns of a message inside an event begin: field n of it is column
// base+n.
const (
	GPUDetail        = 9  // Kernel … GraphLaunch
	GraphNodeDetail  = 43 // API, field 33
	GraphExecDetail  = 45 // API, field 37
	GraphDetail      = 47 // API, field 38
	PayloadDetail    = 14 // NVTX, field 8
	CounterDetail    = 12 // Sample, field 5
	DiagnosticDetail = 5  // Diagnostic, field 1
	FrameOwner       = 0  // SampleFrame, APIFrame: row of the event in its batch
	slots            = 64
)

// A layout tells what the fields of a message are.
type layout struct {
	kind   Kind
	base   int            // column of field 0
	known  uint64         // numbers of plain fields
	texts  uint64         // those of known that are texts
	subs   map[int]layout // messages inside
	inside []*layout      // the same by number
	frames int            // field with frames of a stack; 0: none
	stack  Kind
}

// fields has bit n set for each number n.
func fields(ns ...int) (m uint64) {
	for _, n := range ns {
		m |= 1 << n
	}
	return m
}

func upTo(n int) uint64 { return 1<<(n+1) - 2 }

// families are the layouts by the field that holds the event, for lookups as
// fast as they need to be.
var families = index(familyFields)

func index(m map[int]layout) []*layout {
	var out []*layout
	for num, lay := range m {
		for len(out) <= num {
			out = append(out, nil)
		}
		lay.inside = index(lay.subs)
		out[num] = &lay
	}
	return out
}

func at(m []*layout, num int) *layout {
	if num < len(m) {
		return m[num]
	}
	return nil
}

var familyFields = map[int]layout{
	102: {kind: NVTX, known: upTo(14) &^ fields(8), texts: fields(7), subs: map[int]layout{8: {kind: NVTX, base: PayloadDetail, known: upTo(8), texts: fields(8)}}},
	104: {kind: Sample, known: upTo(12) &^ fields(4, 5), frames: 4, stack: SampleFrame, subs: map[int]layout{5: {kind: Sample, base: CounterDetail, known: upTo(2)}}},
	106: {kind: Sched, known: upTo(7)},
	107: {kind: -1, known: upTo(9), subs: map[int]layout{
		101: {kind: Kernel, base: GPUDetail, known: upTo(36)},
		102: {kind: Memcpy, base: GPUDetail, known: upTo(16)},
		103: {kind: Memset, base: GPUDetail, known: upTo(5)},
		105: {kind: Synchronization, base: GPUDetail, known: upTo(4)},
		106: {kind: EventRecord, base: GPUDetail, known: upTo(2)},
		107: {kind: GraphLaunch, base: GPUDetail, known: upTo(2)},
	}},
	108: {kind: API, known: fields(1, 2, 3, 4, 5, 6, 7, 8, 13, 20, 42), frames: 15, stack: APIFrame, subs: map[int]layout{
		33: {kind: API, base: GraphNodeDetail, known: upTo(2)},
		37: {kind: API, base: GraphExecDetail, known: upTo(2)},
		38: {kind: API, base: GraphDetail, known: upTo(1)},
	}},
	109: {kind: Mmap, known: upTo(15)},
	110: {kind: Diagnostic, known: fields(2, 3, 4, 5), texts: fields(4), subs: map[int]layout{1: {kind: Diagnostic, base: DiagnosticDetail, known: upTo(2)}}},
	113: {kind: Process, known: upTo(14), texts: fields(5, 6, 7, 8, 9)},
}

var frameLayout = layout{known: upTo(9)}

// Rows are the events of a kind in a Batch, by column.
type Rows struct {
	N    int
	cols [slots][]int64
	has  []uint64
	room int // rows to make room for at first
}

// Int returns the number in a column of row i, 0 if the field is absent. Texts are
// numbers of Batch.Texts.
func (r *Rows) Int(col, i int) int64 {
	if c := r.cols[col]; i < len(c) {
		return c[i]
	}
	return 0
}

// Has reports whether row i has the field.
func (r *Rows) Has(col, i int) bool { return r.has[i]>>col&1 != 0 }

func (r *Rows) add(row *[slots]int64, has uint64) {
	if r.has == nil {
		r.has = make([]uint64, 0, r.room)
	}
	for m := has; m != 0; m &= m - 1 {
		col := bits.TrailingZeros64(m)
		c := &r.cols[col] // appended to in place: no pointer is written unless it grows
		if *c == nil {
			*c = make([]int64, 0, r.room)
		}
		for len(*c) < r.N {
			*c = append(*c, 0)
		}
		*c = append(*c, row[col])
	}
	r.has = append(r.has, has)
	r.N++
}

// Unknown counts what the package does not know. Field 0 stands for all events
// of a type of which nothing is known; Family is the field that holds an event.
type Unknown struct{ Type, Family, Field int }

// A Batch holds the events of a frame.
type Batch struct {
	Texts   []string
	Unknown map[Unknown]int
	Problem error // where the rest of the frame was left out

	rows [kinds]Rows
}

// Rows returns the events of a kind in the order of the file.
func (b *Batch) Rows(k Kind) *Rows { return &b.rows[k] }
