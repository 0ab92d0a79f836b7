// Package steps cuts a timeline into the steps of a program and measures what
// each GPU did in each of them.
//
//  1. [Read] sorts the work of each device of each process: kernels that
//     compute, kernels that communicate, copies and memory sets, graphs traced
//     as a whole.
//  2. [Device.Find] finds the steps: NVTX ranges that the program gave numbers,
//     a range that it repeated, else the period of the operations. A [Found]
//     says which it was and how sure.
//  3. [Device.Windows] turns them into windows of device time. A window goes
//     from the first work launched inside a step to that of the next step; the
//     last ends with its last work. So windows meet and their lengths add up.
//  4. [Device.Measure] sweeps over the unions of intervals once and says for each
//     window how long each set of kinds of work ran at the same time. From these
//     sums every other number follows: [Times.Busy], [Times.Exposed],
//     [Times.Alone], [Times.Idle].
//
// With K, C, M, G the moments at which compute kernels, communication kernels,
// copies and whole graphs ran in a window:
//
//	wall                 length of the window
//	busy                 |K ∪ C ∪ M ∪ G|
//	idle                 wall − busy
//	exposed              |C \ K|               communication beside which nothing was computed
//	hidden               |C ∩ K|
//	alone                |C \ (K ∪ M)|         the device only waited for others
//	self                 wall − alone          what the rank did, or failed to do, by itself
//	exposed copies       |M \ (K ∪ C)|
//
// All are whole nanoseconds and exact: nothing is rounded or sampled.
//
// # Times that are none
//
// One rule holds for every event of the device: where start or end is NULL, where
// the end lies before the start, or where either is more than 2^62 ns (146 years)
// from zero, the event takes no time. It is counted in [Device.Unplaced] and
// left out of everything else. Events may come in any order, and negative times
// are times before the recording began.
package steps
