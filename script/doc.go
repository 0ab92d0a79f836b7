// Package script runs a user's own Python scripts on reports, and answers the module
// ncu_report in a Python of the user's own. A script prints what it likes, so this is
// no page; it shares with pages the kinds of errors.
//
//	h := &script.Host{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}
//	status, err := h.Run(ctx, []string{"top_kernels.py", "report.ncu-rep"})
//
// A script sees the standard library and the files that its arguments name, and
// writes nothing; package rule/python is what it runs on.
package script
