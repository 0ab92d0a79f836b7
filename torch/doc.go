// Package torch answers questions about timelines of PyTorch: which operator,
// module or line of Python the work of a GPU was for, and where its time went.
//
// [Read] joins a timeline once:
//
//   - the host slices of each thread (Python calls, ranges, operators, calls of the
//     runtime) are nested by time, innermost last;
//   - each piece of GPU work is tied to the call with its correlation number and
//     through it to the host slice that was open when the call began. One
//     correlation number may stand for hundreds of kernels of a graph.
//
// Work whose call is not in the file keeps its place and is counted
// ([Timeline.Unlinked]). The External id of a kernel ties it to an operator only
// where there is no call and the number is not that of the correlation: profilers
// of 2023 and 2024 wrote the one for the other, and it then names an operator that
// has nothing to do with it.
//
// On top of it stand [Timeline.Operators], [Timeline.Kernels],
// [Timeline.Breakdown], [Timeline.Launches], [Timeline.Idle],
// [Timeline.Sequences] and [Timeline.Shapes].
package torch
