// Package policy reads the policy file of gpuprof check: what is measured, by
// which limits, against which baseline.
//
//	version: 1
//	defaults: {alpha: 0.05, max_increase: 2%, runs: {least: 3}}
//	baseline: perf/base/*.ncu-rep
//	kernels:
//	  - match: 'FindPairs.*'
//	    limits:
//	      - {metric: gpu__time_duration.sum, max_increase: 3%}
//	      - {metric: launch__registers_per_thread, max: 128}
//
// Decoding is strict: a key that is not known is an error with file, line and
// column and the nearest key that is, for a policy that says less than its
// author thinks is a gate that stands open. [Schema] is the same as a JSON
// Schema, for editors.
//
// [Parse] knows the form alone; what the limits mean is package gate's.
package policy
