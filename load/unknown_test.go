package load

import (
	"bytes"
	"compress/gzip"
	"strings"
	"testing"
)

// TestUnknownBeginnings tells of files of no known format what they begin with, below
// gzip too.
func TestUnknownBeginnings(t *testing.T) {
	pack := func(s string) string {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		_, _ = z.Write([]byte(s))
		_ = z.Close()
		return b.String()
	}
	for _, c := range []struct{ file, found string }{
		{"hello", `a file that begins with "hello"`},
		{pack("hello"), `gzip of a file that begins with "hello"`},
		{pack(pack("hello")), "gzip within gzip: unpack it once"},
		{pack("hello")[:10], "a gzip file that is cut or broken: nothing of it can be unpacked"},
	} {
		_, err := OpenReader(strings.NewReader(c.file), int64(len(c.file)), "x")
		if err == nil || !strings.Contains(err.Error(), "expected a profile, found "+c.found) {
			t.Errorf("%q: %v", c.file, err)
		}
	}
}
