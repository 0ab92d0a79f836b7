// Package interval reckons with spans of time: unions, gaps and what they have in
// common. All that sums up times of a timeline does it here,
// and finds the middle of durations.
//
// Times come from files, and files may be wrong. One rule holds:
//
//   - Rows are kept: what a table prints is what the file says, in its order.
//   - A span is [Sound] if both times are there, it does not end before it starts,
//     and both are within [Farthest] of the origin. Only sound spans take part in
//     unions, gaps and the checks that rest on them; so differences of two times
//     fit an int64.
//   - How many rows of a table are not sound is told, by who reads the table.
//   - A duration ([Lasts]) or a total ([Plus]) that leaves int64 is the largest, or
//     least, number that there is, and that is told; it never comes out with the
//     other sign.
package interval
