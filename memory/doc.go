// Package memory answers what filled the memory of a GPU: how much was allocated
// and reserved when, what was live at the peak, by stack, and how much of what is
// reserved is of no use.
//
// [Devices] replays a snapshot of PyTorch's caching allocator as PyTorch's own
// viewer does (torch/utils/viz, process_alloc_data): allocations that the trace
// only frees, and blocks of the end that it never allocates, were there before it
// began. Two differences, both named in docs/torch.md: the peak counts what was
// there from the start, and a device's peak is never added to another's.
//
// Sizes over time are those asked for; the allocator rounds them up, and says by
// how much for the end only ([End]).
package memory
