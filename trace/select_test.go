package trace

import (
	"context"
	"testing"
)

func TestSelect(t *testing.T) {
	tr := New("x", twoTables{})
	s := tr.Select(func(name string) bool { return name != "B" }, []TableInfo{{Name: "A"}, {Name: "C", Columns: []ColumnInfo{{Name: "n"}}}, {Name: "B"}})
	var names string
	for _, info := range s.Tables() {
		names += info.Name
	}
	if names != "AC" {
		t.Errorf("tables %s, want A of the trace and C without rows", names)
	}
	a, err := s.All(context.Background(), "A")
	if err != nil || a.Rows != 2 {
		t.Errorf("A has %v, %v", a, err)
	}
	c, err := s.All(context.Background(), "C")
	if err != nil || c.Rows != 0 || c.Col("n") == nil {
		t.Errorf("C has %v, %v", c, err)
	}
	if err := s.Scan(context.Background(), "C", func(*Table) error { t.Error("C yields rows"); return nil }); err != nil {
		t.Error(err)
	}
	rows := 0
	if err := s.Scan(context.Background(), "A", func(p *Table) error { rows += p.Rows; return nil }); err != nil || rows != 2 {
		t.Errorf("%d rows, %v", rows, err)
	}
}

// twoTables has the tables A and B, with two rows each.
type twoTables struct{}

func (twoTables) Tables() []TableInfo {
	return []TableInfo{{Name: "A", Columns: []ColumnInfo{{Name: "n"}}}, {Name: "B", Columns: []ColumnInfo{{Name: "n"}}}}
}

func (twoTables) Read(_ context.Context, table string, columns []ColumnInfo, _ *Strings) (*Table, []error, error) {
	return &Table{Name: table, Rows: 2, Columns: []*Column{{Name: "n", Ints: []int64{1, 2}}}}, nil, nil
}
