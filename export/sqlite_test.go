package export

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"github.com/gpuprof/gpuprof/internal/corpustest"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/trace/schema"
)

func open(t *testing.T, path string) *trace.Trace {
	t.Helper()
	f, err := load.Open(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f.Trace
}

// TestRoundTrip writes every export and reads the same trace back.
func TestRoundTrip(t *testing.T) {
	for _, path := range corpustest.Files(t, "corpus/nsys/*.sqlite") {
		t.Run(filepath.Base(path), func(t *testing.T) {
			want := open(t, path)
			to := filepath.Join(t.TempDir(), "x.sqlite")
			if err := SQLite(context.Background(), want, to, nil); err != nil {
				t.Fatal(err)
			}
			check(t, to)
			got := open(t, to)
			if len(got.Tables()) != len(want.Tables()) || got.Version != want.Version {
				t.Fatalf("%d tables of version %v, want %d of %v", len(got.Tables()), got.Version, len(want.Tables()), want.Version)
			}
			for _, info := range want.Tables() {
				sameTable(t, got, want, info.Name)
			}
		})
	}
}

// sameTable compares the columns that both traces have. Rows of a table with a
// key may have been sorted by it.
func sameTable(t *testing.T, got, want *trace.Trace, name string) {
	t.Helper()
	g, err := got.All(context.Background(), name)
	if err != nil || g == nil {
		t.Fatalf("%s: %v", name, err)
	}
	w, err := want.All(context.Background(), name)
	if err != nil {
		t.Fatal(err)
	}
	if g.Rows != w.Rows || len(g.Columns) != len(w.Columns) {
		t.Fatalf("%s: %d rows of %d columns, want %d of %d", name, g.Rows, len(g.Columns), w.Rows, len(w.Columns))
	}
	for c, a := range g.Columns {
		b := w.Columns[c]
		for i := range g.Rows {
			if x, y := cell(got, a, i), cell(want, b, i); x != y {
				t.Fatalf("%s.%s row %d: %s, want %s", name, a.Name, i, x, y)
			}
		}
	}
}

func cell(tr *trace.Trace, c *trace.Column, i int) string {
	switch {
	case c.IsNull(i):
		return "NULL"
	case c.Kind == trace.Texts:
		return tr.Strings.Text(c.Syms[i])
	case c.Kind == trace.Reals:
		return fmt.Sprint(c.Reals[i])
	}
	return fmt.Sprint(c.Ints[i])
}

// check asks SQLite whether a database is sound.
func check(t *testing.T, path string) {
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

// made is a source with a few made-up rows in every table of a version.
type made struct{ version schema.Version }

const madeRows = 5

func (m made) Tables() []trace.TableInfo {
	var out []trace.TableInfo
	for _, t := range schema.Tables() {
		if !t.Span.Has(m.version) || len(t.At(m.version)) == 0 {
			continue
		}
		info := trace.TableInfo{Name: t.Name}
		for _, c := range t.At(m.version) {
			info.Columns = append(info.Columns, trace.ColumnInfo{Name: c.Name, Kind: map[string]trace.Kind{"REAL": trace.Reals, "TEXT": trace.Texts, "BLOB": trace.Texts}[c.Type]})
		}
		out = append(out, info)
	}
	return out
}

func (m made) Read(_ context.Context, table string, columns []trace.ColumnInfo, s *trace.Strings) (*trace.Table, []error, error) {
	t := &trace.Table{Name: table, Rows: madeRows}
	known := schema.Lookup(table)
	for n, c := range columns {
		col := &trace.Column{Name: c.Name, Kind: c.Kind}
		k := known.Column(c.Name)
		if k != nil && !k.NotNull && !k.Key {
			col.Null = make([]bool, madeRows)
		}
		for i := range madeRows {
			if col.Null != nil && (i+n)%3 == 0 {
				col.Null[i] = true
			}
			v := int64(i)*1_000_003*int64(n+1) - 7*int64(n)
			if k != nil && k.Key {
				v = int64(10 - i)
			}
			if col.Null != nil && col.Null[i] {
				v = 0
			}
			switch c.Kind {
			case trace.Integers:
				col.Ints = append(col.Ints, v)
			case trace.Reals:
				col.Reals = append(col.Reals, float64(v)/3)
			case trace.Texts:
				col.Syms = append(col.Syms, s.Intern(fmt.Sprintf("%s %s %d", table, c.Name, v)))
			}
		}
		t.Columns = append(t.Columns, col)
	}
	return t, nil, nil
}

// TestEveryTable writes made-up rows of every table of the catalogue, in the
// oldest and the newest layout and some between, and reads them back.
func TestEveryTable(t *testing.T) {
	for _, version := range []string{"2021", "2.9.1", "3.7.2", "3.25.0"} {
		t.Run(version, func(t *testing.T) {
			v, err := schema.ParseVersion(version)
			if err != nil {
				t.Fatal(err)
			}
			src := trace.New("made", made{v})
			to := filepath.Join(t.TempDir(), "x.sqlite")
			if err := SQLite(context.Background(), src, to, &v); err != nil {
				t.Fatal(err)
			}
			check(t, to)
			got := open(t, to)
			if len(got.Tables()) != len(src.Tables()) {
				t.Errorf("%d tables, want %d", len(got.Tables()), len(src.Tables()))
			}
			for _, info := range src.Tables() {
				g, err := got.All(context.Background(), info.Name)
				if err != nil || g == nil {
					t.Fatalf("%s: %v", info.Name, err)
				}
				w, err := src.All(context.Background(), info.Name)
				if err != nil {
					t.Fatal(err)
				}
				sameMade(t, v, got, src, g, w)
			}
		})
	}
}

// sameMade compares rows; those of a table with a key come in the order of it.
func sameMade(t *testing.T, v schema.Version, got, want *trace.Trace, g, w *trace.Table) {
	t.Helper()
	if g.Rows != w.Rows || len(g.Columns) != len(w.Columns) {
		t.Fatalf("%s: %d rows of %d columns, want %d of %d", g.Name, g.Rows, len(g.Columns), w.Rows, len(w.Columns))
	}
	keyed := false
	for _, c := range schema.Lookup(g.Name).At(v) {
		keyed = keyed || c.Key
	}
	for c := range w.Columns {
		for i := range w.Rows {
			k := i
			if keyed {
				k = w.Rows - 1 - i
			}
			if x, y := cell(got, g.Columns[c], i), cell(want, w.Columns[c], k); x != y {
				t.Errorf("%s.%s row %d: %s, want %s", g.Name, w.Columns[c].Name, i, x, y)
			}
		}
	}
}

// TestOtherLayout writes an export in layouts other than its own.
func TestOtherLayout(t *testing.T) {
	for _, path := range corpustest.Files(t, "corpus/nsys/GindaChen__nsys-ai__tests_fixtures_mock.sqlite") {
		for _, version := range []string{"2021", "3.7.2"} {
			v, err := schema.ParseVersion(version)
			if err != nil {
				t.Fatal(err)
			}
			to := filepath.Join(t.TempDir(), version+".sqlite")
			if err := SQLite(context.Background(), open(t, path), to, &v); err != nil {
				t.Fatal(err)
			}
			check(t, to)
			got := open(t, to)
			if got.HasColumn(trace.TableKernel, "greenContextId") != (version != "2021") || got.HasColumn(trace.TableKernel, "clusterX") {
				t.Errorf("%s: columns of another version", version)
			}
			if k, err := got.Table(context.Background(), trace.TableKernel, "start"); err != nil || k.Rows != 2 {
				t.Errorf("%s: kernels %+v, %v", version, k, err)
			}
		}
	}
}

func openBench(b *testing.B, path string) *trace.Trace {
	b.Helper()
	f, err := load.Open(context.Background(), path)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { f.Close() })
	return f.Trace
}
