package schema

import "strings"

// At returns the columns that the table has in a version.
func (t *Table) At(v Version) []Column {
	var out []Column
	for _, c := range t.Columns {
		if c.Span.Has(v) {
			out = append(out, c)
		}
	}
	return out
}

// Create returns the CREATE TABLE statement of the table in a version.
func (t *Table) Create(v Version) string { return create(t.Name, t.At(v)) }

// Create returns the CREATE TABLE statement of the enumeration.
func (e *Enum) Create() string {
	return create(e.Name, []Column{{Name: "id", Type: "INTEGER", Key: true}, {Name: "name", Type: "TEXT"}, {Name: "label", Type: "TEXT"}})
}

func create(name string, cols []Column) string {
	var b strings.Builder
	b.WriteString("CREATE TABLE " + name + " (\n")
	for i, c := range cols {
		b.WriteString("    " + c.Name + " " + c.Type)
		switch {
		case c.Key:
			b.WriteString(" NOT NULL PRIMARY KEY")
		case c.NotNull:
			b.WriteString(" NOT NULL")
		}
		if i+1 < len(cols) {
			b.WriteByte(',')
		}
		b.WriteByte('\n')
	}
	b.WriteString(")")
	return b.String()
}
