package dataset

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
)

type event struct {
	Start int64   `parquet:"start"`
	Name  *string `parquet:"name,optional"`
	Share float64 `parquet:"share"`
	Small int32   `parquet:"small"`
	Flag  bool    `parquet:"flag"`
	Many  []int64 `parquet:"many"` // nested: left out
	Raw   []byte  `parquet:"raw"`
}

func write[T any](t *testing.T, dir, table string, p Partition, groups ...[]T) string {
	t.Helper()
	name := filepath.Join(dir, table, p.Dir(), "a.sqlite.parquet")
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w := parquet.NewGenericWriter[T](f)
	for _, g := range groups {
		if _, err := w.Write(g); err != nil {
			t.Fatal(err)
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return name
}

func text(s string) *string { return &s }

// TestRead reads columns of all types, of row groups, with what is NULL and what is
// not there.
func TestRead(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "EVENTS", Partition{"Nsight Systems/x", "..nightly", "2026-11-22", "3"},
		[]event{{1, text("a"), 0.5, -7, true, []int64{1, 2}, []byte{1}}, {2, nil, 1.5, 8, false, nil, nil}}, []event{{30, text("ccc"), 2, 9, true, nil, []byte{2, 3}}})
	if !Is(dir) || Is(t.TempDir()) {
		t.Error("a dataset is not told from a folder")
	}
	d, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Table("NONE"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a table that is not there: %v", err)
	}
	tb, err := d.Table("EVENTS")
	if err != nil || len(tb.Files) != 1 || tb.Files[0].Partition != (Partition{"Nsight_Systems_x", "nightly", "2026-11-22", "3"}) {
		t.Fatalf("%+v, %v", tb, err)
	}
	want := []Column{{"start", Integer}, {"name", Text}, {"share", Real}, {"small", Integer}, {"flag", Integer}, {"raw", Blob}}
	if !slices.Equal(tb.Columns, want) {
		t.Errorf("%v, want %v", tb.Columns, want)
	}
	r, err := tb.Files[0].Open()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	all := map[string]*Values{}
	for _, c := range append(want, Column{"absent", Text}) {
		v := &Values{}
		for g := range r.Groups() {
			if err := r.Read(g, c.Name, v); err != nil {
				t.Fatal(err)
			}
		}
		if v.Len() != 3 {
			t.Errorf("%s has %d values", c.Name, v.Len())
		}
		all[c.Name] = v
	}
	if r.Groups() != 2 || r.Rows(0) != 2 || !slices.Equal(all["start"].Ints, []int64{1, 2, 30}) || !slices.Equal(all["small"].Ints, []int64{-7, 8, 9}) ||
		!slices.Equal(all["flag"].Ints, []int64{1, 0, 1}) || !slices.Equal(all["share"].Reals, []float64{0.5, 1.5, 2}) {
		t.Errorf("%+v", all)
	}
	if n := all["name"]; string(n.Bytes(0)) != "a" || !n.IsNull(1) || string(n.Bytes(2)) != "ccc" || n.Size() == 0 || !all["absent"].IsNull(2) {
		t.Errorf("%+v", n)
	}
	if least, most, ok := r.Bounds(0, "start"); !ok || least != 1 || most != 2 {
		t.Errorf("bounds %d %d %v", least, most, ok)
	}
	for _, c := range []string{"absent", "name", "small"} {
		if _, _, ok := r.Bounds(1, c); ok {
			t.Errorf("bounds of %s", c)
		}
	}
}

// TestAppend adds to a dataset: nothing that is there changes, columns are only
// added, and one that contradicts is an error that leaves the rest.
func TestAppend(t *testing.T) {
	dir := t.TempDir()
	type second struct {
		Start int64  `parquet:"start"`
		More  string `parquet:"more"`
	}
	first := write(t, dir, "EVENTS", Partition{"s", "1", "2026-11-21", "0"}, []event{{Start: 1}})
	read := func() *Table {
		t.Helper()
		d, err := Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		tb, err := d.Table("EVENTS")
		if err != nil {
			t.Fatal(err)
		}
		return tb
	}
	old := read() // one without _schema.json, as the first that was ever written
	if err := Record(dir, map[string][]Column{"EVENTS": old.Columns}); err != nil {
		t.Fatal(err)
	}
	before, _ := os.ReadFile(first)
	write(t, dir, "EVENTS", Partition{"s", "2", "2026-11-22", "0"}, []second{{2, "x"}})
	if err := Record(dir, map[string][]Column{"EVENTS": {{"start", Integer}, {"more", Text}}, "OTHER": {{"a", Blob}}}); err != nil {
		t.Fatal(err)
	}
	now := read()
	if after, _ := os.ReadFile(first); string(after) != string(before) || len(now.Files) != 2 || !slices.Equal(now.Columns, append(slices.Clone(old.Columns), Column{"more", Text})) {
		t.Errorf("%+v after %+v", now, old)
	}
	if err := Record(dir, map[string][]Column{"EVENTS": {{"start", Text}, {"raw", Text}, {"last", Real}}}); err == nil || !strings.Contains(err.Error(), `expected INT64 of column "start"`) {
		t.Errorf("another type of a column: %v", err)
	}
	if c := read().Columns; c[0] != (Column{"start", Integer}) || c[len(c)-1] != (Column{"last", Real}) {
		t.Errorf("%v", c)
	}
	os.Remove(filepath.Join(dir, schemaFile)) // then the footers tell
	if c := read().Columns; len(c) != len(old.Columns)+1 {
		t.Errorf("%v", c)
	}
}

// TestVersions reads what older versions wrote and refuses what a later one did.
func TestVersions(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "EVENTS", Partition{"s", "1", "d", "0"}, []event{{Start: 1}})
	for text, want := range map[string]string{
		`{"version": 1, "partitions": ["source"], "later": 7, "tables": {"EVENTS": [{"name": "start", "type": "INT64"}]}}`: "",
		`{"version": 1}`: "", `{"version": 2}`: "a later gpuprof", `{"version": 0}`: "found 0", `{`: schemaFile,
	} {
		if err := os.WriteFile(filepath.Join(dir, schemaFile), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		d, err := Open(dir)
		if want == "" && err == nil {
			_, err = d.Table("EVENTS")
		}
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// TestDamaged: files that are cut are errors that name them.
func TestDamaged(t *testing.T) {
	dir := t.TempDir()
	name := write(t, dir, "EVENTS", Partition{"s", "1", "d", "0"}, []event{{Start: 1, Name: text("a")}})
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for n := 0; n < len(b); n += 7 {
		if err := os.WriteFile(name, b[:n], 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := (&File{Path: name}).Open(); err == nil || !strings.Contains(err.Error(), name) {
			t.Fatalf("%d bytes: %v", n, err)
		}
	}
}
