package simlog

import (
	"bytes"
	"io"
)

// longestHead is how much may stand before the first kernel of a log that is cut.
const longestHead = 16 << 20

// Cuts finds where a log of plain text can be cut so that its parts can be read
// apart: at headers of kernels, about so many bytes from one to the next, for a
// kernel is never cut. The first part begins at 0. What stands before head, such as
// the options of the simulator, concerns all parts: the reader of a later part reads
// the first head bytes, then its own. Of a log without such headers, and of one whose
// kernels overlap, there is one part.
func Cuts(r io.ReaderAt, size, most int64) (cuts []int64, head int64, err error) {
	cuts = []int64{0}
	head, mark, err := header(r, 0, size, "Processing kernel ", "-kernel name ")
	if err != nil || head < 0 || head > longestHead {
		return cuts, 0, err
	}
	intro := make([]byte, head)
	if _, err := r.ReadAt(intro, 0); err != nil && err != io.EOF {
		return cuts, 0, err
	}
	var o options
	for line := range bytes.Lines(intro) {
		if line = bytes.TrimSuffix(line, []byte("\n")); hasPrefix(line, "-gpgpu_") {
			o.line(line)
		}
	}
	if o.concurrent {
		return cuts, 0, nil
	}
	for at := max(most, head+1); at < size; at = cuts[len(cuts)-1] + most {
		next, _, err := header(r, at-1, size, mark) // a line that begins at at
		if err != nil || next < 0 {
			return cuts, head, err
		}
		cuts = append(cuts, next)
	}
	return cuts, head, nil
}

// header finds the first line that begins behind an offset, or at 0, with one of
// some marks; -1: there is none.
func header(r io.ReaderAt, from, size int64, marks ...string) (at int64, mark string, err error) {
	const room = 1 << 20
	longest := 0
	for _, m := range marks {
		longest = max(longest, len(m)+1)
	}
	buf := make([]byte, room+longest)
	for at := from; at < size; at += room {
		n, err := r.ReadAt(buf[:min(int64(len(buf)), size-at)], at)
		if err != nil && err != io.EOF {
			return -1, "", err
		}
		b := buf[:n]
		best := -1
		for _, m := range marks {
			i := bytes.Index(b, []byte("\n"+m))
			if at == 0 && bytes.HasPrefix(b, []byte(m)) {
				return 0, m, nil
			}
			if i >= 0 && i < room && (best < 0 || i < best) {
				best, mark = i, m
			}
		}
		if best >= 0 {
			return at + int64(best) + 1, mark, nil
		}
	}
	return -1, "", nil
}

// Since is what a list of statistics counts more than one before, as Kernel.Delta
// has it.
func (s Stats) Since(before Stats) Stats { return s.sub(before) }
