package torchmem

import "github.com/gpuprof/gpuprof/format/internal/column"

// A Column is a value for each row: see At and Len.
type Column[T comparable] = column.Column[T]

// An Action is what an event of the allocator was.
type Action uint8

// The actions. Freed stands for free_completed and free.
const (
	Other Action = iota // one that has no name here; see Snapshot.OtherActions
	Alloc
	FreeRequested
	FreeCompleted
	Free // free_requested and free_completed in one
	SegmentAlloc
	SegmentFree
	SegmentMap
	SegmentUnmap
	OOM
	SnapshotTaken
	UserDefined
	Annotate
	WorkspaceSnapshot
)

var actionNames = [...]string{"", "alloc", "free_requested", "free_completed", "free", "segment_alloc", "segment_free", "segment_map", "segment_unmap", "oom",
	"snapshot", "user_defined", "annotate", "workspace_snapshot"}

// String is the word of the file.
func (a Action) String() string { return actionNames[a] }

// Events are what the allocators did, a row each.
type Events struct {
	Action   Column[Action]
	Address  Column[uint64]
	Size     Column[int64]  // bytes asked for, not those of the block
	Stream   Column[uint64] // pointer value
	Time     Column[int64]  // µs since 1970; -1: not told
	Stack    Column[uint32] // into Snapshot.Stacks
	Compile  Column[uint32] // compile_context, into Snapshot.Texts
	Note     Column[uint32] // user_metadata
	Category Column[uint32] // of snapshots made by the profiler
	Word     Column[uint32] // the action where it is Other
	Free     Column[int64]  // device_free of an oom; -1 elsewhere
}

// A Frame is a line of a stack.
type Frame struct {
	File string
	Line uint64 // 64 bits of it: there are C++ frames with line 2^64-1
	Name string
}

// A Block is a part of a segment at the end.
type Block struct {
	Address   uint64
	Size      int64 // rounded
	Requested int64 // bytes asked for; of an inactive block 0
	State     string
	Stack     uint32
	Misplaced bool // the file gives another address than the blocks before it leave
}

// A Segment is a piece of memory that the allocator holds.
type Segment struct {
	Device                              int64
	Address                             uint64
	Total, Allocated, Active, Requested int64 // bytes; -1: not told
	Stream                              uint64
	HasStream                           bool
	Type                                string // small or large; "" not told
	Pool                                [2]int64
	HasPool                             bool
	Expandable                          bool
	Stack                               uint32
	Blocks                              []Block
}

// An Annotation is the beginning or end of a range of the program.
type Annotation struct {
	Name, Stage string
	Device      int64
	Time        int64 // µs since 1970
}

// A Setting is an entry of allocator_settings, its value as text.
type Setting struct{ Name, Value string }

// A Trace is the events of a device, in order: rows of Snapshot.Events.
type Trace struct{ spans []span }

type span struct{ first, n int }

// Len is the number of events.
func (t *Trace) Len() (n int) {
	for _, s := range t.spans {
		n += s.n
	}
	return n
}

// Rows yields the number of each event in the trace and its row.
func (t *Trace) Rows(yield func(i, row int) bool) {
	i := 0
	for _, s := range t.spans {
		for k := range s.n {
			if !yield(i, s.first+k) {
				return
			}
			i++
		}
	}
}

// From is the trace without its first n events.
func (t *Trace) From(n int) Trace {
	var out Trace
	for _, s := range t.spans {
		if skip := min(n, s.n); skip < s.n {
			out.spans = append(out.spans, span{s.first + skip, s.n - skip})
			n = 0
		} else {
			n -= skip
		}
	}
	return out
}

func (t *Trace) add(row int) {
	if k := len(t.spans) - 1; k >= 0 && t.spans[k].first+t.spans[k].n == row {
		t.spans[k].n++
		return
	}
	t.spans = append(t.spans, span{row, 1})
}

// A Snapshot is what a file holds.
type Snapshot struct {
	File        string
	Bytes       int64  // of the pickle, unpacked
	Packed      string // "gzip", "HTML" or ""
	Protocol    int
	ListOnly    bool // the file is the list of segments alone
	Events      Events
	Traces      []Trace // by device; empty where no history was kept
	Segments    []Segment
	Annotations []Annotation
	Settings    []Setting // in the order of the file
	Keys        []string  // further keys of the snapshot

	frames   []Frame
	lines    []uint32 // of all stacks
	stacks   []uint32 // ends in lines; stack 0 is empty
	Texts    []string
	Problems []error
}

// Stacks is the number of different stacks, the empty one among them.
func (s *Snapshot) Stacks() int { return len(s.stacks) }

// Stack calls f with the frames of a stack, innermost first.
func (s *Snapshot) Stack(stack uint32) []Frame {
	from := uint32(0)
	if stack > 0 {
		from = s.stacks[stack-1]
	}
	out := make([]Frame, 0, s.stacks[stack]-from)
	for _, f := range s.lines[from:s.stacks[stack]] {
		out = append(out, s.frames[f])
	}
	return out
}

// Devices is one more than the highest number of a device.
func (s *Snapshot) Devices() int {
	n := len(s.Traces)
	for i := range s.Segments {
		n = max(n, int(s.Segments[i].Device)+1)
	}
	return n
}
