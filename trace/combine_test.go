package trace

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"
)

// inParts is a Scanner whose parts have a few rows, in memory that it uses again.
type inParts struct {
	tables
	size int
}

func (s inParts) Scan(ctx context.Context, name string, columns []ColumnInfo, in *Strings, yield func(*Table) error) ([]error, error) {
	all, _, err := s.Read(ctx, name, columns, in)
	if err != nil {
		return nil, err
	}
	for from := 0; from < all.Rows; from += s.size {
		n := min(s.size, all.Rows-from)
		p := &Table{Name: name, Rows: n}
		for _, c := range all.Columns {
			p.Columns = append(p.Columns, c.part(from, from+n))
		}
		if err := yield(p); err != nil {
			return nil, err
		}
		for _, c := range p.Columns { // a part is valid no longer
			for i := range c.Ints {
				c.Ints[i] = -7
			}
		}
	}
	return nil, nil
}

func (c *Column) part(from, to int) *Column {
	out := &Column{Name: c.Name, Kind: c.Kind}
	out.Ints = append(out.Ints, c.Ints[min(from, len(c.Ints)):min(to, len(c.Ints))]...)
	out.Reals = append(out.Reals, c.Reals[min(from, len(c.Reals)):min(to, len(c.Reals))]...)
	if c.Null != nil {
		out.Null = append(out.Null, c.Null[from:to]...)
	}
	return out
}

// TestCombine looks every row up in the table of combinations.
func TestCombine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.IntRange(0, 200).Draw(t, "rows")
		values := rapid.Int64Range(1, 40).Draw(t, "values")
		a, b, c := &Column{Name: "a"}, &Column{Name: "b", Null: make([]bool, rows)}, &Column{Name: "c", Kind: Reals}
		for i := range rows {
			a.Ints = append(a.Ints, rapid.Int64Range(0, values).Draw(t, "a")<<40)
			b.Null[i] = rapid.Bool().Draw(t, "null")
			b.Ints = append(b.Ints, 0) // so that NULL and 0 have to be told apart
			c.Reals = append(c.Reals, rapid.SampledFrom([]float64{0, 1.5, math.NaN()}).Draw(t, "c"))
		}
		src := tables{{Name: "x", Rows: rows, Columns: []*Column{a, b, c}}}
		tr := New("x", inParts{src, rapid.IntRange(1, 50).Draw(t, "part")})
		if rapid.Bool().Draw(t, "plain") {
			tr = New("x", src)
		}
		all, err := tr.Combine(context.Background(), "X", "(a, b, c)", "a", "B", "c", "none", "a")
		if err != nil || len(all.Columns) != 3 {
			t.Fatal(all, err)
		}
		got, err := tr.Table(context.Background(), "x", "a", "(a, b, c)")
		if err != nil || got.Rows != rows || len(got.Columns) != 2 {
			t.Fatal(got, err)
		}
		type key struct {
			a    int64
			null bool
			c    uint64
		}
		first := map[key]int64{}
		for i, n := range got.Ints("(a, b, c)") {
			k := key{a.Ints[i], b.Null[i], math.Float64bits(c.Reals[i])}
			if all.Ints("a")[n] != k.a || all.IsNull("b", int(n)) != k.null || math.Float64bits(all.Col("c").Reals[n]) != k.c {
				t.Fatalf("row %d is combination %d, which has other values", i, n)
			}
			if m, ok := first[k]; ok && m != n {
				t.Fatalf("row %d is combination %d, an equal one %d", i, n, m)
			} else if !ok && n != int64(len(first)) {
				t.Fatalf("combination %d is the %dth met", n, len(first))
			}
			first[k] = n
		}
		if all.Rows != len(first) {
			t.Fatalf("%d combinations, want %d", all.Rows, len(first))
		}
	})
}

func TestCombineAbsent(t *testing.T) {
	tr := New("x", tables{ints("x", map[string][]int64{"a": {1, 1, 2}})})
	if all, err := tr.Combine(context.Background(), "y", "n", "a"); all != nil || err != nil {
		t.Errorf("a table that is absent: %v, %v", all, err)
	}
	all, err := tr.Combine(context.Background(), "x", "n", "b")
	if err != nil || all.Rows != 1 || len(all.Columns) != 0 {
		t.Errorf("columns that are absent: %+v, %v", all, err)
	}
	if x, err := tr.Table(context.Background(), "x", "n"); err != nil || x.Rows != 3 {
		t.Errorf("the table has %d rows: %v", x.Rows, err)
	}
}

func TestShrink(t *testing.T) {
	tr := New("x", tables{ints("small", map[string][]int64{"a": {1}}), ints("large", map[string][]int64{"a": {1, 2, 3}, "b": {1, 2, 3}})})
	for _, n := range []string{"small", "large"} {
		if _, err := tr.All(context.Background(), n); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ most, kept int }{{56, 2}, {55, 1}, {8, 1}, {0, 0}} {
		if tr.Shrink(c.most); len(tr.tables) != c.kept {
			t.Errorf("within %d bytes there are %d tables, want %d", c.most, len(tr.tables), c.kept)
		}
	}
	if l, err := tr.All(context.Background(), "large"); err != nil || l.Rows != 3 || len(l.Columns) != 2 {
		t.Errorf("read again: %+v, %v", l, err)
	}
}
