package export

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/format/nsysdb"
	"github.com/gpuprof/gpuprof/internal/nsysgen"
	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/trace/schema"
)

// TestRestated writes exports as other versions have them.
func TestRestated(t *testing.T) {
	path := filepath.Join(t.TempDir(), "all.sqlite")
	if err := nsysgen.WriteAll(path); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		version  string
		drop     []string // of the source
		has      []string
		lacks    []string
		losses   []string
		noLosses []string
	}{
		{"2021", []string{"FECS_EVENTS", "CUDA_GRAPH_EVENTS", "ETW_EVENTS", "TARGET_INFO_CUDA_GPU"},
			[]string{"FECS_EVENTS", "CUDA_GRAPH_EVENTS", "CUPTI_ACTIVITY_KIND_KERNEL"}, []string{"GPU_CONTEXT_SWITCH_EVENTS", "PROCESSES", "CUDA_GRAPH_NODE_EVENTS"},
			[]string{"no table PROCESSES: 3 rows", "no column CUPTI_ACTIVITY_KIND_KERNEL.clusterX: 3 values"}, []string{"GPU_CONTEXT_SWITCH_EVENTS: 3 rows"}},
		{"3.24.0", []string{"GPU_CONTEXT_SWITCH_EVENTS", "META_DATA_EXPORT", "CUDA_GRAPH_NODE_EVENTS"},
			[]string{"GPU_CONTEXT_SWITCH_EVENTS", "META_DATA_EXPORT", "ENUM_CUDA_MEMCPY_OPER", "CUDA_GRAPH_NODE_EVENTS"}, []string{"FECS_EVENTS", "EXPORT_META_DATA"},
			[]string{"no table SYSCALL: 3 rows"}, []string{"FECS_EVENTS: 3"}},
	} {
		v, err := schema.ParseVersion(c.version)
		if err != nil {
			t.Fatal(err)
		}
		src := open(t, path).Select(func(name string) bool { return !slices.Contains(c.drop, name) }, nil)
		to := filepath.Join(t.TempDir(), "to.sqlite")
		var told []string
		if err := Restated(context.Background(), src, to, v, func(s string) { told = append(told, s) }); err != nil {
			t.Fatal(err)
		}
		out := open(t, to)
		for _, n := range c.has {
			if !out.Has(n) {
				t.Errorf("%s: there is no %s", c.version, n)
			}
		}
		for _, n := range c.lacks {
			if out.Has(n) {
				t.Errorf("%s: there is a %s", c.version, n)
			}
		}
		all := strings.Join(told, "\n")
		for _, l := range c.losses {
			if !strings.Contains(all, l) {
				t.Errorf("%s: not told: %s", c.version, l)
			}
		}
		for _, l := range c.noLosses {
			if strings.Contains(all, l) {
				t.Errorf("%s: told: %s", c.version, l)
			}
		}
		if c.version != "2021" && out.Version != v {
			t.Errorf("%s: the file says %v", c.version, out.Version)
		}
		for _, name := range []string{"FECS_EVENTS", "GPU_CONTEXT_SWITCH_EVENTS"} {
			tab, err := out.Table(context.Background(), name, "timestamp", "tag")
			if err != nil || tab != nil && (tab.Rows != nsysgen.AllRows || tab.Ints("timestamp")[1] != nsysgen.AllStart+nsysgen.AllStep) {
				t.Errorf("%s: %s: %v, %v", c.version, name, tab, err)
			}
		}
	}
}

// TestLosses: what an older version cannot hold of a source that writes any version by
// itself is told with counts, and of the newest nothing is.
func TestLosses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "all.sqlite")
	if err := nsysgen.WriteAll(path); err != nil {
		t.Fatal(err)
	}
	told := func(v schema.Version) string {
		var b strings.Builder
		if err := Losses(context.Background(), open(t, path), v, func(s string) { b.WriteString(s + "\n") }); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	old, err := schema.ParseVersion("2021")
	if err != nil {
		t.Fatal(err)
	}
	got := told(old)
	for _, want := range []string{"schema 2021 has no column SCHED_EVENTS.threadState: 3 values are left out\n", "schema 2021 has no table PROCESSES: 3 rows are left out\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("not told: %s", want)
		}
	}
	if got := told(schema.Newest); strings.Contains(got, "has no column") {
		t.Errorf("of the newest: %s", got)
	}
}

// TestRespelled: names of objects of Direct3D 12 and contents of files are texts in some
// versions and numbers of StringIds in others.
func TestRespelled(t *testing.T) {
	dir := t.TempDir()
	old := filepath.Join(dir, "old.sqlite")
	err := nsysdb.WriteFile(old, 4096, func(w *nsysdb.Writer) error {
		for _, s := range []struct {
			create string
			rows   int
			cells  []nsysdb.Vector
		}{
			{"CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT)", 2, []nsysdb.Vector{nsysdb.Integers([]int64{3, 9}, nil), nsysdb.Texts([]string{"Present", "queue"}, nil)}},
			{"CREATE TABLE DX12_API (id INTEGER PRIMARY KEY, nameId INTEGER, objectName TEXT)", 4,
				[]nsysdb.Vector{nsysdb.Integers([]int64{1, 2, 3, 4}, nil), nsysdb.Integers([]int64{3, 3, 3, 3}, nil),
					nsysdb.Texts([]string{"queue", "", "heap", "heap"}, []bool{false, true, false, false})}},
			{"CREATE TABLE TARGET_INFO_SYSTEM_ENV (name TEXT)", 1, []nsysdb.Vector{nsysdb.Texts([]string{"x"}, nil)}}, // tells whose file it is
			{"CREATE TABLE ANALYSIS_FILE (filename TEXT, content TEXT)", 1, []nsysdb.Vector{nsysdb.Texts([]string{"a"}, nil), nsysdb.Texts([]string{"heap"}, nil)}},
		} {
			out, err := w.Table(s.create)
			if err == nil {
				err = out.Append(s.rows, s.cells)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	restate := func(src *trace.Trace, version string) (*trace.Trace, []string) {
		t.Helper()
		v, err := schema.ParseVersion(version)
		if err != nil {
			t.Fatal(err)
		}
		to := filepath.Join(dir, version+".sqlite")
		var told []string
		if err := Restated(context.Background(), src, to, v, func(s string) { told = append(told, s) }); err != nil {
			t.Fatal(err)
		}
		return open(t, to), told
	}
	cells := func(tr *trace.Trace, table, column string) string {
		t.Helper()
		tab, err := tr.Table(context.Background(), table, column)
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		c := tab.Col(column)
		for i := 0; c != nil && i < tab.Rows; i++ {
			switch {
			case c.IsNull(i):
				out = append(out, "NULL")
			case c.Kind == trace.Texts:
				out = append(out, tr.Strings.Text(c.Syms[i]))
			default:
				out = append(out, fmt.Sprint(c.Ints[i]))
			}
		}
		return strings.Join(out, " ")
	}
	is := func(tr *trace.Trace, table, column, want string) {
		t.Helper()
		if got := cells(tr, table, column); got != want {
			t.Errorf("%s.%s: %s; expected %s", table, column, got, want)
		}
	}
	now, told := restate(open(t, old), "3.24.0")
	is(now, "DX12_API", "objectNameId", "9 NULL 10 10")
	is(now, "ANALYSIS_FILE", "contentId", "10")
	is(now, "StringIds", "id", "3 9 10")
	is(now, "StringIds", "value", "Present queue heap")
	if len(told) > 0 {
		t.Errorf("told: %q", told)
	}
	back, told := restate(now, "2.9.1")
	is(back, "DX12_API", "objectName", "queue NULL heap heap")
	if want := []string{"schema 2.9.1 has no table ANALYSIS_FILE: 1 rows are left out"}; !slices.Equal(told, want) {
		t.Errorf("told %q, expected %q", told, want)
	}
	some := func(tr *trace.Trace, table string) *trace.Trace {
		return tr.Select(func(n string) bool { return n == table || n == "TARGET_INFO_SYSTEM_ENV" }, nil)
	}
	// Texts are found though StringIds is not asked for.
	only, told := restate(some(now, "DX12_API"), "2.9.1")
	is(only, "DX12_API", "objectName", "queue NULL heap heap")
	if only.Has("StringIds") || len(told) > 0 {
		t.Errorf("StringIds: %v, told %q", only.Has("StringIds"), told)
	}
	// Where there are none that is told.
	bare, _ := restate(some(now, "DX12_API"), "3.24.14")
	only, told = restate(bare, "2.9.1")
	is(only, "DX12_API", "objectName", "NULL NULL NULL NULL")
	if want := []string{"DX12_API.objectNameId: 3 numbers lead to no text of StringIds and are left out"}; !slices.Equal(told, want) {
		t.Errorf("told %q, expected %q", told, want)
	}
	// A file without StringIds gets one.
	made, _ := restate(some(open(t, old), "ANALYSIS_FILE"), "3.16.1")
	is(made, "ANALYSIS_FILE", "contentId", "10")
}
