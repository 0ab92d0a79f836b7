package packed

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"testing"

	"github.com/gpuprof/gpuprof/format/internal/cursor"
)

// zeros reads n zeros.
type zeros struct{ n int64 }

func (z *zeros) Read(p []byte) (int, error) {
	if z.n == 0 {
		return 0, io.EOF
	}
	n := min(int64(len(p)), z.n)
	clear(p[:n])
	z.n -= n
	return int(n), nil
}

func bomb(t testing.TB, size int64) []byte {
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	if _, err := io.Copy(w, &zeros{size}); err != nil {
		t.Fatal(err)
	}
	w.Close()
	return b.Bytes()
}

func read(t testing.TB, b []byte, max int64) (int64, error) {
	in := &Counter{R: bytes.NewReader(b)}
	z, err := gzip.NewReader(in)
	if err != nil {
		t.Fatal(err)
	}
	return io.Copy(io.Discard, NewReader("x.gz", z, in, max))
}

func TestLimits(t *testing.T) {
	b := bomb(t, 200<<20)
	for _, c := range []struct{ max, want int64 }{{0, floor}, {1 << 20, 1 << 20}, {200 << 20, 200 << 20}, {300 << 20, 200 << 20}} {
		n, err := read(t, b, c.max)
		var e *cursor.FormatError
		stopped := errors.As(err, &e) && errors.Is(err, ErrTooLarge) && e.Offset == c.want
		if n != c.want || stopped != (c.want < 200<<20) {
			t.Errorf("limit %d: %d bytes, %v", c.max, n, err)
		}
	}
	if n, err := read(t, bomb(t, floor), 0); n != floor || err != nil {
		t.Errorf("%d bytes, %v", n, err)
	}
}
