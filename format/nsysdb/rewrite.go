package nsysdb

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/gpuprof/gpuprof/internal/carry"
)

// A CellText is a cell with text or bytes of a database that is rewritten.
type CellText struct {
	Table  string // or index, or "sqlite_schema"
	Column string // "" in an index, and where a row has more cells than its table columns
	Name   string // of rows of tables with columns "name" and "value": the former
	RowID  int64  // 0 in an index
	Bytes  []byte
	Blob   bool
	// Fixed says that what takes its place must be as long; else it must not be longer.
	Fixed bool
}

// An Edit tells what of a database is written otherwise. Its functions are called
// from several goroutines at once; the text is valid until they return.
type Edit struct {
	// Text returns the bytes it gets, or what takes their place.
	Text func(*CellText) []byte
	// Number, which may be nil, returns what takes the place of an integer in a
	// column for which Numbers holds; it must fit the bytes of the old one.
	Number  func(table, column string, v int64) int64
	Numbers func(table, column string) bool
}

// A Rewritten tells what a rewrite did beside editing texts.
type Rewritten struct {
	Freed int // pages that held nothing of a table: now zeros
	// Indexes are those in which texts were edited, which are no longer in order
	// until SQLite's REINDEX puts them there.
	Indexes []string
}

// Rewrite writes the database with texts edited, page by page: every row and index
// entry stays on its page. What no row, index or schema holds is left out: freed
// pages, the gaps of pages, bytes behind rows that were deleted. Out may be nil, to
// have the texts gone over only. A database with defects is refused, as what cannot
// be read cannot be edited either.
func (f *File) Rewrite(ctx context.Context, out io.WriterAt, e Edit) (*Rewritten, error) {
	if len(f.problem) > 0 {
		return nil, fmt.Errorf("a damaged database is not rewritten: %w", f.problem[0])
	}
	r := &rewriter{f: f, out: out, edit: e, seen: make([]atomic.Uint64, f.Pages/64+1), touched: map[string]bool{}}
	trees, err := f.trees(ctx)
	if err != nil {
		return nil, err
	}
	if out != nil { // all pages are zeros at first
		if _, err := out.WriteAt(make([]byte, f.PageSize), int64(f.Pages-1)*int64(f.PageSize)); err != nil {
			return nil, err
		}
	}
	for _, t := range trees {
		if err := r.tree(ctx, t); err != nil {
			return nil, err
		}
	}
	done := &Rewritten{}
	for _, t := range trees {
		if r.touched[t.name] {
			if t.table != nil {
				return nil, fmt.Errorf("%s: table %s is WITHOUT ROWID, in the order of texts that were edited: %w", f.Name, t.name, errUnsupported)
			}
			done.Indexes = append(done.Indexes, t.name)
		}
	}
	done.Freed, err = r.freeList()
	return done, err
}

// rewriter is the state of a rewrite.
type rewriter struct {
	f    *File
	out  io.WriterAt
	edit Edit
	seen []atomic.Uint64 // a bit for each page that belongs to a tree

	mu      sync.Mutex
	touched map[string]bool // indexes with edited texts
	first   []byte          // page 1 as written
}

// A tree is a b-tree of the file.
type tree struct {
	name    string
	root    uint32
	table   *Table // nil of an index, or a table that is stored as one
	columns []string
	value   int // column "value" of a table of names and values, and
	key     int // column "name", or -1
}

// trees lists the b-trees of the file, that of the schema first.
func (f *File) trees(ctx context.Context) ([]*tree, error) {
	schema := &Table{Name: "sqlite_schema", file: f, Root: 1, rowid: -1}
	for i, n := range []string{"type", "name", "tbl_name", "rootpage", "sql"} {
		schema.Columns = append(schema.Columns, Column{Name: n, stored: i})
	}
	list := []*tree{newTree(schema)}
	b, err := schema.Read(ctx, Text("type"), Text("name"), Integer("rootpage"), Text("sql"))
	if err != nil {
		return nil, err
	}
	for i := range b.Rows {
		root, name := b.Columns[2].Ints[i], string(b.Columns[1].Bytes(i))
		if root == 0 {
			continue // a view, a trigger, a virtual table
		}
		if root < 0 || root > int64(f.Pages) {
			return nil, f.corrupt(0, "the root page of "+name, "page %d of %d", root, f.Pages)
		}
		t := &tree{name: name, root: uint32(root), key: -1, value: -1}
		if string(b.Columns[0].Bytes(i)) == "table" {
			if table := f.Table(name); table != nil && table.Root == t.root {
				t = newTree(table)
			}
		}
		list = append(list, t)
	}
	return list, nil
}

func newTree(t *Table) *tree {
	out := &tree{name: t.Name, root: t.Root, table: t, key: -1, value: -1}
	for i := range t.Columns {
		c := &t.Columns[i]
		if c.stored < 0 {
			continue
		}
		for len(out.columns) <= c.stored {
			out.columns = append(out.columns, "")
		}
		out.columns[c.stored] = c.Name
		switch {
		case strings.EqualFold(c.Name, "name"), strings.EqualFold(c.Name, "key"):
			out.key = c.stored
		case strings.EqualFold(c.Name, "value"):
			out.value = c.stored
		}
	}
	if out.value < 0 || out.key < 0 {
		out.key, out.value = -1, -1
	}
	return out
}

// claim takes a page for a tree; false: one has it already, or there is none.
func (r *rewriter) claim(n uint32) bool {
	if n == 0 || n > uint32(r.f.Pages) {
		return false
	}
	bit := uint64(1) << (n % 64)
	return r.seen[n/64].Or(bit)&bit == 0
}

// tree rewrites a tree: interior pages one after the other, leaves in parallel.
func (r *rewriter) tree(ctx context.Context, t *tree) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	leaves := make(chan []uint32, 2*runtime.GOMAXPROCS(0))
	wg := carry.Group{Stop: func() { cancel(nil) }}
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			p := newPages(r, t)
			for run := range leaves {
				if ctx.Err() == nil {
					if err := p.run(run); err != nil {
						cancel(err)
					}
				}
			}
		})
	}
	w := &descent{r: r, t: t, ctx: ctx, to: leaves, pages: newPages(r, t)}
	err := w.visit(t.root, 0)
	if err == nil {
		err = w.flush()
	}
	close(leaves)
	wg.Wait()
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return err
}

// A descent goes down a tree and hands the leaves out in runs of neighbours.
type descent struct {
	r     *rewriter
	t     *tree
	ctx   context.Context
	to    chan []uint32
	run   []uint32
	leaf  int // depth of the leaves; 0: not known
	pages *pages
}

func (d *descent) flush() error {
	if len(d.run) == 0 {
		return nil
	}
	select {
	case d.to <- d.run:
		d.run = nil
		return nil
	case <-d.ctx.Done():
		return context.Cause(d.ctx)
	}
}

// visit takes page n. Only the first path down is read to learn how deep leaves
// lie; the others are read by those who rewrite them.
func (d *descent) visit(n uint32, depth int) error {
	f := d.r.f
	if !d.r.claim(n) {
		return f.corrupt(f.offset(n), "a tree in which a page has one parent", "page %d of %s reached twice", n, d.t.name)
	}
	if d.leaf != 0 && depth == d.leaf {
		if k := len(d.run); k > 0 && (d.run[k-1]+1 != n || k*f.PageSize >= chunkBytes) {
			if err := d.flush(); err != nil {
				return err
			}
		}
		d.run = append(d.run, n)
		return nil
	}
	if depth > maxDepth {
		return f.corrupt(f.offset(n), "a tree of bounded depth", "%s goes on", d.t.name)
	}
	b := make([]byte, f.PageSize)
	if err := f.readPages(b, n); err != nil {
		return err
	}
	h := b
	if n == 1 {
		h = b[headerSize:]
	}
	switch h[0] {
	case pageTableLeaf, pageIndexLeaf:
		d.leaf = depth
		if depth == 0 {
			d.leaf = -1
		}
		return d.pages.page(b, n)
	case pageTableInterior, pageIndexInterior:
	default:
		return f.corrupt(f.offset(n), "a page of a b-tree", "type %d on page %d", h[0], n)
	}
	cells := int(binary.BigEndian.Uint16(h[3:]))
	if 12+2*cells > len(h) {
		return f.corrupt(f.offset(n)+3, "cells that fit their page", "%d", cells)
	}
	children := make([]uint32, 0, cells+1)
	for i := range cells {
		off := int(binary.BigEndian.Uint16(h[12+2*i:]))
		if off+4 > f.usable {
			return f.corrupt(f.offset(n), "a cell within its page", "one at %d", off)
		}
		children = append(children, binary.BigEndian.Uint32(b[off:]))
	}
	children = append(children, binary.BigEndian.Uint32(h[8:]))
	if err := d.pages.page(b, n); err != nil {
		return err
	}
	for _, c := range children {
		if c == 0 || c > uint32(f.Pages) {
			return f.corrupt(f.offset(n), "the number of a child page", "%d of %d pages", c, f.Pages)
		}
		if err := d.visit(c, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// freeList lists the pages that belong to no tree as free, with zeros in them, and
// writes the header that tells so.
func (r *rewriter) freeList() (int, error) {
	f := r.f
	var free []uint32
	lock := uint32(1<<30/f.PageSize) + 1 // the page that SQLite locks, and never uses
	for n := uint32(1); n <= uint32(f.Pages); n++ {
		switch {
		case r.seen[n/64].Load()&(1<<(n%64)) != 0, n == lock:
		case r.pointerMap(n):
			b := make([]byte, f.PageSize)
			if err := f.readPages(b, n); err != nil {
				return 0, err
			}
			if err := r.write(b, n); err != nil {
				return 0, err
			}
		default:
			free = append(free, n)
		}
	}
	if r.out == nil {
		return len(free), nil
	}
	first, count := uint32(0), len(free)
	per := f.usable/4 - 8
	for rest := free; len(rest) > 0; {
		n := min(per, len(rest)-1)
		page := make([]byte, f.PageSize)
		trunk, leaves := rest[0], rest[1:1+n]
		rest = rest[1+n:]
		if len(rest) > 0 {
			binary.BigEndian.PutUint32(page, rest[0])
		}
		binary.BigEndian.PutUint32(page[4:], uint32(n))
		for i, l := range leaves {
			binary.BigEndian.PutUint32(page[8+4*i:], l)
		}
		if err := r.write(page, trunk); err != nil {
			return 0, err
		}
		if first == 0 {
			first = trunk
		}
	}
	head := r.first
	binary.BigEndian.PutUint32(head[32:], first)
	binary.BigEndian.PutUint32(head[36:], uint32(count))
	binary.BigEndian.PutUint32(head[28:], uint32(f.Pages))
	copy(head[92:96], head[24:28]) // the page count is valid
	return count, r.write(head, 1)
}

// pointerMap reports whether a page is one that tells of the parents of others, in
// databases that vacuum themselves.
func (r *rewriter) pointerMap(n uint32) bool {
	return binary.BigEndian.Uint32(r.first[52:]) != 0 && n >= 2 && (n-2)%(uint32(r.f.usable/5)+1) == 0
}

func (r *rewriter) write(b []byte, n uint32) error {
	if r.out == nil {
		return nil
	}
	_, err := r.out.WriteAt(b, r.f.offset(n))
	return err
}
