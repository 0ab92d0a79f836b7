package simlog

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
)

// TableReader reads the generic access log as CSV: a header line that names the
// columns, then one line for each access. It implements [Source].
//
// The columns are those of [Columns]; their order is free, columns of other names
// are ignored. Lines that begin with # give facts about the whole:
//
//	# clock_mhz = 1980
//	# level L1D bytes = 122880
//	# kernel 25 name = gemm
//	# kernel 25 end = 22571
//
// A kernel is the run of lines with the same value in the column kernel.
type TableReader struct {
	ctx    context.Context
	feed   feed
	chunk  *chunk
	levels *levelNames
	notes  notes
	tally  Tally
	rows   rowReader
	err    error
	header bool // seen
}

// Columns are the columns of a generic access log.
var Columns = []Column{
	{Name: "cycle", Required: true, Meaning: "time of the access in clock cycles, an integer; may be negative, falls only where the kernel changes; time_ns may stand in its place"},
	{Name: "level", Required: true, Meaning: "name of the memory level: L1D, L2 or any other"},
	{Name: "bank", Meaning: "which instance of the level: an SM, slice or bank number below 65536; addresses of different banks are different data. 0 if absent"},
	{Name: "address", Required: true, Meaning: "byte address, decimal or hexadecimal with 0x"},
	{Name: "size", Meaning: "bytes accessed; one block if absent"},
	{Name: "op", Required: true, Meaning: "load or store (also read, write, r, w, atomic)"},
	{Name: "status", Meaning: "HIT, MISS, HIT_RESERVED, RESERVATION_FAIL, SECTOR_MISS, MSHR_HIT, or 0 2 1 3 4 5; unknown if absent"},
	{Name: "kernel", Meaning: "id of the kernel or subroutine, an integer; all accesses are one kernel if absent"},
	{Name: "time_ns", Meaning: "time of the access in ns since any moment, where there is no column cycle; may have a fraction"},
}

// Column describes a column of the generic access log.
type Column struct {
	Name     string
	Required bool
	Meaning  string
}

// NewTableReader reads a generic access log from r, which holds plain text.
func NewTableReader(ctx context.Context, r io.Reader) *TableReader {
	t := &TableReader{ctx: ctx, feed: feed{r: r}, chunk: newChunk(), levels: newLevelNames()}
	t.rows = newRowReader(&t.notes)
	return t
}

// Next returns the next run of accesses and events; io.EOF after the last.
func (t *TableReader) Next() (*Batch, error) {
	if t.err == nil {
		t.err = t.ctx.Err()
	}
	if t.err != nil {
		return nil, t.err
	}
	c := t.chunk
	t.feed.fill(c)
	b := &c.batch
	t.notes.addN(t.tally.Lines+1, c.long, "a line longer than 256 KiB; it is dropped")
	t.tally.Lines += c.long
	t.tally.Other += c.long
	b.FirstLine = t.tally.Lines + 1
	if b.Size != nil {
		b.Size = b.Size[:0]
	}
	text := c.buf[:c.n]
	for len(text) > 0 {
		line, rest, _ := bytes.Cut(text, []byte{'\n'})
		text = rest
		t.tally.Lines++
		if err := t.line(b, bytes.TrimRight(line, "\r")); err != nil {
			t.err = err
			return nil, err
		}
	}
	t.tally.Bytes += c.read
	if c.last {
		t.rows.end(b)
		t.err = io.EOF
		if c.err != nil {
			t.notes.add(t.tally.Lines, "the input breaks off here: "+c.err.Error())
			t.err = c.err
		}
	}
	t.tally.Kernels = t.rows.kernels
	return b, nil
}

// line takes one line of the file.
func (t *TableReader) line(b *Batch, line []byte) error {
	switch {
	case len(line) == 0:
		t.tally.Other++
	case line[0] == '#':
		t.tally.Other++
		if !t.rows.meta.line(string(line[1:])) {
			t.notes.add(t.tally.Lines, "a # line that states none of the declared facts; it is ignored")
		}
	case !t.header:
		t.tally.Other++
		t.header = true
		return t.columns(string(line))
	default:
		switch v, err := t.rows.line(b, line, t.levels, t.tally.Lines); {
		case err != "":
			t.tally.Malformed++
			t.notes.add(t.tally.Lines, err)
		case v:
			t.tally.Accesses++
		default:
			t.tally.Other++
		}
	}
	return nil
}

// columns reads the header line.
func (t *TableReader) columns(line string) error {
	t.rows.at = [numColumns]int{}
	fields := strings.Split(strings.TrimPrefix(line, "\ufeff"), ",")
	for c, col := range Columns {
		t.rows.at[c] = -1
		for i, f := range fields {
			if strings.EqualFold(strings.Trim(f, ` "`), col.Name) {
				t.rows.at[c] = i
			}
		}
	}
	if missing := t.rows.missing(); len(missing) > 0 {
		return &FormatError{Want: "a header line with the columns cycle (or time_ns), level, address, op",
			Found: fmt.Sprintf("a line without %s", strings.Join(missing, ", ")), Err: errNotTable}
	}
	t.rows.fields = len(fields)
	return nil
}

// missing are the columns that are required and not there.
func (r *rowReader) missing() (names []string) {
	for c, col := range Columns {
		if col.Required && r.at[c] < 0 && (c != colCycle || r.at[colTime] < 0) {
			names = append(names, col.Name)
		}
	}
	return names
}

// Levels names the levels of [Info.Level].
func (t *TableReader) Levels() []string { return t.levels.list() }

// Config holds the facts stated in # lines.
func (t *TableReader) Config() Config { return t.rows.meta.config() }

// Tally counts the lines read so far.
func (t *TableReader) Tally() Tally { return t.tally }

// Notes lists what was odd, in the order of lines.
func (t *TableReader) Notes() []Note { return t.notes.sorted() }

// Close does nothing: the reader given to [NewTableReader] is the caller's.
func (t *TableReader) Close() error { return nil }
