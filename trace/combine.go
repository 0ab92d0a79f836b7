package trace

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// Combine numbers the combinations of values that some columns of a table take,
// and keeps the number of each row as a further column of integers of that name,
// which [Trace.Table] then knows; it must not be the name of another column. It returns a table with a row for each
// combination, in the order in which they are met: row n has the values that
// stand where the new column has n. Columns that the file does not have are
// absent from it too; nil where the file does not have the table.
//
// Events of few kinds, such as kernels by grid and block, take 8 bytes a row in
// place of 8 for each column. Parts of the table are read one after the other,
// none of the columns is kept whole.
func (t *Trace) Combine(ctx context.Context, table, name string, columns ...string) (*Table, error) {
	info := t.info(table)
	if info == nil {
		return nil, nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if old := t.combined[combinedKey{strings.ToLower(table), name}]; old != nil && t.tables[strings.ToLower(table)].Col(name) != nil {
		return old, nil
	}
	var asks []ColumnInfo
	for _, c := range columns {
		if ci := info.column(c); ci != nil && !slices.Contains(asks, *ci) {
			asks = append(asks, *ci)
		}
	}
	asks = append(asks, ColumnInfo{Name: "rowid"}) // tells the number of rows where there is nothing else
	c := &combiner{of: &Column{Name: name}, kinds: asks[:len(asks)-1], all: &Table{Name: info.Name}}
	for _, a := range c.kinds {
		c.all.Columns = append(c.all.Columns, newColumn(a, 0))
	}
	if have := t.tables[strings.ToLower(table)]; have != nil {
		c.of.Ints = make([]int64, 0, have.Rows)
	}
	problems, err := t.parts(ctx, info.Name, asks, func(p *Table) error { c.add(p); return ctx.Err() })
	if err != nil {
		return nil, err
	}
	c.all.Rows = c.n
	if have := t.tables[strings.ToLower(table)]; have != nil && have.Rows != len(c.of.Ints) {
		return nil, fmt.Errorf("%s: table %s had %d rows and now has %d", t.File, info.Name, have.Rows, len(c.of.Ints))
	}
	t.addColumns(info, &Table{Name: info.Name, Rows: len(c.of.Ints), Columns: []*Column{c.of}}, problems)
	t.combined[combinedKey{strings.ToLower(table), name}] = c.all
	return c.all, nil
}

type combinedKey struct{ table, name string }

// A combiner numbers combinations. It is a hash table with open addressing whose
// keys are the rows of all.
type combiner struct {
	of    *Column
	kinds []ColumnInfo
	all   *Table
	n     int     // rows of all
	slots []int32 // row of all plus one; 0: free
	hash  []uint64
}

// add numbers the rows of a part of the table.
func (c *combiner) add(p *Table) {
	if cap(c.hash) < p.Rows {
		c.hash = make([]uint64, p.Rows)
	}
	h := c.hash[:p.Rows]
	clear(h)
	cols := p.Columns[:len(c.kinds)]
	for _, col := range cols {
		col.hash(h)
	}
	last := int32(-1)
	for i := range p.Rows {
		if last < 0 || h[i] != h[i-1] || !c.same(cols, i, last) {
			last = c.find(cols, i, h[i])
		}
		c.of.Ints = append(c.of.Ints, int64(last))
	}
}

// hash mixes the cells into the hashes of their rows. NULL counts as 0; same
// tells them apart.
func (c *Column) hash(h []uint64) {
	const odd = 0x9e3779b97f4a7c15
	mix := func(h, v uint64) uint64 {
		h = (h ^ v) * odd
		return h ^ h>>29
	}
	switch c.Kind {
	case Integers:
		for i, v := range c.Ints {
			h[i] = mix(h[i], uint64(v))
		}
	case Reals:
		for i, v := range c.Reals {
			h[i] = mix(h[i], uint64(int64(v)))
		}
	case Texts:
		for i, v := range c.Syms {
			h[i] = mix(h[i], uint64(v))
		}
	}
}

// find returns the number of the combination in row i, a new one if need be.
func (c *combiner) find(cols []*Column, i int, h uint64) int32 {
	if 2*(c.n+1) > len(c.slots) {
		c.grow()
	}
	mask := uint64(len(c.slots) - 1)
	for k := h & mask; ; k = (k + 1) & mask {
		s := c.slots[k]
		if s == 0 {
			for x, col := range cols {
				c.all.Columns[x].push(col, i, c.n)
			}
			c.n++
			c.slots[k] = int32(c.n)
			return int32(c.n - 1)
		}
		if c.same(cols, i, s-1) {
			return s - 1
		}
	}
}

// grow doubles the hash table.
func (c *combiner) grow() {
	h := make([]uint64, c.n)
	for _, col := range c.all.Columns {
		col.hash(h)
	}
	c.slots = make([]int32, max(64, 2*len(c.slots)))
	mask := uint64(len(c.slots) - 1)
	for i, x := range h {
		k := x & mask
		for c.slots[k] != 0 {
			k = (k + 1) & mask
		}
		c.slots[k] = int32(i + 1)
	}
}

// same reports whether row i of cols is combination n.
func (c *combiner) same(cols []*Column, i int, n int32) bool {
	for x, col := range cols {
		of := c.all.Columns[x]
		if of.IsNull(int(n)) != col.IsNull(i) {
			return false
		}
		switch col.Kind {
		case Integers:
			if of.Ints[n] != col.Ints[i] {
				return false
			}
		case Reals:
			if a, b := of.Reals[n], col.Reals[i]; a != b && (a == a || b == b) {
				return false
			}
		case Texts:
			if of.Syms[n] != col.Syms[i] {
				return false
			}
		}
	}
	return true
}

// push appends cell i of another column of its kind; rows is how many it has.
func (c *Column) push(from *Column, i, rows int) {
	if from.IsNull(i) && c.Null == nil {
		c.Null = make([]bool, rows)
	}
	if c.Null != nil {
		c.Null = append(c.Null, from.IsNull(i))
	}
	switch c.Kind {
	case Integers:
		c.Ints = append(c.Ints, from.Ints[i])
	case Reals:
		c.Reals = append(c.Reals, from.Reals[i])
	case Texts:
		c.Syms = append(c.Syms, from.Syms[i])
	}
}
