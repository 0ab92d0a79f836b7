// Package metric knows what a profile's metric names mean and how their values
// are printed.
//
// A report of Nsight Compute stores a value under a name such as
//
//	sm__inst_executed.avg.per_cycle_active
//
// and nothing else: no unit, no type, no rollup. Names of hardware counters have
// a grammar, that of PerfWorks:
//
//	[prefix] unit __ quantity . rollup [. submetric]     a counter
//	[prefix] unit __ quantity . ratio | pct | max_rate   a ratio
//	         unit __ words                               a setting, an old name
//
// [Split] takes a name apart and [Lookup] derives the rest by rules: a word of
// the quantity says what is counted, the submetric what is made of it. There is
// no table of names; what breaks the rules is a handful of switch cases.
// [Lookup2024] says what Nsight Compute 2024.1 would, which depends on the chip.
//
// A [Unit] chooses a [Scale] for a value: bytes with K to T, nanoseconds to
// seconds, rates. A [Style] prints a number in it, a [Cell] adds the instances
// behind it, a [Column] keeps one scale for the values of all launches, a
// [Summary] is minimum, maximum and mean of them.
//
//	info := metric.Lookup(name)
//	scale := info.Unit.Auto(value.Number)
//	text := metric.Compact.Append(nil, value, scale)
//	unit := scale.UnitString(metric.Current)
//
// Which page prints which way is in docs/metrics.md.
package metric
