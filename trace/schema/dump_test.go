package schema

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/gpuprof/gpuprof/internal/corpustest"
)

// A dumped is a column as the statements of a real export declare it.
type dumped struct {
	name, typ    string
	notNull, key bool
}

var (
	createTable = regexp.MustCompile(`(?s)CREATE TABLE (\w+) \((.*?)\n(?:, \w+ TEXT)?\);`) // with a column that a user added
	columnLine  = regexp.MustCompile(`^\s*(\w+)\s+(INTEGER|REAL|TEXT|BLOB)\b(.*)$`)
)

// laterNull are columns that older versions declare NOT NULL, as the catalogue,
// which has one declaration for each, does not say.
var laterNull = map[string]string{"TARGET_INFO_SYSTEM_ENV.globalVid": "3.0.0", "ANALYSIS_FILE.filename": "3.13.2",
	"GENERIC_EVENTS.data": "3.7.2", "GENERIC_EVENT_SOURCES.data": "3.7.2", "GENERIC_EVENT_TYPES.data": "3.7.2"}

// neverEager are tables that even a full export lacks where it has no rows for
// them.
var neverEager = map[string]bool{"GENERIC_EVENTS": true, "GENERIC_EVENT_SOURCES": true, "GENERIC_EVENT_TYPES": true, "ETW_EVENTS": true}

// dump reads the statements of an export.
func dump(t *testing.T, path string) map[string][]dumped {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]dumped{}
	for _, m := range createTable.FindAllStringSubmatch(string(b), -1) {
		cols := []dumped{}
		for _, line := range strings.Split(m[2], "\n") {
			line, _, _ = strings.Cut(line, "--")
			c := columnLine.FindStringSubmatch(strings.TrimRight(line, ", "))
			if c == nil {
				continue
			}
			cols = append(cols, dumped{c[1], c[2], strings.Contains(c[3], "NOT NULL"), strings.Contains(c[3], "PRIMARY KEY")})
		}
		out[m[1]] = cols
	}
	return out
}

// TestDumps compares the catalogue, version by version, with the statements of
// real exports: tables, columns, types, NOT NULL and keys. A full dump has every
// table of its version; of others only what is there is compared.
func TestDumps(t *testing.T) {
	for _, path := range corpustest.Files(t, "formats/nsys-schema-*.sql") {
		name := strings.TrimSuffix(filepath.Base(path), ".sql")
		parts := strings.Split(name, "-") // nsys-schema-VERSION-full
		t.Run(parts[2], func(t *testing.T) {
			v, err := ParseVersion(parts[2])
			if err != nil {
				t.Fatal(err)
			}
			tables := dump(t, path)
			if len(tables) < 40 {
				t.Fatalf("%d tables in %s", len(tables), path)
			}
			for table, want := range tables {
				compareTable(t, v, table, want)
			}
			if parts[3] != "full" {
				return
			}
			for _, tb := range Tables() {
				if tb.Span.Has(v) && tables[tb.Name] == nil && !neverEager[tb.Name] {
					t.Errorf("%s: the catalogue says that %s has it, the full dump does not", tb.Name, v)
				}
			}
			for _, e := range Enums() {
				if e.Span.Has(v) && tables[e.Name] == nil {
					t.Errorf("%s: the catalogue says that %s has it, the full dump does not", e.Name, v)
				}
			}
		})
	}
}

// strict reports whether v is not newer than last.
func strict(last string, v Version) bool {
	l, err := ParseVersion(last)
	return last != "" && err == nil && !l.Less(v)
}

func compareTable(t *testing.T, v Version, table string, want []dumped) {
	if strings.HasPrefix(table, "ENUM_") {
		if e := LookupEnum(table); e == nil || !e.Span.Has(v) {
			t.Errorf("%s: not in the catalogue of %s", table, v)
		}
		return
	}
	tb := Lookup(table)
	if tb == nil || !tb.Span.Has(v) {
		t.Errorf("%s: not in the catalogue of %s", table, v)
		return
	}
	got := map[string]Column{}
	for _, c := range tb.At(v) {
		got[c.Name] = c
	}
	for _, w := range want {
		c, ok := got[w.name]
		delete(got, w.name)
		switch {
		case !ok:
			t.Errorf("%s.%s: not in the catalogue of %s", table, w.name, v)
		case w.notNull && !c.NotNull && !c.Key && strict(laterNull[table+"."+w.name], v):
		case c.Type != w.typ || c.Key != w.key || !c.Key && c.NotNull != w.notNull:
			t.Errorf("%s.%s in %s: catalogue %s, NOT NULL %v, key %v; dump %+v", table, w.name, v, c.Type, c.NotNull, c.Key, w)
		}
	}
	for name := range got {
		t.Errorf("%s.%s: the catalogue says that %s has it, the dump does not", table, name, v)
	}
}

var guideColumn = regexp.MustCompile(`^(?:id )?(\w+) (INT|INTEGER|TEXT|REAL)\b`)

// TestGuide looks up every table and column that the guide of 2021 documents.
func TestGuide(t *testing.T) {
	b, err := os.ReadFile(filepath.Join(corpustest.Dir(t), "seeds", "nsight-systems-sqlite-schema.txt"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	tables, columns := 0, 0
	for _, line := range strings.Split(string(b), "\n") {
		if rest, ok := strings.CutPrefix(line, "Table name "); ok {
			names = strings.FieldsFunc(rest, func(r rune) bool { return r == ',' || r == '/' || unicode.IsSpace(r) })
			for _, n := range names {
				tables++
				if tb := Lookup(n); (tb == nil || !tb.Span.Has(oldest)) && LookupEnum(n) == nil {
					t.Errorf("%s: not in the catalogue of 2021", n)
				}
			}
			continue
		}
		m := guideColumn.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		columns++
		for _, n := range names {
			tb := Lookup(n)
			if tb == nil {
				continue
			}
			if c := tb.Column(m[1]); c == nil || !c.Span.Has(oldest) {
				t.Errorf("%s.%s: not in the catalogue of 2021", n, m[1])
			}
		}
	}
	if tables < 50 || columns < 300 {
		t.Errorf("the guide has %d tables and %d columns", tables, columns)
	}
}
