// Package nsysrep reads the reports of Nsight Systems: .nsys-rep, and .qdrep as
// they were called before 2021.4.
//
// A report is a line that tells its version, parts back to back, and at the end
// a directory of the parts; all messages are protocol buffers without a
// published schema:
//
//	"NVIDIA Tegra Profiler Report " version "."
//	part …
//	directory: repeated 1 {1 name, 2 offset, 3 size}
//	u64 offset of the directory, 55 33 77 "[END]"
//
// The part "Raw Sampling Data" holds the events in frames of up to 7000, each an
// LZ4 block; behind them the texts that events refer to by number, the names of
// threads and the description of the target.
//
// [Open] reads the directory, the small parts and the heads of the frames.
// [File.Index] counts the events of each [Kind] in all frames, and keeps as many
// unpacked frames as it is told. [Index.Scan] decodes the events of a kind, or
// the frames of their stacks, in parallel, and yields a [Batch] for each frame in
// the order of the file: columns of integers under the field numbers of the
// message, only those asked for. What is not known is skipped and counted in
// [Index].Unknown.
//
// The layout was found by comparing reports with their exports; see
// docs/formats/nsys-rep.md for what is proven and what is a guess.
package nsysrep
