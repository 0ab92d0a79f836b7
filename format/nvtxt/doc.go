// Package nvtxt reads and writes NVTXT, the text form of NVTX annotations:
// markers and ranges that a program, or a converter of its logs, puts on the
// timeline of a GPU profile.
//
// # The language
//
// A line is a comment, an assignment, a definition or a call:
//
//	# frames of the renderer
//	TimeBase  = Manual
//	ProcessId = 1844
//	@RangeStartEnd, Start, End, ThreadId, Message
//	RangeStartEnd, 8236719005, 8236928073, 4880, "My Message"
//
// A definition tells which arguments the calls of a command give, in which
// order. Arguments that it leaves out take the values of the variables of the
// same names. docs/formats/nvtxt.md has the whole language, and how the
// importer of Nsight Systems departs from its documentation.
//
// # Two dialects
//
// [Guide] is the language as documented, read generously: all errors of a file
// are reported and all sound lines are kept. [Nsys] is what the importer of
// Nsight Systems makes of a file, which it ends at the first error; so a file
// can be checked before it is sent there. With [Options].Notes a Guide reading
// also tells, line by line, what that importer would refuse or read otherwise.
//
// # The way through the package
//
//	bytes ─ lines ─ words ─ instructions ─► Record
//	       lines.go  scan.go  machine.go    Reader
//
// [Reader] yields a [Record] a call, with times as written; what becomes of them
// on a timeline is another matter, to which a stage behind adds its messages with
// [Reader.Complain]. [Writer] writes annotations from a program, each an [Event],
// and [Format] lays a file out in the standard form.
//
// Errors have a class (lexing, parsing, loading), a line and a column; see
// [Diagnostic]. An error returned by a function is about reading or about
// options, never about the contents of a file.
package nvtxt
