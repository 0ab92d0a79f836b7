package simlog

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/format/internal/cursor"
	"github.com/parquet-go/parquet-go"
)

// ParquetReader reads the generic access log from a Parquet file whose flat
// columns are those of [Columns]: integers as INT32 or INT64, words as strings.
// The facts that the CSV form states in # lines are the file's key-value
// metadata, with the part before the equals sign as key. It implements [Source].
type ParquetReader struct {
	ctx    context.Context
	name   string
	groups []parquet.RowGroup
	open   parquet.Rows
	leaf   []int // column of the file -> column of the log, -1 for others
	rows   rowReader
	buf    []parquet.Row
	batch  Batch
	levels *levelNames
	notes  notes
	tally  Tally
	err    error
}

// parquetBatch is how many rows are read at a time.
const parquetBatch = 4096

// NewParquetReader reads size bytes of Parquet from r.
func NewParquetReader(ctx context.Context, name string, r io.ReaderAt, size int64) (p *ParquetReader, err error) {
	defer recoverAs(name, &err)
	if err := checkFooter(name, r, size); err != nil {
		return nil, err
	}
	f, err := parquet.OpenFile(r, size)
	if err != nil {
		return nil, parquetError(name, err)
	}
	p = &ParquetReader{ctx: ctx, name: name, groups: f.RowGroups(), buf: make([]parquet.Row, parquetBatch), levels: newLevelNames()}
	p.rows = newRowReader(&p.notes)
	p.tally.Bytes = size
	var found []string
	for c := range p.rows.at {
		p.rows.at[c] = -1
	}
	columns := f.Schema().Columns()
	p.leaf = make([]int, len(columns))
	for i, path := range columns {
		p.leaf[i] = slices.IndexFunc(Columns, func(c Column) bool { return len(path) == 1 && strings.EqualFold(c.Name, path[0]) })
		if c := p.leaf[i]; c >= 0 {
			p.rows.at[c] = i
			found = append(found, Columns[c].Name)
		}
	}
	if len(p.rows.missing()) > 0 {
		return nil, &FormatError{File: name, Want: "the columns cycle (or time_ns), level, address, op", Found: "only " + strings.Join(found, ", "), Err: errNotTable}
	}
	for _, kv := range f.Metadata().KeyValueMetadata {
		p.rows.meta.fact(strings.Fields(kv.Key), kv.Value)
	}
	return p, nil
}

// checkFooter looks at the footer's length before the library trusts it with an
// allocation: the file ends in a 4-byte length and PAR1, and begins with PAR1.
func checkFooter(name string, r io.ReaderAt, size int64) error {
	var tail [8]byte
	if size < 12 {
		return &FormatError{File: name, Want: "a Parquet file of at least 12 bytes", Found: fmt.Sprintf("%d bytes", size), Err: cursor.ErrTruncated}
	}
	if _, err := r.ReadAt(tail[:], size-8); err != nil && err != io.EOF {
		return &FormatError{File: name, Offset: size - 8, Want: "the footer's length", Found: err.Error(), Err: err}
	}
	if n := int64(binary.LittleEndian.Uint32(tail[:4])); n > size-12 || string(tail[4:]) != "PAR1" {
		return &FormatError{File: name, Offset: size - 8, Want: "the footer's length and PAR1", Found: fmt.Sprintf("%q", tail[:]), Err: cursor.ErrCorrupt}
	}
	return nil
}

func parquetError(name string, err error) error {
	return &FormatError{File: name, Want: "a Parquet file", Found: err.Error(), Err: cursor.ErrCorrupt}
}

// recoverAs turns a panic of the Parquet library, which damaged files can cause,
// into an error.
func recoverAs(name string, err *error) {
	if v := recover(); v != nil {
		*err = parquetError(name, fmt.Errorf("damaged pages: %v", v))
	}
}

// Next returns the next run of accesses and events; io.EOF after the last.
func (p *ParquetReader) Next() (b *Batch, err error) {
	if p.err == nil {
		p.err = p.ctx.Err()
	}
	if p.err != nil {
		return nil, p.err
	}
	b = &p.batch
	b.Cycle, b.Addr, b.Info, b.Size, b.Events = b.Cycle[:0], b.Addr[:0], b.Info[:0], b.Size[:0], b.Events[:0]
	b.FirstLine = p.tally.Lines + 1
	defer func() { p.tally.Kernels = p.rows.kernels }()
	n, err := p.read()
	for _, row := range p.buf[:n] {
		p.row(b, row)
	}
	if err != nil {
		if err != io.EOF {
			p.notes.add(p.tally.Lines, "the input breaks off here: "+err.Error())
		}
		p.rows.end(b)
		p.err = err
	}
	return b, nil
}

// read fills buf with the next rows.
func (p *ParquetReader) read() (n int, err error) {
	defer recoverAs(p.name, &err)
	for {
		if p.open == nil {
			if len(p.groups) == 0 {
				return 0, io.EOF
			}
			p.open = p.groups[0].Rows()
			p.groups = p.groups[1:]
		}
		n, err = p.open.ReadRows(p.buf)
		switch {
		case errors.Is(err, io.EOF):
			err = p.open.Close()
			p.open = nil
			if n > 0 || err != nil {
				return n, err
			}
		case err != nil:
			return n, parquetError(p.name, err)
		case n > 0:
			return n, nil
		}
	}
}

// row takes one row of the file.
func (p *ParquetReader) row(b *Batch, row parquet.Row) {
	p.tally.Lines++
	r := tableRow{status: StatusUnknown, noAddr: true}
	for _, v := range row {
		c := p.leaf[v.Column()]
		if c < 0 || v.IsNull() {
			continue
		}
		if !r.setValue(c, v) {
			p.tally.Malformed++
			p.notes.add(p.tally.Lines, rowErrors[c])
			return
		}
	}
	switch access, why := p.rows.put(b, &r, p.levels, p.tally.Lines); {
	case why != "":
		p.tally.Malformed++
		p.notes.add(p.tally.Lines, why)
	case access:
		p.tally.Accesses++
	default:
		p.tally.Other++
	}
}

// setValue takes one value: integers as they are, everything else by its text.
func (row *tableRow) setValue(c int, v parquet.Value) bool {
	var n int64
	switch v.Kind() {
	case parquet.Double:
		whole, rest := math.Modf(v.Double())
		row.time = tick{ns: int64(whole), rest: rest}
		return c == colTime && math.Abs(whole) < 1<<62
	case parquet.Int32:
		n = int64(v.Int32())
	case parquet.Int64:
		n = v.Int64()
	case parquet.ByteArray, parquet.FixedLenByteArray:
		return row.set(c, v.ByteArray())
	default:
		return false
	}
	switch c {
	case colCycle:
		row.cycle = n
	case colBank:
		row.bank = n
	case colAddress:
		row.addr, row.noAddr = uint64(n), false // an unsigned column has the same bits
	case colSize:
		row.size = n
	case colStatus:
		row.status = Status(n & 7)
		return n >= 0 && n <= int64(StatusUnknown)
	case colKernel:
		row.kernel = n
	case colTime:
		row.time = tick{ns: n}
	default:
		return false
	}
	return true
}

// Levels names the levels of [Info.Level].
func (p *ParquetReader) Levels() []string { return p.levels.list() }

// Config holds the facts stated in the file's metadata.
func (p *ParquetReader) Config() Config { return p.rows.meta.config() }

// Tally counts the rows read so far.
func (p *ParquetReader) Tally() Tally { return p.tally }

// Notes lists what was odd, in the order of rows.
func (p *ParquetReader) Notes() []Note { return p.notes.sorted() }

// Close releases the pages that are open; the reader given is the caller's.
func (p *ParquetReader) Close() error {
	if p.open != nil {
		err := p.open.Close()
		p.open = nil
		return err
	}
	return nil
}
