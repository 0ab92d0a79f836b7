package kineto

import (
	"io"

	"github.com/gpuprof/gpuprof/format/internal/jsontext"
)

// RewriteTexts copies a trace, unpacked, with its texts edited: names, args, texts
// around the events. Place is the keys that lead to a text, joined by dots, such as
// "traceEvents.args.Call stack". Numbers and all else stay byte for byte. Edit must
// not change the bytes it gets, and returns them for what stays.
func RewriteTexts(w io.Writer, r io.Reader, edit func(place string, b []byte) []byte) error {
	return jsontext.Rewrite(w, r, edit)
}
