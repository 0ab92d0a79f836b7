package timeline

import (
	"context"
	"strings"

	"github.com/gpuprof/gpuprof/internal/spelling"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/trace/schema"
	"github.com/gpuprof/gpuprof/view"
)

// Schema is the page schema.
var Schema = &page.Page{
	Name:  "schema",
	Title: "Tables",
	Short: "Print the catalogue of timeline tables",
	Long: `Without an operand it lists all tables and enumerations; with the name of one, its
columns with type, unit, what they refer to and the schema versions that have
them, or its values. A name may hold * and then stands for all that match.`,
	Example: "gpuprof schema\ngpuprof schema CUPTI_ACTIVITY_KIND_KERNEL\ngpuprof schema 'ENUM_CUDA_*'",
	Group:   page.GroupInfo, Args: "[TABLE...]", MinArgs: 0, MaxArgs: -1, Unopened: true,
	Options: []page.Option{{Name: "schema", Kind: page.Text, Arg: "VERSION", Help: "only what this version of the export schema has (2021, 2.9.1, …, 3.28.1)"}},
	Build:   buildSchema,
}

func buildSchema(_ context.Context, q *page.Request) (*view.Document, error) {
	has := func(schema.Span) bool { return true }
	if q.Given("schema") {
		v, err := schema.ParseVersion(q.Text("schema"))
		if err != nil {
			return nil, page.Usagef("--schema: %v", err)
		}
		has = func(s schema.Span) bool { return s.Has(v) }
	}
	d := &view.Document{Title: "schema"}
	if len(q.Args) == 0 {
		d.Sections = []view.Section{{ID: "schema", Items: []view.Item{{Table: tableList(has)}, {Table: enumList(has)}}}}
		return d, nil
	}
	for _, name := range q.Args {
		n := len(d.Sections)
		for _, t := range schema.Tables() {
			if matchName(name, t.Name) && has(t.Span) {
				d.Sections = append(d.Sections, view.Section{ID: t.Name, Title: t.Name + ": " + t.Meaning,
					Items: []view.Item{{Table: columnList(t, has)}}})
			}
		}
		for _, e := range schema.Enums() {
			if matchName(name, e.Name) && has(e.Span) {
				d.Sections = append(d.Sections, view.Section{ID: e.Name, Title: e.Name, Items: []view.Item{{Table: valueList(e)}}})
			}
		}
		if len(d.Sections) == n {
			var known []string
			for _, t := range schema.Tables() {
				known = append(known, t.Name)
			}
			for _, e := range schema.Enums() {
				known = append(known, e.Name)
			}
			return nil, page.Usagef("schema: there is no table %q%s; 'gpuprof schema' lists them", name, spelling.Nearest(name, known))
		}
	}
	return d, nil
}

// matchName matches a name with a pattern in which * stands for anything.
func matchName(pattern, name string) bool {
	pattern, name = strings.ToLower(pattern), strings.ToLower(name)
	head, tail, star := strings.Cut(pattern, "*")
	if !star {
		return pattern == name
	}
	if !strings.HasPrefix(name, head) {
		return false
	}
	for rest := name[len(head):]; ; rest = rest[1:] {
		if matchName(tail, rest) {
			return true
		}
		if rest == "" {
			return false
		}
	}
}

func schemaTable(id string, columns ...string) *view.Table {
	t := &view.Table{ID: id}
	for _, c := range columns {
		t.Columns = append(t.Columns, view.Column{Name: strings.ToLower(c), Label: c, Type: view.Text, MaxWidth: 80})
	}
	return t
}

func strs(s ...string) []view.Value {
	row := make([]view.Value, len(s))
	for i := range s {
		row[i] = view.String(s[i])
	}
	return row
}

func tableList(has func(schema.Span) bool) *view.Table {
	t := schemaTable("tables", "Table", "Group", "Versions", "Meaning")
	for _, tb := range schema.Tables() {
		if has(tb.Span) {
			t.Rows = append(t.Rows, strs(tb.Name, tb.Group, tb.Span.String(), tb.Meaning))
		}
	}
	return t
}

func enumList(has func(schema.Span) bool) *view.Table {
	t := schemaTable("enumerations", "Enumeration", "Versions")
	for _, e := range schema.Enums() {
		if has(e.Span) {
			t.Rows = append(t.Rows, strs(e.Name, e.Span.String()))
		}
	}
	return t
}

func columnList(tb *schema.Table, has func(schema.Span) bool) *view.Table {
	t := schemaTable("columns", "Column", "Type", "Rule", "Unit", "Refers to", "Versions", "Meaning")
	for _, c := range tb.Columns {
		rule := ""
		switch {
		case c.Key:
			rule = "PRIMARY KEY"
		case c.NotNull:
			rule = "NOT NULL"
		}
		if has(c.Span) {
			t.Rows = append(t.Rows, strs(c.Name, c.Type, rule, c.Unit, c.Ref, c.Span.String(), c.Meaning))
		}
	}
	return t
}

func valueList(e *schema.Enum) *view.Table {
	t := schemaTable("values", "Value", "Name", "Label")
	for _, v := range e.Values {
		t.Rows = append(t.Rows, append([]view.Value{view.Int(v.ID, "")}, strs(v.Name, v.Label)...))
	}
	return t
}
