// Package metric knows what a profile's metric names mean and how their
// values are printed.
//
// A report of Nsight Compute stores a value under a name such as
// sm__inst_executed.avg.per_cycle_active and nothing else: no unit, no type,
// no rollup. [Split] takes a name apart, [Lookup] derives the rest. A [Unit]
// chooses a [Scale] for a value, and a [Style] prints the value in it.
package metric
