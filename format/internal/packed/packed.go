// Package packed bounds what compressed inputs unpack to: a few megabytes can
// unpack to many gigabytes. It is the one place of that rule.
//
// An input may unpack to Floor bytes, or to Ratio times as many as of it have been
// read, whichever is more, and to no more than Most. Profiles, which are text full of
// repeated names, pack by a factor of 10 to 30; a stream that packs by hundreds
// is a bomb or nothing but one line, again and again.
package packed

import (
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/gpuprof/gpuprof/format/internal/cursor"
)

// ErrTooLarge is wrapped by the error that ends an input that unpacks to too much.
var ErrTooLarge = errors.New("unpacks to too much")

// The limits where the user gives none.
const (
	floor = 16 << 20 // bytes
	ratio = 50
	most  = 8 << 30 // bytes
)

// A Counter counts the packed bytes that are read.
type Counter struct {
	R io.Reader
	N int64
}

// Read implements io.Reader.
func (c *Counter) Read(p []byte) (int, error) {
	n, err := c.R.Read(p)
	c.N += int64(n)
	return n, err
}

// A Reader reads what an input unpacks to, up to the limit; then it returns a
// *cursor.FormatError that wraps ErrTooLarge and tells the offset.
type Reader struct {
	name               string
	plain              io.Reader
	in                 *Counter
	max                int64 // 0: the others
	floor, ratio, most int64
	n                  int64
}

// NewReader limits plain, which unpacks what in reads. Max is the limit in bytes;
// 0 stands for the limits of this package.
func NewReader(name string, plain io.Reader, in *Counter, max int64) *Reader {
	return &Reader{name: name, plain: plain, in: in, max: max, floor: floor, ratio: ratio, most: most}
}

// NewLogReader limits logs that are read as a stream and kept by nobody: to 8 GB,
// or 2000 times what is read of them, which is more than gzip can.
func NewLogReader(name string, plain io.Reader, in *Counter) *Reader {
	return &Reader{name: name, plain: plain, in: in, floor: most, ratio: 2000, most: math.MaxInt64}
}

func (r *Reader) limit() int64 {
	if r.max > 0 {
		return r.max
	}
	return min(max(r.floor, r.ratio*min(r.in.N, 1<<50)), r.most)
}

// Read implements io.Reader.
func (r *Reader) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	n, err := r.plain.Read(p)
	r.n += int64(n)
	if limit := r.limit(); r.n > limit {
		over := r.n - limit
		r.n = limit
		return max(0, n-int(min(over, int64(n)))), &cursor.FormatError{File: r.name, Offset: limit,
			Want: fmt.Sprintf("at most %d bytes unpacked from %d (--max-unpacked allows more)", limit, r.in.N), Found: "more", Err: ErrTooLarge}
	}
	return n, err
}
