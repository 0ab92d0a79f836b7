package kineto

import (
	"errors"
	"io"
)

// Sizes of the window: what it begins with, and the largest event or value that
// is read at all.
const (
	windowSize = 1 << 20
	mostWindow = 64 << 20
)

// A window is the part of the text in hand: b[i:n], followed by a NUL that ends
// every scan. base is the offset of b[0] in the text.
type window struct {
	src  io.Reader
	b    []byte // n+1 bytes of it are in use
	i, n int
	base int64
	last error // why there is no more: io.EOF or what broke the reading
}

func newWindow(src io.Reader, size int) *window {
	return &window{src: src, b: make([]byte, size+1)}
}

// more drops what lies before i and reads on. It is false when nothing came: at
// the end, or when the text from i on fills the largest window.
func (w *window) more() bool {
	if w.last != nil {
		return false
	}
	if w.i > 0 {
		copy(w.b, w.b[w.i:w.n])
		w.base += int64(w.i)
		w.n -= w.i
		w.i = 0
	}
	if room := len(w.b) - 1 - w.n; room < len(w.b)/4 {
		if len(w.b) > mostWindow {
			return false
		}
		grown := make([]byte, 2*(len(w.b)-1)+1)
		copy(grown, w.b[:w.n])
		w.b = grown
	}
	had := w.n
	for w.n < len(w.b)-1 && w.last == nil {
		var k int
		k, w.last = w.src.Read(w.b[w.n : len(w.b)-1])
		w.n += k
	}
	w.b[w.n] = 0
	return w.n > had
}

// full reports that more text is there but the window may not grow.
func (w *window) full() bool { return w.last == nil }

// cut reports that the text ended because it could not be read further.
func (w *window) cut() bool { return w.last != nil && !errors.Is(w.last, io.EOF) }

// peek passes over white space and returns the next byte, 0 at the end.
func (w *window) peek() byte {
	for {
		for w.b[w.i]-1 < ' ' {
			w.i++
		}
		if w.i < w.n {
			return w.b[w.i]
		}
		if !w.more() {
			return 0
		}
	}
}
