//go:build !linux

package python

import (
	"errors"
	"runtime"
)

// confinement says what this system lacks to confine programs.
func confinement() string { return "gpuprof cannot confine programs on " + runtime.GOOS }

// Confine puts the process into the bounds that a Native host asks for and
// becomes the given command; here it cannot.
func Confine([]string) error { return errors.New(confinement()) }
