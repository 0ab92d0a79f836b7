package kineto

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"slices"

	"github.com/klauspost/compress/gzip"
)

// Cut copies a trace with some of its events: of places, which [Locate] found in it,
// those that keep keeps. What stands between events and is none stays, and so does all
// around them, byte for byte. Added events, as JSON, are written first. What was packed
// is packed again.
func Cut(to io.Writer, in io.ReaderAt, size int64, places []Place, keep func(i int) bool, added ...[]byte) error {
	return rewrite(&cutting{}, to, in, size, places, keep, added)
}

func rewrite(c *cutting, to io.Writer, in io.ReaderAt, size int64, places []Place, keep func(i int) bool, added [][]byte) (err error) {
	c.w = bufio.NewWriterSize(to, 1<<18)
	var src io.Reader = io.NewSectionReader(in, 0, size)
	var magic [2]byte
	_, _ = in.ReadAt(magic[:], 0)
	if magic == [2]byte{0x1f, 0x8b} {
		u, err := unpack(src, max(freeUnpacked, mostRatio*size))
		if err != nil {
			return err
		}
		defer u.stop()
		src = u
		z := gzip.NewWriter(to)
		defer func() {
			if e := z.Close(); err == nil {
				err = e
			}
		}()
		c.w = bufio.NewWriterSize(z, 1<<18)
	}
	c.r = bufio.NewReaderSize(src, 1<<18)
	if err := c.run(places, keep, added); err != nil {
		return err
	}
	return c.w.Flush()
}

// cutting copies a text up to an offset after the other.
type cutting struct {
	r    *bufio.Reader
	w    *bufio.Writer
	at   int64
	any  bool // an event was written
	hold []byte
	last func(w *bufio.Writer) error // writes events behind those of the trace; may be nil
}

func (c *cutting) run(places []Place, keep func(int) bool, added [][]byte) error {
	for i := range places {
		p := &places[i]
		if p.Start < c.at || p.End < p.Start {
			return fmt.Errorf("the event at byte %d of the text lies behind one at %d", c.at, p.Start)
		}
		switch {
		case i == 0:
			if err := c.copy(p.Start); err != nil {
				return err
			}
			for _, a := range added {
				c.separate(nil)
				c.w.Write(a)
			}
			c.hold = c.hold[:0]
			if len(added) > 0 {
				c.hold = append(c.hold, ",\n"...)
			}
		default:
			if err := c.between(p.Start, keep(i-1) && keep(i)); err != nil {
				return err
			}
		}
		if !keep(i) {
			if err := c.skip(p.End); err != nil {
				return err
			}
			continue
		}
		c.separate(c.hold)
		if err := c.copy(p.End); err != nil {
			return err
		}
	}
	if c.last != nil {
		if err := c.last(c.w); err != nil {
			return err
		}
	}
	_, err := io.Copy(c.w, c.r)
	return err
}

// separate writes what stands before an element; nil: a comma.
func (c *cutting) separate(gap []byte) {
	switch {
	case c.any && gap == nil:
		c.w.WriteString(",\n")
	case c.any:
		c.w.Write(gap)
	}
	c.any = true
}

// between reads the text between two events. What is more than a comma stays there,
// whatever becomes of the events; where both stay, as it is.
func (c *cutting) between(to int64, both bool) error {
	if to-c.at > mostWindow {
		return fmt.Errorf("%d bytes at byte %d of the text are no events: %w", to-c.at, c.at, errTooLarge)
	}
	c.hold = slices.Grow(c.hold[:0], int(to-c.at))[:to-c.at]
	if _, err := io.ReadFull(c.r, c.hold); err != nil {
		return err
	}
	c.at = to
	if odd := bytes.Trim(c.hold, ", \t\r\n"); len(odd) > 0 && !both {
		c.separate(nil)
		c.w.Write(odd)
		c.hold = append(c.hold[:0], ",\n"...)
	}
	return nil
}

func (c *cutting) copy(to int64) error {
	n, err := io.CopyN(c.w, c.r, to-c.at)
	c.at += n
	return err
}

func (c *cutting) skip(to int64) error {
	n, err := io.CopyN(io.Discard, c.r, to-c.at)
	c.at += n
	return err
}
