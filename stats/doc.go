// Package stats makes the summaries, traces and expert checks of a timeline:
// the reports that users of Nsight Systems know from nsys stats and nsys analyze,
// with the same names, columns, order and rounding.
//
// A [Report] is a row of the table that [Reports] returns: name, older names,
// arguments and a function that builds a view.Table from a trace. Each report, or
// family of reports that share a template, is a file of its own. To add one,
// write the function, declare the Report beside it, and name it in Reports.
//
// A report that has nothing to say because the trace lacks the table it is about
// returns a [*Skip] with the reason, which is not an error of the file.
//
// # Arithmetic
//
// Averages and medians are shown with one decimal, the standard deviation is
// that of a sample (n-1, and 0 for a single value), the median of an even number
// of values is the mean of the middle two, and a share of time is that of the
// sum of all rows, so overlapping work counts twice. Megabytes are millions of
// bytes. The values in the table are not rounded; only their printed form is.
package stats
