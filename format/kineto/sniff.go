package kineto

import (
	"bytes"
	"io"

	"github.com/klauspost/compress/gzip"
)

// Is reports whether a file that begins so may be a trace of events, plain or
// gzip. Half a megabyte of keys may stand before the events, so that a head that
// holds none of them is judged by what libkineto writes there.
func Is(head []byte) bool {
	text := beginning(head)
	switch {
	case len(text) == 0 || text[0] != '{' && text[0] != '[':
		return false
	case bytes.Contains(text, []byte(`"traceEvents"`)):
		return true
	case text[0] == '{':
		return bytes.Contains(text, []byte(`"schemaVersion"`)) && bytes.Contains(text, []byte(`"deviceProperties"`))
	}
	return bytes.Contains(text, []byte(`"ph"`))
}

// beginning is the beginning of the text of a file, unpacked if it is gzip, without
// a byte order mark and white space before it.
func beginning(head []byte) []byte {
	if bytes.HasPrefix(head, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(bytes.NewReader(head))
		if err != nil {
			return nil
		}
		text := make([]byte, 64<<10)
		n, _ := io.ReadFull(z, text) // the head is cut: what came is enough
		head = text[:n]
	}
	return bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
}

// Neighbour names the files of PyTorch's surroundings that are JSON and no
// trace, by their beginning; "" if it is none of them.
func Neighbour(head []byte) string {
	text := beginning(head)
	has := func(words ...string) bool {
		for _, w := range words {
			if !bytes.Contains(text, []byte(w)) {
				return false
			}
		}
		return true
	}
	switch {
	case has(`"frame"`, `"metrics"`) || has(`"children"`, `"frame"`):
		return "a profile of Triton's Proton (.hatchet, JSON tree)"
	case has(`"schema"`, `"nodes"`):
		if has("chakra") {
			return "a Chakra execution trace"
		}
		return "a PyTorch execution trace (ExecutionTraceObserver)"
	case bytes.HasPrefix(text, []byte("[[")) && has(", ") && !has(`"`):
		return "a PyTorch memory timeline (export_memory_timeline)"
	}
	return ""
}
