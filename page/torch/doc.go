// Package torch has the pages about PyTorch: operators, kernels by operator,
// where the time of the GPU went, how kernels were launched, shapes and their
// arithmetic, and memory.
package torch
