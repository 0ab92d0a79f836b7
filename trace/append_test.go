package trace

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// tables is a Source of whole tables.
type tables []*Table

func (s tables) Tables() []TableInfo {
	var out []TableInfo
	for _, t := range s {
		info := TableInfo{Name: t.Name}
		for _, c := range t.Columns {
			info.Columns = append(info.Columns, ColumnInfo{c.Name, c.Kind})
		}
		out = append(out, info)
	}
	return out
}

func (s tables) Read(_ context.Context, name string, columns []ColumnInfo, _ *Strings) (*Table, []error, error) {
	for _, t := range s {
		if t.Name != name {
			continue
		}
		out := &Table{Name: name, Rows: t.Rows}
		for _, a := range columns {
			if c := t.Col(a.Name); c != nil {
				out.Columns = append(out.Columns, c)
				continue
			}
			ids := make([]int64, t.Rows)
			for i := range ids {
				ids[i] = int64(i) + 1
			}
			out.AddInts("rowid", ids, nil)
		}
		return out, nil, nil
	}
	return nil, nil, nil
}

func ints(name string, pairs map[string][]int64) *Table {
	t := &Table{Name: name}
	for _, c := range []string{"a", "b", "c"} {
		if v, ok := pairs[c]; ok {
			t.AddInts(c, v, nil)
			t.Rows = len(v)
		}
	}
	return t
}

func TestAppend(t *testing.T) {
	base := tables{ints("both", map[string][]int64{"a": {1, 2}, "b": {3, 4}}), ints("first", map[string][]int64{"a": {9}}), ints("old", map[string][]int64{"a": {1, 1}})}
	add := tables{ints("Both", map[string][]int64{"b": {5}, "c": {6}}), ints("second", map[string][]int64{"c": {8}}), ints("old", map[string][]int64{"a": {2}})}
	tr := New("x", base).Append(add, "OLD")
	ctx := context.Background()
	rows := func(name string) (out []map[string]int64) {
		t.Helper()
		tab, err := tr.All(ctx, name)
		if err != nil {
			t.Fatal(err)
		}
		for i := range tab.Rows {
			row := map[string]int64{}
			for _, c := range tab.Columns {
				if !c.IsNull(i) {
					row[c.Name] = c.Ints[i]
				}
			}
			out = append(out, row)
		}
		return out
	}
	want := map[string][]map[string]int64{
		"both":   {{"a": 1, "b": 3}, {"a": 2, "b": 4}, {"b": 5, "c": 6}},
		"first":  {{"a": 9}},
		"second": {{"c": 8}},
		"old":    {{"a": 2}},
	}
	for name, w := range want {
		if diff := cmp.Diff(w, rows(name)); diff != "" {
			t.Error(name, diff)
		}
		n := 0
		err := tr.Scan(ctx, name, func(p *Table) error {
			for _, c := range p.Columns {
				if c.len() != p.Rows {
					t.Errorf("%s.%s: %d cells of %d rows", name, c.Name, c.len(), p.Rows)
				}
			}
			n += p.Rows
			return nil
		})
		if err != nil || n != len(w) {
			t.Error(name, n, err)
		}
	}
	ids, err := tr.Table(ctx, "both", "rowid")
	if err != nil || !cmp.Equal(ids.Ints("rowid"), []int64{1, 2, 3}) {
		t.Error(ids, err)
	}
}
