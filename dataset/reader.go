package dataset

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// A Reader reads a file.
type Reader struct {
	path  string
	file  *os.File
	from  *parquet.File
	leaf  map[string]int // of columns that are not nested
	names []Column
}

// Open opens a file.
func (f *File) Open() (*Reader, error) {
	in, err := os.Open(f.Path)
	if err != nil {
		return nil, err
	}
	st, err := in.Stat()
	if err != nil {
		in.Close()
		return nil, err
	}
	p, err := parquet.OpenFile(in, st.Size(), parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		in.Close()
		return nil, fmt.Errorf("%s: expected Parquet: %w", f.Path, err)
	}
	r := &Reader{path: f.Path, file: in, from: p, leaf: map[string]int{}}
	for i, path := range p.Schema().Columns() {
		col, ok := p.Schema().Lookup(path...)
		if len(path) != 1 || !ok || col.MaxRepetitionLevel > 0 {
			continue
		}
		if t, ok := typeOf(col.Node); ok {
			r.leaf[path[0]] = i
			r.names = append(r.names, Column{path[0], t})
		}
	}
	return r, nil
}

func typeOf(n parquet.Node) (Type, bool) {
	switch n.Type().Kind() {
	case parquet.Boolean, parquet.Int32, parquet.Int64:
		return Integer, true
	case parquet.Float, parquet.Double:
		return Real, true
	case parquet.ByteArray, parquet.FixedLenByteArray:
		if l := n.Type().LogicalType(); l != nil && isText(l) {
			return Text, true
		}
		return Blob, true
	}
	return "", false
}

func isText(l *format.LogicalType) bool {
	_, ok := l.Value.(*format.StringType)
	return ok
}

// Close closes the file.
func (r *Reader) Close() error { return r.file.Close() }

// Columns are those of the file, in its order, without what is nested.
func (r *Reader) Columns() []Column { return r.names }

// Groups is how many row groups there are.
func (r *Reader) Groups() int { return len(r.from.RowGroups()) }

// Rows is how many rows a row group has.
func (r *Reader) Rows(group int) int { return int(r.from.RowGroups()[group].NumRows()) }

// Bounds are the least and the greatest value of a column of integers in a row group,
// as the footer has them; ok is false if it does not say, or the file lacks the column.
func (r *Reader) Bounds(group int, column string) (least, most int64, ok bool) {
	i, has := r.leaf[column]
	if !has {
		return 0, 0, false
	}
	c, is := r.from.RowGroups()[group].ColumnChunks()[i].(*parquet.FileColumnChunk)
	if !is || c.Type().Kind() != parquet.Int64 {
		return 0, 0, false
	}
	a, b, ok := c.Bounds()
	if !ok || a.IsNull() || b.IsNull() {
		return 0, 0, false
	}
	return a.Int64(), b.Int64(), true
}

// Values are those of a column in a row group, or of a whole file.
type Values struct {
	Type   Type
	null   []bool
	absent int       // so many rows of a file that lacks the column
	Ints   []int64   // of Integer
	Reals  []float64 // of Real
	ends   []int     // of Text and Blob: where the bytes of each end
	bytes  []byte
}

// Len is how many there are.
func (v *Values) Len() int { return v.absent + len(v.null) }

// IsNull reports whether value i is NULL.
func (v *Values) IsNull(i int) bool { return v.absent > 0 || v.null[i] }

// Bytes are those of value i of Text or Blob, which are not to be changed.
func (v *Values) Bytes(i int) []byte {
	from := 0
	if i > 0 {
		from = v.ends[i-1]
	}
	return v.bytes[from:v.ends[i]]
}

// Size is about how much memory the values take.
func (v *Values) Size() int64 {
	return int64(len(v.null) + 8*(len(v.Ints)+len(v.Reals)+len(v.ends)) + len(v.bytes))
}

// Read adds the values of a column in a row group to v. A column that the file lacks
// is NULL.
func (r *Reader) Read(group int, column string, v *Values) error {
	rows := r.Rows(group)
	i, ok := r.leaf[column]
	if !ok {
		v.absent += rows // a number that a file may lie about: nothing is made of it
		return nil
	}
	if v.Type == "" {
		for _, c := range r.names {
			if c.Name == column {
				v.Type = c.Type
			}
		}
	}
	pages := r.from.RowGroups()[group].ColumnChunks()[i].Pages()
	defer pages.Close()
	before := v.Len()
	buf := make([]parquet.Value, 1024)
	for {
		page, err := pages.ReadPage()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return fmt.Errorf("%s: column %s: %w", r.path, column, err)
		}
		err = r.page(page, buf, v, before+rows)
		parquet.Release(page)
		if err != nil {
			return fmt.Errorf("%s: column %s: %w", r.path, column, err)
		}
	}
	if n := v.Len() - before; n != rows {
		return fmt.Errorf("%s: column %s: expected %d values in row group %d, found %d", r.path, column, rows, group, n)
	}
	return nil
}

func (r *Reader) page(page parquet.Page, buf []parquet.Value, v *Values, most int) error {
	for from := page.Values(); ; {
		n, err := from.ReadValues(buf)
		if v.Len()+n > most {
			return fmt.Errorf("expected at most %d values, found more", most)
		}
		for _, x := range buf[:n] {
			v.add(x)
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// add appends a value.
func (v *Values) add(x parquet.Value) {
	v.null = append(v.null, x.IsNull())
	switch v.Type {
	case Integer:
		n := int64(0)
		switch {
		case x.IsNull():
		case x.Kind() == parquet.Boolean:
			if x.Boolean() {
				n = 1
			}
		case x.Kind() == parquet.Int32:
			n = int64(x.Int32())
		default:
			n = x.Int64()
		}
		v.Ints = append(v.Ints, n)
	case Real:
		f := 0.0
		switch {
		case x.IsNull():
		case x.Kind() == parquet.Float:
			f = float64(x.Float())
		default:
			f = x.Double()
		}
		v.Reals = append(v.Reals, f)
	case Text, Blob:
		if !x.IsNull() {
			v.bytes = append(v.bytes, x.ByteArray()...)
		}
		v.ends = append(v.ends, len(v.bytes))
	}
}
