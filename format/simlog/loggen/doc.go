// Package loggen writes simulator logs that look like real ones, of any size and
// always the same for the same options. Benchmarks, tests and the measured
// figures in the documentation are made on them, since real logs of a gigabyte
// take a cycle simulator hours.
//
// What is imitated, because a reader's speed and correctness depend on it: cycles
// that count from each kernel's start and begin near 5,000; several accesses a
// cycle, one for each bank; addresses that fall within a warp's access; streaming,
// tiled, gathering and skewed kernels; retries (RESERVATION_FAIL) every cycle
// while too many misses are under way; misses that join an outstanding one and are
// printed as MISS; L2 accesses 110 to 165 cycles behind the L1 miss that causes
// them, among many more of the other SMs, which have no L1 lines; the trailer with
// counters that add up from kernel to kernel; noise between the lines.
//
// The caches behind it are direct-mapped and tiny models, not a simulator: the
// statistics agree with the lines, but say nothing about any machine.
package loggen
