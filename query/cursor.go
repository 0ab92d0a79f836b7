package query

import (
	"zombiezen.com/go/sqlite"

	"github.com/gpuprof/gpuprof/dataset"
)

// Open makes a cursor.
func (v *setTable) Open() (sqlite.VTableCursor, error) { return &cursor{table: v}, nil }

// A cursor goes over the rows of files, or over those that are looked up.
type cursor struct {
	table  *setTable
	bounds []bound
	files  []int // still to come; the first is the current one

	// Of rows in order: the file that is open, its row group, and the columns of it
	// that were asked for.
	open   *dataset.Reader
	group  int
	row    int
	rows   int
	before int // rows of the file in the groups before
	values map[int]*dataset.Values

	// Of rows that are looked up.
	lookup *bound
	found  []int32
}

// Filter begins.
func (c *cursor) Filter(id sqlite.IndexID, argv []sqlite.Value) error {
	c.end()
	c.bounds = bounds(id.String, argv)
	c.files, c.lookup, c.found, c.row, c.rows = c.table.files(c.bounds), nil, nil, 0, 0
	for i := range c.bounds {
		if c.bounds[i].use == 'j' {
			c.lookup = &c.bounds[i]
		}
	}
	if c.lookup != nil {
		if c.lookup.value.kind == sqlite.TypeNull {
			c.files = nil
		}
		return c.seek()
	}
	if len(c.files) == 0 {
		return nil
	}
	c.group = -1
	return c.advance()
}

// seek finds the rows of the next file that has any.
func (c *cursor) seek() (err error) {
	for ; len(c.files) > 0; c.files = c.files[1:] {
		if c.found, err = c.table.rowsOf(c.files[0], c.lookup.column, c.lookup.value); err != nil || len(c.found) > 0 {
			return err
		}
	}
	return nil
}

// advance goes to the next row group that may hold rows.
func (c *cursor) advance() error {
	for len(c.files) > 0 {
		if err := c.table.set.ctx.Err(); err != nil {
			return err
		}
		if c.open == nil {
			r, err := c.table.open(c.files[0])
			if err != nil {
				return err
			}
			c.open, c.group, c.before, c.rows = r, -1, 0, 0
		}
		c.before += c.rows
		for c.group++; c.group < c.open.Groups(); c.group++ {
			if c.rows = c.open.Rows(c.group); c.rows > 0 && c.wanted() {
				c.row, c.values = 0, map[int]*dataset.Values{}
				return nil
			}
			c.before += c.rows
		}
		c.end()
		c.files = c.files[1:]
	}
	return nil
}

// wanted reports whether the row group may hold what the bounds ask for.
func (c *cursor) wanted() bool {
	for _, b := range c.bounds {
		if b.use != 'b' || b.value.kind != sqlite.TypeInteger {
			continue
		}
		least, most, ok := c.open.Bounds(c.group, c.table.columns[b.column].Name)
		n := b.value.n
		if ok && (b.op == "=" && (n < least || n > most) || b.op == "<" && least >= n || b.op == "<=" && least > n || b.op == ">" && most <= n || b.op == ">=" && most < n) {
			return false
		}
	}
	return true
}

// Next goes to the next row.
func (c *cursor) Next() error {
	if c.lookup != nil {
		if c.found = c.found[1:]; len(c.found) > 0 {
			return nil
		}
		c.files = c.files[1:]
		return c.seek()
	}
	if c.row++; c.row < c.rows {
		return nil
	}
	return c.advance()
}

// Column is a value of the row. Columns are read when they are first asked for.
func (c *cursor) Column(i int, _ bool) (sqlite.Value, error) {
	t := c.table
	if i >= len(t.columns) {
		key := t.table.Files[c.files[0]].Partition[i-len(t.columns)]
		if n, ok := keyNumber(key); ok && dataset.Keys[i-len(t.columns)] == "rank" {
			return sqlite.IntegerValue(n), nil
		}
		return sqlite.TextValue(key), nil
	}
	if c.lookup != nil {
		x, err := t.keep(c.files[0], i)
		if err != nil {
			return sqlite.Value{}, err
		}
		return valueOf(x, int(c.found[0])), nil
	}
	x := c.values[i]
	if x == nil {
		x = &dataset.Values{}
		if err := t.read(c.open, c.group, i, x); err != nil {
			return sqlite.Value{}, err
		}
		c.values[i] = x
	}
	return valueOf(x, c.row), nil
}

func valueOf(x *dataset.Values, i int) sqlite.Value {
	switch {
	case x.IsNull(i):
		return sqlite.Value{}
	case x.Type == dataset.Integer:
		return sqlite.IntegerValue(x.Ints[i])
	case x.Type == dataset.Real:
		return sqlite.FloatValue(x.Reals[i])
	case x.Type == dataset.Text:
		return sqlite.TextValue(string(x.Bytes(i)))
	}
	return sqlite.BlobValue(x.Bytes(i))
}

// RowID is file and row in it. It is the same whatever a scan leaves out: by it SQLite
// knows rows again that more than one term of an OR finds.
func (c *cursor) RowID() (int64, error) {
	row := c.before + c.row
	if c.lookup != nil {
		row = int(c.found[0])
	}
	return int64(c.files[0])<<40 | int64(row), nil
}

// EOF reports whether there are no more rows.
func (c *cursor) EOF() bool { return len(c.files) == 0 }

// Close ends it.
func (c *cursor) Close() error {
	c.end()
	return nil
}

func (c *cursor) end() {
	if c.open != nil {
		c.open.Close()
		c.open = nil
	}
	c.values = nil
}
