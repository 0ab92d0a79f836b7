package stats

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/view"
)

// made is a source of tables written out in a test: a line of column names,
// then a line of cells for each row. A cell is an integer, a word, or "-" for
// NULL; a column in which any cell is a word is one of texts, in which _ is a
// space.
type made map[string]string

func (m made) Tables() []trace.TableInfo {
	var names []string
	for n := range m {
		names = append(names, n)
	}
	slices.Sort(names)
	var out []trace.TableInfo
	for _, n := range names {
		info := trace.TableInfo{Name: n}
		head, rows := m.rows(n)
		for c, name := range head {
			info.Columns = append(info.Columns, trace.ColumnInfo{Name: name, Kind: kindOf(rows, c)})
		}
		out = append(out, info)
	}
	return out
}

func (m made) rows(table string) (head []string, rows [][]string) {
	for i, l := range strings.Split(strings.TrimSpace(m[table]), "\n") {
		if f := strings.Fields(l); i == 0 {
			head = f
		} else {
			rows = append(rows, f)
		}
	}
	return head, rows
}

func kindOf(rows [][]string, c int) trace.Kind {
	for _, r := range rows {
		if _, ok := number(r[c]); !ok && r[c] != "-" {
			return trace.Texts
		}
	}
	return trace.Integers
}

// number reads an integer; p7 is the serialized number of process 7, and p7t9
// that of its thread 9.
func number(s string) (n int64, ok bool) {
	if p, isID := strings.CutPrefix(s, "p"); isID {
		pid, tid, _ := strings.Cut(p, "t")
		a, ok := number(pid)
		b, _ := number(tid)
		return int64(trace.MakeGlobalID(0, 0, a, b)), ok
	}
	n, err := strconv.ParseInt(s, 10, 64)
	return n, err == nil
}

func (m made) Read(_ context.Context, table string, columns []trace.ColumnInfo, s *trace.Strings) (*trace.Table, []error, error) {
	head, rows := m.rows(table)
	t := &trace.Table{Name: table, Rows: len(rows)}
	for _, ci := range columns {
		col := &trace.Column{Name: ci.Name, Kind: ci.Kind, Null: make([]bool, len(rows))}
		c := slices.Index(head, ci.Name)
		for i, r := range rows {
			cell := "-"
			if c >= 0 {
				cell = r[c]
			}
			n, _ := number(cell)
			if ci.Name == "rowid" {
				n, cell = int64(i+1), ""
			}
			col.Null[i] = cell == "-"
			if ci.Kind == trace.Texts {
				col.Syms = append(col.Syms, s.Intern(strings.ReplaceAll(cell, "_", " ")))
			} else {
				col.Ints = append(col.Ints, n)
			}
		}
		t.Columns = append(t.Columns, col)
	}
	return t, nil, nil
}

// report prints a report of made-up tables as CSV, or the reason why there is
// none.
func report(t *testing.T, m made, spec string) string {
	t.Helper()
	r, args, err := Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	table, err := r.Build(context.Background(), &Request{Trace: trace.New("made", m), Args: args})
	if skip, ok := err.(*Skip); ok {
		return "skipped: " + skip.Reason
	}
	if err != nil {
		t.Fatal(err)
	}
	var s view.Section
	s.AddTable(table)
	var b strings.Builder
	if err := view.Render(&b, &view.Document{Sections: []view.Section{s}}, view.FormatCSV, view.Options{}); err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(b.String(), `"`, "")
}

func expect(t *testing.T, got, want string) {
	t.Helper()
	if d := cmp.Diff(strings.TrimSpace(want), strings.TrimSpace(got)); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
}
