package nsysrep

// A Kind is a kind of event.
type Kind uint8

// The kinds of events. Work of the GPU, then calls by their class, then the
// rest; Marks and JIT are calls that no table of an export holds.
const (
	Kernel Kind = iota
	Memcpy
	Memset
	Synchronization
	EventRecord
	GraphLaunch
	Runtime          // calls of the CUDA runtime and driver
	ProfilerOverhead // of the tool
	CUDAOverhead     // of CUDA
	OSRuntime
	CUDNN
	CUBLAS
	GraphNode // making of nodes of graphs
	Graph     // and of graphs
	OpenACCData
	OpenACCLaunch
	OpenACCOther
	Mark // starts and ends of tracing
	JIT
	OtherCall // of a class that is not known
	NVTX
	Sample
	Sched
	Process
	Nameless // processes without a name, which exports leave out
	Mmap
	Diagnostic
	MemoryUsage // device memory allocated and freed
	Kinds       // how many there are
)

// Columns are numbered as the fields of an event are. Those of a message inside
// lie behind them: field n of it is column base+n.
const (
	GPUDetail           = 9  // Kernel … GraphLaunch
	GraphDetail         = 43 // GraphNode, Graph
	OpenACCDetail       = 13 // OpenACC…: field 25, up to 21; calls have no column from 14 on there
	OpenACCLaunchDetail = 35 // its field 101
	OpenACCDataDetail   = 35 // its field 102
	PayloadDetail       = 14 // NVTX, field 8
	extendedDetail      = 23 // NVTX, field 9 of that
	CounterDetail       = 12 // Sample, field 5
	DiagnosticDetail    = 5  // Diagnostic, field 1

	stackOwner = 0  // frames of stacks: number of the stack among those of its kind, from 0
	stackDepth = 10 // of the frame in it, and
	stackEvent = 11 // of the event

	maxColumns = 64
)

// What a layout says of a field that is no column.
const (
	fieldUnknown = 0
	fieldInside  = 0xff // a message
	fieldStack   = 0xfe // a frame of the stack
	fieldSkipped = 0xfd // known, of no use
	lastField    = 127
)

// A layout tells what the fields of a message are, by number.
type layout struct {
	slot    [lastField + 1]uint8 // a column above 0, or one of the above
	columns uint64               // all, with those of messages inside
	text    uint64               // columns that are texts
	inside  map[int]*layout
	stack   uint8 // column that has the frames of a stack; 0: none
}

// fields makes a layout of fields that are columns of the same number.
func fields(base int, numbers ...int) *layout {
	l := &layout{inside: map[int]*layout{}}
	for _, n := range numbers {
		l.slot[n] = uint8(base + n)
		l.columns |= 1 << (base + n)
	}
	return l
}

func upTo(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i + 1
	}
	return out
}

func (l *layout) texts(columns ...int) *layout {
	for _, c := range columns {
		l.text |= 1 << c
	}
	return l
}

func (l *layout) skip(numbers ...int) *layout {
	for _, n := range numbers {
		l.slot[n] = fieldSkipped
	}
	return l
}

func (l *layout) with(number int, in *layout) *layout {
	l.slot[number], l.inside[number] = fieldInside, in
	l.columns |= in.columns
	return l
}

func (l *layout) frames(number int) *layout {
	l.slot[number], l.stack = fieldStack, uint8(number)
	return l
}

func gpu(number, last int) *layout {
	return fields(0, upTo(9)...).with(number, fields(GPUDetail, upTo(last)...))
}

// call is the layout of calls; of those of OpenACC columns 4, 5 and from 14 on
// are free for the detail.
func call() *layout {
	return fields(0, 1, 2, 3, 4, 5, 6, 7, 8, 13, 20, 42).frames(15).skip(25, 33, 37, 38, 40)
}

func openACC(inside ...int) *layout {
	l := fields(0, 1, 2, 3, 6, 7, 8, 13).skip(4, 5, 15, 20, 42)
	detail := fields(OpenACCDetail, upTo(21)...).skip(101, 102)
	for _, n := range inside {
		detail.with(n, fields(OpenACCLaunchDetail, upTo(4)...))
	}
	return l.with(25, detail)
}

var layouts = [Kinds]*layout{
	Kernel:           gpu(101, 36),
	Memcpy:           gpu(102, 16),
	Memset:           gpu(103, 5),
	Synchronization:  gpu(105, 4),
	EventRecord:      gpu(106, 2),
	GraphLaunch:      gpu(107, 2),
	Runtime:          call(),
	ProfilerOverhead: call(),
	CUDAOverhead:     call(),
	OSRuntime:        call(),
	CUDNN:            call(),
	CUBLAS:           call(),
	GraphNode:        call().with(33, fields(GraphDetail, upTo(2)...)),
	Graph:            call().with(37, fields(GraphDetail, upTo(2)...)).with(38, fields(GraphDetail, 1)),
	OpenACCData:      openACC(102),
	OpenACCLaunch:    openACC(101),
	OpenACCOther:     openACC(),
	Mark:             call(),
	JIT:              call(),
	OtherCall:        call(),
	NVTX: fields(0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14).texts(7).with(8,
		fields(PayloadDetail, upTo(8)...).texts(PayloadDetail+8).with(9, fields(extendedDetail, 1, 2).texts(extendedDetail+2))),
	Sample:     fields(0, 1, 2, 3, 6, 7, 8, 9, 10, 11, 12).frames(4).with(5, fields(CounterDetail, 1, 2)),
	Sched:      fields(0, upTo(7)...),
	Process:    fields(0, upTo(14)...).texts(5, 6, 7, 8, 9),
	Nameless:   fields(0, upTo(14)...).texts(5, 6, 7, 8, 9),
	Mmap:       fields(0, upTo(15)...),
	Diagnostic: fields(0, 2, 3, 4, 5).texts(4).with(1, fields(DiagnosticDetail, 1, 2)),
	// Field 11 is taken to be the name, which was not met; 13 and above, of pools, were not met either.
	MemoryUsage: fields(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12),
}

var stackLayout = fields(0, upTo(9)...)

// gpuKinds are the kinds by the field that holds the detail, callKinds by the
// class of a call; numbers that are not there are Kinds. Starts and ends of
// tracing, and failures to begin it, are in no export.
var (
	gpuKinds  = kindsBy(map[Kind][]int{Kernel: {101}, Memcpy: {102}, Memset: {103}, Synchronization: {105}, EventRecord: {106}, GraphLaunch: {107}})
	callKinds = kindsBy(map[Kind][]int{
		Runtime:          {0, 1, 26},
		ProfilerOverhead: {3},
		CUDAOverhead:     {103},
		OSRuntime:        {27, 31, 32},
		CUDNN:            {28, 33, 34},
		CUBLAS:           {29, 35, 36},
		OpenACCOther:     {48},
		GraphNode:        {77},
		Graph:            {94, 95, 96},
		Mark:             {6, 7, 8, 9, 10, 11, 12, 45, 46, 47},
		JIT:              {102},
	})
)

// kindsBy turns a list of numbers by kind around, for lookups as fast as they
// have to be.
func kindsBy(numbers map[Kind][]int) (by [lastField + 1]Kind) {
	for i := range by {
		by[i] = Kinds
	}
	for k, ns := range numbers {
		for _, n := range ns {
			by[n] = k
		}
	}
	return by
}
