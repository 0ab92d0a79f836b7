// Package rocm reads what AMD's profilers of today write: rocprofv3 as CSV, JSON
// and rocpd databases, rocprof (v1 and v2) as CSV, and RPD databases of
// rocmProfileData.
//
// [Open] tells which of them a file is, also below gzip, and returns a
// [Session] with the same records for each: kernel dispatches, API calls,
// copies, counters, agents. What a file does not say is zero, or -1 where zero
// means something.
//
//	csv.go     CSV of every version, columns found by name
//	json.go    rocprofv3 JSON, decoded record by record
//	sqlite.go  which database it is; rpd.go and rocpd.go read them
//
// A row or record that cannot be understood is left out and listed in
// [Session.Problems] with its line, offset or table.
//
// The layouts are described in docs/formats/rocm.md.
package rocm
