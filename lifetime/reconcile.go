package lifetime

import (
	"fmt"

	"github.com/gpuprof/gpuprof/format/simlog"
)

// Check compares a count of ours with the simulator's own.
type Check struct {
	What      string // "L2 accesses"
	Counted   int64  // from the access lines
	Simulator int64  // from the statistics behind the kernel
	Statistic string // their names
}

// Equal reports whether the two agree.
func (c Check) Equal() bool { return c.Counted == c.Simulator }

// String prints "L2 accesses: 162560 counted = L2_total_cache_accesses" or by how
// much they differ.
func (c Check) String() string {
	if c.Equal() {
		return fmt.Sprintf("%s: %d counted = %s", c.What, c.Counted, c.Statistic)
	}
	return fmt.Sprintf("%s: %d counted, %s = %d, difference %+d", c.What, c.Counted, c.Statistic, c.Simulator, c.Counted-c.Simulator)
}

// reconcile compares a kernel's counts with the statistics that GPGPU-Sim and
// Accel-Sim print behind it. It compares nothing where they were not printed.
//
// A lookup that joins an outstanding miss is a pending hit to the simulator and
// no miss; it is printed as a MISS in the log. Misses and pending hits therefore
// agree only if the merge window tells the two apart rightly.
func (r *KernelResult) reconcile() []Check {
	var checks []Check
	for i := range r.Levels {
		l := &r.Levels[i]
		switch l.ID {
		case simlog.L2:
			checks = append(checks, r.compare(l, "L2_total_cache_", []string{"L2_total_cache_"}, [4]string{"accesses", "misses", "pending_hits", "reservation_fails"})...)
		case simlog.L1:
			var cores []string
			for _, u := range l.Units {
				cores = append(cores, fmt.Sprintf("L1D_cache_core[%d].", u))
			}
			name := "L1D_cache_core[...]."
			if len(cores) == 1 {
				name = cores[0]
			}
			checks = append(checks, r.compare(l, name, cores, [4]string{"Access", "Miss", "Pending_hits", "Reservation_fails"})...)
		}
	}
	return checks
}

func (r *KernelResult) compare(l *LevelResult, name string, prefixes []string, suffix [4]string) []Check {
	ours := [4]int64{l.accesses(), l.misses() - l.Merged, l.Merged + l.ByStatus[simlog.HitReserved] + l.ByStatus[simlog.MSHRHit], l.Retries}
	what := [4]string{"accesses", "misses", "pending hits", "retries"}
	var checks []Check
	for i := range ours {
		sum, all := 0.0, true
		for _, p := range prefixes {
			v, ok := r.Kernel.Delta.Get(p + suffix[i])
			sum += v
			all = all && ok
		}
		if all {
			checks = append(checks, Check{What: l.Name + " " + what[i], Counted: ours[i], Simulator: int64(sum), Statistic: name + suffix[i]})
		}
	}
	return checks
}

// misses is the number of accesses printed as MISS or SECTOR_MISS.
func (l *LevelResult) misses() int64 {
	return l.ByStatus[simlog.Miss] + l.ByStatus[simlog.SectorMiss]
}
