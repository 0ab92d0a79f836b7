// Package trace is the timeline model: what happened when, on which thread,
// stream and device.
//
// A [Trace] is a set of tables with the names and columns of the Nsight Systems
// export schema (package schema declares them), whatever format the file had.
// Tables are columns, not rows: a [Table] has a [Column] of integers, doubles or
// [Sym] for each column that was asked for. Texts are interned once for the
// whole trace, so that equal texts are equal Syms.
//
//	k, err := tr.Table(ctx, "CUPTI_ACTIVITY_KIND_KERNEL", "start", "end", "demangledName")
//	if k == nil { … the trace has no kernels … }
//	name := k.Col("demangledName")
//	for i, start := range k.Ints("start") { … tr.Name(name.Ints[i]) … }
//
// Tables are read from their [Source] when they are first asked for, and only
// the columns asked for. A table or column that the file lacks is told from one
// without rows: [Trace.Has], [Trace.HasColumn].
//
// On top of the tables stand the things that every analysis needs:
//
//   - [GlobalID] takes serialized process and thread numbers apart.
//   - [Trace.Operations] are kernels, copies and memory sets of the GPUs in one
//     table; [Trace.Calls] the API calls; [Calls.Find] ties them by process and
//     correlation number.
//   - [Trace.Ranges] are the NVTX ranges with text, domain and category; [Nest]
//     finds parents and levels with one sweep of each thread.
//   - [Trace.Threads], [Trace.GPUs] and [Trace.Label] give names to numbers.
//
// Rows come in the order of the file, which need not be that of time.
package trace
