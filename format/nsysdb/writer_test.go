package nsysdb

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"github.com/gpuprof/gpuprof/internal/corpustest"
)

// rewrite copies every table of a database that the writer can write, and
// checks the copy with SQLite and against the original.
func rewrite(t *testing.T, path string, pageSize int) {
	t.Helper()
	f := open(t, path)
	to := filepath.Join(t.TempDir(), "copy.sqlite")
	want := map[string]*Block{}
	err := WriteFile(to, pageSize, func(w *Writer) error {
		for _, tb := range f.Tables() {
			sql := tb.SQL
			if tb.indexed { // as an export without that key
				sql = strings.NewReplacer("PRIMARY KEY (id, stackDepth)", "CHECK (1)", "INT PRIMARY KEY", "INT", "INTEGER PRIMARY KEY DESC", "INTEGER").Replace(sql)
			}
			tw, err := w.Table(sql)
			if err != nil {
				return err
			}
			b, err := tb.Read(context.Background(), anyOf(tb)...)
			if err != nil {
				return err
			}
			want[tb.Name] = b
			half := &Block{Rows: b.Rows / 2}
			for c := range b.Columns {
				var cells []cell
				for i := range half.Rows {
					cells = append(cells, b.Columns[c].cell(i))
				}
				half.Columns = append(half.Columns, Cells(cells))
			}
			if err := tw.Append(half.Rows, half.Columns); err != nil {
				return err
			}
			for c := range b.Columns {
				var cells []cell
				for i := half.Rows; i < b.Rows; i++ {
					cells = append(cells, b.Columns[c].cell(i))
				}
				half.Columns[c] = Cells(cells)
			}
			if err := tw.Append(b.Rows-half.Rows, half.Columns); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	integrity(t, to)
	sameAsEngine(t, to)
	g := open(t, to)
	for name, b := range want {
		tb := g.Table(name)
		got, err := tb.Read(context.Background(), anyOf(tb)...)
		if err != nil {
			t.Fatal(err)
		}
		sameBlock(t, name, got, b)
	}
}

func sameBlock(t *testing.T, name string, got, want *Block) {
	t.Helper()
	if got.Rows != want.Rows || len(got.Columns) != len(want.Columns) {
		t.Fatalf("%s: %d rows of %d columns, want %d of %d", name, got.Rows, len(got.Columns), want.Rows, len(want.Columns))
	}
	for c := range want.Columns {
		for i := range want.Rows {
			if a, b := got.Columns[c].cell(i), want.Columns[c].cell(i); !a.same(b) {
				t.Fatalf("%s row %d column %d: %+v, want %+v", name, i, c, a, b)
			}
		}
	}
}

// integrity asks SQLite whether a database is sound.
func integrity(t *testing.T, path string) {
	t.Helper()
	conn, err := sqlite.OpenConn(path, sqlite.OpenReadOnly)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	err = sqlitex.Execute(conn, "PRAGMA integrity_check", &sqlitex.ExecOptions{ResultFunc: func(s *sqlite.Stmt) error {
		if s.ColumnText(0) != "ok" {
			t.Errorf("integrity check: %s", s.ColumnText(0))
		}
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
}

func TestRewriteCorpus(t *testing.T) {
	for _, path := range corpustest.Files(t, "corpus/nsys/*.sqlite") {
		t.Run(filepath.Base(path), func(t *testing.T) { rewrite(t, path, 4096) })
	}
}

func TestRewriteRandom(t *testing.T) {
	for seed := range uint64(16) {
		size := 512 << (seed % 8)
		t.Run(fmt.Sprintf("seed=%d,page=%d", seed, size), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "x.sqlite")
			randomDatabase(t, path, rand.New(rand.NewPCG(seed, 8)), 4096, 0)
			rewrite(t, path, size)
		})
	}
}

// TestWriteSizes writes tables whose trees have one to four levels.
func TestWriteSizes(t *testing.T) {
	for _, rows := range []int{0, 1, 2, 55, 56, 57, 1000, 60000} {
		path := filepath.Join(t.TempDir(), "x.sqlite")
		ints := make([]int64, rows)
		for i := range ints {
			ints[i] = int64(i) * 3
		}
		err := WriteFile(path, 512, func(w *Writer) error {
			for _, create := range []string{"CREATE TABLE a (v INTEGER)", "CREATE TABLE b (id INTEGER PRIMARY KEY, v INTEGER)"} {
				tw, err := w.Table(create)
				if err != nil {
					return err
				}
				if err := tw.Append(rows, []Vector{Integers(ints, nil)}); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		integrity(t, path)
		if n := sameAsEngine(t, path); n != 2*rows {
			t.Errorf("%d rows, want %d", n, 2*rows)
		}
	}
}

// TestWriteManyTables makes a schema that fills more than page 1.
func TestWriteManyTables(t *testing.T) {
	for _, n := range []int{1, 3, 40, 700} {
		path := filepath.Join(t.TempDir(), "x.sqlite")
		err := WriteFile(path, 512, func(w *Writer) error {
			for i := range n {
				if _, err := w.Table(fmt.Sprintf("CREATE TABLE t%d (a INTEGER, b TEXT NOT NULL)", i)); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		integrity(t, path)
		if got := len(open(t, path).Tables()); got != n {
			t.Errorf("%d tables, want %d", got, n)
		}
	}
}

func TestWriterRefuses(t *testing.T) {
	dir := t.TempDir()
	for _, create := range []string{
		"CREATE TABLE t (id INT PRIMARY KEY)",
		"CREATE TABLE t (a INTEGER, b INTEGER, PRIMARY KEY (a, b))",
		"CREATE TABLE t (a INTEGER UNIQUE)",
		"CREATE TABLE t (a INTEGER, b INTEGER, UNIQUE (a))",
		"CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT) WITHOUT ROWID",
		"CREATE TABLE t (a INTEGER, b INTEGER AS (a+1))",
		"nonsense",
	} {
		err := WriteFile(filepath.Join(dir, "x.sqlite"), 4096, func(w *Writer) error {
			_, err := w.Table(create)
			return err
		})
		if err == nil {
			t.Errorf("%s is accepted", create)
		}
	}
	err := WriteFile(filepath.Join(dir, "x.sqlite"), 4096, func(w *Writer) error {
		tw, err := w.Table("CREATE TABLE t (id INTEGER PRIMARY KEY)")
		if err != nil {
			return err
		}
		return tw.Append(2, []Vector{Integers([]int64{5, 5}, nil)})
	})
	if err == nil {
		t.Error("keys that do not ascend are accepted")
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("%d files are left of writes that failed", len(left))
	}
}
