// Package amdgpu says what a launch on a GPU of AMD is shown by. Reports of NVIDIA
// carry their sections and all their metrics; files of AMD's profilers hold
// counters alone. [Sections] stands in with sections of our own, and [Derive] with
// the metrics that follow from the counters: those that ROCm derives, the traffic
// to memory over time, and the occupancy on a device that package occupancy knows.
package amdgpu
