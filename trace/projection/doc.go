// Package projection shows NVTX ranges as the GPU saw them. A range is a stretch
// of a thread of the host; the work that its calls caused runs later, on streams.
// The projection of a range onto a stream lasts from the first to the last
// operation there whose API call lies within the range on its thread. A range that
// another thread ended has none.
//
// [Sweep] finds what lies in what and keeps nothing; [OntoStreams] is the projection
// of a whole trace.
package projection
