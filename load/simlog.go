package load

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"runtime"

	"github.com/klauspost/compress/zstd"

	"github.com/gpuprof/gpuprof/format/simlog"
	"github.com/gpuprof/gpuprof/lifetime"
)

// isSimLog tells a simulator's log, also packed.
func isSimLog(head []byte, name string) bool {
	words := anyOf(textWith("", "GPGPU-Sim"), textWith("", "Accel-Sim"))
	if words(head, name) {
		return true
	}
	var r io.Reader
	switch {
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		z, err := gzip.NewReader(bytes.NewReader(head))
		if err != nil {
			return false
		}
		r = z
	case bytes.HasPrefix(head, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		z, err := zstd.NewReader(bytes.NewReader(head), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(64<<20))
		if err != nil {
			return false
		}
		defer z.Close()
		r = z
	default:
		return false
	}
	plain := make([]byte, headSize)
	n, _ := io.ReadFull(r, plain) // a head that is cut off is enough
	return words(plain[:n], name)
}

// openSimLog makes an action of every kernel in a simulator's log, for which the
// whole log is read.
func openSimLog(f *File) error {
	src, err := simlog.NewSource(f.opening, f.Name, io.NewSectionReader(f.in, 0, f.Size), simlog.Options{Workers: runtime.GOMAXPROCS(0)})
	if err != nil {
		return err
	}
	defer src.Close()
	r, a, err := lifetime.Launches(f.opening, src, f.Name)
	switch {
	case f.opening.Err() != nil:
		return f.opening.Err()
	case a == nil:
		return err
	case len(r.Ranges[0].Actions) == 0:
		return errors.Join(unknown(fmt.Sprintf("%s: expected a simulator's log with kernels, found none in %d lines", f.Name, a.Tally.Lines)), err)
	}
	r.Format = f.Format
	f.Report = &Report{Report: r}
	return nil
}
