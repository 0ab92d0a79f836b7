package export

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/internal/nsysgen"
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
