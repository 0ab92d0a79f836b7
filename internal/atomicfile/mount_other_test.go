//go:build !linux

package atomicfile

import "errors"

func mountSmall(string) error { return errors.ErrUnsupported }
func unmount(string)          {}
