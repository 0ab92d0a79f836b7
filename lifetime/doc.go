// Package lifetime computes how long data lives in the memories of a GPU or an
// accelerator, from the accesses that a simulator logged.
package lifetime
