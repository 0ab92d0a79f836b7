package nsysdb

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"
)

// engineFile makes a database with SQLite that has seen some use: rows of every
// length, some of them deleted, tables dropped, an index.
func engineFile(t *testing.T, pageSize, vacuum int) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "used.sqlite")
	c, err := sqlite.OpenConn(name, sqlite.OpenReadWrite|sqlite.OpenCreate)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	do := func(sql string, args ...any) {
		t.Helper()
		if err := sqlitex.ExecuteTransient(c, sql, &sqlitex.ExecOptions{Args: args}); err != nil {
			t.Fatal(sql, err)
		}
	}
	do(fmt.Sprintf("PRAGMA page_size=%d", pageSize))
	do(fmt.Sprintf("PRAGMA auto_vacuum=%d", vacuum))
	do("PRAGMA synchronous=OFF")
	do("PRAGMA secure_delete=OFF")
	do("BEGIN")
	do("CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, value TEXT, n INTEGER, b BLOB)")
	do("CREATE TABLE gone (x)")
	do("CREATE TABLE stacks (id INTEGER, depth INTEGER, symbol INTEGER, PRIMARY KEY (id, depth))")
	r := rand.New(rand.NewPCG(1, uint64(pageSize)))
	for i := range 400 {
		long := strings.Repeat("word ", r.IntN(40))
		if i%50 == 0 {
			long = strings.Repeat("a long row ", pageSize/4)
		}
		do("INSERT INTO t VALUES (?, ?, ?, ?, ?)", i+1, fmt.Sprintf("name %d", i%7), long+"SECRET"+long, r.Int64()>>r.IntN(60), []byte("\x00SECRET\xff"))
		do("INSERT INTO gone VALUES (?)", "SECRET"+long)
		do("INSERT INTO stacks VALUES (?, ?, ?)", i/4, i%4, i)
	}
	do("CREATE INDEX byN ON t (n)")
	do("DELETE FROM t WHERE id % 4 = 1")
	do("UPDATE t SET value = 'SECRET' WHERE id % 5 = 1")
	do("DROP TABLE gone")
	do("COMMIT")
	return name
}

func TestRewrite(t *testing.T) {
	for _, c := range [][2]int{{512, 0}, {1024, 1}, {4096, 0}, {4096, 2}, {65536, 0}} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			name := engineFile(t, c[0], c[1])
			f := open(t, name)
			to := filepath.Join(t.TempDir(), "to.sqlite")
			out, err := os.Create(to)
			if err != nil {
				t.Fatal(err)
			}
			edit := Edit{
				Text: func(x *CellText) []byte {
					mark := []byte("[x]")
					if x.Fixed || x.Blob {
						mark = []byte("[xxxx]")
					}
					return bytes.ReplaceAll(x.Bytes, []byte("SECRET"), mark)
				},
				Numbers: func(table, column string) bool { return table == "stacks" && column == "symbol" },
				Number:  func(_, _ string, v int64) int64 { return v },
			}
			done, err := f.Rewrite(context.Background(), out, edit)
			if err != nil {
				t.Fatal(err)
			}
			out.Close()
			if len(done.Indexes) > 0 {
				t.Errorf("indexes %v", done.Indexes)
			}
			b, err := os.ReadFile(to)
			if err != nil {
				t.Fatal(err)
			}
			if n := bytes.Count(b, []byte("SECRET")); n > 0 {
				t.Errorf("%d are left", n)
			}
			sameRows(t, name, to)
			g := open(t, to)
			if _, err := g.Rewrite(context.Background(), nil, Edit{Text: func(x *CellText) []byte { return x.Bytes }}); err != nil {
				t.Error(err)
			}
		})
	}
}

// sameRows holds two databases against each other, but for the marks.
func sameRows(t *testing.T, a, b string) {
	t.Helper()
	var all [2][]string
	for i, name := range []string{a, b} {
		c, err := sqlite.OpenConn(name, sqlite.OpenReadOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, sql := range []string{"PRAGMA integrity_check", "SELECT id, name, replace(replace(replace(value, 'SECRET', '#'), '[xxxx]', '#'), '[x]', '#'), n, length(b) FROM t", "SELECT * FROM stacks", "SELECT count(*) FROM t WHERE n > 5"} {
			err := sqlitex.ExecuteTransient(c, sql, &sqlitex.ExecOptions{ResultFunc: func(s *sqlite.Stmt) error {
				line := ""
				for k := range s.ColumnCount() {
					line += s.ColumnText(k) + "|"
				}
				all[i] = append(all[i], line)
				return nil
			}})
			if err != nil {
				t.Fatal(err)
			}
		}
		c.Close()
	}
	if len(all[0]) != len(all[1]) {
		t.Fatalf("%d rows became %d", len(all[0]), len(all[1]))
	}
	for i := range all[0] {
		if all[0][i] != all[1][i] {
			t.Fatalf("row %d:\n%.200s\n%.200s", i, all[0][i], all[1][i])
		}
	}
}

func TestRewriteTellsOfIndexes(t *testing.T) {
	name := filepath.Join(t.TempDir(), "i.sqlite")
	c, err := sqlite.OpenConn(name, sqlite.OpenReadWrite|sqlite.OpenCreate)
	if err != nil {
		t.Fatal(err)
	}
	for _, sql := range []string{"CREATE TABLE t (x TEXT)", "CREATE INDEX byX ON t (x)", "INSERT INTO t VALUES ('SECRET')"} {
		if err := sqlitex.ExecuteTransient(c, sql, nil); err != nil {
			t.Fatal(err)
		}
	}
	c.Close()
	done, err := open(t, name).Rewrite(context.Background(), nil, Edit{Text: func(x *CellText) []byte { return bytes.ReplaceAll(x.Bytes, []byte("SECRET"), []byte("xxxxxx")) }})
	if err != nil || fmt.Sprint(done.Indexes) != "[byX]" {
		t.Errorf("%v, %v", done, err)
	}
}

func FuzzRewrite(f *testing.F) {
	f.Add([]byte(Magic), 0)
	f.Fuzz(func(t *testing.T, b []byte, _ int) {
		g, err := Open(bytes.NewReader(b), int64(len(b)), "fuzz")
		if err != nil {
			return
		}
		g.Rewrite(context.Background(), nil, Edit{Text: func(x *CellText) []byte { return x.Bytes }})
	})
}
