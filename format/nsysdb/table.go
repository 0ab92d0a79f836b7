package nsysdb

import (
	"fmt"
	"strings"
)

// A Table is a table of a database.
type Table struct {
	Name    string
	SQL     string   // the CREATE TABLE statement
	Columns []Column // in the order of SQL
	Root    uint32   // number of the root page

	file    *File
	rowid   int   // index of the column that is the rowid, or -1
	indexed bool  // SQLite keeps an index for a key of the table
	refused error // why the table cannot be read
}

// A Column is a column as its table declares it.
type Column struct {
	Name     string
	Type     string // as declared, "INTEGER"; SQLite lets cells have another
	NotNull  bool
	Key      bool     // the column is the PRIMARY KEY
	Affinity affinity // what the declared type makes of stored values

	def    cell // of rows written before the column was added
	stored int  // position in the record; -1 for a generated column that is not stored
}

// affinity is SQLite's word for the effect of a declared type.
type affinity uint8

// The affinities. Only AffinityReal matters for reading: whole numbers in such a
// Column are stored as integers and mean reals.
const (
	affinityNone affinity = iota
	affinityInteger
	affinityReal
	affinityNumeric
	affinityText
)

// affinityOf follows section 3.1 of https://www.sqlite.org/datatype3.html.
func affinityOf(typ string) affinity {
	u := strings.ToUpper(typ)
	switch {
	case strings.Contains(u, "INT"):
		return affinityInteger
	case strings.Contains(u, "CHAR"), strings.Contains(u, "CLOB"), strings.Contains(u, "TEXT"):
		return affinityText
	case strings.Contains(u, "BLOB"), u == "":
		return affinityNone
	case strings.Contains(u, "REAL"), strings.Contains(u, "FLOA"), strings.Contains(u, "DOUB"):
		return affinityReal
	}
	return affinityNumeric
}

// Column returns the index of a column by its name, upper and lower case alike,
// or -1.
func (t *Table) Column(name string) int {
	for i := range t.Columns {
		if strings.EqualFold(t.Columns[i].Name, name) {
			return i
		}
	}
	return -1
}

// rowID returns the index of the column that stands for the rowid, or -1.
func (t *Table) rowID() int { return t.rowid }

// Err says why the table cannot be read, or nil.
func (t *Table) Err() error { return t.refused }

// An Ask is a column to be read and the form in which it is wanted.
type Ask struct {
	Column string
	Form   Form
}

// Form is the form of a vector.
type Form uint8

// The forms.
const (
	formInteger Form = iota // Vector.Ints
	formReal                // Vector.Reals
	formText                // Vector.Bytes
	formAny                 // Vector.Cell: each cell in the class in which it is stored
)

// Integer asks for a column as integers. Other cells are converted as SQLite's
// CAST does: reals towards zero, text by the number that it begins with.
func Integer(column string) Ask { return Ask{column, formInteger} }

// Real asks for a column as doubles.
func Real(column string) Ask { return Ask{column, formReal} }

// Text asks for a column as bytes: text in UTF-8 and blobs as they are, numbers
// in decimal.
func Text(column string) Ask { return Ask{column, formText} }

// Any asks for the cells as they are stored.
func Any(column string) Ask { return Ask{column, formAny} }

// rowID asks for the rowid, the number by which SQLite keeps rows apart, as an
// integer.
func rowID() Ask { return Ask{"rowid", formInteger} }

// wants resolves the columns asked for.
func (t *Table) wants(asks []Ask) ([]want, error) {
	if t.refused != nil {
		return nil, t.refused
	}
	ws := make([]want, len(asks))
	seen := make(map[int]bool, len(asks))
	for i, a := range asks {
		c := t.Column(a.Column)
		switch {
		case c < 0 && strings.EqualFold(a.Column, "rowid"):
			ws[i] = want{index: -1, form: a.Form, rowid: true}
			continue
		case c < 0:
			return nil, fmt.Errorf("%s: table %s has no column %s", t.file.Name, t.Name, a.Column)
		case t.Columns[c].stored < 0:
			return nil, fmt.Errorf("%s: column %s of table %s is computed from others: %w", t.file.Name, a.Column, t.Name, errUnsupported)
		case seen[c]:
			return nil, fmt.Errorf("%s: column %s of table %s is asked for twice", t.file.Name, a.Column, t.Name)
		}
		seen[c] = true
		ws[i] = want{index: t.Columns[c].stored, form: a.Form, rowid: c == t.rowid,
			real: t.Columns[c].Affinity == affinityReal, def: t.Columns[c].def}
	}
	return ws, nil
}

// A want is an Ask resolved.
type want struct {
	index int // position in the record
	form  Form
	rowid bool // the cell is the rowid
	real  bool // integers mean reals
	def   cell // of records that end before
}
