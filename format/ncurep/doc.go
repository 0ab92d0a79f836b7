// Package ncurep reads and writes the reports of Nsight Compute: .ncu-rep, its
// predecessor .nsight-cuprof-report, and the zstd-wrapped .ncu-repz. It knows the
// format and nothing about what the numbers mean.
//
// # The file
//
// A report is a magic, a file header and blocks up to the end of the file. A
// block is a header, which is one protocol buffer message, and a payload of
// entries, each a 4-byte size and a message:
//
//	"NVR\0"  size  FileHeader
//	size  BlockHeader  [size Source]...  [size Result]...  [size RangeResult]...
//	size  BlockHeader  ...
//
// Two things are spread over the block headers and only make sense together.
// The session (machines, GPUs, versions, command line) comes in pieces, which
// [File.Session] merges. The string table comes in parts, which [File.Strings]
// joins; metrics name themselves by an index into the whole of it. Sources may
// follow the results that refer to them, and several of them may share one
// Reference. docs/formats/ncu-rep.md has the whole layout with its evidence.
//
// # Reading
//
//	f, err := ncurep.OpenFile("profile.ncu-rep")
//	for _, r := range f.Results {
//		fmt.Println(r.DemangledName, r.GridSize(), r.BlockSize())
//		ms, err := r.Metrics()
//		if m := ms.Lookup("gpu__time_duration.sum"); m != nil {
//			ns, ok := m.Value.Float64()
//		}
//	}
//
// Opening reads the outline: headers, strings, session, and the small fields of
// every result and source. What is large stays in the file until asked for:
// [Result.Metrics], [Result.Sections], [Result.Rules], [Result.Nvtx],
// [Result.CallStack], [Source.Files], [Source.Binary]. These decode anew at each
// call and keep nothing, except that equal section definitions are decoded once
// and shared. The instances of a metric stay encoded until [Metric.Instances],
// which puts them into columns: two words an instance, no pointers.
//
// Optional fields are [Opt] values or pointers, so that an absent field is told
// from one that is zero. Fields that have no name here are kept in the Unknown
// of their message and written back.
//
// # Code
//
// Source.code joins load addresses, symbols and line tables: code.Locate
// turns the address of an instruction into function, offset, source line, the
// calls it was inlined at, and the line of PTX. [Cubin] is the ELF file beneath.
//
// # Writing
//
// [File.WriteTo] writes a report back as it is. An [Edit] changes it on the way:
// drops results, replaces sections or rule results, adds metrics, takes names of
// machines out of the session; what it does not touch is copied byte for byte.
// A [Report] is written from nothing.
//
// # Broken files
//
// A report with defects opens if anything in it is usable. [File.Problems] lists
// what was wrong with the outline, and every function that decodes on demand
// returns what is sound together with an error of type [Problems] for what is
// not. Counts, sizes and the next sound block vouch for each other, so that a
// broken byte loses little more than what it is part of. Memory is bounded by a
// multiple of the file's size whatever the file says.
package ncurep
