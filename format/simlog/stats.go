package simlog

import (
	"bytes"
	"math"
	"strconv"
	"strings"
)

// statClass says how a statistic accumulates from kernel to kernel.
type statClass uint8

const (
	snapshot  statClass = iota // a ratio, maximum or rate of the run so far
	counter                    // counts from the start of the run
	perKernel                  // starts again with each kernel
)

// perKernelStats start again with each kernel; Accel-Sim's own statistics script
// treats the first three so, the rest follows from how gpu-sim.cc prints them.
var perKernelStats = map[string]bool{
	"gpu_ipc": true, "gpu_occupancy": true, "L2_BW": true,
	"gpu_sim_cycle": true, "gpu_sim_insn": true,
	"partiton_level_parallism": true, "partiton_level_parallism_util": true,
	"kernel_launch_uid": true, "kernel_stream_id": true,
}

var counterPrefixes = []string{
	"L1I_total_cache_", "L1D_total_cache_", "L1C_total_cache_", "L1T_total_cache_", "L2_total_cache_",
	"Total_core_cache_", "L2_cache_stats_breakdown", "L2_cache_fail_stats_breakdown", "L2_total_cache_reservation",
	"L1D_cache_core[", "L2_cache_bank[",
	"gpu_tot_sim_", "gpu_tot_issued_cta", "gpgpu_n_", "total dram ", "gpgpu_simulation_time",
}

// classify follows the names, since the simulator does not say.
func classify(name string) statClass {
	if perKernelStats[name] {
		return perKernel
	}
	if strings.HasSuffix(name, "_rate") || strings.HasSuffix(name, "_util") {
		return snapshot
	}
	for _, p := range counterPrefixes {
		if strings.HasPrefix(name, p) {
			return counter
		}
	}
	return snapshot
}

// maxStats bounds the statistics kept of one kernel.
const maxStats = 1 << 14

// statTable collects the statistics of one kernel. Many names come once for each
// memory channel, and nothing on the line tells which; only the first is kept.
type statTable struct {
	list Stats
	seen map[string]struct{}
}

func newStatTable() *statTable { return &statTable{seen: map[string]struct{}{}} }

func (t *statTable) add(name string, value float64, unit string) {
	if _, dup := t.seen[name]; dup || len(t.list) >= maxStats {
		return
	}
	t.seen[name] = struct{}{}
	t.list = append(t.list, Stat{Name: name, Value: value, Unit: unit})
}

// line takes a line of the statistics block: "NAME = VALUE[UNIT]", or a list
// "NAME[i]: Access = 1, Miss = 2". Lines of any other form are left alone.
func (t *statTable) line(b []byte) {
	b = bytes.TrimSpace(b)
	if head, list, ok := bytes.Cut(b, []byte("]: ")); ok && bytes.IndexByte(head, '=') < 0 {
		base := string(head) + "]."
		for _, item := range bytes.Split(list, []byte(", ")) {
			if name, v, unit, ok := splitStat(item); ok {
				t.add(base+name, v, unit)
			}
		}
		return
	}
	if name, v, unit, ok := splitStat(b); ok {
		t.add(name, v, unit)
	}
}

// splitStat reads "NAME = VALUE UNIT". The simulator prints nan, -nan and inf
// where it divides by zero.
func splitStat(b []byte) (name string, v float64, unit string, ok bool) {
	n, rest, found := bytes.Cut(b, []byte("="))
	if !found {
		return
	}
	n, rest = bytes.TrimSpace(n), bytes.TrimSpace(rest)
	if len(n) == 0 || len(n) > 128 || len(rest) == 0 {
		return
	}
	number := rest
	if k := bytes.IndexAny(rest, " %\t"); k >= 0 {
		number = rest[:k]
		unit = string(bytes.TrimSpace(rest[k:]))
	}
	if len(number) > 40 || len(unit) > 32 {
		return
	}
	v, err := strconv.ParseFloat(string(bytes.TrimPrefix(number, []byte("-"))), 64)
	if err != nil {
		return
	}
	if number[0] == '-' && !math.IsNaN(v) {
		v = -v
	}
	return string(n), v, unit, true
}
