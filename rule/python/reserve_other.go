//go:build !linux && !darwin

package python

// reserve sets apart address space; here there is no way known to.
func reserve(uint64) []byte { return nil }

func release([]byte) {}
