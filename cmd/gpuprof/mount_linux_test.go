package main

import (
	"os"
	"path/filepath"
	"syscall"
)

// mountFull mounts a file system with hardly any room.
func mountFull(dir string) error {
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=32k"); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "filler"), make([]byte, 32<<10), 0o600)
}

func unmount(dir string) { syscall.Unmount(dir, 0) }
