//go:build !linux

package python

// callNumbers are the system calls that a program may make; here there is no list.
func callNumbers() string { return "" }
