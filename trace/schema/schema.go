package schema

import (
	"cmp"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
)

// A Table is a table of the export schema.
type Table struct {
	Name    string
	Group   string // cuda, nvtx, cpu, …: the file that declares it
	Meaning string // what a row is
	Span    Span
	Columns []Column
}

// A Column is a column of a Table.
type Column struct {
	Name    string
	Type    string // INTEGER, REAL, TEXT or BLOB
	NotNull bool   // as declared; old exports wrote defaults instead of NULL
	Key     bool   // INTEGER PRIMARY KEY
	Unit    string // "ns", "byte", "Hz", …, or ""
	Ref     string // table or enumeration that the value is a number of, or ""
	Meaning string
	Span    Span
}

// An Enum is a table of named values, ENUM_*.
type Enum struct {
	Name   string
	Span   Span
	Values []Value
	Old    []Value // as older versions spelled some of Values
}

// A Value is a value of an enumeration.
type Value struct {
	ID    int64
	Name  string // CUDA_MEMCPY_KIND_HTOD
	Label string // Host-to-Device
	Span  Span   // as far as it is known: a first version is the first in which it was met
}

// Column returns the column of a name, upper and lower case alike, or nil.
func (t *Table) Column(name string) *Column {
	for i := range t.Columns {
		if strings.EqualFold(t.Columns[i].Name, name) {
			return &t.Columns[i]
		}
	}
	return nil
}

// OtherSpelling returns the column that has the same texts in the versions that do
// not have the column of a name: the texts themselves for one of numbers of StringIds,
// and the other way round; or nil. The two are NAME and NAMEId.
func (t *Table) OtherSpelling(name string) *Column {
	c := t.Column(name)
	if c == nil {
		return nil
	}
	text, number := c, t.Column(name+"Id")
	if c.Ref == "StringIds" {
		text, number = t.Column(strings.TrimSuffix(c.Name, "Id")), c
	}
	if text == nil || number == nil || text.Type != "TEXT" || number.Ref != "StringIds" || text.Span.Open && number.Span.Open {
		return nil
	}
	if c == text {
		return number
	}
	return text
}

// At returns the values of a version, as it spelled them.
func (e *Enum) At(v Version) []Value {
	var out []Value
	for _, x := range append(slices.Clone(e.Values), e.Old...) {
		if x.Span.Has(v) {
			out = append(out, x)
		}
	}
	slices.SortStableFunc(out, func(a, b Value) int { return cmp.Compare(a.ID, b.ID) })
	return out
}

// Label returns the label of a value, or "".
func (e *Enum) Label(id int64) string {
	i := sort.Search(len(e.Values), func(i int) bool { return e.Values[i].ID >= id })
	if i < len(e.Values) && e.Values[i].ID == id {
		return e.Values[i].Label
	}
	return ""
}

//go:embed tables/*.tsv enums/*.tsv
var data embed.FS

type catalogue struct {
	tables []*Table
	enums  []*Enum
	table  map[string]*Table
	enum   map[string]*Enum
}

// read parses the catalogue when it is first asked for. That it parses is
// tested, so a mistake in it cannot reach a user.
var read = sync.OnceValue(func() *catalogue {
	c := &catalogue{table: map[string]*Table{}, enum: map[string]*Enum{}}
	for _, name := range files("tables") {
		must(c.readTables(name))
	}
	for _, name := range files("enums") {
		must(c.readEnums(name))
	}
	sort.Slice(c.tables, func(i, j int) bool { return c.tables[i].Name < c.tables[j].Name })
	sort.Slice(c.enums, func(i, j int) bool { return c.enums[i].Name < c.enums[j].Name })
	for _, t := range c.tables {
		c.table[strings.ToLower(t.Name)] = t
	}
	for _, e := range c.enums {
		c.enum[strings.ToLower(e.Name)] = e
	}
	return c
})

func must(err error) {
	if err != nil {
		panic(err) // a mistake in this package, not in any input
	}
}

func files(dir string) []string {
	names, err := fs.Glob(data, dir+"/*.tsv")
	must(err)
	return names
}

// Tables are all tables by name, without the enumerations.
func Tables() []*Table { return read().tables }

// Enums are all enumerations by name.
func Enums() []*Enum { return read().enums }

// Lookup returns the table of a name, upper and lower case alike, or nil.
func Lookup(name string) *Table { return read().table[strings.ToLower(name)] }

// LookupEnum returns the enumeration of a name, upper and lower case alike, or
// nil.
func LookupEnum(name string) *Enum { return read().enum[strings.ToLower(name)] }

// lines yields the fields of the lines of a file; sub tells an indented line.
func lines(name string, yield func(sub bool, fields []string) error) error {
	b, err := data.ReadFile(name)
	if err != nil {
		return err
	}
	for n, line := range strings.Split(strings.TrimSuffix(string(b), "\n"), "\n") {
		rest, sub := strings.CutPrefix(line, "\t")
		if err := yield(sub, strings.Split(rest, "\t")); err != nil {
			return fmt.Errorf("%s:%d: %w", name, n+1, err)
		}
	}
	return nil
}

func (c *catalogue) readTables(name string) error {
	group := strings.TrimSuffix(path.Base(name), ".tsv")
	return lines(name, func(sub bool, f []string) error {
		if !sub {
			if len(f) != 4 {
				return fmt.Errorf("%d fields, 4 expected", len(f))
			}
			span, err := parseSpan(f[1], f[2])
			c.tables = append(c.tables, &Table{Name: f[0], Group: group, Span: span, Meaning: f[3]})
			return err
		}
		if len(f) != 8 || len(c.tables) == 0 {
			return fmt.Errorf("%d fields, 8 expected below a table", len(f))
		}
		span, err := parseSpan(f[3], f[4])
		t := c.tables[len(c.tables)-1]
		t.Columns = append(t.Columns, Column{Name: f[0], Type: f[1], NotNull: f[2] == "NOT NULL", Key: f[2] == "KEY",
			Span: span, Unit: f[5], Ref: f[6], Meaning: f[7]})
		return err
	})
}

func (c *catalogue) readEnums(name string) error {
	return lines(name, func(sub bool, f []string) error {
		if len(f) != 3 && (!sub || len(f) < 3 || len(f) > 5) || sub && len(c.enums) == 0 {
			return fmt.Errorf("%d fields, 3 expected; of values up to 5", len(f))
		}
		if !sub {
			span, err := parseSpan(f[1], f[2])
			c.enums = append(c.enums, &Enum{Name: f[0], Span: span})
			return err
		}
		id, err := strconv.ParseInt(f[0], 10, 64)
		e := c.enums[len(c.enums)-1]
		v := Value{ID: id, Name: f[1], Label: f[2]}
		versions := append(f[3:], "2021", "-")[:2] // those that are left out
		if len(f) == 4 {
			versions[1] = "-"
		}
		var e2 error
		v.Span, e2 = parseSpan(versions[0], versions[1])
		if n := len(e.Values); n > 0 && e.Values[n-1].ID == id {
			e.Old = append(e.Old, v)
		} else {
			e.Values = append(e.Values, v)
		}
		return errors.Join(err, e2)
	})
}

func parseSpan(first, last string) (s Span, err error) {
	if s.First, err = ParseVersion(first); err != nil {
		return s, err
	}
	if last == "-" {
		s.Open = true
		return s, nil
	}
	s.Last, err = ParseVersion(last)
	return s, err
}
