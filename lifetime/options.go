package lifetime

import (
	"fmt"
	"math/bits"
	"runtime"
)

// End says when a lifetime is over that nothing has overwritten.
type End uint8

// The ends.
const (
	// AtKernelEnd lets data live until it is replaced or the kernel ends: the time
	// a memory has to hold it if nobody knows which read is the last. The numbers
	// of GainSight's guide follow from this rule.
	AtKernelEnd End = iota
	// AtLastRead lets data live until its last read.
	AtLastRead
)

// String returns the name of the command line's value.
func (e End) String() string {
	if e == AtLastRead {
		return "last-read"
	}
	return "kernel"
}

// ParseEnd is the inverse of String.
func ParseEnd(s string) (End, error) {
	switch s {
	case "kernel":
		return AtKernelEnd, nil
	case "last-read":
		return AtLastRead, nil
	}
	return 0, fmt.Errorf("end %q is neither kernel nor last-read", s)
}

// defaultMergeWindow is how long after a fill a further miss may still be one that
// waits for it. Misses that join an outstanding one were seen up to 1,954 cycles
// behind it in a congested L1.
const defaultMergeWindow = 2000

// Options define what a lifetime is, and how it is computed. The zero Options
// are the definition that the package documentation gives.
type Options struct {
	// Block is the granularity in bytes, a power of two. 0 stands for 32, the
	// sector of NVIDIA's caches, and for 1 where addresses count elements.
	Block uint64
	// End says when data dies that nothing replaces.
	End End
	// NoWriteAllocate: a store that misses does not bring its block in, and ends
	// what the block held.
	NoWriteAllocate bool
	// MergeWindow is the number of cycles after a fill within which a miss on the
	// same block, with no hit between, is taken to wait for that fill. 0 stands
	// for DefaultMergeWindow; negative: every miss is a fill.
	MergeWindow int64

	// Jobs is how many cores to use; 0 stands for all. With 1 everything happens on
	// the caller's goroutine.
	Jobs int
	// Shards is how many tables the blocks are spread over, each with a goroutine;
	// 0 stands for half of Jobs, as reading the log and writing lifetimes take the
	// other half. Results do not depend on it.
	Shards int
	// TableBytes bounds the memory for the blocks of one kernel; where it does not
	// suffice the rest goes through temporary files. 0 stands for 96 MiB.
	TableBytes int64
	// TempDir is where those files are made; "" stands for the system's place.
	TempDir string
}

const maxShards = 16

func (o Options) withDefaults(elements bool) (Options, error) {
	if o.Block == 0 {
		o.Block = 32
		if elements {
			o.Block = 1
		}
	}
	if bits.OnesCount64(o.Block) != 1 || o.Block > 1<<20 {
		return o, fmt.Errorf("block size %d is no power of two up to 1 MiB", o.Block)
	}
	if o.MergeWindow == 0 {
		o.MergeWindow = defaultMergeWindow
	}
	if o.Jobs <= 0 {
		o.Jobs = runtime.GOMAXPROCS(0)
	}
	if o.Shards <= 0 {
		o.Shards = max(o.Jobs/2, 1)
	}
	o.Shards = 1 << (bits.Len(uint(min(o.Shards, maxShards))) - 1)
	if o.TableBytes <= 0 {
		o.TableBytes = 96 << 20
	}
	return o, nil
}
