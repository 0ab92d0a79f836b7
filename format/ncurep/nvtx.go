package ncurep

// NvtxState is the state of the NVTX ranges when the kernel was launched. Tools
// before 2022 write one for every result, mostly without ranges.
type NvtxState struct {
	Domains         []*NvtxDomain         `ncu:"1"`
	Threads         []*NvtxThread         `ncu:"2"`
	StartEndDomains []*NvtxStartEndDomain `ncu:"3"`
	DefaultDomain   Opt[uint64]           `ncu:"4"`
	Unknown         Unknown
}

// NvtxDomain names a domain and what is registered in it.
type NvtxDomain struct {
	ID         uint64           `ncu:"1"`
	Name       string           `ncu:"2"` // "<default domain>"
	Strings    []*NvtxString    `ncu:"3"`
	NameTables []*NvtxNameTable `ncu:"4"`
	Unknown    Unknown
}

// NvtxString is a registered string, or a name given to a handle.
type NvtxString struct {
	ID      uint64 `ncu:"1"`
	Value   string `ncu:"2"`
	Unknown Unknown
}

// NvtxNameTable holds the names given to handles of one family.
type NvtxNameTable struct {
	Family   nvtxNameFamily `ncu:"1"`
	Mappings []*NvtxString  `ncu:"2"`
	Unknown  Unknown
}

// NvtxThread is the push/pop state of one thread. The thread that launched the
// kernel is the one whose TID is the ThreadID of the result.
type NvtxThread struct {
	TID     uint32               `ncu:"1"`
	Domains []*NvtxPushPopDomain `ncu:"2"`
	Unknown Unknown
}

// NvtxPushPopDomain is the stack of ranges of a thread in a domain, the
// outermost first.
type NvtxPushPopDomain struct {
	ID      uint64              `ncu:"1"`
	Stack   []*NvtxPushPopRange `ncu:"3"`
	Unknown Unknown
}

// NvtxPushPopRange is a range pushed and not popped yet.
type NvtxPushPopRange struct {
	Name          string          `ncu:"1"`
	Attributes    *NvtxAttributes `ncu:"2"`
	LastAPICallID Opt[uint64]     `ncu:"3"`
	Unknown       Unknown
}

// NvtxStartEndDomain holds the open start/end ranges of a domain.
type NvtxStartEndDomain struct {
	ID      uint64               `ncu:"1"`
	Ranges  []*NvtxStartEndRange `ncu:"3"`
	Unknown Unknown
}

// NvtxStartEndRange is a range started and not ended yet.
type NvtxStartEndRange struct {
	ID            uint64          `ncu:"1"`
	Name          string          `ncu:"2"`
	Attributes    *NvtxAttributes `ncu:"3"`
	LastAPICallID Opt[uint64]     `ncu:"4"`
	StartTID      Opt[uint32]     `ncu:"5"`
	Unknown       Unknown
}

// NvtxAttributes are the event attributes given with a range.
type NvtxAttributes struct {
	Version  uint32       `ncu:"1"`
	Category uint32       `ncu:"2"`
	Color    *NvtxColor   `ncu:"3"`
	Payload  *NvtxPayload `ncu:"4"`
	Message  *NvtxMessage `ncu:"5"`
	Unknown  Unknown
}

// NvtxColor is the color of a range.
type NvtxColor struct {
	Type    ColorType   `ncu:"1"`
	Color   Opt[uint32] `ncu:"2"` // ARGB
	Unknown Unknown
}

// NvtxPayload is the number given with a range; Type tells which field holds
// it.
type NvtxPayload struct {
	Type    NvtxPayloadType `ncu:"1"`
	Uint64  Opt[uint64]     `ncu:"2"`
	Int64   Opt[int64]      `ncu:"3"`
	Double  Opt[float64]    `ncu:"4"`
	Uint32  Opt[uint32]     `ncu:"5"`
	Int32   Opt[int32]      `ncu:"6"`
	Float   Opt[float32]    `ncu:"7"`
	Unknown Unknown
}

// NvtxMessage is the text of a range, or the handle of a registered string.
type NvtxMessage struct {
	Type    NvtxMessageType `ncu:"1"`
	Text    Opt[string]     `ncu:"2"`
	Handle  Opt[uint64]     `ncu:"3"`
	Unknown Unknown
}

// NvtxPayloadType is the type of a payload.
type NvtxPayloadType int32

// The payload types.
const (
	nvtxPayloadUnknown NvtxPayloadType = iota
	nvtxPayloadUint64
	nvtxPayloadInt64
	nvtxPayloadDouble
	nvtxPayloadUint32
	nvtxPayloadInt32
	nvtxPayloadFloat
)

// NvtxMessageType is the form of a message.
type NvtxMessageType int32

// The message forms.
const (
	nvtxMessageUnknown NvtxMessageType = iota
	nvtxMessageASCII
	nvtxMessageUnicode
	nvtxMessageRegistered
)

// nvtxNameFamily is what a name table gives names to: 1 categories, 2 threads,
// 3 to 6 CUDA devices, contexts, streams and events, 7 to 14 (without 9) OpenCL
// objects, 15 to 17 CUDA runtime devices, streams and events.
type nvtxNameFamily int32

// hasRanges reports whether any range was open.
func (s *NvtxState) hasRanges() bool {
	if s == nil {
		return false
	}
	for _, t := range s.Threads {
		for _, d := range t.Domains {
			if len(d.Stack) > 0 {
				return true
			}
		}
	}
	for _, d := range s.StartEndDomains {
		if len(d.Ranges) > 0 {
			return true
		}
	}
	return false
}
