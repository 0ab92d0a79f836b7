package nvtxt

import "fmt"

// EventType is the eventType of a row in the NVTX_EVENTS table of Nsight
// Systems.
type EventType uint8

// The types that annotations from text files have.
const (
	TypeCategory      EventType = 64 // NvtxtCategory: the name of a category
	TypeMarker        EventType = 65 // NvtxtMark
	TypePushPopRange  EventType = 70 // NvtxtPushPopRange
	TypeStartEndRange EventType = 71 // NvtxtStartEndRange
	TypeThread        EventType = 72 // NvtxtThread: the name of a thread
	TypeProcess       EventType = 73 // NvtxtProcess: the name of a process
	TypeFile          EventType = 74 // NvtxtFile: the display name of a file
)

// String returns a word for tables, such as "marker".
func (t EventType) String() string {
	switch t {
	case TypeCategory:
		return "category"
	case TypeMarker:
		return "marker"
	case TypePushPopRange:
		return "push/pop range"
	case TypeStartEndRange:
		return "start/end range"
	case TypeThread:
		return "thread"
	case TypeProcess:
		return "process"
	case TypeFile:
		return "file"
	}
	return fmt.Sprintf("EventType(%d)", uint8(t))
}

// Native returns the type that the same annotation has when a program makes
// it through the NVTX API; 0 if there is none.
func (t EventType) Native() uint8 {
	switch t {
	case TypeCategory:
		return 33
	case TypeMarker:
		return 34
	case TypeThread:
		return 39
	case TypePushPopRange:
		return 59
	case TypeStartEndRange:
		return 60
	}
	return 0
}

// Event is a marker or a range of the timeline.
type Event struct {
	Type    EventType
	Start   int64 // ns
	End     int64 // ns; Start for a marker
	Process uint32
	Thread  uint32

	Text     string
	Color    uint32 // ARGB; writers often leave the alpha byte 0 and mean an opaque colour
	Category uint32
	Payload  Payload
	ID       int64 // of RangeStart and RangeEnd

	HasColor    bool
	HasCategory bool
	HasID       bool
	// Open marks a range that nothing ends. In Guide it ends with the session;
	// in Nsys its End is the largest int64.
	Open bool
	Line int // of the call that begins it
}

// writable reports whether e is a marker or a range.
func (e *Event) writable() bool {
	return e.Type == TypeMarker || e.Type == TypePushPopRange || e.Type == TypeStartEndRange
}
