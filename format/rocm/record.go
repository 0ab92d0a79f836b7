package rocm

// A Process is one run of a program, or what stands for it: the files of a prefix,
// a GUID of a database. Numbers of dispatches, calls and agents are its own, so
// that records name their process by its index in [Session.Processes].
type Process struct {
	Name    string // prefix of its files, or GUID; "" where there is only one
	PID     uint64 // 0 where not told
	Host    string // "" where not told
	Command string
	Pass    bool // of several runs that measured other counters of the same kernels
}

// An Agent is a CPU or a GPU.
type Agent struct {
	Process int
	ID      uint64 // as dispatches and copies name it
	Index   int    // among the agents of its type; -1 where not told
	GPU     bool
	Name    string // architecture, such as gfx942
	Product string
	CUs     uint32
	Wave    uint32 // work-items of a wavefront
	LDS     uint32 // Kbyte of a compute unit
	Clock   uint32 // highest, in MHz
}

// A Dispatch is one run of a kernel. Times are in ns.
type Dispatch struct {
	Process     int
	ID          uint64
	Kernel      string
	Agent       uint64
	Queue       uint64
	Stream      uint64
	PID, TID    uint64
	Correlation uint64    // of the call that caused it
	Start, End  uint64    // 0 where not told
	Time        float64   // its duration where it is no whole number, as medians of several runs are; 0: End - Start
	Grid        [3]uint64 // in work-items
	Group       [3]uint64
	LDS         int64 // bytes; -1 where not told, as are the others
	Scratch     int64 // bytes of a work-item
	VGPRs       int64
	AGPRs       int64
	SGPRs       int64
	Wave        uint64 // work-items of a wavefront; 0 where not told
}

// Duration is how long the dispatch took, in ns; 0 where that is not told.
func (d *Dispatch) Duration() float64 {
	switch {
	case d.Time != 0:
		return d.Time
	case d.End > d.Start:
		return float64(d.End - d.Start)
	}
	return 0
}

// A Call is a call of an API.
type Call struct {
	Process     int
	Domain      string // HIP_RUNTIME_API, HSA_CORE_API, …; "" where not told
	Name        string
	Args        string // name=value, …
	PID, TID    uint64
	Correlation uint64
	Start, End  uint64
}

// A Range is a marker of the application: a stretch of time, or a point in it.
type Range struct {
	Process     int
	Domain      string
	Text        string
	PID, TID    uint64
	Correlation uint64
	Start, End  uint64
	Mark        bool // a point in time
	Free        bool // begun and ended anywhere (start, stop), not nested in a thread (push, pop)
}

// A Copy is a copy between memories, or a fill.
type Copy struct {
	Process     int
	Direction   string // MEMORY_COPY_HOST_TO_DEVICE, CopyHostToDevice, …
	From, To    uint64 // agents
	Bytes       int64  // -1 where not told
	PID         uint64
	Queue       uint64
	Stream      uint64
	Correlation uint64
	Start, End  uint64
}

// An Allocation is of memory, or its end.
type Allocation struct {
	Process     int
	Operation   string // ALLOC, FREE, REALLOC, RECLAIM
	Level       string // REAL, VIRTUAL, SCRATCH
	Agent       uint64
	HasAgent    bool
	Bytes       int64
	Address     uint64
	PID, TID    uint64
	Correlation uint64
	Start, End  uint64
}

// A Counter is a value of a performance counter for one dispatch.
type Counter struct {
	Dispatch uint64 // ID of the dispatch
	Name     string
	Value    float64
	Process  int
	File     string // that it comes from where a name means another thing in each: SQ_LEVEL_WAVES, …
}

// A Monitor is a value of something watched over time.
type Monitor struct {
	Process    int
	Device     string // Vendor-neutral: GPU, CPU, …
	ID         uint64 // of the device
	Name       string
	Start, End uint64 // ns; End 0: a point in time
	Value      float64
}

// A Total is a line of a statistics file; times are in ns.
type Total struct {
	Name  string
	Calls uint64
	Sum   float64
}

// A Sample is one of the program counter of a wavefront.
type Sample struct {
	Process     int
	Time        uint64
	Exec        uint64 // mask of the lanes
	Dispatch    uint64
	Correlation uint64
	Instruction string
	Source      string // file:line; "" where not told
	Issued      bool   // it issued an instruction; else Stall says why not
	Type        string // of the instruction
	Stall       string
	Waves       uint64 // on the compute unit
}

// An Instruction is a line of the code that a thread trace or samples tell about.
// Cycles are sums over the waves that were looked at.
type Instruction struct {
	CodeObject                 int64
	Address                    uint64
	Line                       int64 // its number in the listing
	Text                       string
	Source                     string // file:line, or the function's name at its begin
	Hits, Latency, Stall, Idle uint64
	Issued, Stalled            uint64 // samples
	Reasons                    string // why samples were stalled
}

// A Wave is a wavefront that a thread trace followed. Times are in cycles of the
// shader clock.
type Wave struct {
	Engine, SIMD, Slot, ID, CU uint64
	Begin, End                 uint64
	Instructions               int
	Stall                      uint64 // cycles
}

// A Fact is something that a file tells about a run.
type Fact struct {
	Of    string // what it is about: "system", "roofline of device 0"
	Name  string
	Value string
}

// Kept is a cell of a column that is not known.
type Kept struct {
	Row    int // of the file, from 1
	Column string
	Value  string
}
