// Package critical finds the critical path of a timeline: the chain of calls, work
// of GPUs and waits that the end of the program waited for.
//
// It is walked from the end back to the beginning. At each place the path goes to
// what was over last of that which had to be over first:
//
//   - work of a GPU waits for the work before it on its stream, for the call that
//     launched it, and, where a call made its stream wait for an event, for the work
//     of other streams of the process that ended last before it;
//   - a call that waits (of synchronization, or a copy that is not asynchronous)
//     waits for the work that ended last while it waited, on the streams that it
//     waited for;
//   - another call waits for the call before it on its thread.
//
// What no event tells is not on it: locks of the host, other processes, and events
// between streams where synchronization was not recorded. The rules are ours.
package critical
