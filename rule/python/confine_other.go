//go:build !linux

package python

import (
	"errors"
	"os/exec"
	"runtime"
)

// confinement says what this system lacks to confine programs.
func confinement() (lacks string, err error) {
	return "gpuprof cannot confine programs on " + runtime.GOOS + ": they have all your rights", nil
}

func isolate(*exec.Cmd) {}

func noNamespaces(error) bool { return false }

// Confine puts the process into the bounds that a Native host asks for and
// becomes the given command; here it cannot.
func Confine([]string) error { return errors.New("gpuprof cannot confine programs on " + runtime.GOOS) }
