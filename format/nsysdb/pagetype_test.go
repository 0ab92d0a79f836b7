package nsysdb

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// indexed is a database that SQLite made, with all kinds of pages that there
// are: also those of an index, of the list of free pages, and interior pages of
// the schema.
func indexed(t *testing.T) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.sqlite")
	sqls := []string{"PRAGMA page_size=512", "CREATE TABLE gone (a)", "INSERT INTO gone VALUES (zeroblob(9000))",
		"CREATE TABLE t (id INTEGER PRIMARY KEY, a, b TEXT)", "CREATE INDEX i ON t (a, b)",
		"WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM n WHERE x<400) INSERT INTO t SELECT x, x*1000003, printf('text %d', x) FROM n",
		"INSERT INTO t SELECT 1000+id, id/3.0, hex(zeroblob(700)) FROM t WHERE id%50=0", "DROP TABLE gone"}
	for i := range 30 {
		sqls = append(sqls, fmt.Sprintf("CREATE TABLE t%d (a INTEGER, b INTEGER, some_longer_name TEXT)", i))
	}
	execute(t, path, sqls...)
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// kinds sorts the pages of a database of 512-byte pages by what they seem to be.
func kinds(b []byte) map[string][]int {
	out := map[string][]int{}
	for n := 1; n <= len(b)/512; n++ {
		p := page(b, n)
		if n == 1 {
			p = p[headerSize:]
		}
		kind, ok := map[byte]string{pageIndexInterior: "index interior", pageTableInterior: "interior", pageIndexLeaf: "index leaf", pageTableLeaf: "leaf"}[p[0]]
		if !ok {
			kind = "overflow or free"
		}
		out[kind] = append(out[kind], n)
	}
	return out
}

// TestBitFlipsByPage flips every bit of the head of pages of every kind, and some
// of the rest: nothing panics, memory stays within bounds, and no more rows come
// out than the file could hold.
func TestBitFlipsByPage(t *testing.T) {
	for name, b := range map[string][]byte{"ours": sample(t), "SQLite": indexed(t)} {
		whole, _, err := readAll(b)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		seen := kinds(b)
		if want := 3; name == "SQLite" {
			if want = 5; len(seen) != want {
				t.Errorf("%s: kinds of pages: %v", name, seen)
			}
		} else if len(seen) != want {
			t.Errorf("%s: kinds of pages: %v", name, seen)
		}
		for kind, pages := range seen {
			for _, n := range []int{pages[0], pages[len(pages)-1]} {
				for bit := 0; bit < 512*8; bit++ {
					if bit >= 16*8 && bit%61 != 0 {
						continue
					}
					c := bytes.Clone(b)
					page(c, n)[bit/8] ^= 1 << (bit % 8)
					rows, held, _ := readAll(c)
					if held > 100*len(b) || rows > whole+2*512 {
						t.Fatalf("%s: %s page %d, bit %d: %d rows and %d bytes held of a file of %d", name, kind, n, bit, rows, held, len(b))
					}
				}
			}
		}
	}
}

// TestGiantVarints puts varints of nine bytes, and numbers that wrap around,
// where a cell has its size, its rowid and the types of its record.
func TestGiantVarints(t *testing.T) {
	b := sample(t)
	leaf := kinds(b)["leaf"][1]
	cell := int(binary.BigEndian.Uint16(page(b, leaf)[8:]))
	for _, v := range []uint64{1 << 20, math.MaxInt32 - 1, math.MaxInt32, math.MaxInt32 + 1, math.MaxUint32, 1 << 62, math.MaxInt64, math.MaxInt64 + 1, math.MaxUint64 - 12, math.MaxUint64} {
		var x [9]byte
		n := putVarint(x[:], v)
		for at := range 14 { // size, rowid, length of the header, types
			c := bytes.Clone(b)
			copy(page(c, leaf)[cell+at:], x[:n])
			rows, held, err := readAll(c)
			if held > 100*len(b) || rows > 600 {
				t.Errorf("%d at byte %d of a cell: %d rows, %d bytes held", v, at, rows, held)
			}
			if at == 0 && err == nil {
				t.Errorf("a cell of %d bytes is accepted", v)
			}
		}
	}
}

// TestHostileSchemaSQL reads statements that no exporter writes: each is refused
// or understood, in memory and time that their length bounds.
func TestHostileSchemaSQL(t *testing.T) {
	const n = 100_000
	for name, sql := range map[string]string{
		"parentheses":  "CREATE TABLE t (a " + strings.Repeat("(", n),
		"closed":       "CREATE TABLE t (a CHECK " + strings.Repeat("(", n) + strings.Repeat(")", n) + ")",
		"columns":      "CREATE TABLE t (" + strings.Repeat("a,", n) + "a)",
		"commas":       "CREATE TABLE t (" + strings.Repeat(",", n) + ")",
		"constraints":  "CREATE TABLE t (a, b" + strings.Repeat(", PRIMARY KEY (a)", n/20) + ")",
		"open quote":   `CREATE TABLE t ("` + strings.Repeat(`""`, n),
		"open comment": "CREATE TABLE t (a /* " + strings.Repeat("*", n),
		"comments":     "CREATE TABLE t (" + strings.Repeat("/**/", n) + "a)",
		"defaults":     "CREATE TABLE t (a DEFAULT " + strings.Repeat("-", n) + "1)",
		"words":        "CREATE TABLE t (a " + strings.Repeat("INTEGER ", n) + ")",
		"bytes":        "CREATE TABLE t (\x00\xff\xfe a)",
		"no list":      "CREATE TABLE t AS SELECT 1",
		"a view":       "CREATE VIEW t AS SELECT 1",
		"nothing":      "",
	} {
		tb := &Table{Name: "t", SQL: sql, file: &File{Name: "x"}, rowid: -1}
		err := tb.parse()
		if len(tb.Columns) > len(sql) || tb.rowid >= len(tb.Columns) {
			t.Errorf("%s: %d columns, rowid %d", name, len(tb.Columns), tb.rowid)
		}
		if err != nil && !strings.HasPrefix(err.Error(), "x: table t") {
			t.Errorf("%s: %v", name, err)
		}
		if err != nil && len(err.Error()) > 500 {
			t.Errorf("%s: a message of %d bytes", name, len(err.Error()))
		}
	}
}
