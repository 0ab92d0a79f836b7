// Package amd reads and writes the session files of AMD's profilers: APP
// Profiler (sprofile), CodeXL and Radeon Compute Profiler (rcprof).
//
// A session is up to three text files that lie side by side:
//
//   - SESSION.atp, the application timeline: which API was called by which
//     thread, with which arguments, when, and what ran on the device for it.
//     [ReadTrace] reads one into a [Trace].
//   - SESSION.csv, performance counters, a line for each kernel dispatch.
//     [ReadCounters] reads one into a [Counters].
//   - SESSION.occupancy, how many wavefronts each dispatch could keep in
//     flight, and what limited them. [ReadOccupancy] reads one into an
//     [Occupancies].
//
// # Layout of a trace
//
// A header of key=value lines is followed by sections, each under a line
// =====title=====. Most sections are blocks, one for each thread: the thread's
// id, a count, and as many lines. The API section has lines such as
//
//	CL_SUCCESS = clFinish ( 0x55959f199110 )
//
// and the timestamp section has, at the same place of the same thread's block,
// the times of that call and, for a command put into a queue, those of the
// command. Nothing but the position joins the two. [Trace.Threads] does it and
// [Thread.Call] gives a call with all that is known about it.
//
// # Damage
//
// Files were often cut short, or written under locales that AMD's own reader
// does not survive. Readers here return all that is sound together with a list
// of problems, each a [FormatError] with the line it stands on. A line that
// makes no sense keeps its place in its block, so that what follows is still
// joined rightly. Only a file that is none of these formats is an error.
//
// # Writing
//
// Every record can be written back. Writing what was read and reading it again
// gives equal records.
//
// The layout is described in docs/formats/amd.md.
package amd
