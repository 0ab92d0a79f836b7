// Package timeline answers what a viewer asks of a timeline: which tracks there
// are, what a window of time looks like on a screen of so many pixels, where a
// name occurs, what a selection adds up to, what caused what.
//
// [Build] reads a trace once and keeps an [Index]:
//
//	Track    a line of the screen: a process, a thread, "CUDA API" of a thread,
//	         a device, a stream. Tracks form a tree. Some have rows.
//	Row      one depth of a track. Its slices are sorted by start and never
//	         overlap, so that starts and ends are both in order.
//	slice    a stretch of time with a name. Its number, a [SliceID], is its
//	         place in the columns of the index.
//
// Because slices of a row do not overlap, everything that starts within a
// pixel is a run of neighbours. Index.view finds each run by doubling steps,
// its count by subtraction and its busy time from sums kept for each block of
// slices. The cost is bounded by pixels, not by slices. A slice at least as long
// as a pixel is shown as it is; shorter ones are merged, and the merged item
// says how many they are and how long they are busy. Counts and busy time of a
// window are therefore the same at every zoom.
//
// The name of a merged item is that which is busy longest. Each block of slices
// keeps its own winner; of long runs the winner among these is taken, which can
// differ from the true one where many names are about equally busy.
//
// All times are nanoseconds as the file has them.
package timeline
