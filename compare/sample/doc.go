// Package sample has the statistics of few runs: what three to ten measurements
// of an old and a new version of a program can say, and what they cannot.
//
// The unit is the run. Launches within a run share clock, inputs and heat, so
// that many of them are no more evidence than one: the caller makes one value
// of each run and kernel. The package knows no profile; it is numbers in,
// numbers out, and gives the same answer for the same numbers on any machine.
//
// # The parts
//
//   - [Ratio] and [Shift]: the Hodges-Lehmann estimate of how much more the new
//     side takes, with an exact interval by inversion of the rank test. A
//     bootstrap of three values is no interval; where the sizes allow none,
//     there is none.
//   - [Family]: the Westfall-Young step-down maximum test over whole runs. It
//     relabels runs for all kernels at once, so that its least p is 1/C(N,n)
//     however many kernels there are, and runs that are slow as a whole are
//     part of what is permuted.
//   - [Family.Judge]: the word for a kernel: more, less, same, not clear,
//     cannot tell.
//   - [MannWhitney]: the rank test, exact with ties, for those who know it and
//     for long lists; [BenjaminiHochberg] and holm adjust lists of p values.
//   - [ChangePoint]: where a history of values moved.
//
// # What it supposes
//
// Relabelling supposes that nothing changed but the label. Runs that drift in
// turn (all old ones first, the GPU warming) break that, and no test mends it:
// take runs alternately.
package sample
