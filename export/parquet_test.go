package export

import (
	"context"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/gpuprof/gpuprof/internal/corpustest"
	"github.com/gpuprof/gpuprof/internal/nsysgen"
	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/trace/schema"
)

// sameParquet reads every file of a folder back and compares it with the trace.
func sameParquet(t *testing.T, tr *trace.Trace, dir string) (groups int) {
	t.Helper()
	for _, info := range tr.Tables() {
		f, err := os.Open(filepath.Join(dir, info.Name+".parquet"))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		st, err := f.Stat()
		if err != nil {
			t.Fatal(err)
		}
		p, err := parquet.OpenFile(f, st.Size())
		if err != nil {
			t.Fatalf("%s: %v", info.Name, err)
		}
		groups += len(p.RowGroups())
		want, err := tr.All(context.Background(), info.Name)
		if err != nil {
			t.Fatal(err)
		}
		fields := p.Schema().Fields()
		if len(fields) != len(want.Columns) || p.NumRows() != int64(want.Rows) {
			t.Fatalf("%s: %d rows of %d columns, want %d of %d", info.Name, p.NumRows(), len(fields), want.Rows, len(want.Columns))
		}
		for k, c := range want.Columns {
			kind := [...]parquet.Kind{parquet.Int64, parquet.Double, parquet.ByteArray}[c.Kind]
			if fields[k].Name() != c.Name || fields[k].Type().Kind() != kind {
				t.Fatalf("%s: column %d is %s of %v, want %s of %v", info.Name, k, fields[k].Name(), fields[k].Type(), c.Name, kind)
			}
		}
		sameRows(t, tr, p, want)
		tr.Forget(info.Name)
	}
	return groups
}

func sameRows(t *testing.T, tr *trace.Trace, p *parquet.File, want *trace.Table) {
	t.Helper()
	i, buf := 0, make([]parquet.Row, 100)
	for _, g := range p.RowGroups() {
		rows := g.Rows()
		for {
			n, err := rows.ReadRows(buf)
			for _, row := range buf[:n] {
				for k, v := range row {
					if !sameValue(tr, want.Columns[k], i, v) {
						t.Fatalf("%s.%s row %d: %v, want %s", want.Name, want.Columns[k].Name, i, v, cell(tr, want.Columns[k], i))
					}
				}
				i++
			}
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		rows.Close()
	}
	if i != want.Rows {
		t.Fatalf("%s: %d rows were read, want %d", want.Name, i, want.Rows)
	}
}

func sameValue(tr *trace.Trace, c *trace.Column, i int, v parquet.Value) bool {
	switch {
	case c.IsNull(i) || v.IsNull():
		return c.IsNull(i) && v.IsNull()
	case c.Kind == trace.Texts:
		return string(v.ByteArray()) == tr.Strings.Text(c.Syms[i])
	case c.Kind == trace.Reals:
		return math.Float64bits(v.Double()) == math.Float64bits(c.Reals[i])
	}
	return v.Int64() == c.Ints[i]
}

func TestParquetCorpus(t *testing.T) {
	for _, path := range corpustest.Files(t, "corpus/nsys/*.sqlite") {
		t.Run(filepath.Base(path), func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "out.parquet")
			if err := Parquet(context.Background(), open(t, path), dir); err != nil {
				t.Fatal(err)
			}
			sameParquet(t, open(t, path), dir)
		})
	}
}

// TestParquetEveryTable writes made-up rows, NULL among them, of all tables.
func TestParquetEveryTable(t *testing.T) {
	tr := trace.New("made", made{schema.Newest})
	dir := t.TempDir()
	if err := Parquet(context.Background(), tr, dir); err != nil {
		t.Fatal(err)
	}
	sameParquet(t, tr, dir)
}

// TestParquetRowGroups writes a table of several row groups.
func TestParquetRowGroups(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.sqlite")
	if err := nsysgen.Write(path, nsysgen.Size{Kernels: 400_000, Ranges: 7, Copies: 3, Threads: 1, Devices: 1, Names: 2}); err != nil {
		t.Fatal(err)
	}
	tr, dir := open(t, path), t.TempDir()
	if err := Parquet(context.Background(), tr, dir); err != nil {
		t.Fatal(err)
	}
	if n := sameParquet(t, tr, dir); n <= len(tr.Tables()) {
		t.Errorf("%d row groups of %d tables", n, len(tr.Tables()))
	}
	left, err := filepath.Glob(filepath.Join(dir, ".*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// TestParquetCancelled leaves no half of a file behind.
func TestParquetCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	dir := t.TempDir()
	if err := Parquet(ctx, trace.New("made", made{schema.Newest}), dir); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if files, _ := os.ReadDir(dir); len(files) > 0 {
		t.Errorf("left behind: %v", files)
	}
}

// TestFolderAppearsWhole converts into a folder that is there and one that is
// not; a conversion that fails leaves nothing.
func TestFolderAppearsWhole(t *testing.T) {
	dir := t.TempDir()
	in := filepath.Join(dir, "x.sqlite")
	if err := nsysgen.Write(in, nsysgen.Size{Kernels: 10, Ranges: 7, Copies: 3, Threads: 1, Devices: 1, Names: 2}); err != nil {
		t.Fatal(err)
	}
	names := func(of string) (out []string) {
		files, err := os.ReadDir(of)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			out = append(out, f.Name())
		}
		return out
	}
	for _, write := range []func(context.Context, *trace.Trace, string) error{CSV, Parquet} {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if err := write(ctx, open(t, in), filepath.Join(dir, "new")); err == nil {
			t.Error("a conversion that was cancelled succeeds")
		}
		if left := names(dir); len(left) != 1 {
			t.Errorf("a conversion that failed leaves %q", left)
		}
	}
	to := filepath.Join(dir, "a", "b") + string(filepath.Separator)
	for range 2 {
		if err := CSV(context.Background(), open(t, in), to); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(to, "mine"), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := len(names(to)), len(open(t, in).Tables())+1; got != want || len(names(filepath.Dir(filepath.Clean(to)))) != 1 {
		t.Errorf("%d files, want %d: %q", got, want, names(to))
	}
}
