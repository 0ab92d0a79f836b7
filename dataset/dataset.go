package dataset

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Keys are the columns of partitions, in the order of the folders.
var Keys = []string{"source", "run", "date", "rank"}

// A Partition is the values of Keys.
type Partition [4]string

// Dir is the folder of a partition, below that of a table.
func (p Partition) Dir() string {
	var at []string
	for i, k := range Keys {
		at = append(at, k+"="+name(p[i]))
	}
	return filepath.Join(at...)
}

// name is a value in letters that file systems and engines take.
func name(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-', r == '_', r == '.':
			return r
		}
		return '_'
	}, s)
	return cmp.Or(strings.TrimLeft(s, "."), "_")
}

// A Dataset is a folder of tables.
type Dataset struct {
	Dir    string
	schema *record
	tables []string
}

// Is reports whether a folder holds a dataset.
func Is(dir string) bool {
	if _, err := os.Stat(filepath.Join(dir, schemaFile)); err == nil {
		return true
	}
	found, err := filepath.Glob(filepath.Join(quoteMeta(dir), "*", Keys[0]+"=*"))
	return err == nil && len(found) > 0
}

// quoteMeta takes the meaning off what [filepath.Match] has a meaning for.
func quoteMeta(name string) string {
	return strings.NewReplacer(`*`, `[*]`, `?`, `[?]`, `[`, `[[]`).Replace(name)
}

// Open opens a dataset. It is an error if a later version of the form wrote it.
func Open(dir string) (*Dataset, error) {
	s, err := readSchema(dir)
	if err != nil {
		return nil, err
	}
	d := &Dataset{Dir: dir, schema: s}
	list, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, e := range list {
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") && !strings.HasPrefix(e.Name(), "_") {
			d.tables = append(d.tables, e.Name())
		}
	}
	return d, nil
}

// Tables are the names of the tables, in byte order.
func (d *Dataset) Tables() []string { return d.tables }

// A Table is the files of one table.
type Table struct {
	Name    string
	Columns []Column // of the files, without Keys
	Files   []File
}

// A File is what one report has of a table.
type File struct {
	Path string
	Size int64
	Partition
}

// Table lists the files of a table and its columns: those of all files, in the order
// in which they were first written. [os.ErrNotExist] is matched if there is none.
func (d *Dataset) Table(name string) (*Table, error) {
	if !slices.Contains(d.tables, name) {
		return nil, fmt.Errorf("%s: expected a table, found no %q: %w", d.Dir, name, os.ErrNotExist)
	}
	t := &Table{Name: name}
	top := filepath.Join(d.Dir, name)
	err := filepath.WalkDir(top, func(path string, e fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, os.ErrNotExist):
			return nil // it went while we looked
		case err != nil:
			return err
		case path != top && (strings.HasPrefix(e.Name(), ".") || strings.HasPrefix(e.Name(), "_")):
			if e.IsDir() {
				return filepath.SkipDir
			}
			return nil
		case e.IsDir() || !strings.HasSuffix(e.Name(), ".parquet"):
			return nil
		}
		f := File{Path: path}
		if st, err := e.Info(); err == nil {
			f.Size = st.Size()
		}
		rel, err := filepath.Rel(top, filepath.Dir(path))
		if err != nil {
			return err
		}
		for _, part := range strings.Split(filepath.ToSlash(rel), "/") {
			key, value, _ := strings.Cut(part, "=")
			if i := slices.Index(Keys, key); i >= 0 {
				f.Partition[i] = value
			}
		}
		t.Files = append(t.Files, f)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if t.Columns = d.schema.Tables[name]; t.Columns != nil {
		return t, nil
	}
	for i := range t.Files {
		r, err := t.Files[i].Open()
		if err != nil {
			return nil, err
		}
		t.Columns, err = Union(t.Columns, r.Columns())
		r.Close()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", t.Files[i].Path, err)
		}
	}
	return t, nil
}
