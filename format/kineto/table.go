package kineto

import (
	"math"

	"github.com/gpuprof/gpuprof/format/internal/column"
)

// None is the number of a column of integers that a row does not tell.
const None = math.MinInt64

// A Column is a value for each row of a table: see At and Len.
type Column[T comparable] = column.Column[T]

// Integers is a Column of integers, which takes less.
type Integers[T column.Integer] = column.Integers[T]

// Slices are what every table of slices has.
type Slices struct {
	Start  Integers[int64] // ns, as the file has it; see Trace.Base
	Dur    Integers[int64] // ns, 0 or more
	Name   Integers[Text]
	Track  Integers[uint32] // into Trace.Tracks: pid and tid
	Cat    Integers[Text]   // as the file spells it
	Extra  Integers[Text]   // args that have no column, as JSON without its braces
	Linked Integers[int64]  // External id: the operator that was open; None or 0
}

// Rows is the number of rows.
func (s *Slices) Rows() int { return s.Start.Len() }

// Ops are operators and ranges of the host: cpu_op and user_annotation.
type Ops struct {
	Slices
	Index      Integers[int64] // Ev Idx
	Sequence   Integers[int64] // ties forward and backward
	Forward    Integers[int64] // Fwd thread id, bits of a uint64
	Record     Integers[int64] // Record function id
	Dims       Integers[Text]  // Input Dims, as JSON
	Types      Integers[Text]
	Strides    Integers[Text]
	Inputs     Integers[Text] // Concrete Inputs
	Stack      Integers[Text] // Call stack, frames separated by ;
	Modules    Integers[Text] // Module Hierarchy
	Collective Integers[uint32]
}

// Python are calls of Python functions.
type Python struct {
	Slices
	Index  Integers[int64]
	ID     Integers[int64] // Python id
	Parent Integers[int64] // Python parent id
	Module Integers[int64] // Python module id
}

// Calls are calls of the runtime or driver on the host.
type Calls struct {
	Slices
	Correlation Integers[int64]
	Cbid        Integers[int64]
}

// Work is what every table of GPU work has.
type Work struct {
	Slices
	Correlation Integers[int64]
	Device      Integers[int64] // args.device, else pid
	Stream      Integers[int64] // args.stream, else tid
	Context     Integers[int64]
}

// Kernels are kernels.
type Kernels struct {
	Work
	Queued                  Integers[int64]
	Registers               Integers[int32] // -1: not told
	Shared                  Integers[int64] // bytes
	Grid, Block             Column[[3]int32]
	BlocksPerSM, WarpsPerSM Column[float32]
	Occupancy               Integers[int32] // estimated, percent; -1: not told
	GraphID, GraphNode      Integers[int64]
	Priority                Integers[int64]
	Collective              Integers[uint32]
}

// Copies are copies and memory sets.
type Copies struct {
	Work
	Bytes    Integers[int64]
	Kind     Integers[Text] // of AMD: HtoD …; else the name says it
	From, To Integers[int64]
}

// Syncs are cuda_sync and cuda_event.
type Syncs struct {
	Work
	Kind                              Integers[Text]
	WaitStream, WaitEvent, WaitRecord Integers[int64]
	Event                             Integers[int64]
}

// Memory are [memory] events.
type Memory struct {
	Time       Integers[int64]
	Track      Integers[uint32]
	Address    Integers[int64] // bits of a uint64
	Bytes      Integers[int64] // negative: given back
	DeviceType Integers[int64] // 0 CPU, 1 CUDA and HIP
	Device     Integers[int64] // -1 CPU
	Allocated  Integers[int64]
	Reserved   Integers[int64]
	Index      Integers[int64]
}

// Flows are the ends of arrows.
type Flows struct {
	Cat   Integers[Text]
	ID    Integers[int64]
	Phase Column[byte] // s, t or f
	Time  Integers[int64]
	Track Integers[uint32]
}

// Marks are instants and counters.
type Marks struct {
	Time  Integers[int64]
	Name  Integers[Text]
	Cat   Integers[Text]
	Track Integers[uint32]
	Extra Integers[Text]
}

// A Track is the pid and tid of events. Where one is no number, its text is set
// and the number is that within it ("stream 7"), or -1.
type Track struct {
	PID, TID         int64
	PIDText, TIDText string
}

// A Collective is what a collective operation says of itself; -1 and "" where it
// does not. Sizes are in elements.
type Collective struct {
	Name, DType          string
	In, Out              int64
	GroupSize            int64
	Group, Description   string
	Ranks                string // as the file has it, which cuts long lists
	InSplit, OutSplit    string
	Rank, Source, Target int64
	Sequence             int64
	Comms                string
}

// A Count is how many events of a category and phase the file has.
type Count struct {
	Category string // "" if the events have none
	Phase    byte
	Events   int
	Dur      int64 // ns, of all
}

// A Label is a name that the file gives to a process or thread.
type Label struct {
	Kind  string // process_name, process_labels, thread_name …
	Track Track
	Text  string
}

// A Device is an entry of deviceProperties.
type Device struct {
	ID               int64
	Name             string
	Memory           int64 // bytes
	Major, Minor     int64 // compute capability; 0 elsewhere
	SMs              int64
	Warp             int64
	MaxThreadsBlock  int64
	MaxThreadsSM     int64
	RegistersBlock   int64
	RegistersSM      int64
	SharedBlock      int64
	SharedSM         int64
	SharedBlockOptin int64
}

// An Entry is a key beside traceEvents with its value as JSON.
type Entry struct{ Key, Value string }

// A ProcessGroup is an entry of pg_config.
type ProcessGroup struct {
	Name, Description, Backend string
	Size                       int64
	Ranks                      string // JSON
}

// A Trace is what a file holds.
type Trace struct {
	File    string
	Packed  bool  // gzip
	Bytes   int64 // of text, unpacked
	Events  int
	Base    int64 // ns to add to every time for the time since 1970; 0 if HasBase is false
	HasBase bool
	PyTorch bool // libkineto or a tool behind it wrote the file; false: another Chrome trace

	Meta    []Entry // keys beside traceEvents, in order; of a key that comes twice the last
	Devices []Device
	Rank    int64 // of distributedInfo; -1: not told
	World   int64 // world_size; -1
	Groups  []ProcessGroup

	Texts       *Texts
	Tracks      []Track
	Labels      []Label
	Counts      []Count
	Collectives []Collective // Column Collective counts from 1; 0 is none

	Ops, Annotations Ops
	GPUSpans         Slices
	Python           Python
	Calls            Calls
	Kernels          Kernels
	Copies, Sets     Copies
	Syncs            Syncs
	Overhead         Slices
	Others           Slices
	Memory           Memory
	Flows            Flows
	Instants         Marks
	Counters         Marks

	Problems []error // what was left out, with offsets
}

// Text returns the text of a cell.
func (t *Trace) Text(x Text) string { return t.Texts.Of(x) }

// setAbsent sets what rows have that say nothing.
func (t *Trace) setAbsent() {
	none := func(cols ...*Integers[int64]) {
		for _, c := range cols {
			c.Absent = None
		}
	}
	for _, s := range []*Slices{&t.Ops.Slices, &t.Annotations.Slices, &t.GPUSpans, &t.Python.Slices, &t.Calls.Slices, &t.Kernels.Slices,
		&t.Copies.Slices, &t.Sets.Slices, &t.Syncs.Slices, &t.Overhead, &t.Others} {
		none(&s.Linked)
	}
	for _, w := range []*Work{&t.Kernels.Work, &t.Copies.Work, &t.Sets.Work, &t.Syncs.Work} {
		none(&w.Correlation, &w.Device, &w.Stream, &w.Context)
	}
	for _, o := range []*Ops{&t.Ops, &t.Annotations} {
		none(&o.Index, &o.Sequence, &o.Forward, &o.Record)
	}
	none(&t.Python.Index, &t.Python.ID, &t.Python.Parent, &t.Python.Module, &t.Calls.Correlation, &t.Calls.Cbid,
		&t.Kernels.Queued, &t.Kernels.Shared, &t.Kernels.GraphID, &t.Kernels.GraphNode, &t.Kernels.Priority)
	for _, c := range []*Copies{&t.Copies, &t.Sets} {
		none(&c.Bytes, &c.From, &c.To)
	}
	none(&t.Syncs.WaitStream, &t.Syncs.WaitEvent, &t.Syncs.WaitRecord, &t.Syncs.Event)
	m := &t.Memory
	none(&m.Address, &m.Bytes, &m.DeviceType, &m.Device, &m.Allocated, &m.Reserved, &m.Index, &t.Flows.ID)
	t.Kernels.Registers.Absent, t.Kernels.Occupancy.Absent = -1, -1
}
