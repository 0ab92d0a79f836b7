// Package rcp makes the summary pages of AMD's profilers from a trace.
//
// There are seventeen pages, nine of OpenCL and eight of HSA: API calls,
// contexts, kernels, transfers, and best practices, the messages of a set of
// rules. [Pages] lists them, [New] takes a trace apart, Analysis.page makes a
// page as a view.Table, or nil where the trace holds nothing for it.
//
// With [Options.Compat] every page equals that of Radeon Compute Profiler 5.6,
// cell by cell, with what is wrong in it. Without, what is wrong is mended:
// docs/compat-amd.md has a line for each difference.
//
//	session.go    threads and calls, what the rules have to know of an API
//	api.go        API summaries
//	kernels.go    kernel summaries and lists, both APIs
//	transfers.go  transfer summaries and lists of OpenCL; hsatransfers.go of HSA
//	contexts.go   the context summary
//	practices.go  rules: which run, in which order, with which limit
//	rule*.go      a rule each
package rcp
