package ncurep

// ResultHeader is the identity of a profiled kernel launch, without what was
// measured.
type ResultHeader struct {
	ThreadID          uint32        `ncu:"1"`
	APICallID         uint64        `ncu:"2"`
	ProgramHandle     uint64        `ncu:"3"`
	KernelID          uint64        `ncu:"4"`
	MangledName       string        `ncu:"5"`
	FunctionName      string        `ncu:"6"`
	DemangledName     string        `ncu:"7"`
	WorkDimensions    uint32        `ncu:"8"`
	WorkOffset        *Uint64x3     `ncu:"9"`
	Grid              *Uint64x3     `ncu:"10"` // "GlobalWorkSize": blocks in the grid
	Block             *Uint64x3     `ncu:"11"` // "LocalWorkSize": threads in a block
	Comments          Opt[string]   `ncu:"12"` // never seen
	CreationTime      Opt[uint64]   `ncu:"14"`
	Source            *SourceHead   `ncu:"15"` // carries the Reference alone
	API               Opt[API]      `ncu:"16"`
	UnsupportedDevice Opt[bool]     `ncu:"20"`
	ContextID         Opt[uint32]   `ncu:"22"`
	StreamID          Opt[uint32]   `ncu:"23"`
	Series            *SeriesInfo   `ncu:"24"`
	ClockControl      *ClockControl `ncu:"25"` // since 2020.3
	DriverVersion     Opt[float32]  `ncu:"35"` // display driver, 576.40; since 2025.2
	Unknown           Unknown
}

// Uint64x3 is a size in up to three dimensions.
type Uint64x3 struct {
	X       Opt[uint64] `ncu:"1"`
	Y       Opt[uint64] `ncu:"2"`
	Z       Opt[uint64] `ncu:"3"`
	Unknown Unknown
}

// SeriesInfo tells which point of a profile series a result is.
type SeriesInfo struct {
	ID          uint32      `ncu:"1"`
	Combination Opt[string] `ncu:"2"`
	Unknown     Unknown
}

// ClockControl tells whether the profiler held the clocks. Both fields are 1 by
// default ("base") and 0 under --clock-control=none; which is which is not
// known.
type ClockControl struct {
	Field1  Opt[uint32] `ncu:"1"`
	Field2  Opt[uint32] `ncu:"2"`
	Unknown Unknown
}

// CallStack is the CPU call stack of the launch, the innermost frame first.
type CallStack struct {
	Frames  []*callFrame `ncu:"1"`
	Unknown Unknown
}

// callFrame is one frame of a [CallStack].
type callFrame struct {
	Module   Opt[string] `ncu:"1"`
	Address  Opt[uint64] `ncu:"2"`
	File     Opt[string] `ncu:"3"`
	Function Opt[string] `ncu:"4"`
	Line     Opt[uint32] `ncu:"5"`
	Unknown  Unknown
}

// Comment is a text that a user attached to a section.
type Comment struct {
	ID          *commentID `ncu:"1"`
	DisplayName string     `ncu:"2"`
	Text        string     `ncu:"3"`
	Unknown     Unknown
}

// commentID names the section that a comment belongs to.
type commentID struct {
	SectionID string `ncu:"1"`
	Unknown   Unknown
}

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
