package amd

import (
	"io"

	"github.com/gpuprof/gpuprof/format/internal/linetext"
)

// RewriteTexts copies a trace or a file of counters or occupancy with its texts
// edited. Place is the name of a setting of the header or of a column, or "line"; a
// line whose setting was edited comes a second time, whole. Sheet says that the file
// is one of comma-separated values. Edit must not change the bytes it gets, and
// returns them for what stays.
func RewriteTexts(w io.Writer, r io.Reader, sheet bool, edit func(place string, b []byte) []byte) error {
	return linetext.Rewrite(w, r, sheet, edit)
}
