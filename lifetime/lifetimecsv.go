package lifetime

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
)

// LifetimeHeader is the first line of GainSight's lifetime files (.sim_l1.csv,
// .sim_l2.csv).
const LifetimeHeader = "kernel_id,address,lifetime_cycles,lifetime_ns\n"

// LifetimeWriter writes a lifetime file: one line for each lifetime, numbers with
// two decimals.
type LifetimeWriter struct {
	w      io.Writer
	buf    []byte
	period float64 // ns
	id     int64
	prefix []byte // "ID,"
	tails  []tail // lines with the same lifetime end alike
	Rows   int64
}

// tail is the printed form of a lifetime: ".00,CYCLES.00,NS\n".
type tail struct {
	cycles int64
	n      uint8
	text   [47]byte
}

const tailCache = 1 << 10

// NewLifetimeWriter writes the header line.
func NewLifetimeWriter(w io.Writer, m *Machine) *LifetimeWriter {
	l := &LifetimeWriter{w: w, period: m.period(), tails: make([]tail, tailCache), id: math.MinInt64}
	for i := range l.tails {
		l.tails[i].cycles = -1
	}
	l.buf = append(make([]byte, 0, 1<<16+256), LifetimeHeader...)
	return l
}

// Write writes a row.
func (l *LifetimeWriter) Write(kernel int64, r *Row) error {
	if kernel != l.id {
		l.id = kernel
		l.prefix = append(strconv.AppendInt(l.prefix[:0], kernel, 10), ',')
	}
	b := append(l.buf, l.prefix...)
	b = strconv.AppendUint(b, r.Addr, 10)
	t := &l.tails[r.Cycles&(tailCache-1)]
	if t.cycles == r.Cycles {
		l.buf = append(b, t.text[:t.n]...)
	} else {
		l.buf = t.fill(b, r.Cycles, l.period)
	}
	l.Rows++
	if len(l.buf) < 1<<16 {
		return nil
	}
	return l.Flush()
}

// fill appends a line's end to b and remembers it if it is short enough.
func (t *tail) fill(b []byte, cycles int64, period float64) []byte {
	start := len(b)
	b = append(b, ".00,"...)
	b = strconv.AppendInt(b, cycles, 10)
	b = append(b, ".00,"...)
	b = appendFixed2(b, float64(cycles)*period)
	b = append(b, '\n')
	if end := b[start:]; len(end) <= len(t.text) {
		t.cycles, t.n = cycles, uint8(copy(t.text[:], end))
	}
	return b
}

// Flush writes out what is buffered.
func (l *LifetimeWriter) Flush() error {
	_, err := l.w.Write(l.buf)
	l.buf = l.buf[:0]
	return err
}

// ReadLifetimes reads a lifetime file, ours or GainSight's, and calls f for every
// line. Only the columns kernel_id and lifetime_cycles are looked at, in the
// positions that the header line gives them.
func ReadLifetimes(r io.Reader, name string, f func(kernel, cycles int64)) error {
	b := bufio.NewReaderSize(r, 1<<16)
	var kernelAt, cyclesAt int
	for line := int64(1); ; line++ {
		text, err := b.ReadSlice('\n')
		if errors.Is(err, io.EOF) && len(text) == 0 {
			if line == 1 {
				return fmt.Errorf("%s: an empty file, not a lifetime file", name)
			}
			return nil
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("%s:%d: %w", name, line, err)
		}
		text = bytes.TrimRight(text, "\r\n")
		if line == 1 {
			kernelAt, cyclesAt = columnAt(text, "kernel_id"), columnAt(text, "lifetime_cycles")
			if kernelAt < 0 || cyclesAt < 0 {
				return fmt.Errorf("%s:1: no columns kernel_id and lifetime_cycles: this is no lifetime file", name)
			}
			continue
		}
		if len(text) == 0 {
			continue
		}
		k, ok1 := wholeCell(text, kernelAt)
		c, ok2 := wholeCell(text, cyclesAt)
		if !ok1 || !ok2 || c < 0 {
			return fmt.Errorf("%s:%d: expected kernel_id,address,lifetime_cycles,lifetime_ns, found %.60q", name, line, text)
		}
		f(k, c)
	}
}

func columnAt(header []byte, name string) int {
	for i, h := range bytes.Split(header, []byte{','}) {
		if string(bytes.TrimSpace(bytes.TrimPrefix(h, []byte("\ufeff")))) == name {
			return i
		}
	}
	return -1
}

// wholeCell reads the cell at a position of a line as a whole number, also where
// it is printed as 17116.00.
func wholeCell(line []byte, at int) (int64, bool) {
	for ; at > 0; at-- {
		k := bytes.IndexByte(line, ',')
		if k < 0 {
			return 0, false
		}
		line = line[k+1:]
	}
	if k := bytes.IndexByte(line, ','); k >= 0 {
		line = line[:k]
	}
	digits, frac, _ := bytes.Cut(line, []byte{'.'})
	if len(bytes.Trim(frac, "0")) > 0 {
		f, err := strconv.ParseFloat(string(line), 64)
		return int64(math.Round(f)), err == nil && math.Abs(f) < 1<<62
	}
	v, err := strconv.ParseInt(string(digits), 10, 64)
	return v, err == nil
}
