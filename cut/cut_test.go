package cut

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pgregory.net/rapid"
	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"
)

// write makes a small export with some rows twice, and calls with stacks.
func write(t *testing.T, name string, shift int) {
	t.Helper()
	c, err := sqlite.OpenConn(name, sqlite.OpenReadWrite|sqlite.OpenCreate)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	do := func(sql string, args ...any) {
		t.Helper()
		if err := sqlitex.Execute(c, sql, &sqlitex.ExecOptions{Args: args}); err != nil {
			t.Fatal(err)
		}
	}
	do("PRAGMA synchronous=OFF")
	do("BEGIN")
	do("CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL)")
	do("CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER, shortName INTEGER NOT NULL)")
	do("CREATE TABLE NVTX_EVENTS (start INTEGER NOT NULL, end INTEGER, eventType INTEGER, text TEXT, textId INTEGER)")
	do("CREATE TABLE TARGET_INFO_SESSION_START_TIME (utcEpochNs INTEGER, utcTime TEXT, localTime TEXT)")
	do("CREATE TABLE OSRT_CALLCHAINS (id INTEGER NOT NULL, stackDepth INTEGER NOT NULL, symbol INTEGER NOT NULL, PRIMARY KEY (id, stackDepth))")
	do("CREATE TABLE ODD (x REAL, b BLOB)")
	do("CREATE INDEX byStart ON CUPTI_ACTIVITY_KIND_KERNEL (start)")
	do("CREATE VIEW v AS SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL")
	do("INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES (?, 'a', 'b')", 1_700_000_000_000_000_000+shift)
	for i := range 40 {
		do("INSERT INTO StringIds VALUES (?, ?)", i+1, fmt.Sprintf("text %d", (i*(1+shift))%40))
		do("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (?, ?, ?, ?)", 100*(i/2), 100*(i/2)+50, i/2%2, 1+i/2%20)
		do("INSERT INTO NVTX_EVENTS VALUES (?, NULL, 34, NULL, ?)", 30*i, 21+i%10)
		do("INSERT INTO OSRT_CALLCHAINS VALUES (?, 0, ?)", i, 35)
		do("INSERT INTO ODD VALUES (?, ?)", float64(i)/7, []byte{byte(i), 0})
	}
	do("COMMIT")
}

// rows are all rows of a database by their meaning: texts in place of their numbers.
func rows(t rapidOrTest, name string) (out []string) {
	c, err := sqlite.OpenConn(name, sqlite.OpenReadOnly)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for _, sql := range []string{
		"SELECT 'kernel', k.start, k.end, deviceId, value FROM CUPTI_ACTIVITY_KIND_KERNEL k JOIN StringIds ON id = shortName",
		"SELECT 'nvtx', n.start, n.end, eventType, value FROM NVTX_EVENTS n JOIN StringIds ON id = textId",
		"SELECT 'stack', c.id, stackDepth, value FROM OSRT_CALLCHAINS c JOIN StringIds s ON s.id = symbol",
		"SELECT 'odd', x, hex(b) FROM ODD", "SELECT 'begin', utcEpochNs FROM TARGET_INFO_SESSION_START_TIME", "PRAGMA integrity_check",
		"SELECT type, name FROM sqlite_schema", "SELECT 'all', * FROM v",
	} {
		err := sqlitex.ExecuteTransient(c, sql, &sqlitex.ExecOptions{ResultFunc: func(s *sqlite.Stmt) error {
			line := ""
			for i := range s.ColumnCount() {
				line += s.ColumnText(i) + "|"
			}
			out = append(out, line)
			return nil
		}})
		if err != nil {
			t.Fatal(err)
		}
	}
	slices.Sort(out)
	return out
}

type rapidOrTest interface{ Fatal(...any) }

// TestSplitAndMerge cuts a database at random, some rows into several pieces, and
// merges the pieces: every row is there again, as often as it was.
func TestSplitAndMerge(t *testing.T) {
	dir := t.TempDir()
	whole := filepath.Join(dir, "whole.sqlite")
	write(t, whole, 0)
	want := rows(t, whole)
	n := 0
	rapid.Check(t, func(t *rapid.T) {
		n++
		pieces := rapid.IntRange(1, 4).Draw(t, "pieces")
		var parts []string
		seed := rapid.Int64().Draw(t, "seed")
		for p := range pieces {
			name := filepath.Join(dir, fmt.Sprintf("%d-%d.sqlite", n, p))
			err := Database(context.Background(), whole, name, func(_ context.Context, table string) (func(int64) bool, error) {
				if table == "TARGET_INFO_SESSION_START_TIME" || table == "OSRT_CALLCHAINS" {
					return nil, nil
				}
				return func(id int64) bool {
					id += (id - 1) % 2 * -1 // rows that are alike stay together, as they do in a selection
					at := (id*2654435761 + seed) >> 7
					return int(uint64(at)%uint64(pieces)) == p || at%5 == 0
				}, nil
			})
			if err != nil {
				t.Fatal(err)
			}
			parts = append(parts, name)
		}
		to := filepath.Join(dir, fmt.Sprintf("%d.sqlite", n))
		if err := Merge(context.Background(), to, nil, parts...); err != nil {
			t.Fatal(err)
		}
		if got := rows(t, to); !slices.Equal(got, want) {
			t.Fatal(fmt.Sprintf("%d rows became %d", len(want), len(got)))
		}
		for _, p := range append(parts, to) {
			os.Remove(p)
		}
	})
}

// TestMergeMovesTimes merges recordings that began at other times and number texts
// otherwise.
func TestMergeMovesTimes(t *testing.T) {
	dir := t.TempDir()
	a, b, to := filepath.Join(dir, "a"), filepath.Join(dir, "b"), filepath.Join(dir, "to")
	write(t, a, 0)
	write(t, b, 6) // 6 ns later; its texts stand in another order
	c, err := sqlite.OpenConn(b)
	if err != nil {
		t.Fatal(err)
	}
	for _, sql := range []string{"UPDATE OSRT_CALLCHAINS SET id = id + 1000", "DELETE FROM ODD"} {
		if err := sqlitex.ExecuteTransient(c, sql, nil); err != nil {
			t.Fatal(err)
		}
	}
	c.Close()
	if err := Merge(context.Background(), to, nil, a, b); err != nil {
		t.Fatal(err)
	}
	var want []string
	count := func(list []string, line string) (n int) {
		for _, l := range list {
			if l == line {
				n++
			}
		}
		return n
	}
	both := rows(t, to)
	for _, line := range rows(t, b) {
		var start, end, device int
		var text string
		if k, _ := fmt.Sscanf(line, "kernel|%d|%d|%d|text %s", &start, &end, &device, &text); k == 4 {
			want = append(want, fmt.Sprintf("kernel|%d|%d|%d|text %s", start+6, end+6, device, text))
		}
	}
	if len(want) != 40 {
		t.Fatalf("%d kernels", len(want))
	}
	for _, line := range want {
		if count(both, line) != 2 {
			t.Errorf("%q is there %d times", line, count(both, line))
		}
	}
}

func TestTooMany(t *testing.T) {
	if err := Merge(context.Background(), filepath.Join(t.TempDir(), "x"), nil, make([]string, 20)...); err == nil {
		t.Error("20 databases were merged")
	}
}
