package simlog

import "math"

// Kernel is one kernel launch (or one layer of an accelerator) as the log
// describes it.
type Kernel struct {
	Index int    // position in the log, from 0
	ID    int64  // "-kernel id", else the launch uid, else Index+1
	UID   int64  // "kernel_launch_uid"; 0 where not printed
	Name  string // as printed, usually mangled; "" where not printed
	Path  string // "Processing kernel PATH"

	Grid, Block  [3]int // thread blocks, threads; zero where not printed
	SharedBytes  int64  // "-shmem"
	Registers    int64  // "-nregs", per thread
	Stream       int64  // "-cuda stream id"
	L1Bytes      int64  // "Reconfigure L1 cache to N KB"; 0 where not printed
	HeaderLine   int64  // 0: the accesses came without a header
	TrailerLine  int64  // 0: no trailer, the kernel was cut short
	Cycles       int64  // "gpu_sim_cycle"; 0 without a trailer
	TotalCycles  int64  // "gpu_tot_sim_cycle", at the kernel's end
	Instructions int64  // "gpu_sim_insn"
	SimSeconds   int64  // "gpgpu_simulation_time", at the kernel's end

	// EndCycle is the kernel's end on the clock of its accesses, where the log
	// states it (EndKnown). GPGPU-Sim logs do not: see [Kernel.End].
	EndCycle int64
	EndKnown bool

	// Stats are the statistics printed after the kernel, as printed: most of
	// them count from the start of the run. Delta holds the kernel's own share.
	Stats Stats
	Delta Stats
}

// Complete reports whether the log holds the kernel's trailer.
func (k *Kernel) Complete() bool { return k.TrailerLine > 0 || k.EndKnown }

// Clock tells how the cycles of a kernel's accesses count.
type Clock uint8

// The clocks.
const (
	PerKernel  Clock = iota // from the kernel's start
	Global                  // from the start of the run
	ClockUnfit              // beyond the kernel's end by either count
)

// String names the clock.
func (c Clock) String() string {
	return [...]string{"per kernel", "global", "beyond the kernel's end"}[min(c, ClockUnfit)]
}

// End returns the kernel's end on the clock of its accesses, and which clock
// that is, given the first and last cycle of any access. GainSight numbers
// cycles per kernel while GPGPU-Sim's own trace lines print the cycles of the
// whole run; an access beyond gpu_sim_cycle can only be of the second kind, one
// before the kernel's start only of the first. Where both are possible, hint
// (what the kernels before it used) decides. Without a trailer, or when neither
// count fits, the last access is the end.
func (k *Kernel) End(first, last int64, hint Clock) (int64, Clock) {
	if k.EndKnown {
		return max(k.EndCycle, last), hint
	}
	if k.Cycles <= 0 {
		return last, hint
	}
	perKernel := last <= k.Cycles
	global := last <= k.TotalCycles && first >= k.TotalCycles-k.Cycles
	switch {
	case global && (!perKernel || hint == Global):
		return k.TotalCycles, Global
	case perKernel:
		return k.Cycles, PerKernel
	}
	return last, ClockUnfit
}

// Stat is one number of the simulator's own statistics.
type Stat struct {
	Name  string  // as printed, with "[core].Access" forms for its lists
	Value float64 // NaN where the simulator printed nan
	Unit  string  // what followed the number: "%", "GB/Sec"
}

// Stats is a list of statistics in the order printed.
type Stats []Stat

// Get returns the value of the named statistic and whether it is there.
func (s Stats) Get(name string) (float64, bool) {
	for i := range s {
		if s[i].Name == name {
			return s[i].Value, true
		}
	}
	return math.NaN(), false
}

// sub returns what was added since an earlier state of the same run: counters
// are subtracted, per-kernel values are taken as they are, and ratios, maxima
// and rates of the whole run, which cannot be differenced, are left out.
func (s Stats) sub(earlier Stats) Stats {
	before := make(map[string]float64, len(earlier))
	for _, e := range earlier {
		before[e.Name] = e.Value
	}
	out := make(Stats, 0, len(s))
	for _, st := range s {
		switch classify(st.Name) {
		case perKernel:
			out = append(out, st)
		case counter:
			st.Value -= before[st.Name]
			out = append(out, st)
		}
	}
	return out
}
