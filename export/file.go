package export

import (
	"bufio"

	"github.com/gpuprof/gpuprof/internal/atomicfile"
)

// writeFile writes a file that appears only when it is whole.
func writeFile(path string, fill func(w *bufio.Writer) error) error {
	return atomicfile.Write(path, func(f *atomicfile.File) error {
		w := bufio.NewWriterSize(f, 1<<20)
		if err := fill(w); err != nil {
			return err
		}
		return w.Flush()
	})
}
