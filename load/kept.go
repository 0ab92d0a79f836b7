package load

import (
	"io"

	"github.com/gpuprof/gpuprof/compare"
)

// isKept tells runs that gpuprof kept.
func isKept(head []byte, _ string) bool { return compare.IsKept(head) }

// openKept reads runs that gpuprof kept.
func openKept(f *File) (err error) {
	f.Kept, err = compare.ReadKept(io.NewSectionReader(f.in, 0, f.Size), f.Name)
	return err
}
