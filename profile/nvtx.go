package profile

import "github.com/gpuprof/gpuprof/profile/metric"

// DefaultDomain is the name that the NVTX default domain goes by.
const DefaultDomain = "<default domain>"

// An NvtxState is the set of NVTX ranges that were open when an action was
// launched.
type NvtxState struct {
	ThreadID uint32 // the launching thread, whose stacks PushPop holds
	Domains  []NvtxDomain
}

// An NvtxDomain is the state of one domain.
type NvtxDomain struct {
	ID       uint64
	Name     string
	PushPop  []NvtxRange // stack of the launching thread, outermost first
	StartEnd []NvtxRange // ranges of the process, in file order
}

// An NvtxRange is an open range.
type NvtxRange struct {
	ID       uint64 // of a start/end range
	Name     string
	Category uint32
	Color    uint32 // 0xAARRGGBB
	HasColor bool
	Message  string
	MsgKind  NvtxMessageKind
	Payload  metric.Value
	PayKind  NvtxPayloadKind
	Signed   int64 // the payload where PayKind is a signed integer
	ThreadID uint32
}

// NvtxMessageKind is the encoding of a range's message.
type NvtxMessageKind uint8

// The message kinds with their numbers in reports.
const (
	NvtxMessageNone       NvtxMessageKind = 0
	NvtxMessageASCII      NvtxMessageKind = 1
	NvtxMessageUnicode    NvtxMessageKind = 2
	NvtxMessageRegistered NvtxMessageKind = 3
)

// NvtxPayloadKind is the type of a range's payload.
type NvtxPayloadKind uint8

// The payload kinds with their numbers in reports.
const (
	NvtxPayloadNone   NvtxPayloadKind = 0
	NvtxPayloadUint64 NvtxPayloadKind = 1
	NvtxPayloadInt64  NvtxPayloadKind = 2
	NvtxPayloadDouble NvtxPayloadKind = 3
	NvtxPayloadUint32 NvtxPayloadKind = 4
	NvtxPayloadInt32  NvtxPayloadKind = 5
	NvtxPayloadFloat  NvtxPayloadKind = 6
)

// HasRanges reports whether any range is open: tools before 2022 write a state
// for every launch, in the main an empty one.
func (s *NvtxState) HasRanges() bool {
	if s != nil {
		for i := range s.Domains {
			if len(s.Domains[i].PushPop)+len(s.Domains[i].StartEnd) > 0 {
				return true
			}
		}
	}
	return false
}
