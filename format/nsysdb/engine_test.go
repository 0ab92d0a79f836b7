package nsysdb

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"github.com/gpuprof/gpuprof/internal/corpustest"
)

// open opens the database of a path as a library user does.
func open(tb testing.TB, path string) *File {
	tb.Helper()
	in, err := os.Open(path)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { in.Close() })
	st, err := in.Stat()
	if err != nil {
		tb.Fatal(err)
	}
	f, err := Open(in, st.Size(), filepath.Base(path))
	if err != nil {
		tb.Fatal(err)
	}
	return f
}

func anyOf(t *Table) []Ask {
	asks := make([]Ask, len(t.Columns))
	for i, c := range t.Columns {
		asks[i] = Any(c.Name)
	}
	return asks
}

// sameAsEngine compares every cell of every table with what SQLite reads.
func sameAsEngine(t *testing.T, path string) (rows int) {
	t.Helper()
	f := open(t, path)
	for _, p := range f.Problems() {
		t.Errorf("problem: %v", p)
	}
	conn, err := sqlite.OpenConn("file:"+path+"?immutable=1", sqlite.OpenReadOnly|sqlite.OpenURI)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	tables := 0
	err = sqlitex.Execute(conn, "SELECT name FROM sqlite_schema WHERE type='table' AND rootpage>0", &sqlitex.ExecOptions{
		ResultFunc: func(s *sqlite.Stmt) error {
			tables++
			tb := f.Table(s.ColumnText(0))
			if tb == nil {
				t.Errorf("table %s is not found", s.ColumnText(0))
				return nil
			}
			rows += sameTable(t, conn, tb)
			return nil
		}})
	if err != nil {
		t.Fatal(err)
	}
	if tables != len(f.Tables()) {
		t.Errorf("%d tables, SQLite has %d", len(f.Tables()), tables)
	}
	return rows
}

func sameTable(t *testing.T, conn *sqlite.Conn, tb *Table) int {
	b, err := tb.Read(context.Background(), anyOf(tb)...)
	if err != nil {
		t.Errorf("%s: %v", tb.Name, err)
		return 0
	}
	for _, p := range b.Problems {
		t.Errorf("%s: problem: %v", tb.Name, p)
	}
	i, bad := 0, 0
	err = sqlitex.Execute(conn, `SELECT * FROM "`+strings.ReplaceAll(tb.Name, `"`, `""`)+`" ORDER BY rowid`, &sqlitex.ExecOptions{
		ResultFunc: func(s *sqlite.Stmt) error {
			if s.ColumnCount() != len(tb.Columns) {
				return fmt.Errorf("%d columns, SQLite has %d", len(tb.Columns), s.ColumnCount())
			}
			for c := range tb.Columns {
				if n := s.ColumnName(c); n != tb.Columns[c].Name {
					return fmt.Errorf("column %d is %q, want %q", c, tb.Columns[c].Name, n)
				}
				if i >= b.Rows {
					continue
				}
				got, want := b.Columns[c].cell(i), engineCell(s, c)
				if !got.same(want) && bad < 5 {
					bad++
					t.Errorf("%s row %d column %s: %+v, want %+v", tb.Name, i, tb.Columns[c].Name, got, want)
				}
			}
			i++
			return nil
		}})
	if err != nil {
		t.Errorf("%s: %v", tb.Name, err)
	}
	if i != b.Rows {
		t.Errorf("%s: %d rows, want %d", tb.Name, b.Rows, i)
	}
	sameForms(t, tb, b)
	return i
}

// sameForms reads a table in every form, every second column alone as well, and
// compares with its cells converted one by one.
func sameForms(t *testing.T, tb *Table, want *Block) {
	for _, form := range []Form{formInteger, formReal, formText} {
		for step := 1; step <= 2; step++ {
			asks := []Ask{rowID()}
			if tb.rowID() >= 0 {
				asks = nil // asked for by its name
			}
			first := len(asks)
			for c := 0; c < len(tb.Columns); c += step {
				asks = append(asks, Ask{tb.Columns[c].Name, form})
			}
			got, err := tb.Read(context.Background(), asks...)
			if err != nil || got.Rows != want.Rows {
				t.Fatalf("%s, form %d: %d rows, want %d: %v", tb.Name, form, got.Rows, want.Rows, err)
			}
			for k := first; k < len(asks); k++ {
				w := Vector{Form: form}
				for i := range want.Rows {
					w.add(want.Columns[(k-first)*step].cell(i), i)
				}
				for i := range want.Rows {
					if a, b := got.Columns[k].cell(i), w.cell(i); !a.same(b) {
						t.Errorf("%s row %d column %s in form %d: %+v, want %+v", tb.Name, i, asks[k].Column, form, a, b)
						break
					}
				}
			}
		}
	}
}

func engineCell(s *sqlite.Stmt, c int) cell {
	switch s.ColumnType(c) {
	case sqlite.TypeInteger:
		return cell{Class: classInteger, Int: s.ColumnInt64(c)}
	case sqlite.TypeFloat:
		return cell{Class: classReal, Real: s.ColumnFloat(c)}
	case sqlite.TypeText:
		return cell{Class: classText, Bytes: []byte(s.ColumnText(c))}
	case sqlite.TypeBlob:
		b := make([]byte, s.ColumnLen(c))
		s.ColumnBytes(c, b)
		return cell{Class: classBlob, Bytes: b}
	}
	return cell{}
}

func TestCorpusSameAsEngine(t *testing.T) {
	for _, path := range corpustest.Files(t, "corpus/nsys/*.sqlite") {
		t.Run(filepath.Base(path), func(t *testing.T) {
			if n := sameAsEngine(t, path); n == 0 {
				t.Error("no rows at all")
			}
		})
	}
}

// TestRandomSameAsEngine makes databases of every page size with rows of every
// kind: nested overflow, negative and huge integers, NULLs, columns added late,
// rows deleted, rowids out of order.
func TestRandomSameAsEngine(t *testing.T) {
	for seed := range uint64(24) {
		r := rand.New(rand.NewPCG(seed, 7))
		size := 512 << (seed % 8)
		reserved := 0
		if seed%3 == 1 {
			reserved = 8 * r.IntN(5)
		}
		t.Run(fmt.Sprintf("seed=%d,page=%d,reserved=%d", seed, size, reserved), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "x.sqlite")
			randomDatabase(t, path, r, size, reserved)
			if n := sameAsEngine(t, path); n == 0 {
				t.Error("no rows at all")
			}
		})
	}
}

// randomDatabase writes a database with some tables of random shape.
func randomDatabase(tb testing.TB, path string, r *rand.Rand, pageSize, reserved int) {
	tb.Helper()
	run := func(conn *sqlite.Conn, sql string, args ...any) {
		if err := sqlitex.Execute(conn, sql, &sqlitex.ExecOptions{Args: args}); err != nil {
			tb.Fatalf("%s: %v", sql, err)
		}
	}
	if reserved > 0 {
		reserve(tb, path, pageSize, reserved)
	}
	conn, err := sqlite.OpenConn(path, sqlite.OpenReadWrite|sqlite.OpenCreate)
	if err != nil {
		tb.Fatal(err)
	}
	defer conn.Close()
	run(conn, fmt.Sprintf("PRAGMA page_size=%d", pageSize))
	run(conn, fmt.Sprintf("PRAGMA auto_vacuum=%d", r.IntN(2)))
	run(conn, "BEGIN")
	types := []string{"INTEGER", "INT NOT NULL", "TEXT", "REAL", "BLOB", "", "NUMERIC", "VARCHAR(20)", "DOUBLE PRECISION"}
	for n := range 1 + r.IntN(4) {
		name := fmt.Sprintf("t%d", n)
		cols := []string{[]string{"id INTEGER PRIMARY KEY", "id INT PRIMARY KEY", "[the id] INTEGER /* ( */ PRIMARY KEY AUTOINCREMENT", `"a""b" INTEGER PRIMARY KEY DESC`}[r.IntN(4)]}
		width := 1 + r.IntN(30)
		for c := range width {
			cols = append(cols, fmt.Sprintf("c%d %s", c, types[r.IntN(len(types))]))
		}
		if r.IntN(2) == 0 {
			cols = append(cols, "-- comment, )\n CHECK (c0 IS NULL OR c0 IS NOT 'x,y)')")
		}
		run(conn, "CREATE TABLE "+name+" ("+strings.Join(cols, ", ")+")")
		fill(tb, conn, r, name, width+1, r.IntN(400))
		if r.IntN(2) == 0 {
			run(conn, "ALTER TABLE "+name+" ADD COLUMN late TEXT DEFAULT 'x''y'")
			run(conn, "ALTER TABLE "+name+" ADD COLUMN later INTEGER DEFAULT -17")
			run(conn, "ALTER TABLE "+name+" ADD COLUMN latest REAL DEFAULT 3")
			fill(tb, conn, r, name, width+4, r.IntN(50))
		}
		run(conn, "DELETE FROM "+name+" WHERE rowid % 7 = 3")
	}
	run(conn, "COMMIT")
}

// reserve writes an empty database whose pages keep bytes free at their end.
func reserve(tb testing.TB, path string, pageSize, reserved int) {
	b := make([]byte, pageSize)
	copy(b, Magic)
	b[16], b[17] = byte(pageSize>>8), byte(pageSize)
	if pageSize == 65536 {
		b[16], b[17] = 0, 1
	}
	b[18], b[19], b[20], b[21], b[22], b[23] = 1, 1, byte(reserved), 64, 32, 32
	b[47], b[59] = 4, 1
	b[100] = pageTableLeaf
	free := pageSize - reserved
	b[105], b[106] = byte(free>>8), byte(free)
	if err := os.WriteFile(path, b, 0o644); err != nil {
		tb.Fatal(err)
	}
}

func fill(tb testing.TB, conn *sqlite.Conn, r *rand.Rand, table string, width, rows int) {
	st, err := conn.Prepare("INSERT OR IGNORE INTO " + table + " VALUES (?" + strings.Repeat(",?", width-1) + ")")
	if err != nil {
		tb.Fatal(err)
	}
	for range rows {
		for c := range width {
			bindRandom(st, c+1, r, c == 0)
		}
		if _, err := st.Step(); err != nil {
			if sqlite.ErrCode(err).ToPrimary() != sqlite.ResultConstraint { // NOT NULL
				tb.Fatal(err)
			}
		}
		if err := st.Reset(); err != nil && sqlite.ErrCode(err).ToPrimary() != sqlite.ResultConstraint {
			tb.Fatal(err)
		}
	}
	if err := st.Finalize(); err != nil && sqlite.ErrCode(err).ToPrimary() != sqlite.ResultConstraint {
		tb.Fatal(err)
	}
}

func bindRandom(st *sqlite.Stmt, i int, r *rand.Rand, key bool) {
	kind := r.IntN(8)
	if key {
		kind = r.IntN(2)
	}
	switch kind {
	case 0, 1, 2:
		st.BindInt64(i, int64(r.Uint64())>>r.IntN(64))
	case 3:
		st.BindNull(i)
	case 4:
		st.BindFloat(i, r.NormFloat64()*math.Pow(10, float64(r.IntN(20))))
	case 5:
		st.BindFloat(i, float64(r.IntN(1000)))
	case 6:
		st.BindText(i, strings.Repeat("ab é", r.IntN(1<<r.IntN(12))))
	case 7:
		st.BindBytes(i, make([]byte, r.IntN(1<<r.IntN(14))))
	}
}
