package load

import "slices"

// Kinds is a set of what files may hold; pages say by it which files they are
// about.
type Kinds uint16

// What files hold.
const (
	Launches    Kinds = 1 << iota // Report: kernel launches
	Timeline                      // Trace
	Accesses                      // memory accesses of a simulator
	Annotations                   // text annotations, which are on Trace, too
	Calls                         // API calls of AMD's profilers
	Profile                       // anything at all: every opened file is one
	Operators                     // of PyTorch, with Trace
	Memory                        // PyTorch's allocators: a snapshot, or events in Trace
	Programs                      // GPU programs: those of a binary
	Workload                      // launches with the system that rocprof-compute measured
	Code                          // what code cost, beside launches: thread traces and samples of ROCm, calls by their place

	Nothing Kinds = 0
)

// kindNames are the names of kinds for programs, the first bit's first.
var kindNames = []string{"launches", "timeline", "accesses", "annotations", "calls", "profile", "operators", "memory", "programs", "workload", "code"}

// Names are the names of what c holds.
func (c Kinds) Names() []string {
	names := []string{}
	for i, n := range kindNames {
		if c&(1<<i) != 0 {
			names = append(names, n)
		}
	}
	return names
}

// Holds tells what the file holds.
func (f *File) Holds() Kinds {
	c := f.holds | Profile
	if f.Report != nil {
		c |= Launches
	}
	if f.Trace != nil {
		c |= Timeline
	}
	if f.AMD.IsTrace() {
		c |= Calls
	}
	if f.Programs != nil {
		c |= Programs
	}
	if f.Report != nil && f.ROCm != nil && slices.ContainsFunc(f.ComputeRuns(), func(r ComputeRun) bool { return r.Facts("system") != nil }) {
		c |= Workload
	}
	if f.ROCm != nil && len(f.ROCm.Code)+len(f.ROCm.Samples) > 0 || f.AMD.placed() {
		c |= Code
	}
	return c
}

// Native reports whether the timeline is that of a native report of Nsight
// Systems, which [File.ForExport] lays out as an export.
func (f *File) Native() bool { return f.rep != nil }

// IsDatabase reports whether the file is itself a SQLite database of the tables of
// its Trace.
func (f *File) IsDatabase() bool { return f.database }
