package timeline

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"github.com/gpuprof/gpuprof/internal/corpustest"
	"github.com/gpuprof/gpuprof/internal/pagetest"
	"github.com/gpuprof/gpuprof/page"
)

// converted converts a file into a new database.
func converted(t *testing.T, from string, values map[string][]string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "out.sqlite")
	if _, err := Convert.Do(context.Background(), &page.Request{Args: []string{from, to}, Values: values}); err != nil {
		t.Fatal(err)
	}
	return to
}

func connect(t *testing.T, path string) *sqlite.Conn {
	t.Helper()
	c, err := sqlite.OpenConn("file:"+path+"?immutable=1", sqlite.OpenReadOnly|sqlite.OpenURI)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// cells yields the rows of a query as texts, with the classes of the cells.
func cells(t *testing.T, c *sqlite.Conn, query string) (rows []string) {
	t.Helper()
	err := sqlitex.ExecuteTransient(c, query, &sqlitex.ExecOptions{ResultFunc: func(s *sqlite.Stmt) error {
		var b strings.Builder
		for i := range s.ColumnCount() {
			fmt.Fprintf(&b, "%v %s|", s.ColumnType(i), s.ColumnText(i))
		}
		rows = append(rows, b.String())
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func tablesOf(t *testing.T, c *sqlite.Conn) []string {
	var out []string
	for _, r := range cells(t, c, "SELECT name FROM sqlite_master WHERE type = 'table'") {
		_, name, _ := strings.Cut(strings.TrimSuffix(r, "|"), " ")
		out = append(out, name)
	}
	return out
}

// TestConvertNativeEqualsExport converts native reports and compares the
// databases with those that the vendor's tool made of the same reports: every
// table, row by row, the columns that the tool wrote. What was taken out of the
// exports is not compared.
func TestConvertNativeEqualsExport(t *testing.T) {
	pairs := 0
	for _, native := range append(corpustest.Files(t, "corpus/nsys-rep/*.nsys-rep"), corpustest.Files(t, "corpus/nsys-rep/*.qdrep")...) {
		stem := strings.TrimSuffix(filepath.Base(native), filepath.Ext(native)) + ".sqlite"
		export := filepath.Join(filepath.Dir(native), stem)
		if _, err := os.Stat(export); err != nil {
			if export = filepath.Join(filepath.Dir(native), "..", "nsys", stem); !exists(export) {
				continue
			}
		}
		pairs++
		t.Run(stem, func(t *testing.T) {
			want := connect(t, export)
			const session = "SELECT utcEpochNs / 1000000000 FROM TARGET_INFO_SESSION_START_TIME"
			if own := connect(t, converted(t, native, nil)); hasTable(t, own, want) && cells(t, own, session)[0] != cells(t, want, session)[0] {
				t.Skip("an export of another session of the same name")
			}
			version := "2021"
			for _, name := range tablesOf(t, want) {
				if name == "META_DATA_EXPORT" || name == "EXPORT_META_DATA" {
					v := cells(t, want, "SELECT value FROM "+name+" WHERE name = 'EXPORT_SCHEMA_VERSION'")
					version = strings.Fields(strings.Trim(v[0], "|"))[1]
				}
			}
			compareBases(t, connect(t, converted(t, native, pagetest.Options("schema", version))), want)
			compareNames(t, connect(t, converted(t, native, nil)), want)
		})
	}
	if pairs == 0 {
		t.Error("no pairs")
	}
}

// hasTable reports whether both tell when their sessions began.
func hasTable(t *testing.T, all ...*sqlite.Conn) bool {
	for _, c := range all {
		if !slices.Contains(tablesOf(t, c), "TARGET_INFO_SESSION_START_TIME") {
			return false
		}
	}
	return true
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// compareNames expects every table that has rows in a conversion to the newest
// schema too, which gave some of them up.
func compareNames(t *testing.T, got, want *sqlite.Conn) {
	have := strings.Join(tablesOf(t, got), " ") + " "
	for _, name := range tablesOf(t, want) {
		if name == "EXPORT_META_DATA" {
			continue // META_DATA_EXPORT since schema 3.7
		}
		if !strings.HasPrefix(name, "ENUM_") && name != "UnwindMethodType" && len(cells(t, want, `SELECT 1 FROM "`+name+`" LIMIT 1`)) > 0 && !strings.Contains(have, name+" ") {
			t.Errorf("the newest schema has no table %s", name)
		}
	}
}

func compareBases(t *testing.T, got, want *sqlite.Conn) {
	have := map[string]bool{}
	for _, name := range tablesOf(t, got) {
		have[name] = true
	}
	for _, name := range tablesOf(t, want) {
		if strings.HasSuffix(name, "_EXPORT") || name == "EXPORT_META_DATA" {
			continue // of the tool, not of the report
		}
		var columns []string
		err := sqlitex.ExecuteTransient(want, `PRAGMA table_info("`+name+`")`, &sqlitex.ExecOptions{ResultFunc: func(s *sqlite.Stmt) error {
			columns = append(columns, `"`+s.ColumnText(1)+`"`)
			return nil
		}})
		if err != nil {
			t.Fatal(err)
		}
		query := "SELECT " + strings.Join(columns, ",") + ` FROM "` + name + `"`
		if strings.HasPrefix(name, "ENUM_") {
			compareRows(t, name, cells(t, got, query+" ORDER BY id"), cells(t, want, query+" ORDER BY id"))
			continue
		}
		rows := cells(t, want, query+" ORDER BY rowid")
		if len(rows) == 0 {
			continue // or all of it was taken out
		}
		if !have[name] {
			t.Errorf("no table %s; %d rows expected", name, len(rows))
			continue
		}
		if name == "META_DATA_CAPTURE" { // of which rows were taken out
			sep := " WHERE "
			for _, secret := range []string{"COMMAND", "WORKING_DIR", "ENVIRONMENT_VARIABLE", "USER_NAME"} {
				if !slices.ContainsFunc(rows, func(r string) bool { return strings.Contains(r, ":"+secret+"|") }) {
					query += sep + "name NOT GLOB '*:" + secret + "'"
					sep = " AND "
				}
			}
		}
		compareRows(t, name, cells(t, got, query+" ORDER BY rowid"), rows)
	}
}

func compareRows(t *testing.T, table string, got, want []string) {
	if len(got) != len(want) {
		t.Errorf("%s: %d rows, want %d", table, len(got), len(want))
		return
	}
	for i := range got {
		if got[i] == want[i] {
			continue
		}
		g, w := strings.Split(got[i], "|"), strings.Split(want[i], "|")
		for k := range min(len(g), len(w)) {
			if g[k] != w[k] && !strings.HasSuffix(w[k], "[redacted]") {
				t.Errorf("%s: row %d column %d is %.60s, want %.60s", table, i, k, g[k], w[k])
				return
			}
			if strings.HasSuffix(w[k], "[redacted]") {
				break // what was taken out may hold bars of its own
			}
		}
	}
}

// TestConvertMemory converts within little memory, where frames are unpacked for
// each table, and expects the same bytes.
func TestConvertMemory(t *testing.T) {
	for _, native := range corpustest.Files(t, "corpus/nsys-rep/openhackathons*.qdrep") {
		all, err := os.ReadFile(converted(t, native, nil))
		if err != nil {
			t.Fatal(err)
		}
		little, err := os.ReadFile(converted(t, native, pagetest.Options("memory", "96")))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(all, little) {
			t.Error("another database comes from little memory")
		}
		to := filepath.Join(t.TempDir(), "none.sqlite")
		_, err = Convert.Do(context.Background(), &page.Request{Args: []string{native, to}, Values: pagetest.Options("memory", "1")})
		if err == nil || !strings.Contains(err.Error(), "--memory") || exists(to) {
			t.Errorf("too little memory: %v", err)
		}
	}
}

func TestConvertOptions(t *testing.T) {
	from := small(t)
	only := tablesOf(t, connect(t, converted(t, from, pagetest.Options("tables", "kernel$"))))
	if len(only) != 1 || only[0] != "CUPTI_ACTIVITY_KIND_KERNEL" {
		t.Errorf("--tables kernel$ writes %v", only)
	}
	all := connect(t, converted(t, from, pagetest.Options("lazy", "false")))
	if n := len(tablesOf(t, all)); n < 80 {
		t.Errorf("--lazy false writes %d tables", n)
	}
	if n := len(cells(t, all, "SELECT * FROM VULKAN_API")); n != 0 {
		t.Errorf("a table without rows has %d", n)
	}
	to := strings.TrimSuffix(from, ".sqlite") + ".nvtxt"
	replace := true
	ask := func(values map[string][]string) error {
		_, err := Convert.Do(context.Background(), &page.Request{Args: []string{from}, Values: values, Replace: replace})
		return err
	}
	if err := ask(pagetest.Options("type", "nvtxt")); err != nil || !exists(to) {
		t.Errorf("--type nvtxt writes no %s: %v", to, err)
	}
	replace = false
	if err := ask(pagetest.Options("type", "nvtxt")); err == nil || !strings.Contains(err.Error(), "exists already") {
		t.Errorf("an output that exists is replaced without being asked to: %v", err)
	}
	if err := ask(nil); err == nil {
		t.Error("without --type a name is not missed")
	}
}
