package simlog

import (
	"bytes"
	"io"
)

// feed cuts an input into chunks of whole lines.
type feed struct {
	r    io.Reader
	rest []byte // the beginning of a line, from the end of the last chunk
	skip bool   // within a line that is too long: drop up to its end
	over bool
}

// fill reads the next chunk. After a chunk with last set there are no more.
func (f *feed) fill(c *chunk) {
	c.reset()
	c.n = copy(c.buf, f.rest)
	f.rest = f.rest[:0]
	for {
		n, err := readFull(f.r, c.buf[c.n:chunkSize])
		c.read += int64(n)
		c.n += n
		if f.skip {
			f.dropLong(c)
		}
		if err != nil {
			f.over, c.last = true, true
			c.cut = c.n > 0 && c.buf[c.n-1] != '\n'
			if err != io.EOF {
				c.err = err
			}
			return
		}
		if c.n < chunkSize {
			continue // what was read belonged to a line that is dropped
		}
		if k := bytes.LastIndexByte(c.buf[:c.n], '\n'); k >= 0 {
			f.rest = append(f.rest, c.buf[k+1:c.n]...)
			c.n = k + 1
			return
		}
		c.long++
		c.n, f.skip = 0, true
	}
}

// dropLong removes the rest of a line that is too long from the chunk's front.
func (f *feed) dropLong(c *chunk) {
	k := bytes.IndexByte(c.buf[:c.n], '\n')
	if k < 0 {
		c.n = 0
		return
	}
	c.n = copy(c.buf, c.buf[k+1:c.n])
	f.skip = false
}

// readFull fills p unless the input ends; err is io.EOF then, or what stopped it.
func readFull(r io.Reader, p []byte) (n int, err error) {
	for empty := 0; n < len(p) && err == nil; {
		var k int
		k, err = r.Read(p[n:])
		n += k
		if k > 0 {
			empty = 0
		} else if empty++; empty == 100 {
			err = io.ErrNoProgress
		}
	}
	if n == len(p) && err == io.EOF {
		err = nil // ask again, so that a full chunk is never the last
	}
	return n, err
}
