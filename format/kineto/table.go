package kineto

import (
	"math"

	"github.com/gpuprof/gpuprof/format/internal/column"
)

// None is the number of a column of integers that a row does not tell.
const None = math.MinInt64

// A Column is a value for each row of a table: see At and Len.
type Column[T comparable] = column.Column[T]

// Slices are what every table of slices has.
type Slices struct {
	Start  Column[int64] // ns, as the file has it; see Trace.Base
	Dur    Column[int64] // ns, 0 or more
	Name   Column[Text]
	Track  Column[uint32] // into Trace.Tracks: pid and tid
	Cat    Column[Text]   // as the file spells it
	Extra  Column[Text]   // args that have no column, as JSON without its braces
	Linked Column[int64]  // External id: the operator that was open; None or 0
}

// Rows is the number of rows.
func (s *Slices) Rows() int { return s.Start.Len() }

// Ops are operators and ranges of the host: cpu_op and user_annotation.
type Ops struct {
	Slices
	Index      Column[int64] // Ev Idx
	Sequence   Column[int64] // ties forward and backward
	Forward    Column[int64] // Fwd thread id, bits of a uint64
	Record     Column[int64] // Record function id
	Dims       Column[Text]  // Input Dims, as JSON
	Types      Column[Text]
	Strides    Column[Text]
	Inputs     Column[Text] // Concrete Inputs
	Stack      Column[Text] // Call stack, frames separated by ;
	Modules    Column[Text] // Module Hierarchy
	Collective Column[uint32]
}

// Python are calls of Python functions.
type Python struct {
	Slices
	Index  Column[int64]
	ID     Column[int64] // Python id
	Parent Column[int64] // Python parent id
	Module Column[int64] // Python module id
}

// Calls are calls of the runtime or driver on the host.
type Calls struct {
	Slices
	Correlation Column[int64]
	Cbid        Column[int64]
}

// Work is what every table of GPU work has.
type Work struct {
	Slices
	Correlation Column[int64]
	Device      Column[int64] // args.device, else pid
	Stream      Column[int64] // args.stream, else tid
	Context     Column[int64]
}

// Kernels are kernels.
type Kernels struct {
	Work
	Queued                  Column[int64]
	Registers               Column[int32] // -1: not told
	Shared                  Column[int64] // bytes
	Grid, Block             Column[[3]int32]
	BlocksPerSM, WarpsPerSM Column[float32]
	Occupancy               Column[int32] // estimated, percent; -1: not told
	GraphID, GraphNode      Column[int64]
	Priority                Column[int64]
	Collective              Column[uint32]
}

// Copies are copies and memory sets.
type Copies struct {
	Work
	Bytes    Column[int64]
	Kind     Column[Text] // of AMD: HtoD …; else the name says it
	From, To Column[int64]
}

// Syncs are cuda_sync and cuda_event.
type Syncs struct {
	Work
	Kind                              Column[Text]
	WaitStream, WaitEvent, WaitRecord Column[int64]
	Event                             Column[int64]
}

// Memory are [memory] events.
type Memory struct {
	Time       Column[int64]
	Track      Column[uint32]
	Address    Column[int64] // bits of a uint64
	Bytes      Column[int64] // negative: given back
	DeviceType Column[int64] // 0 CPU, 1 CUDA and HIP
	Device     Column[int64] // -1 CPU
	Allocated  Column[int64]
	Reserved   Column[int64]
	Index      Column[int64]
}

// Flows are the ends of arrows.
type Flows struct {
	Cat   Column[Text]
	ID    Column[int64]
	Phase Column[byte] // s, t or f
	Time  Column[int64]
	Track Column[uint32]
}

// Marks are instants and counters.
type Marks struct {
	Time  Column[int64]
	Name  Column[Text]
	Cat   Column[Text]
	Track Column[uint32]
	Extra Column[Text]
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
	none := func(cols ...*Column[int64]) {
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
