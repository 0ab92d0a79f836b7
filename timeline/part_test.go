package timeline

import (
	"context"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/gpuprof/gpuprof/trace"
)

// pieces is a source that yields some rows at a time, in memory that it uses again,
// and leaves out numbers of rows from one on.
type pieces struct {
	tables
	size, gap int
}

func (s pieces) Read(ctx context.Context, table string, columns []trace.ColumnInfo, in *trace.Strings) (*trace.Table, []error, error) {
	t, _, err := s.tables.Read(ctx, table, columns, in)
	if c := t.Col("rowid"); c != nil {
		for i := range c.Ints {
			c.Ints[i] = int64(i) + 1
			if i >= s.gap {
				c.Ints[i] += 3
			}
		}
	}
	return t, nil, err
}

// Scan yields pieces of what Read reads.
func (s pieces) Scan(ctx context.Context, table string, columns []trace.ColumnInfo, in *trace.Strings, yield func(*trace.Table) error) ([]error, error) {
	all, _, err := s.Read(ctx, table, columns, in)
	if err != nil {
		return nil, err
	}
	for from := 0; from < all.Rows; from += s.size {
		to := min(all.Rows, from+s.size)
		p := &trace.Table{Name: table, Rows: to - from}
		for _, c := range all.Columns {
			switch c.Kind {
			case trace.Texts:
				p.Columns = append(p.Columns, &trace.Column{Name: c.Name, Kind: c.Kind, Syms: c.Syms[from:to]})
			default:
				p.AddInts(c.Name, append([]int64(nil), c.Ints[from:to]...), nil)
			}
		}
		if err := yield(p); err != nil {
			return nil, err
		}
		for _, c := range p.Columns {
			for i := range c.Ints {
				c.Ints[i] = -77
			}
		}
	}
	return nil, nil
}

// TestParts: a table in parts makes the index of the whole table, whatever its
// parts, and rows keep their numbers.
func TestParts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawCalls(t)
		gap := rapid.IntRange(0, 40).Draw(t, "gap")
		var want, got []*Slice
		for _, c := range []struct {
			size int
			to   *[]*Slice
		}{{math.MaxInt32, &want}, {rapid.IntRange(1, 30).Draw(t, "size"), &got}} {
			x, err := Build(context.Background(), trace.New("made up", pieces{s, c.size, gap}))
			if err != nil {
				t.Fatal(err)
			}
			for i := range x.Len() {
				*c.to = append(*c.to, x.Slice(SliceID(i)))
			}
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Fatal(d)
		}
		for _, v := range got {
			i := v.Row - 1
			if i >= int64(gap) {
				i -= 3
			}
			if at := s[v.Table]["start"]; i < 0 || i >= int64(len(at)) || at[i] != v.Start {
				t.Fatalf("row %d of %s is not the slice at %d", v.Row, v.Table, v.Start)
			}
		}
	})
}

// TestPack: times and numbers are the same packed, and wide where they do not fit.
func TestPack(t *testing.T) {
	for _, c := range []struct {
		start, end []int64
		packed     bool
	}{
		{[]int64{1 << 40, 1<<40 + 7, 1<<40 - 9}, []int64{1 << 40, 1<<40 + 8, 1<<40 + math.MaxUint32 - 9}, true},
		{[]int64{-5, math.MaxUint32 - 5}, []int64{-5, math.MaxUint32}, true},
		{[]int64{-5, math.MaxUint32 - 4}, []int64{-5, math.MaxUint32}, false},
		{[]int64{3}, []int64{4 + math.MaxUint32}, false},
	} {
		p := part{start: c.start, end: c.end}
		p.pack()
		if (p.start == nil) != c.packed {
			t.Errorf("%v to %v: packed %v, expected %v", c.start, c.end, p.start == nil, c.packed)
		}
		for i := range c.start {
			if s, e := p.times(i); s != c.start[i] || e != c.end[i] {
				t.Errorf("row %d: %d to %d, expected %d to %d", i, s, e, c.start[i], c.end[i])
			}
		}
	}
	for _, v := range [][]int64{{0, math.MaxUint32}, {4, -1}, {math.MaxUint32 + 1}} {
		n := packed(v)
		for i := range v {
			if n.at(i) != v[i] {
				t.Errorf("number %d is %d, expected %d", i, n.at(i), v[i])
			}
		}
	}
}
