//go:build linux && !amd64

package python

// deniedHere are the older forms of denied calls that some architectures have.
var deniedHere []uintptr
