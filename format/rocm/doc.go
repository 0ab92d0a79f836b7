// Package rocm reads what AMD's profilers of today write: rocprofv3 as CSV, JSON,
// Perfetto traces and rocpd databases, rocprof (v1 and v2) as CSV, text, Chrome traces
// and databases, roctracer's text, RPD databases of rocmProfileData, workloads of
// rocprof-compute, thread traces and samples of the program counter.
//
// [Open] tells which of them a file is, also below gzip, and returns a
// [Session] with the same records for each: kernel dispatches, API calls, markers,
// copies, allocations, counters, agents. [Options.OpenFolder] makes one session of the
// files of a folder. What a file does not say is zero, or -1 where zero means something.
//
//	kind.go      which kind a file is
//	record.go    the records
//	csv.go       tables of every version: csvcolumns.go finds columns by name,
//	             csvrows.go reads rows
//	json.go      rocprofv3 JSON, decoded record by record
//	sqlite.go    which database it is; rpd.go, rocpd.go and v1db.go read them
//	perfetto.go, chrome.go, roctracer.go, text.go, threadtrace.go, facts.go
//	folder.go    joins the files of processes
//
// A row or record that cannot be understood is left out and listed in
// [Session.Problems] with its line, offset or table; the same of many rows is one
// problem with a count.
//
// The layouts are described in docs/formats/rocm.md.
package rocm
