// Package annotate puts text annotations on the timeline of a report: what a file
// of format/nvtxt says becomes events in ns of the report's clock.
//
//	nvtxt.Record ─ clock.go, pair.go ─► nvtxt.Event in Events ─ category.go ─► rows of a timeline (package load)
//
// [Load] reads a file, converts its times ([Mode], [LoadOptions]), joins the ends
// of ranges to their beginnings in file order, and returns a [File]: a table of
// [Events], names of processes, threads and categories, the session's [Window],
// and messages. [CheckFiles] keeps the messages alone. [Locate] and [LoadFiles] find
// and read the files that belong to a capture, [SessionWindow]
// tells the window of a timeline that annotations are meant for, and [Categories]
// keeps the categories of several files apart.
//
// [FromLog] goes the other way: it makes an annotation file out of the lines of a
// log that match patterns.
//
// How the importer of Nsight Systems does each of these, and where it departs from
// its documentation, is in docs/formats/nvtxt.md; with the dialect [nvtxt.Nsys] the
// result is what that importer makes of the file.
package annotate
