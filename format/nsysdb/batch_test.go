package nsysdb

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
)

// randomVector makes a column of n cells, of a kind that the writer treats in a
// way of its own: constant, NULL throughout, NULL here and there, constant for a
// while, and numbers of every size.
func randomVector(r *rand.Rand, n int) Vector {
	var null []bool
	if k := r.IntN(4); k > 0 {
		null = make([]bool, n)
		for i := range null {
			null[i] = k == 1 || k == 2 && r.IntN(3) == 0
		}
	}
	pick := r.IntN(4)
	number := func(i int) int64 {
		switch pick {
		case 0:
			return 7
		case 1:
			return int64(i / 3000)
		case 2:
			return int64(i % 2)
		}
		return int64(r.Uint64()) >> r.IntN(64)
	}
	switch r.IntN(4) {
	case 0:
		v := make([]float64, n)
		for i := range v {
			v[i] = math.Float64frombits(uint64(number(i))) / 2
			if v[i] != v[i] || math.IsInf(v[i], 0) {
				v[i] = 0.5
			}
		}
		return Reals(v, null)
	case 1:
		v := make([]string, n)
		for i := range v {
			v[i] = strings.Repeat("x", int(uint64(number(i))%60))
			if pick == 3 && i%100 == 0 {
				v[i] = strings.Repeat("long ", i%300)
			}
		}
		return Texts(v, null)
	}
	v := make([]int64, n)
	for i := range v {
		v[i] = number(i)
	}
	return Integers(v, null)
}

// TestWriteVectors writes columns of all forms, in pieces, and reads the cells
// back, with SQLite too.
func TestWriteVectors(t *testing.T) {
	for seed := range uint64(24) {
		size := 512 << (seed % 8)
		t.Run(fmt.Sprintf("seed=%d,page=%d", seed, size), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 5))
			columns := 1 + r.IntN(40)
			if seed%6 == 5 {
				columns = 140 // a header of more than 127 bytes
			}
			var decl []string
			for c := range columns {
				decl = append(decl, fmt.Sprintf("c%d", c))
			}
			key := r.IntN(2 * columns) // half of the tables have one
			if key < columns {
				decl[key] += " INTEGER PRIMARY KEY"
			}
			path := filepath.Join(t.TempDir(), "x.sqlite")
			var pieces []*Block
			err := WriteFile(path, size, func(w *Writer) error {
				tw, err := w.Table("CREATE TABLE t (" + strings.Join(decl, ", ") + ")")
				if err != nil {
					return err
				}
				id := int64(-1000)
				for range 1 + r.IntN(3) {
					b := &Block{Rows: 1 + r.IntN(2*batchRows+100)}
					if columns == 140 {
						b.Rows = 1 + r.IntN(300)
					}
					for c := range columns - r.IntN(2)*r.IntN(columns) { // the last may be missing
						if c == key {
							ids := make([]int64, b.Rows)
							for i := range ids {
								id += 1 + r.Int64N(200)
								ids[i] = id
							}
							b.Columns = append(b.Columns, Integers(ids, nil))
							continue
						}
						b.Columns = append(b.Columns, randomVector(r, b.Rows))
					}
					if key < columns && key >= len(b.Columns) {
						id += int64(b.Rows)
					}
					pieces = append(pieces, b)
					if err := tw.Append(b.Rows, b.Columns); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			integrity(t, path)
			sameAsEngine(t, path)
			got, err := open(t, path).Tables()[0].Read(context.Background(), anyOf(open(t, path).Tables()[0])...)
			if err != nil {
				t.Fatal(err)
			}
			row := 0
			for _, p := range pieces {
				for i := range p.Rows {
					for c := range columns {
						var want cell
						if c < len(p.Columns) {
							want = p.Columns[c].cell(i)
						} else if c == key {
							continue // numbered by the writer
						}
						if a := got.Columns[c].cell(row); !a.same(want) {
							t.Fatalf("row %d column %d: %+v, want %+v", row, c, a, want)
						}
					}
					row++
				}
			}
			if row != got.Rows {
				t.Errorf("%d rows, want %d", got.Rows, row)
			}
		})
	}
}
