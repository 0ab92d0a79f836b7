package load

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gpuprof/gpuprof/internal/spelling"
)

// mostBeside bounds how many names of a folder a missing one is compared with.
const mostBeside = 10_000

// missing says of a file that is not there which one in its folder may have been meant.
// Other errors stay as they are.
func missing(name string, err error) error {
	var at *fs.PathError
	if !errors.Is(err, fs.ErrNotExist) || !errors.As(err, &at) {
		return err
	}
	near := ""
	if dir, e := os.Open(filepath.Dir(name)); e == nil {
		names, _ := dir.Readdirnames(mostBeside)
		dir.Close()
		near = spelling.Nearest(filepath.Base(name), names)
	}
	return fmt.Errorf("%s: %w%s", name, at.Err, near)
}
