// Package benchjson reads the result files of benchmark programs: nvbench,
// Google Benchmark, pytest-benchmark, hyperfine, Criterion and the tables of
// Triton's perf_report.
//
// # What a file holds
//
// All of them list measurements under a name, most with parameters; few keep
// the samples behind a measurement, and none says how one run of the program
// differs from the next. [Read] returns them as one [File]: a [Result] for each
// measurement with its [Value]s under the names that the program gives them and
// in its units, made canonical: times in ns, rates per second.
//
//	tool              Result.Name        primary value             samples
//	nvbench           benchmark          nv/cold/time/gpu/mean     in files beside it (Sidecar)
//	Google Benchmark  run_name           real_time                 a result for each repetition
//	pytest-benchmark  fullname           median                    stats.data, if kept
//	hyperfine         command            median                    times
//	Criterion         full_id            median                    iters and times
//	Triton CSV        column             the cell, without a unit  none
//
// # Layouts
//
// nvbench has had four layouts of its summaries, which no field tells apart:
// lists without tags (spring of 2021), objects by name (2021, numbers as JSON
// numbers, then as texts), lists with tags (since December 2021). Readers look
// at the types. The names of the first two become the tags of the third, so that
// files of all years compare.
//
// Google Benchmark writes NaN and Infinity as bare words, which is no JSON, and
// leaves an array open when it is killed. Both are read; [File.Problems] tells
// of the second.
//
// Files may be compressed with gzip. Everything in them is bounded: bytes, depth,
// number of results.
package benchjson
