package lifetime

import "github.com/gpuprof/gpuprof/format/simlog"

// KernelResult is what [Run] found out about one kernel.
type KernelResult struct {
	Kernel *simlog.Kernel
	Clock  simlog.Clock // how its cycles count
	First  int64        // cycles of its first and last access
	Last   int64
	EndAt  int64 // the cycle at which open lifetimes were closed

	// Cycles is how long the kernel ran: what the log says or, without a trailer,
	// what its accesses span.
	Cycles int64

	// Spilled tells that the kernel's blocks did not fit into memory. Nothing is
	// less exact for it, but the order of its rows is another.
	Spilled bool

	// Levels are the memory levels it accessed, by [simlog.LevelID]. Their
	// distributions are valid during the call of Sink.End only.
	Levels []LevelResult
}

// level returns the result for a level by name, nil if it was not accessed.
func (r *KernelResult) level(name string) *LevelResult {
	for i := range r.Levels {
		if r.Levels[i].Name == name {
			return &r.Levels[i]
		}
	}
	return nil
}

// LevelResult is what happened in one memory level during one kernel.
type LevelResult struct {
	ID    simlog.LevelID
	Name  string
	Units []uint16 // the instances that were accessed: SMs of an L1

	Loads, Stores, Unknown int64 // accesses by kind; retries do not count
	Retries                int64 // RESERVATION_FAIL lines
	ByStatus               [8]int64

	Unique    int64         // blocks accessed, in each unit
	Lifetimes *Distribution // in cycles
	// Reuse counts lifetimes by the number of reads behind the access that began
	// them; the last counts seven and more. Reuse[0] was never read again.
	Reuse [8]int64

	Rewritten int64 // lifetimes ended by a store
	Refilled  int64 // lifetimes ended by a fill: the block had been evicted
	Open      int64 // lifetimes that lasted to the kernel's end
	Merged    int64 // misses that waited for an earlier one
	Inherited int64 // blocks whose first access hit: older than the kernel, counted from that access on
	Backward  int64 // lifetimes cut to zero since cycles fell
}

// accesses is the number of accesses, retries left out.
func (l *LevelResult) accesses() int64 { return l.Loads + l.Stores + l.Unknown }

// reads is the number of accesses that are not known to be stores.
func (l *LevelResult) reads() int64 { return l.Loads + l.Unknown }

// neverReused is the share of lifetimes, in [0, 1], that nothing read again.
func (l *LevelResult) neverReused() float64 { return float64(l.Reuse[0]) / float64(l.Lifetimes.N()) }

// take adds a shard's counts.
func (l *LevelResult) take(t *tallies) {
	l.Unique += t.unique
	for i, n := range t.reuse {
		l.Reuse[i] += n
	}
	l.Rewritten += t.rewritten
	l.Refilled += t.refilled
	l.Open += t.open
	l.Merged += t.merged
	l.Inherited += t.inherited
	l.Backward += t.backward
}
