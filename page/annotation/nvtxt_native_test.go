package annotation

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpuprof/gpuprof/internal/nsysrepgen"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/trace"
)

// cellsOf are the cells of a table, by column.
func cellsOf(t *testing.T, name, table string, columns ...string) [][]string {
	t.Helper()
	f, err := load.Open(context.Background(), name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	e, err := f.Trace.Table(context.Background(), table, columns...)
	if err != nil {
		t.Fatal(err)
	}
	var out [][]string
	for i := range e.Rows {
		var row []string
		for _, c := range columns {
			row = append(row, f.Trace.CellText(e.Col(c), i))
		}
		out = append(out, row)
	}
	return out
}

// A native report with annotations has the rows that a database with them has, and all
// that it had before.
func TestNvtxtMergeNative(t *testing.T) {
	dir := t.TempDir()
	base := put(t, filepath.Join(dir, "base.nsys-rep"), string(nsysrepgen.Sample().Bytes()))
	src := put(t, filepath.Join(dir, "in", "app.nvtxt"), strings.Replace(annotationsOfApp, "RangePush, 2000, \"a \"\"b\"\n", "", 1))
	out, db := filepath.Join(dir, "out.nsys-rep"), filepath.Join(dir, "out.sqlite")
	notes, failed, err := buildFile(t, Merge, out, nil, base, src)
	if err != nil || failed || !strings.Contains(notes, "1 events lose their category and 1 names of categories") || !strings.Contains(notes, "names of processes are left out: 1") {
		t.Fatal(notes, failed, err)
	}
	if _, failed, err := buildFile(t, Merge, db, map[string][]string{"native": {"true"}}, base, src); err != nil || failed {
		t.Fatal(failed, err)
	}
	columns := []string{"start", "end", "eventType", "rangeId", "color", "text", "globalTid", "int64Value", "doubleValue"}
	var want [][]string
	for _, row := range cellsOf(t, db, trace.TableNvtx, columns...) {
		if row[2] != "33" { // names of categories
			want = append(want, row)
		}
	}
	got := cellsOf(t, out, trace.TableNvtx, columns...)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-database +native):\n%s", diff)
	}
	if had := cellsOf(t, base, trace.TableNvtx, columns...); len(got) <= len(had) {
		t.Errorf("%d events, and the report alone has %d", len(got), len(had))
	}
	for _, table := range []string{trace.TableKernel, trace.TableRuntime, "StringIds"} {
		if diff := cmp.Diff(cellsOf(t, base, table, "rowid"), cellsOf(t, out, table, "rowid")); diff != "" {
			t.Errorf("%s:\n%s", table, diff)
		}
	}
}

// Only a native report becomes a native one, with the window that it has.
func TestNvtxtMergeNativeRefuses(t *testing.T) {
	dir := t.TempDir()
	base := put(t, filepath.Join(dir, "base.nsys-rep"), string(nsysrepgen.Sample().Bytes()))
	src := put(t, filepath.Join(dir, "in", "app.nvtxt"), annotationsOfApp)
	out := filepath.Join(dir, "out.nsys-rep")
	if _, _, err := buildFile(t, Create, out, nil, src); err == nil || !strings.Contains(err.Error(), "one of the extensions") {
		t.Error("create:", err)
	}
	if _, _, err := buildFile(t, Merge, out, map[string][]string{"update-report-time": {"true"}}, base, src); err == nil || !strings.Contains(err.Error(), "stays as it is") {
		t.Error("a wider window:", err)
	}
	if _, _, err := buildFile(t, Merge, out, nil, src, src); err == nil || !strings.Contains(err.Error(), "only a native report") {
		t.Error("annotations as the report:", err)
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("something was written")
	}
}
