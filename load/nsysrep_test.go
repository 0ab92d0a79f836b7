package load

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/internal/corpustest"
	"github.com/gpuprof/gpuprof/trace"
)

var updateDocs = flag.Bool("update", false, "write the table of results into the documentation")

// resultsFile is the page that the table of results stands on.
const resultsFile = "../docs/formats/nsys-rep-results.md"

// TestReportEqualsExport compares every table of native reports with those of
// their exports, row by row, column by column, in order.
func TestReportEqualsExport(t *testing.T) {
	var results strings.Builder
	results.WriteString("# Native reports against their exports\n\nWritten by `go test ./load -run TestReportEqualsExport -update`. \"exact\": all rows, in order, on every column.\n\n| report | table | rows | result |\n|---|---|---|---|\n")
	pairs := 0
	for _, native := range append(corpustest.Files(t, "corpus/nsys-rep/*.nsys-rep"), corpustest.Files(t, "corpus/nsys-rep/*.qdrep")...) {
		stem := strings.TrimSuffix(filepath.Base(native), filepath.Ext(native))
		export := filepath.Join(filepath.Dir(native), stem+".sqlite")
		if _, err := os.Stat(export); err != nil {
			if export = filepath.Join(filepath.Dir(native), "..", "nsys", stem+".sqlite"); noFile(export) {
				continue
			}
		}
		pairs++
		t.Run(stem, func(t *testing.T) {
			b := open(t, export).Trace
			a := open(t, native).ForExport(b.Version)
			if x, y := began(t, a), began(t, b); x != y && x-y+1e9 > 2e9 {
				t.Skip("an export of another session of the same name")
			}
			for _, info := range b.Tables() {
				if strings.HasPrefix(info.Name, "ENUM_") || strings.HasSuffix(info.Name, "META_DATA_EXPORT") || info.Name == "EXPORT_META_DATA" || info.Name == "UnwindMethodType" {
					continue
				}
				rows, result := compareTable(t, a, b, info)
				if rows == 0 {
					continue
				}
				if result != "exact" {
					t.Errorf("%s: %s", info.Name, result)
				}
				fmt.Fprintf(&results, "| %s | %s | %d | %s |\n", filepath.Base(native), info.Name, rows, result)
			}
		})
	}
	if pairs == 0 {
		t.Error("no pairs")
	}
	if *updateDocs {
		if err := os.WriteFile(resultsFile, []byte(results.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// began is when the session of a timeline began, in ns since 1970; 0 if it does
// not say.
func began(t *testing.T, tr *trace.Trace) uint64 {
	t.Helper()
	if !tr.Has("TARGET_INFO_SESSION_START_TIME") {
		return 0
	}
	s, err := tr.Table(context.Background(), "TARGET_INFO_SESSION_START_TIME", "utcEpochNs")
	if err != nil {
		t.Fatal(err)
	}
	if v := s.Ints("utcEpochNs"); len(v) > 0 {
		return uint64(v[0])
	}
	return 0
}

func noFile(name string) bool {
	_, err := os.Stat(name)
	return err != nil
}

func open(t *testing.T, name string) *File {
	t.Helper()
	f, err := Open(context.Background(), name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func compareTable(t *testing.T, a, b *trace.Trace, info trace.TableInfo) (rows int, result string) {
	want, err := b.All(context.Background(), info.Name)
	if err != nil {
		t.Fatal(err)
	}
	if want.Rows == 0 {
		return 0, "exact"
	}
	if !a.Has(info.Name) {
		return want.Rows, "not decoded"
	}
	got, err := a.All(context.Background(), info.Name)
	if err != nil {
		t.Fatal(err)
	}
	if info.Name == "META_DATA_CAPTURE" {
		withoutSecrets(a, got, b, want)
	}
	if got.Rows != want.Rows {
		return want.Rows, fmt.Sprintf("%d rows", got.Rows)
	}
	var bad []string
	for _, w := range want.Columns {
		g := got.Col(w.Name)
		n, first := 0, ""
		for i := range want.Rows {
			x, y := cell(a, g, i), cell(b, w, i)
			if x != y && y != "[redacted]" {
				if n++; n == 1 {
					first = fmt.Sprintf("row %d is %.60s, expected %.60s", i, x, y)
				}
			}
		}
		if n > 0 {
			bad = append(bad, fmt.Sprintf("%s: %d cells differ (%s)", w.Name, n, strings.ReplaceAll(first, "\n", " ")))
		}
	}
	if bad == nil {
		return want.Rows, "exact"
	}
	return want.Rows, strings.Join(bad, "; ")
}

// withoutSecrets drops the options of a capture that were removed from the
// exports of the corpus.
func withoutSecrets(tr *trace.Trace, t *trace.Table, other *trace.Trace, export *trace.Table) {
	kept := map[string]bool{}
	for _, y := range export.Col("name").Syms {
		kept[other.Strings.Text(y)] = true
	}
	names, values := t.Col("name"), t.Col("value")
	n := 0
	for i := range t.Rows {
		name := tr.Strings.Text(names.Syms[i])
		if end := name[strings.LastIndexByte(name, ':')+1:]; !kept[name] && slices.Contains([]string{"COMMAND", "WORKING_DIR", "ENVIRONMENT_VARIABLE", "USER_NAME"}, end) {
			continue
		}
		names.Syms[n], values.Syms[n] = names.Syms[i], values.Syms[i]
		n++
	}
	t.Rows = n
}

func cell(tr *trace.Trace, c *trace.Column, i int) string {
	switch {
	case c == nil || c.IsNull(i):
		return "NULL"
	case c.Kind == trace.Integers:
		return fmt.Sprint(c.Ints[i])
	case c.Kind == trace.Reals:
		return fmt.Sprint(c.Reals[i])
	}
	return tr.Strings.Text(c.Syms[i])
}
