// Package profile is the model of what one kernel launch did, whatever tool
// measured it.
//
// A [Report] holds ranges, a [Range] holds actions, an [Action] is one profiled
// launch with its metrics, rule results, NVTX state, call stack and code. The
// words are those of the NvRules API of Nsight Compute (Context, Range, Action,
// Metric), which are vendor-neutral by intent.
//
// Reports are large and most questions touch little of them: an Action answers
// its name and launch parameters at once and asks its [Loader] for the rest the
// first time it is wanted. Adapters in package load provide the Loader, one for
// each file format; package profile knows no format.
package profile
