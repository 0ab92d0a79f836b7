// Package occupancy computes how many wavefronts, or warps, of a kernel a
// compute unit, or multiprocessor, keeps in flight, and what limits them.
//
// A [Device] knows the pools of its kind of compute unit: registers, local
// memory, slots for wavefronts and for work-groups. [Device.Limits] takes what a
// kernel uses and tells how many wavefronts each pool has room for; the smallest
// is the number in flight. [Lookup] finds a device by the name of its
// architecture ("gfx90a", "VI_GFX9", "sm_90", "9.0").
//
// Three models:
//
//   - AMD up to GFX9 (Evergreen, Northern Islands, Southern Islands to Vega): the
//     arithmetic of AMD's own profilers, so that results equal their .occupancy
//     files.
//   - AMD CDNA and RDNA, for which AMD's profilers have no model: pools and
//     granules as in LLVM's AMDGPU backend, ROCm's specifications, Mesa and
//     AMD's instruction set guides.
//   - NVIDIA compute capability 5.0 to 12.1: the technical specifications of the
//     CUDA C++ Programming Guide and the arithmetic of the CUDA occupancy
//     calculator.
//
// [Batch] computes a table of kernels, [Device.Sweep] the curves around one.
// The tables and their sources are in docs/occupancy.md.
package occupancy
