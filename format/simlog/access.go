package simlog

import "fmt"

// Op is what an access does.
type Op uint8

// The kinds of access. OpUnknown is an access whose line does not say, as the
// stock "Probing L2 cache" line of GPGPU-Sim does not.
const (
	OpUnknown Op = iota
	OpLoad
	OpStore
)

// String returns "unknown", "load" or "store".
func (o Op) String() string {
	switch o {
	case OpLoad:
		return "load"
	case OpStore:
		return "store"
	}
	return "unknown"
}

// Status is the outcome of a cache access: the values 0 to 5 are those of
// enum cache_request_status in GPGPU-Sim's gpu-cache.h.
type Status uint8

// The statuses of GPGPU-Sim, and two of our own for logs that state none.
//
// A simulator that prints the value returned by the cache's access function
// shows only Hit, Miss and ReservationFail: an access that joins a miss already
// under way comes back as Miss. The others appear where the probe's answer is
// printed.
const (
	Hit             Status = 0
	HitReserved     Status = 1 // the line is on its way
	Miss            Status = 2
	ReservationFail Status = 3 // no room: the access is tried again next cycle
	SectorMiss      Status = 4 // the line is present, this sector of it is not
	MSHRHit         Status = 5 // joins an outstanding miss
	StatusUnknown   Status = 6 // the log does not say
)

var statusNames = [...]string{"HIT", "HIT_RESERVED", "MISS", "RESERVATION_FAIL", "SECTOR_MISS", "MSHR_HIT", "UNKNOWN"}

// String returns the simulator's own word, such as "RESERVATION_FAIL".
func (s Status) String() string {
	if int(s) < len(statusNames) {
		return statusNames[s]
	}
	return fmt.Sprintf("STATUS_%d", uint8(s))
}

// LevelID numbers a level of the memory hierarchy within one [Source]; its name
// is Source.Levels()[id].
type LevelID uint8

// The levels that every source knows by the same number.
const (
	L1 LevelID = iota // "L1D"
	L2                // "L2"
	firstNamedLevel
)

// MaxLevels bounds the number of levels in one source.
const MaxLevels = 64

// Info packs what an access line says beside cycle and address.
//
//	bits  0-2   status
//	bits  3-4   op
//	bits  5-10  level
//	bits 16-31  unit: which instance of the level (the SM of an L1)
//	bits 32-47  bank: bank, slice or sub partition within it
type Info uint64

// KindBits is the width of the low part of an Info that holds status, op and
// level: Info & (1<<KindBits - 1) indexes a table of counts.
const KindBits = 11

// MakeInfo packs its arguments. Values that are too large lose their high bits.
func MakeInfo(level LevelID, op Op, status Status, unit, bank uint16) Info {
	return Info(status&7) | Info(op&3)<<3 | Info(level&(MaxLevels-1))<<5 | Info(unit)<<16 | Info(bank)<<32
}

// Status is the outcome of the access.
func (i Info) Status() Status { return Status(i & 7) }

// Op is what the access does.
func (i Info) Op() Op { return Op(i >> 3 & 3) }

// Level is where it does it.
func (i Info) Level() LevelID { return LevelID(i >> 5 & (MaxLevels - 1)) }

// Unit is the instance of the level: the SM number of an L1, 0 where the level
// is shared by the whole chip.
func (i Info) Unit() uint16 { return uint16(i >> 16) }

// Bank is the bank, slice or sub partition within the unit.
func (i Info) Bank() uint16 { return uint16(i >> 32) }

// Batch is a run of accesses in the order of the file, column by column, with
// the events between them. A batch belongs to its source: it is valid until the
// next call of Next.
type Batch struct {
	Cycle []int64  // may be negative: SCALE-Sim prefetches before cycle 0
	Addr  []uint64 // byte address; element number in SCALE-Sim traces
	Info  []Info
	Size  []uint32 // bytes of each access; nil where the log does not say

	Events []Event // ordered by At

	FirstLine int64 // number of the first line this batch was read from, from 1
}

// Len is the number of accesses.
func (b *Batch) Len() int { return len(b.Info) }

// EventKind tells the events apart.
type EventKind uint8

// The events.
const (
	KernelStart EventKind = iota + 1
	KernelEnd
)

// Event is something that happens between two accesses.
type Event struct {
	Kind EventKind
	At   int // it happens before access At of the batch (At may equal Len)
	// Kernel is what is known of the kernel. The one of a start event holds the
	// header and is not changed afterwards; the one of the end event is another
	// value with header and trailer.
	Kernel *Kernel
}

// Source is a stream of batches.
type Source interface {
	// Next returns the next batch, or io.EOF after the last. Any other error
	// means that the input broke off; what was sound before it has been returned.
	Next() (*Batch, error)
	// Levels names the levels seen so far, by LevelID.
	Levels() []string
	// Config is what the input says about the machine so far.
	Config() Config
	// Tally counts what was read so far. It is complete after io.EOF.
	Tally() Tally
	// Notes lists what was wrong or doubtful, each kind once.
	Notes() []Note
	// Close releases the input.
	Close() error
}

// Tally counts the lines of an input. Lines = Accesses + Malformed + Other for
// the line formats, where Other includes kernel headers and statistics.
type Tally struct {
	Bytes     int64 // decompressed bytes read
	Lines     int64
	Accesses  int64 // access lines understood, retries included
	Malformed int64 // lines that begin like an access but cannot be one
	Other     int64 // everything else
	Kernels   int64
}

// Note is a finding about the input: something odd, doubtful or left out.
type Note struct {
	Line  int64  // where it was met first; 0 where lines have no meaning
	Count int64  // how often
	Text  string // what was found, and what was done about it
}

// String prints "line N: text (n times)".
func (n Note) String() string {
	s := n.Text
	if n.Line > 0 {
		s = fmt.Sprintf("line %d: %s", n.Line, s)
	}
	if n.Count > 1 {
		s += fmt.Sprintf(" (%d times)", n.Count)
	}
	return s
}
