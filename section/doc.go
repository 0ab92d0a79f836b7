// Package section turns section definitions into what a page shows.
//
// A section is a part of Nsight Compute's details page: a header of metrics, and
// bodies with charts and tables. Its [Definition] is a message that reports
// carry and that section files hold as text; it names metrics, labels and
// layout, and holds no values.
//
// The way through the package:
//
//  1. resolve applies a definition to a [Target], the GPU and the kind of
//     workload: options and filters choose the metrics. What comes out, a
//     [Section], is the same for every launch on that GPU.
//  2. [Section.Evaluate] looks up the metrics of one launch. Names with the
//     prefixes regex:, group: and breakdown: become the metrics that they stand
//     for; every metric becomes a [Row]. Nothing is formatted.
//  3. [Evaluated.View] lays the rows out as tables and charts of a view.Section.
//
// build does all three. [Sort] puts sections into the order of the page.
//
// Some items of a definition say no more than "memory chart": which metrics they
// show depends on the GPU and the version of the tool. The tool leaves them in
// the report, as a metric whose value is the list of their names; builtin.go has
// the names of those lists.
package section
