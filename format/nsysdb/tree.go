package nsysdb

import (
	"context"
	"encoding/binary"
	"fmt"
)

// The types of b-tree pages.
const (
	pageIndexInterior = 0x02
	pageTableInterior = 0x05
	pageIndexLeaf     = 0x0a
	pageTableLeaf     = 0x0d
)

// A walk lists the leaf pages below a root from left to right.
type walk struct {
	f        *File
	leaves   []uint32
	seen     []uint64 // a bit for each page that was reached
	problems problems
}

// walkLeaves visits the interior pages of a tree. It reads no leaf that has a
// sound parent: whether a page is a leaf is told by the level on which it is,
// which is the same for all leaves of a b-tree. Only the leftmost path is read
// down to learn the depth.
func (f *File) walkLeaves(ctx context.Context, root uint32) (*walk, error) {
	w := &walk{f: f, seen: make([]uint64, f.Pages/64+1)}
	depth, err := w.depth(root)
	if err != nil {
		w.problems.add(err)
		return w, nil
	}
	return w, w.visit(ctx, root, depth)
}

// depth counts the levels above the leaves along the leftmost path.
func (w *walk) depth(root uint32) (int, error) {
	b := make([]byte, w.f.PageSize)
	n := root
	for d := range maxDepth {
		p, err := w.page(b, n)
		if err != nil {
			return 0, err
		}
		if p[0] == pageTableLeaf {
			return d, nil
		}
		if n, err = w.child(b, p, n, 0); err != nil {
			return 0, err
		}
	}
	return 0, w.f.corrupt(w.f.offset(root), fmt.Sprintf("a tree of at most %d levels", maxDepth), "one that goes on")
}

// page reads page n into b and returns it from its b-tree header on.
func (w *walk) page(b []byte, n uint32) ([]byte, error) {
	if err := w.f.readPages(b, n); err != nil {
		return nil, err
	}
	p := b
	if n == 1 {
		p = b[headerSize:]
	}
	switch p[0] {
	case pageTableInterior, pageTableLeaf:
		return p, nil
	case pageIndexInterior, pageIndexLeaf:
		return nil, w.f.corrupt(w.f.offset(n), "a page of a table with rowid", "a page of an index (type %d)", p[0])
	}
	return nil, w.f.corrupt(w.f.offset(n), "a b-tree page of type 5 or 13", "type %d on page %d", p[0], n)
}

// child returns the page number in cell i of an interior page, or the rightmost
// child where i is the number of cells.
func (w *walk) child(b, p []byte, n uint32, i int) (uint32, error) {
	cells := int(binary.BigEndian.Uint16(p[3:]))
	at := 8
	if i < cells {
		if 12+2*i+2 > len(p) {
			return 0, w.f.corrupt(w.f.offset(n), "cells that fit their page", "%d", cells)
		}
		off := int(binary.BigEndian.Uint16(p[12+2*i:]))
		if off+4 > w.f.usable {
			return 0, w.f.corrupt(w.f.offset(n), "a cell within its page", "one at %d", off)
		}
		p, at = b, off
	}
	c := binary.BigEndian.Uint32(p[at:])
	if c == 0 || c > uint32(w.f.Pages) {
		return 0, w.f.corrupt(w.f.offset(n), "the number of a child page", "%d of %d pages", c, w.f.Pages)
	}
	return c, nil
}

// visit adds the leaves below page n, which is level levels above them. A
// broken page costs what is below it and no more.
func (w *walk) visit(ctx context.Context, n uint32, level int) error {
	if w.seen[n/64]&(1<<(n%64)) != 0 {
		w.problems.add(w.f.corrupt(w.f.offset(n), "a tree in which a page has one parent", "page %d reached twice", n))
		return nil
	}
	w.seen[n/64] |= 1 << (n % 64)
	if level == 0 {
		w.leaves = append(w.leaves, n)
		return nil
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	b := make([]byte, w.f.PageSize)
	p, err := w.page(b, n)
	if err == nil && p[0] != pageTableInterior {
		err = w.f.corrupt(w.f.offset(n), fmt.Sprintf("an interior page %d levels above the leaves", level), "a leaf")
	}
	if err != nil {
		w.problems.add(err)
		return nil
	}
	for i := range int(binary.BigEndian.Uint16(p[3:])) + 1 {
		c, err := w.child(b, p, n, i)
		if err != nil {
			w.problems.add(err)
			continue
		}
		if err := w.visit(ctx, c, level-1); err != nil {
			return err
		}
	}
	return nil
}

// offset is where page n begins in the file.
func (f *File) offset(n uint32) int64 { return int64(n-1) * int64(f.PageSize) }

// problems collects errors, of which a badly broken file would have millions.
type problems struct {
	list []error
	more int
}

const maxProblems = 20

func (p *problems) add(err error) {
	if len(p.list) < maxProblems {
		p.list = append(p.list, err)
	} else {
		p.more++
	}
}

func (p *problems) errors() []error {
	if p.more > 0 {
		return append(p.list, fmt.Errorf("and %d defects more", p.more))
	}
	return p.list
}
