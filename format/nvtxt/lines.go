package nvtxt

import (
	"bytes"
	"io"
)

// MaxLine is the longest line, in bytes, that is read. A longer one is
// reported and skipped, or just skipped if it is a comment.
const MaxLine = 8 << 20

const readSize = 256 << 10

const byteOrderMark = "\xef\xbb\xbf"

// Lines cuts a stream at LF, CR LF and lone CR.
type Lines struct {
	src    io.Reader
	buf    []byte
	start  int // of the next line in buf
	end    int // of what has been read
	seen   int // up to here there is no line end
	cr     int // first CR at or after start; end if there is none
	base   int64
	number int
	eof    bool
	err    error // of src, other than io.EOF
}

// NewLines returns the lines of src.
func NewLines(src io.Reader) *Lines {
	return &Lines{src: src, buf: make([]byte, readSize)}
}

// Next returns the next line without its end, where it begins in the stream,
// and whether it was cut off at MaxLine bytes. The line is valid until the
// next call.
func (l *Lines) Next() (line []byte, off int64, long, ok bool) {
	for {
		if i := l.lineEnd(); i >= 0 {
			line, off = l.buf[l.start:i:i], l.base+int64(l.start)
			l.pass(i)
			return line, off, len(line) > MaxLine, true
		}
		if l.eof {
			if l.start == l.end {
				return nil, l.base + int64(l.start), false, false
			}
			line, off = l.buf[l.start:l.end:l.end], l.base+int64(l.start)
			l.start, l.seen = l.end, l.end
			l.number++
			return line, off, len(line) > MaxLine, true
		}
		if l.end-l.start > MaxLine+1 { // even without a CR at the end
			line, off = l.skipLong()
			return line, off, true, true
		}
		l.fill()
	}
}

// Number is the number of the line that Next returned, from 1.
func (l *Lines) Number() int { return l.number }

// Err returns what ended the stream, nil for its end.
func (l *Lines) Err() error { return l.err }

// pass goes on behind the line end at i.
func (l *Lines) pass(i int) {
	l.start = i + 1
	if l.buf[i] == '\r' {
		if l.start < l.end && l.buf[l.start] == '\n' {
			l.start++
		}
		l.cr = l.findCR(l.start)
	}
	l.seen = l.start
	l.number++
}

// lineEnd returns the position of the next LF or CR, or -1 if more must be
// read to know. A CR at the very end of buf waits for the LF that may follow.
func (l *Lines) lineEnd() int {
	i := bytes.IndexByte(l.buf[l.seen:l.end], '\n')
	if i >= 0 {
		i += l.seen
	}
	if l.cr < l.end && (i < 0 || l.cr < i) {
		if l.cr+1 < l.end || l.eof {
			return l.cr
		}
		l.seen = l.cr
		return -1
	}
	if i < 0 {
		l.seen = l.end
	}
	return i
}

func (l *Lines) findCR(from int) int {
	if i := bytes.IndexByte(l.buf[from:l.end], '\r'); i >= 0 {
		return from + i
	}
	return l.end
}

// fill reads more, after moving the unfinished line to the front.
func (l *Lines) fill() {
	if l.start > 0 {
		n := copy(l.buf, l.buf[l.start:l.end])
		l.base += int64(l.start)
		l.seen -= l.start
		l.cr -= l.start
		l.start, l.end = 0, n
	}
	if l.end == len(l.buf) {
		grown := make([]byte, min(2*len(l.buf), MaxLine+readSize))
		copy(grown, l.buf[:l.end])
		l.buf = grown
	}
	had, noCR := l.end, l.cr >= l.end
	for range 100 {
		n, err := l.src.Read(l.buf[l.end:])
		l.end += n
		if err != nil {
			l.eof = true
			if err != io.EOF {
				l.err = err
			}
			break
		}
		if n > 0 {
			break
		}
	}
	if l.end == had && !l.eof {
		l.eof, l.err = true, io.ErrNoProgress
	}
	if noCR {
		l.cr = l.findCR(had)
	}
}

// skipLong drops what is left of a line that is too long and returns its
// first bytes.
func (l *Lines) skipLong() (line []byte, off int64) {
	line, off = bytes.Clone(l.buf[l.start:l.start+1024]), l.base+int64(l.start)
	for {
		switch i := l.lineEnd(); {
		case i >= 0:
			l.pass(i)
			return line, off
		case l.eof:
			l.start, l.seen = l.end, l.end
			l.number++
			return line, off
		}
		l.start = min(l.cr, l.end) // a CR at the very end stays
		l.seen = l.start
		l.fill()
	}
}

// Begin reads the start of the stream, skips a byte order mark and tells
// whether the text is UTF-16, which shows by its mark or its zero bytes.
func (l *Lines) Begin() (utf16 bool) {
	for l.end < 4 && !l.eof {
		l.fill()
	}
	b := l.buf[:l.end]
	if bytes.HasPrefix(b, []byte(byteOrderMark)) {
		l.start, l.seen = 3, 3
		l.cr = l.findCR(3)
		return false
	}
	return bytes.HasPrefix(b, []byte("\xff\xfe")) || bytes.HasPrefix(b, []byte("\xfe\xff")) ||
		len(b) >= 4 && (b[1] == 0 && b[3] == 0 || b[0] == 0 && b[2] == 0) && b[0]+b[1] != 0 && b[2]+b[3] != 0
}
