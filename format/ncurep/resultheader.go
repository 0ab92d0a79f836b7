package ncurep

// ResultHeader is the identity of a profiled kernel launch, without what was
// measured.
type ResultHeader struct {
	ThreadID          uint32
	APICallID         uint64
	ProgramHandle     uint64
	KernelID          uint64
	MangledName       string
	FunctionName      string
	DemangledName     string
	WorkDimensions    uint32
	WorkOffset        *Uint64x3
	Grid              *Uint64x3   // "GlobalWorkSize": blocks in the grid
	Block             *Uint64x3   // "LocalWorkSize": threads in a block
	Comments          Opt[string] // never seen
	CreationTime      Opt[uint64]
	Source            *SourceHead // carries the Reference alone
	API               Opt[API]
	UnsupportedDevice Opt[bool]
	ContextID         Opt[uint32]
	StreamID          Opt[uint32]
	Series            *SeriesInfo
	ClockControl      *ClockControl // since 2020.3
	DriverVersion     Opt[float32]  // display driver, 576.40; since 2025.2
	Unknown           Unknown
}

var resultHeaderTable = newTable(func(m *ResultHeader) *Unknown { return &m.Unknown },
	reqInt(1, func(m *ResultHeader) *uint32 { return &m.ThreadID }),
	reqInt(2, func(m *ResultHeader) *uint64 { return &m.APICallID }),
	reqInt(3, func(m *ResultHeader) *uint64 { return &m.ProgramHandle }),
	reqInt(4, func(m *ResultHeader) *uint64 { return &m.KernelID }),
	reqString(5, func(m *ResultHeader) *string { return &m.MangledName }),
	reqString(6, func(m *ResultHeader) *string { return &m.FunctionName }),
	reqString(7, func(m *ResultHeader) *string { return &m.DemangledName }),
	reqInt(8, func(m *ResultHeader) *uint32 { return &m.WorkDimensions }),
	optMessage(9, func(m *ResultHeader) **Uint64x3 { return &m.WorkOffset }),
	optMessage(10, func(m *ResultHeader) **Uint64x3 { return &m.Grid }),
	optMessage(11, func(m *ResultHeader) **Uint64x3 { return &m.Block }),
	optString(12, func(m *ResultHeader) *Opt[string] { return &m.Comments }),
	optInt(14, func(m *ResultHeader) *Opt[uint64] { return &m.CreationTime }),
	optMessage(15, func(m *ResultHeader) **SourceHead { return &m.Source }),
	optInt(16, func(m *ResultHeader) *Opt[API] { return &m.API }),
	optBool(20, func(m *ResultHeader) *Opt[bool] { return &m.UnsupportedDevice }),
	optInt(22, func(m *ResultHeader) *Opt[uint32] { return &m.ContextID }),
	optInt(23, func(m *ResultHeader) *Opt[uint32] { return &m.StreamID }),
	optMessage(24, func(m *ResultHeader) **SeriesInfo { return &m.Series }),
	optMessage(25, func(m *ResultHeader) **ClockControl { return &m.ClockControl }),
	optFloat(35, func(m *ResultHeader) *Opt[float32] { return &m.DriverVersion }),
)

func (*ResultHeader) table() *table[ResultHeader] { return resultHeaderTable }

// Uint64x3 is a size in up to three dimensions.
type Uint64x3 struct {
	X       Opt[uint64]
	Y       Opt[uint64]
	Z       Opt[uint64]
	Unknown Unknown
}

var uint64x3Table = newTable(func(m *Uint64x3) *Unknown { return &m.Unknown },
	optInt(1, func(m *Uint64x3) *Opt[uint64] { return &m.X }),
	optInt(2, func(m *Uint64x3) *Opt[uint64] { return &m.Y }),
	optInt(3, func(m *Uint64x3) *Opt[uint64] { return &m.Z }),
)

func (*Uint64x3) table() *table[Uint64x3] { return uint64x3Table }

// SeriesInfo tells which point of a profile series a result is.
type SeriesInfo struct {
	ID          uint32
	Combination Opt[string]
	Unknown     Unknown
}

var seriesInfoTable = newTable(func(m *SeriesInfo) *Unknown { return &m.Unknown },
	reqInt(1, func(m *SeriesInfo) *uint32 { return &m.ID }),
	optString(2, func(m *SeriesInfo) *Opt[string] { return &m.Combination }),
)

func (*SeriesInfo) table() *table[SeriesInfo] { return seriesInfoTable }

// ClockControl tells whether the profiler held the clocks. Both fields are 1 by
// default ("base") and 0 under --clock-control=none; which is which is not
// known.
type ClockControl struct {
	Field1  Opt[uint32]
	Field2  Opt[uint32]
	Unknown Unknown
}

var clockControlTable = newTable(func(m *ClockControl) *Unknown { return &m.Unknown },
	optInt(1, func(m *ClockControl) *Opt[uint32] { return &m.Field1 }),
	optInt(2, func(m *ClockControl) *Opt[uint32] { return &m.Field2 }),
)

func (*ClockControl) table() *table[ClockControl] { return clockControlTable }

// CallStack is the CPU call stack of the launch, the innermost frame first.
type CallStack struct {
	Frames  []*CallFrame
	Unknown Unknown
}

var callStackTable = newTable(func(m *CallStack) *Unknown { return &m.Unknown },
	repMessage(1, func(m *CallStack) *[]*CallFrame { return &m.Frames }),
)

func (*CallStack) table() *table[CallStack] { return callStackTable }

// CallFrame is one frame of a [CallStack].
type CallFrame struct {
	Module   Opt[string]
	Address  Opt[uint64]
	File     Opt[string]
	Function Opt[string]
	Line     Opt[uint32]
	Unknown  Unknown
}

var callFrameTable = newTable(func(m *CallFrame) *Unknown { return &m.Unknown },
	optString(1, func(m *CallFrame) *Opt[string] { return &m.Module }),
	optInt(2, func(m *CallFrame) *Opt[uint64] { return &m.Address }),
	optString(3, func(m *CallFrame) *Opt[string] { return &m.File }),
	optString(4, func(m *CallFrame) *Opt[string] { return &m.Function }),
	optInt(5, func(m *CallFrame) *Opt[uint32] { return &m.Line }),
)

func (*CallFrame) table() *table[CallFrame] { return callFrameTable }

// Comment is a text that a user attached to a section.
type Comment struct {
	ID          *CommentID
	DisplayName string
	Text        string
	Unknown     Unknown
}

var commentTable = newTable(func(m *Comment) *Unknown { return &m.Unknown },
	optMessage(1, func(m *Comment) **CommentID { return &m.ID }),
	reqString(2, func(m *Comment) *string { return &m.DisplayName }),
	reqString(3, func(m *Comment) *string { return &m.Text }),
)

func (*Comment) table() *table[Comment] { return commentTable }

// CommentID names the section that a comment belongs to.
type CommentID struct {
	SectionID string
	Unknown   Unknown
}

var commentIDTable = newTable(func(m *CommentID) *Unknown { return &m.Unknown },
	reqString(1, func(m *CommentID) *string { return &m.SectionID }),
)

func (*CommentID) table() *table[CommentID] { return commentIDTable }

// API is the programming interface that a workload came from.
type API int32

// The interfaces.
const (
	APICUDA API = iota
	APIOpenCL
	APIDirect3D
	APIOpenGL
)

var apiNames = []string{"CUDA", "OpenCL", "Direct3D", "OpenGL"}

func (a API) String() string { return enumName("API", apiNames, a) }

func (u *Uint64x3) array() [3]uint64 {
	if u == nil {
		return [3]uint64{}
	}
	return [3]uint64{u.X.Value, u.Y.Value, u.Z.Value}
}

// XYZ returns a size with all three fields present, as the profiler writes it.
func XYZ(x, y, z uint64) *Uint64x3 { return &Uint64x3{X: Some(x), Y: Some(y), Z: Some(z)} }
