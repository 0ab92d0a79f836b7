package nsysdb

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/gpuprof/gpuprof/internal/atomicfile"
)

// A Writer makes a database from rows that come in order, without an engine:
// rows fill leaf pages from first to last, and the interior pages above them are
// written when the table ends. There are no indexes, as in the exports of
// Nsight Systems. Tables are written one after the other.
type Writer struct {
	out    io.WriterAt
	size   int    // of a page
	pages  uint32 // handed out so far; page 1 is kept for the schema
	buf    []byte // pages not yet written, which follow each other
	bufAt  uint32 // number of the first of them
	schema *TableWriter
	open   *TableWriter
	err    error
	own    []byte
}

// newWriter starts a database with pages of the given size, a power of two from
// 512 to 65536.
func newWriter(out io.WriterAt, pageSize int) (*Writer, error) {
	if pageSize < 512 || pageSize > 65536 || pageSize&(pageSize-1) != 0 {
		return nil, fmt.Errorf("page size %d is no power of two from 512 to 65536", pageSize)
	}
	w := &Writer{out: out, size: pageSize, pages: 1, bufAt: 2}
	w.schema = &TableWriter{w: w, t: &Table{rowid: -1, Columns: make([]Column, 5)}}
	return w, nil
}

// WriteFile makes the database of a path. It appears there only when fill and
// the writer have succeeded.
func WriteFile(path string, pageSize int, fill func(*Writer) error) error {
	return atomicfile.Write(path, func(f *atomicfile.File) error {
		w, err := newWriter(f, pageSize)
		if err != nil {
			return err
		}
		if err := fill(w); err != nil {
			return err
		}
		return w.Close()
	})
}

// Table starts a table; create is its CREATE TABLE statement. The table before
// it ends.
func (w *Writer) Table(create string) (*TableWriter, error) {
	w.finish()
	f := &File{Name: "new table"}
	t := &Table{SQL: create, file: f, rowid: -1}
	l := &lexer{s: create}
	for range 3 {
		tok, _ := l.next()
		t.Name = tok.text
	}
	if err := t.parse(); err != nil {
		return nil, err
	}
	if t.indexed {
		return nil, fmt.Errorf("table %s: its key needs an index, and none is written: %w", t.Name, errUnsupported)
	}
	for _, c := range t.Columns {
		if c.stored < 0 {
			return nil, fmt.Errorf("table %s: column %s is computed: %w", t.Name, c.Name, errUnsupported)
		}
	}
	w.open = &TableWriter{w: w, t: t}
	return w.open, w.err
}

// finish ends the open table and notes it in the schema.
func (w *Writer) finish() {
	if w.open == nil {
		return
	}
	t := w.open
	w.open = nil
	root := t.end(w.size)
	w.schema.text("table", t.t.Name, t.t.Name)
	w.schema.values = append(w.schema.values, cell{Class: classInteger, Int: int64(root)}, cell{Class: classText, Bytes: []byte(t.t.SQL)})
	w.schema.row()
}

// Close ends the last table and writes the schema and the header.
func (w *Writer) Close() error {
	w.finish()
	w.schema.flush()
	children := w.schema.children
	for len(children) > 1 && !fitsInterior(children, w.size-headerSize) {
		children = w.interior(children)
	}
	w.flush()
	page := make([]byte, w.size)
	if len(children) == 0 {
		putPage(page[headerSize:], pageTableLeaf, 0, w.size)
	} else {
		putInterior(page, headerSize, children)
	}
	copy(page, Magic)
	binary.BigEndian.PutUint16(page[16:], uint16(w.size&0xffff|w.size>>16))
	page[18], page[19], page[21], page[22], page[23] = 1, 1, 64, 32, 32
	put := func(off int, v uint32) { binary.BigEndian.PutUint32(page[off:], v) }
	put(24, 1)
	put(28, w.pages)
	put(40, 1) // schema cookie
	put(44, 4) // schema format
	put(56, 1) // UTF-8
	put(92, 1) // as 24: the page count is valid
	put(96, 3045000)
	w.writeAt(page, 0)
	return w.err
}

func (w *Writer) writeAt(b []byte, off int64) {
	if w.err == nil {
		_, w.err = w.out.WriteAt(b, off)
	}
}

// flush writes the pages that wait.
func (w *Writer) flush() {
	if len(w.buf) > 0 {
		w.writeAt(w.buf, int64(w.bufAt-1)*int64(w.size))
	}
	w.bufAt, w.buf = w.pages+1, w.buf[:0]
}

// page appends a page of zeros and returns its number and its bytes, which are
// valid until the next call.
func (w *Writer) page() (uint32, []byte) {
	no, p := w.usedPage()
	clear(p)
	return no, p
}

// usedPage is page with bytes that may be anything.
func (w *Writer) usedPage() (uint32, []byte) {
	if len(w.buf) >= 1<<20 {
		w.flush()
	}
	if w.pages == 1<<32-2 && w.err == nil {
		w.err = errors.New("more pages than a database can have")
	}
	w.pages++
	n := len(w.buf)
	if cap(w.buf) < n+w.size {
		w.buf = append(make([]byte, 0, 1<<20+2*w.size), w.buf...)
	}
	w.buf = w.buf[:n+w.size]
	return w.pages, w.buf[n:]
}

// A child is a page together with the largest rowid below it.
type child struct {
	page uint32
	max  int64
}

// interior writes one level of interior pages above the given ones.
func (w *Writer) interior(children []child) []child {
	var up []child
	for len(children) > 0 {
		n, room := 0, w.size-12
		for n < len(children) && room >= 0 {
			room -= 6 + varintLen(uint64(children[n].max))
			n++
		}
		if n == len(children)-1 { // leave no page with a single child
			n--
		}
		no, p := w.page()
		putInterior(p, 0, children[:n])
		up = append(up, child{no, children[n-1].max})
		children = children[n:]
	}
	return up
}

func fitsInterior(children []child, room int) bool {
	room -= 12
	for _, c := range children[:len(children)-1] {
		room -= 6 + varintLen(uint64(c.max))
	}
	return room >= 0
}

// putPage writes the header of a b-tree page.
func putPage(p []byte, typ byte, cells, content int) {
	p[0], p[1], p[2], p[7] = typ, 0, 0, 0 // no free blocks, no fragments
	binary.BigEndian.PutUint16(p[3:], uint16(cells))
	binary.BigEndian.PutUint16(p[5:], uint16(content)) // 65536 is written as 0
}

// putInterior fills an interior page whose b-tree header is at an offset.
func putInterior(p []byte, at int, children []child) {
	last := len(children) - 1
	end := len(p)
	for i, c := range children[:last] {
		end -= 4 + varintLen(uint64(c.max))
		binary.BigEndian.PutUint32(p[end:], c.page)
		putVarint(p[end+4:], uint64(c.max))
		binary.BigEndian.PutUint16(p[at+12+2*i:], uint16(end))
	}
	putPage(p[at:], pageTableInterior, last, end)
	binary.BigEndian.PutUint32(p[at+8:], children[last].page)
}

func varintLen(v uint64) int {
	n := 1
	for v >>= 7; v > 0 && n < 9; v >>= 7 {
		n++
	}
	return n
}

// putVarint writes v and returns its length.
func putVarint(b []byte, v uint64) int {
	if v < 0x80 {
		b[0] = byte(v)
		return 1
	}
	n := varintLen(v)
	if n == 9 {
		b[8] = byte(v)
		v >>= 8
		for i := 7; i >= 0; i-- {
			b[i] = byte(v) | 0x80
			v >>= 7
		}
		return 9
	}
	for i := n - 1; i >= 0; i-- {
		b[i] = byte(v) | 0x80
		v >>= 7
	}
	b[n-1] &= 0x7f
	return n
}
