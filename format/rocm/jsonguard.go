package rocm

import (
	"fmt"
	"io"
)

// maxValue bounds a value of a JSON file that is read as a whole, in bytes: a
// record, or the table of strings. maxDepth bounds how values are nested; those of
// rocprofv3 are by ten.
const (
	maxValue = 64 << 20
	maxDepth = 64
)

// A guard passes JSON on as long as it is nested no deeper than maxDepth and
// values are no longer than maxValue, so that its reader needs no bounds of its own.
type guard struct {
	r       io.Reader
	left    int   // bytes until the value that is read is too long
	offset  int64 // of what is read next
	depth   int
	text    bool // within a string
	escaped bool // after a backslash
	err     error
}

// Read implements io.Reader.
func (g *guard) Read(p []byte) (int, error) {
	if g.err != nil {
		return 0, g.err
	}
	if g.left <= 0 {
		g.err = fmt.Errorf("a value of more than %d bytes at offset %d: %w", maxValue, g.offset, ErrTooLarge)
		return 0, g.err
	}
	n, err := g.r.Read(p)
	for i, c := range p[:n] {
		if !g.step(c) {
			g.err = fmt.Errorf("values nested by more than %d at offset %d: %w", maxDepth, g.offset+int64(i), ErrTooLarge)
			return i, g.err
		}
	}
	g.offset += int64(n)
	g.left -= n
	return n, err
}

// step looks at a byte and reports whether it may pass.
func (g *guard) step(c byte) bool {
	switch {
	case g.escaped:
		g.escaped = false
	case g.text:
		g.escaped, g.text = c == '\\', c != '"'
	case c == '"':
		g.text = true
	case c == '{' || c == '[':
		g.depth++
	case c == '}' || c == ']':
		g.depth--
	}
	return g.depth <= maxDepth
}
