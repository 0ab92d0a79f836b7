// Package ncurep reads and writes Nsight Compute reports (.ncu-rep,
// .nsight-cuprof-report, .ncu-repz).
package ncurep
