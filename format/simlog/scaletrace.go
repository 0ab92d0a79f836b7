package simlog

import (
	"bytes"
	"io"
	"strconv"
)

// TraceReader reads one SCALE-Sim trace file: "cycle,addr1,...,addrN", no header,
// one row a cycle. Addresses are element numbers. The file's habits, as seen in
// real ones, are undone: numbers are printed as 5 or as 5.0, cycles may be
// negative (prefetch before the start), -1 marks an idle port, rows differ in
// length, and the last row may be filled up with a repeated number.
type TraceReader struct {
	feed  feed
	chunk *chunk
	text  []byte
	err   error
	notes notes

	Bytes    int64 // bytes read
	Rows     int64 // rows read
	Accesses int64 // addresses returned
	Idle     int64 // ports that were idle
	Padding  int64 // repeated numbers at a row's end, left out
	Skipped  int64 // rows without a usable cycle
	First    int64 // the first and the last cycle of any access
	Last     int64

	addrs []uint64
}

// NewTraceReader reads a trace from r.
func NewTraceReader(r io.Reader) *TraceReader {
	return &TraceReader{feed: feed{r: r}, chunk: newChunk()}
}

// Next returns the next row that has an access; io.EOF after the last. The slice
// is valid until the next call.
func (t *TraceReader) Next() (cycle int64, addrs []uint64, err error) {
	for {
		for len(t.text) == 0 {
			if t.err != nil {
				return 0, nil, t.err
			}
			t.feed.fill(t.chunk)
			t.text = t.chunk.buf[:t.chunk.n]
			t.Bytes += t.chunk.read
			t.notes.addN(t.Rows+1, t.chunk.long, "a row longer than 256 KiB; it is dropped")
			if t.chunk.last {
				t.err = io.EOF
				if t.chunk.err != nil {
					t.err = t.chunk.err
				}
			}
		}
		line, rest, _ := bytes.Cut(t.text, []byte{'\n'})
		t.text = rest
		t.Rows++
		line = bytes.TrimRight(line, "\r ,")
		if len(line) == 0 {
			continue
		}
		if cycle, ok := t.row(line); ok && len(t.addrs) > 0 {
			if t.Accesses == 0 {
				t.First, t.Last = cycle, cycle
			}
			t.First, t.Last = min(t.First, cycle), max(t.Last, cycle)
			t.Accesses += int64(len(t.addrs))
			return cycle, t.addrs, nil
		}
	}
}

// Notes lists what was odd.
func (t *TraceReader) Notes() []Note { return t.notes.sorted() }

// row parses a row into addrs.
func (t *TraceReader) row(line []byte) (cycle int64, ok bool) {
	t.addrs = t.addrs[:0]
	cycle, n, whole, ok := number(line)
	if !ok {
		t.Skipped++
		t.notes.add(t.Rows, "a row whose first column is no cycle; it is left out")
		return 0, false
	}
	if !whole {
		t.notes.add(t.Rows, "a cycle with a fraction; it is rounded down")
	}
	line = line[n:]
	for len(line) > 0 && line[0] == ',' {
		v, n, _, ok := number(line[1:])
		switch {
		case !ok:
			t.notes.add(t.Rows, "an address that is no number; it is left out")
			if n = bytes.IndexByte(line[1:], ','); n < 0 {
				n = len(line) - 1
			}
		case v < 0:
			t.Idle++
		default:
			t.addrs = append(t.addrs, uint64(v))
		}
		line = line[1+n:]
	}
	t.unpad()
	return cycle, true
}

// unpad drops a run of one and the same number at the row's end: one row never
// asks for an element twice, but some versions fill the last row up, for example
// with 1.0. A single such number cannot be told from an address and stays.
func (t *TraceReader) unpad() {
	n := len(t.addrs)
	for n > 1 && t.addrs[n-1] == t.addrs[n-2] {
		n--
	}
	if extra := len(t.addrs) - n; extra > 0 {
		t.Padding += int64(extra) + 1
		t.addrs = t.addrs[:n-1]
		t.notes.add(t.Rows, "the same number repeated up to the row's end; it is taken for padding")
	}
}

// number reads an integer, or a decimal fraction that is rounded down, at the
// beginning of b, with blanks around it. n is how many bytes that took.
func number(b []byte) (v int64, n int, whole, ok bool) {
	for n < len(b) && b[n] == ' ' {
		n++
	}
	start := n
	neg := n < len(b) && b[n] == '-'
	if neg {
		n++
	}
	digits := n
	for n < len(b) && b[n]-'0' <= 9 {
		if n-digits == 18 {
			return 0, 0, false, false
		}
		v = v*10 + int64(b[n]-'0')
		n++
	}
	ok, whole = n > digits, true
	if n < len(b) && (b[n] == '.' || b[n]|0x20 == 'e') {
		v, n, whole, ok = fraction(b, start)
	} else if neg {
		v = -v
	}
	for n < len(b) && b[n] == ' ' {
		n++
	}
	return v, n, whole, ok && (n == len(b) || b[n] == ',')
}

// fraction reads a number that is not all digits.
func fraction(b []byte, start int) (v int64, n int, whole, ok bool) {
	n = start
	for n < len(b) && b[n] != ',' && b[n] != ' ' {
		n++
	}
	f, err := strconv.ParseFloat(string(b[start:n]), 64)
	if err != nil || !(f > -1e18 && f < 1e18) {
		return 0, n, false, false
	}
	v = int64(f)
	if float64(v) > f {
		v--
	}
	return v, n, float64(v) == f, true
}
