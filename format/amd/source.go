package amd

import (
	"bytes"
	"fmt"
	"hash/maphash"
	"io"
	"strings"
)

// A source gives a text in windows, so that of a large file only those stay in
// memory of which records still hold lines.
type source struct {
	in    *io.SectionReader
	off   int64 // read so far
	size  int64
	step  int // windowSize, less in tests
	buf   []byte
	err   error
	nul   int64 // offset of the first zero byte, -1 for none
	lines int   // line ends before it, or read so far
}

// windowSize is how much is read at a time, at least.
const windowSize = 4 << 20

func newSource(r io.ReaderAt, size int64, name string) (*source, error) {
	const most = 1 << 36 // no sound trace is larger
	if size < 0 || size > most {
		return nil, &FormatError{File: name, Want: fmt.Sprintf("a file of at most %d bytes", int64(most)), Found: fmt.Sprintf("%d bytes", size), Err: ErrCorrupt}
	}
	return &source{in: io.NewSectionReader(r, 0, size), size: size, step: windowSize, buf: make([]byte, min(size, 256<<10)), nul: -1}, nil
}

// left is how many bytes are still to be read.
func (s *source) left() int64 { return s.size - s.off }

// window returns rest followed by what comes next in the file. Lines longer than
// a window make windows that double, so that no byte is copied often.
func (s *source) window(rest string) string {
	n := int(min(s.left(), int64(max(s.step, len(rest)))))
	var b strings.Builder
	b.Grow(len(rest) + n)
	b.WriteString(rest)
	for n > 0 {
		k, err := s.in.Read(s.buf[:min(n, len(s.buf))])
		b.Write(s.buf[:k])
		s.note(s.buf[:k])
		s.off += int64(k)
		if n -= k; err != nil && n > 0 {
			if err != io.EOF { // a file shorter than its size was is merely cut
				s.err = err
			}
			s.size = s.off
			break
		}
	}
	return b.String()
}

// note looks for the first zero byte, which no profiler writes.
func (s *source) note(b []byte) {
	if s.nul >= 0 {
		return
	}
	if i := bytes.IndexByte(b, 0); i >= 0 {
		s.nul, b = s.off+int64(i), b[:i]
	}
	s.lines += bytes.Count(b, []byte{'\n'})
}

// A cache keeps one copy of strings that come again and again, so that records
// do not hold the text they were read from. It forgets rather than grow.
type cache struct {
	seed  maphash.Seed
	known [4096]string
}

func newCache() *cache { return &cache{seed: maphash.MakeSeed()} }

// own returns a string equal to s that shares no memory with the text.
func (c *cache) own(s string) string {
	if s == "" {
		return ""
	}
	k := &c.known[maphash.String(c.seed, s)%uint64(len(c.known))]
	if *k != s {
		*k = strings.Clone(s)
	}
	return *k
}
