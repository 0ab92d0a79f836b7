package timeline

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"github.com/gpuprof/gpuprof/internal/corpustest"
	"github.com/gpuprof/gpuprof/internal/nsysgen"
	"github.com/gpuprof/gpuprof/internal/pagetest"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/query"
	"github.com/gpuprof/gpuprof/view"
)

func ask(t *testing.T, values map[string][]string, args ...string) (string, error) {
	t.Helper()
	q := &page.Request{Args: args, Format: view.FormatCSV, Values: values}
	d, err := Query.Do(context.Background(), q)
	if err != nil {
		return "", err
	}
	var b bytes.Buffer
	if err := view.Render(&b, d, view.FormatCSV, q.ViewOptions()); err != nil {
		t.Fatal(err)
	}
	return b.String(), nil
}

func small(t *testing.T) string {
	path := filepath.Join(t.TempDir(), "a b%20?.sqlite") // a name that needs escaping in a URI
	if err := nsysgen.Write(path, nsysgen.Size{Kernels: 50, Ranges: 21, Copies: 6, Threads: 2, Devices: 1, Names: 3}); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestQuery(t *testing.T) {
	path := small(t)
	got, err := ask(t, nil, path, "SELECT COUNT(*) AS n, 'x' AS s, NULL, 0.5 AS f FROM CUPTI_ACTIVITY_KIND_KERNEL")
	if err != nil || got != "\"n\",\"s\",\"NULL\",\"f\"\n\"50\",\"x\",,\"0.500000\"\n" {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := ask(t, pagetest.Options("limit", "3"), path, "SELECT start FROM CUPTI_ACTIVITY_KIND_KERNEL"); err != nil || strings.Count(got, "\n") != 4 {
		t.Errorf("limit: %q, %v", got, err)
	}
	for _, bad := range []string{"ATTACH 'x' AS y", "PRAGMA journal_mode=WAL", "SELECT load_extension('x')", "nonsense", "SELECT * FROM nowhere", ".nothing", ".tables ["} {
		if _, err := ask(t, nil, path, bad); err == nil {
			t.Errorf("%s is allowed", bad)
		} else if !errors.Is(err, page.ErrUsage) && !strings.Contains(bad, "load_extension") { // that ends while it runs, as data may end a query
			t.Errorf("%s is no mistake of the user: %v", bad, err)
		}
	}
	for _, change := range []string{"DELETE FROM StringIds", "CREATE TABLE t (a)"} { // on a copy
		if got, err := ask(t, nil, path, change+"; SELECT COUNT(*) FROM CUPTI_ACTIVITY_KIND_KERNEL"); err != nil || !strings.Contains(got, "50") {
			t.Errorf("%s: %q, %v", change, got, err)
		}
		if _, err := ask(t, pagetest.Options("changes", "refuse"), path, change); err == nil {
			t.Errorf("%s is allowed", change)
		}
	}
	if got, err := ask(t, pagetest.Options("sql", "SELECT COUNT(*) FROM b.StringIds"), path, small(t)); err == nil || !strings.Contains(err.Error(), "b.StringIds") {
		t.Errorf("tables of a second file have another name: %q, %v", got, err)
	}
	if got, err := ask(t, pagetest.Options("sql", "SELECT COUNT(*) > 0 FROM a_b_20_.StringIds"), path, small(t)); err != nil || !strings.Contains(got, "1") {
		t.Errorf("two files: %q, %v", got, err)
	}
	script := filepath.Join(t.TempDir(), "s.sql")
	if err := os.WriteFile(script, []byte("-- two\nSELECT 1 AS a;\nSELECT 2 AS b;"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got, err := ask(t, pagetest.Options("sql-file", script), path); err != nil || !strings.Contains(got, "\"a\"") || !strings.Contains(got, "\"b\"") {
		t.Errorf("of a file: %q, %v", got, err)
	}
	if left, _ := os.ReadDir(filepath.Dir(path)); len(left) != 1 {
		t.Errorf("%d files beside the database", len(left)-1)
	}
	_, err = ask(t, pagetest.Options("timeout", "1"), path, "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) SELECT COUNT(*) FROM n")
	if err == nil || !strings.Contains(err.Error(), "longer than 1 s") {
		t.Errorf("a query without end: %v", err)
	}
}

// TestRecipesOnCorpus runs the recipes on real exports; those without the tables
// say so.
func TestRecipesOnCorpus(t *testing.T) {
	answered := map[string]int{}
	for _, path := range corpustest.Files(t, "corpus/nsys/*.sqlite") {
		for _, r := range query.Recipes() {
			got, err := ask(t, pagetest.Options("recipe", r.Name, "limit", "20"), path)
			switch {
			case err == nil:
				answered[r.Name] += max(0, strings.Count(got, "\n")-1)
			case !strings.Contains(err.Error(), "needs the table") && !strings.Contains(err.Error(), "no such column"):
				t.Errorf("%s: %s: %v", filepath.Base(path), r.Name, err)
			}
		}
	}
	for _, name := range []string{"api_to_kernel", "threads", "osrt_backtraces", "function_table", "thread_summary", "thread_schedule", "diagnostics"} {
		if answered[name] == 0 {
			t.Errorf("recipe %s finds nothing in any file", name)
		}
	}
}

// TestQueryCatalogueOfKernels compares a sum by SQL with the report's.
func TestQueryAgreesWithStats(t *testing.T) {
	path := small(t)
	conn, err := sqlite.OpenConn(path, sqlite.OpenReadOnly)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	want, err := sqlitex.ResultInt64(conn.Prep("SELECT SUM(end - start) FROM CUPTI_ACTIVITY_KIND_KERNEL"))
	if err != nil {
		t.Fatal(err)
	}
	got, _ := pagetest.Render(t, Stats, path, view.FormatCSV, pagetest.Options("report", "cuda_gpu_kern_sum"))
	sum := int64(0)
	for _, row := range parseCSV(t, got)[1:] {
		var n int64
		for _, c := range row[1] {
			n = n*10 + int64(c-'0')
		}
		sum += n
	}
	if sum != want || want == 0 {
		t.Errorf("kernels took %d, SQL says %d", sum, want)
	}
}
