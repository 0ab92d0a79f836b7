package dataset

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/gpuprof/gpuprof/internal/atomicfile"
)

// Version is that of the form.
const Version = 1

// schemaFile begins with a letter that engines pass over.
const schemaFile = "_schema.json"

// A Column is one of a table.
type Column struct {
	Name string `json:"name"`
	Type Type   `json:"type"`
}

// A Type is what the values of a column are.
type Type string

// The types, by the names of Parquet and SQL.
const (
	Integer Type = "INT64"
	Real    Type = "DOUBLE"
	Text    Type = "STRING"
	Blob    Type = "BYTE_ARRAY"
)

// record is _schema.json.
type record struct {
	Version int                 `json:"version"`
	Keys    []string            `json:"partitions"`
	Tables  map[string][]Column `json:"tables"`
}

// readSchema reads the record of a dataset; an empty one if it has none.
func readSchema(dir string) (*record, error) {
	s := &record{Version: Version, Keys: Keys, Tables: map[string][]Column{}}
	name := filepath.Join(dir, schemaFile)
	b, err := os.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) {
		return s, nil
	}
	if err != nil {
		return nil, err
	}
	*s = record{}
	if err := json.Unmarshal(b, s); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if s.Version < 1 || s.Version > Version {
		return nil, fmt.Errorf("%s: expected a version from 1 to %d, found %d: a later gpuprof wrote this dataset", name, Version, s.Version)
	}
	if s.Tables == nil {
		s.Tables = map[string][]Column{}
	}
	return s, nil
}

// Union adds columns to a list. A column that has another type than the list says is
// an error, but a text where the other is a blob, which differ in name alone; the
// others are added.
func Union(list, more []Column) ([]Column, error) {
	var bad error
	for _, c := range more {
		i := slices.IndexFunc(list, func(x Column) bool { return x.Name == c.Name })
		switch {
		case i < 0:
			list = append(list, c)
		case list[i].Type != c.Type && !(list[i].bytes() && c.bytes()) && bad == nil:
			bad = fmt.Errorf("expected %s of column %q, which the dataset has, found %s", list[i].Type, c.Name, c.Type)
		}
	}
	return list, bad
}

func (c Column) bytes() bool { return c.Type == Text || c.Type == Blob }

// Record adds the columns of tables to what the dataset says of itself. One process at
// a time may do it. Columns that contradict what is there are an error; the others are
// recorded.
func Record(dir string, tables map[string][]Column) error {
	s, err := readSchema(dir)
	if err != nil {
		return err
	}
	s.Version, s.Keys = Version, Keys
	var bad []error
	for _, table := range slices.Sorted(maps.Keys(tables)) {
		list, err := Union(s.Tables[table], tables[table])
		if s.Tables[table] = list; err != nil {
			bad = append(bad, fmt.Errorf("%s: table %s: %w", dir, table, err))
		}
	}
	b, err := json.MarshalIndent(s, "", " ")
	if err != nil {
		return err
	}
	return errors.Join(append(bad, atomicfile.WriteBytes(filepath.Join(dir, schemaFile), append(b, '\n')))...)
}
