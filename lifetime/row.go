package lifetime

import "github.com/gpuprof/gpuprof/format/simlog"

// Row is one lifetime.
type Row struct {
	Addr   uint64 // first byte of the block
	Cycles int64  // how long the data lived
	order  uint64 // sequence number it is sorted by, and above it the space
}

// Level is the memory level the data lived in.
func (r *Row) Level() simlog.LevelID { return simlog.LevelID(r.order >> seqBits & 63) }

// Unit is the instance of the level, such as the SM of an L1.
func (r *Row) Unit() uint16 { return uint16(r.order >> (seqBits + 6)) }

// spaceOf packs level and unit of an access as [entry] keeps them.
func spaceOf(i simlog.Info) uint64 {
	return uint64(i>>5&63) | uint64(i>>16&0xffff)<<6
}

// Sink receives the results of [Run] kernel by kernel: Begin, any number of Rows,
// End. The rows of a kernel come in the order in which the lifetimes end; those
// that are open at the kernel's end follow in the order in which they began. A
// kernel whose blocks had to go through temporary files ([KernelResult.Spilled])
// has its rows in another order. The slice is valid during the call only.
type Sink interface {
	Begin(k *simlog.Kernel) error
	Rows(rows []Row) error
	End(r *KernelResult) error
}

// Discard is a Sink that wants nothing.
type Discard struct{}

// Begin does nothing.
func (Discard) Begin(*simlog.Kernel) error { return nil }

// Rows does nothing.
func (Discard) Rows([]Row) error { return nil }

// End does nothing.
func (Discard) End(*KernelResult) error { return nil }
