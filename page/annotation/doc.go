// Package annotation has the pages about NVTX annotations in text files: what is
// in them, what is wrong with them, and making and merging them.
package annotation
