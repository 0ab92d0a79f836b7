package rocm

import (
	"io"

	"github.com/gpuprof/gpuprof/format/internal/jsontext"
	"github.com/gpuprof/gpuprof/format/internal/linetext"
)

// RewriteJSON copies the JSON of rocprofv3 with its texts edited. Place is the keys
// that lead to a text, joined by dots. Edit must not change the bytes it gets, and
// returns them for what stays.
func RewriteJSON(w io.Writer, r io.Reader, edit func(place string, b []byte) []byte) error {
	return jsontext.Rewrite(w, r, edit)
}

// RewriteText copies CSV or the text of rocprof v2 with its texts edited. Place is the
// name of a column, or "line". Databases are rewritten as any of SQLite.
func RewriteText(w io.Writer, r io.Reader, csv bool, edit func(place string, b []byte) []byte) error {
	return linetext.Rewrite(w, r, csv, edit)
}
