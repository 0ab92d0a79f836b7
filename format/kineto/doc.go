// Package kineto reads the traces that PyTorch's profiler writes through
// libkineto (*.pt.trace.json, plain or gzip), and with them any other file in the
// Trace Event Format that Chrome's viewer made common.
//
// [Read] goes over the text once and lays the events down in columns, a table
// for each kind of event:
//
//	Ops          cpu_op: ATen operators, autograd nodes
//	Annotations  user_annotation: record_function, ProfilerStep#N
//	Spans        gpu_user_annotation: their extent on the GPU
//	Python       python_function: calls, tied by Python id and parent id
//	Calls        cuda_runtime, cuda_driver and those of other devices
//	Kernels, Copies, Sets, Syncs
//	Memory       [memory]: what the allocators gave and took back
//	Flows        arrows: forward to backward, call to kernel
//	Others       slices of any other category, with their args as text
//	Instants, Counters, Threads (names), Collectives, Counts
//
// Texts are kept once, in [Trace.Texts]; a column of texts holds their numbers,
// 0 for none. Times are nanoseconds as the file has them, read from the digits
// and never through a float64 (of 2024 there are files with 19 digits); add
// [Trace.Base] for the time since 1970.
//
// The text is looked at through a window that holds one whole event, so memory
// is that of the columns and texts. What libkineto and the tools around it get
// wrong is read as far as it is sound: cut files, bare nan and inf, quotes that
// were not escaped, commas too many. [Trace.Problems] lists it with offsets.
//
//	read.go    gzip or plain, limits
//	window.go  the part of the text in hand
//	document.go  what stands around the events
//	event.go   one event; arg.go the names of args; number.go times and numbers
//	recover.go where to go on after a fault
//	fill.go    from an event to a row; table.go the tables; pair.go B with E
//	sniff.go   what a file is that is no trace
//
// The format is described in docs/formats/kineto.md.
package kineto
