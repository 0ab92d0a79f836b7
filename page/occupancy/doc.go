// Package occupancy has the page that computes how much of a kernel fits on a
// multiprocessor.
package occupancy
