package fleet

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"runtime/debug"
	"sync"
)

// program tells versions of gpuprof apart: the version of the module and a digest of
// the executable, since parts of different programs do not go together.
var program = sync.OnceValue(func() string {
	version := "development"
	if b, ok := debug.ReadBuildInfo(); ok && b.Main.Version != "" {
		version = b.Main.Version
	}
	name, err := os.Executable()
	if err != nil {
		return version
	}
	f, err := os.Open(name)
	if err != nil {
		return version
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return version
	}
	return version + " (" + hex.EncodeToString(sum.Sum(nil)[:6]) + ")"
})
