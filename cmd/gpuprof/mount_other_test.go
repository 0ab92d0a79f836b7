//go:build unix && !linux

package main

import "errors"

func mountFull(string) error { return errors.ErrUnsupported }
func unmount(string)         {}
