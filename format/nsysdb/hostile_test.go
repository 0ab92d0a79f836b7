package nsysdb

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"
)

// memory is an io.WriterAt in memory.
type memory struct{ b []byte }

func (m *memory) WriteAt(p []byte, off int64) (int, error) {
	if n := int(off) + len(p); n > len(m.b) {
		m.b = append(m.b, make([]byte, n-len(m.b))...)
	}
	return copy(m.b[off:], p), nil
}

// sample is a database with all kinds of pages: interior, leaf, overflow.
func sample(tb testing.TB) []byte {
	var m memory
	w, err := newWriter(&m, 512)
	if err != nil {
		tb.Fatal(err)
	}
	tw, err := w.Table("CREATE TABLE events (id INTEGER PRIMARY KEY, start INTEGER, x REAL, text TEXT)")
	if err != nil {
		tb.Fatal(err)
	}
	const rows = 300
	ids, starts, xs, texts := make([]int64, rows), make([]int64, rows), make([]float64, rows), make([]string, rows)
	for i := range rows {
		ids[i], starts[i], xs[i] = int64(i), int64(i)*1_000_003, float64(i)/3
		texts[i] = strings.Repeat("range ", i%7)
		if i%40 == 7 {
			texts[i] = strings.Repeat("long ", 20*i)
		}
	}
	if err := tw.Append(rows, []Vector{Integers(ids, nil), Integers(starts, nil), Reals(xs, nil), Texts(texts, nil)}); err != nil {
		tb.Fatal(err)
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	return m.b
}

// readAll reads everything there is and returns the rows and the bytes held.
func readAll(b []byte) (rows, held int, err error) {
	f, err := Open(bytes.NewReader(b), int64(len(b)), "fuzz")
	if err != nil {
		return 0, 0, err
	}
	err = errors.Join(f.Problems()...)
	for _, t := range f.Tables() {
		if t.Err() != nil {
			continue
		}
		for _, asks := range [][]Ask{anyOf(t), formsOf(t)} {
			b, e := t.Read(context.Background(), asks...)
			if e != nil {
				return rows, held, e
			}
			rows += b.Rows
			for i := range b.Columns {
				v := &b.Columns[i]
				held += 8*len(v.Ints) + 8*len(v.Reals) + len(v.data) + 8*len(v.ends)
				if v.len() != b.Rows {
					panic(fmt.Sprintf("column of %d cells in a block of %d rows", v.len(), b.Rows))
				}
			}
			err = errors.Join(append(b.Problems, err)...)
		}
	}
	return rows, held, err
}

func formsOf(t *Table) []Ask {
	asks := anyOf(t)
	for i := range asks {
		asks[i].Form = Form(i % 3)
	}
	return asks
}

func TestSampleIsSound(t *testing.T) {
	rows, _, err := readAll(sample(t))
	if err != nil || rows != 600 {
		t.Fatalf("%d rows, %v", rows, err)
	}
}

// TestBitFlips flips bits all over the file: nothing panics, and where the
// number of rows is wrong something is said.
func TestBitFlips(t *testing.T) {
	b := sample(t)
	r := rand.New(rand.NewPCG(1, 2))
	for range 4000 {
		c := bytes.Clone(b)
		for range 1 + r.IntN(3) {
			c[r.IntN(len(c))] ^= 1 << r.IntN(8)
		}
		rows, held, err := readAll(c)
		if held > 100*len(b) {
			t.Fatalf("%d bytes held of a file of %d", held, len(b))
		}
		if rows < 560 && err == nil && bytes.Contains(c, []byte("CREATE TABLE events (id INTEGER PRIMARY KEY, start INTEGER, x REAL, text TEXT)")) && c[3*512] == b[3*512] {
			// A changed count of cells is a sound page with fewer rows, so that
			// some may vanish; most may not.
			if rows < 300 {
				t.Errorf("%d rows and no problem", rows)
			}
		}
	}
}

func TestTruncated(t *testing.T) {
	b := sample(t)
	for n := 0; n < len(b); n += 97 {
		if _, _, err := readAll(b[:n]); err == nil {
			t.Errorf("%d of %d bytes: no error", n, len(b))
		}
	}
}

// page returns page n of a database of 512-byte pages.
func page(b []byte, n int) []byte { return b[(n-1)*512 : n*512] }

func TestCyclicTree(t *testing.T) {
	b := sample(t)
	f, err := Open(bytes.NewReader(b), int64(len(b)), "cycle")
	if err != nil {
		t.Fatal(err)
	}
	root := page(b, int(f.Tables()[0].Root))
	binary.BigEndian.PutUint32(root[8:], f.Tables()[0].Root) // the rightmost child is the root itself
	_, _, err = readAll(b)
	if err == nil || !strings.Contains(err.Error(), "reached twice") {
		t.Errorf("a cycle yields %v", err)
	}
}

// TestSharedOverflow lets all rows go on in the same overflow pages.
func TestSharedOverflow(t *testing.T) {
	const size = 4096
	b := make([]byte, 40*size)
	copy(b, sample(t)[:100])
	b[16], b[17] = 16, 0
	binary.BigEndian.PutUint32(b[28:], 40)
	leaf := b[100:size]
	leaf[0] = pageTableLeaf
	// a row of 140000 bytes: (table, t, t, 1, "…")
	cell := []byte{0, 0, 0, 1, 6, 23, 15, 15, 1, 0, 0, 0, 't', 'a', 'b', 'l', 'e', 't', 't', 1}
	_ = cell
	n := 30
	binary.BigEndian.PutUint16(leaf[3:], uint16(n))
	at := size - 600
	putVarint(b[at:], 140000)
	for i := range n {
		binary.BigEndian.PutUint16(leaf[8+2*i:], uint16(at))
	}
	if _, err := Open(bytes.NewReader(b), int64(len(b)), "overlap"); err == nil {
		t.Error("cells in one place are accepted")
	}
}

func TestRefusals(t *testing.T) {
	for name, change := range map[string]func(b []byte){
		"UTF-16":      func(b []byte) { b[59] = 2 },
		"power":       func(b []byte) { b[16], b[17] = 3, 0 },
		"reserved":    func(b []byte) { b[20] = 200 },
		"SQLite form": func(b []byte) { b[3] = 'x' },
		"read vers":   func(b []byte) { b[19] = 9 },
		"encoding":    func(b []byte) { b[59] = 77 },
	} {
		b := sample(t)
		change(b)
		if _, _, err := readAll(b); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestWithoutRowID(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.sqlite")
	execute(t, path, "CREATE TABLE w (a TEXT PRIMARY KEY, b) WITHOUT ROWID", "INSERT INTO w VALUES ('x', 1)", "CREATE TABLE ok (a)", "INSERT INTO ok VALUES (7)")
	f := open(t, path)
	if _, err := f.Table("w").Read(context.Background(), Any("a")); !errors.Is(err, errUnsupported) {
		t.Errorf("WITHOUT ROWID: %v", err)
	}
	if b, err := f.Table("OK").Read(context.Background(), Integer("A")); err != nil || b.Rows != 1 || b.Columns[0].Ints[0] != 7 {
		t.Errorf("the table beside it: %+v, %v", b, err)
	}
	if _, err := f.Table("ok").Read(context.Background(), Integer("b")); err == nil {
		t.Error("a column that is not there is read")
	}
}

func execute(t *testing.T, path string, sqls ...string) {
	t.Helper()
	conn, err := sqlite.OpenConn(path, sqlite.OpenReadWrite|sqlite.OpenCreate)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	for _, s := range sqls {
		if err := sqlitex.Execute(conn, s, nil); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
}

func TestCheckJournal(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.sqlite")
	if err := CheckJournal(path); err != nil {
		t.Errorf("nothing beside it: %v", err)
	}
	write := func(suffix string, b []byte) {
		if err := os.WriteFile(path+suffix, b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("-wal", nil)
	write("-journal", make([]byte, 512)) // a journal that was closed
	if err := CheckJournal(path); err != nil {
		t.Errorf("closed journals: %v", err)
	}
	write("-journal", append([]byte("\xd9\xd5\x05\xf9\x20\xa1\x63\xd7"), make([]byte, 600)...))
	if err := CheckJournal(path); !errors.Is(err, errUnsupported) {
		t.Errorf("a hot journal: %v", err)
	}
	write("-journal", nil)
	write("-wal", make([]byte, 4096))
	if err := CheckJournal(path); !errors.Is(err, errUnsupported) {
		t.Errorf("a write-ahead log: %v", err)
	}
}

func TestConversions(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.sqlite")
	execute(t, path, "CREATE TABLE t (v)", "INSERT INTO t VALUES (12),(-7.9),('42abc'),(' -010'),('x'),(NULL),(x'3335'),(1e300)")
	b, err := open(t, path).Table("t").Read(context.Background(), Integer("v"))
	if err != nil {
		t.Fatal(err)
	}
	want := []int64{12, -7, 42, -10, 0, 0, 35, 1<<63 - 1}
	for i, w := range want {
		if b.Columns[0].Ints[i] != w || b.Columns[0].isNull(i) != (i == 5) {
			t.Errorf("row %d: %d, want %d", i, b.Columns[0].Ints[i], w)
		}
	}
}

func TestScanStopsAndCancels(t *testing.T) {
	b := sample(t)
	f, err := Open(bytes.NewReader(b), int64(len(b)), "x")
	if err != nil {
		t.Fatal(err)
	}
	stop := errors.New("stop")
	if err := f.Tables()[0].Scan(context.Background(), func(*Block) error { return stop }, Integer("id")); err != stop {
		t.Errorf("Scan returns %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := f.Tables()[0].Read(ctx, Integer("id")); !errors.Is(err, context.Canceled) {
		t.Errorf("Read returns %v", err)
	}
}

func FuzzOpen(f *testing.F) {
	f.Add(sample(f))
	f.Add([]byte(Magic))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 1<<17 {
			return
		}
		_, held, _ := readAll(b)
		if held > 2000*len(b)+1<<16 {
			t.Errorf("%d bytes held of a file of %d", held, len(b))
		}
	})
}

// FuzzLeaf puts fuzzed bytes into the leaf of a table of a sound database.
func FuzzLeaf(f *testing.F) {
	b := sample(f)
	f.Add(page(b, 2), page(b, 4))
	f.Fuzz(func(t *testing.T, leaf, interior []byte) {
		c := bytes.Clone(b)
		copy(page(c, 2), leaf)
		copy(page(c, 40), interior)
		if _, held, _ := readAll(c); held > 100*len(c) {
			t.Errorf("%d bytes held of a file of %d", held, len(c))
		}
	})
}

func FuzzSchema(f *testing.F) {
	for _, s := range []string{"CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT DEFAULT 'x', c REAL NOT NULL)", "CREATE TABLE \"a b\" ([c d] VARCHAR(10, 2) CHECK (a > (1)), PRIMARY KEY (x, y)) WITHOUT ROWID",
		"create table x(a, b /* c */ -- d\n, e DEFAULT -5 REFERENCES u(id))"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, sql string) {
		tb := &Table{SQL: sql, file: &File{}, rowid: -1}
		if err := tb.parse(); err == nil && tb.rowid >= len(tb.Columns) {
			t.Errorf("rowid is column %d of %d", tb.rowid, len(tb.Columns))
		}
	})
}
