package nvtxt

import (
	"io"

	"github.com/gpuprof/gpuprof/format/internal/linetext"
)

// RewriteTexts copies a file with its texts edited, line by line: comments, values of
// variables, arguments of calls. Place is the name of a variable, or "line". Edit must
// not change the bytes it gets, and returns them for what stays.
func RewriteTexts(w io.Writer, r io.Reader, edit func(place string, b []byte) []byte) error {
	return linetext.Rewrite(w, r, false, edit)
}
