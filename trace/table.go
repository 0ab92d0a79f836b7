package trace

import "strings"

// Kind is the type of a column.
type Kind uint8

// The kinds of columns.
const (
	Integers Kind = iota
	Reals
	Texts
)

// A Column is a column of a Table. One of Ints, Reals and Syms has an element
// for each row.
type Column struct {
	Name  string
	Kind  Kind
	Ints  []int64
	Reals []float64
	Syms  []Sym
	Null  []bool // which cells are NULL; nil if none is
}

// IsNull reports whether cell i is NULL.
func (c *Column) IsNull(i int) bool { return c.Null != nil && c.Null[i] }

// len is the number of cells.
func (c *Column) len() int { return max(len(c.Ints), len(c.Reals), len(c.Syms)) }

// A Table holds the columns of a table that were asked for.
type Table struct {
	Name    string
	Rows    int
	Columns []*Column
}

// Col returns a column, upper and lower case alike, or nil if the file does not
// have it or it was not asked for.
func (t *Table) Col(name string) *Column {
	if t == nil {
		return nil
	}
	for _, c := range t.Columns {
		if strings.EqualFold(c.Name, name) {
			return c
		}
	}
	return nil
}

// Ints returns the integers of a column, zeros where the file does not have it.
func (t *Table) Ints(name string) []int64 {
	if c := t.Col(name); c != nil && c.Kind == Integers {
		return c.Ints
	}
	return make([]int64, t.Rows)
}

// IsNull reports whether a cell is NULL or its column absent.
func (t *Table) IsNull(name string, i int) bool {
	c := t.Col(name)
	return c == nil || c.IsNull(i)
}

// AddInts appends a column of integers; null may be nil.
func (t *Table) AddInts(name string, v []int64, null []bool) {
	t.Columns = append(t.Columns, &Column{Name: name, Ints: v, Null: null})
}
