package load

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/internal/corpustest"
	"github.com/gpuprof/gpuprof/internal/examples"
	"github.com/gpuprof/gpuprof/profile/metric"
)

// TestValuesAreThoseOfMetrics: what is read in passing is what is read whole, of
// made reports and, where they are, of real ones.
func TestValuesAreThoseOfMetrics(t *testing.T) {
	made := filepath.Join(t.TempDir(), "many.ncu-rep")
	if err := examples.Many(3, 1).WriteFile(made); err != nil {
		t.Fatal(err)
	}
	t.Run("made", func(t *testing.T) { sameValues(t, made) })
	t.Run("real", func(t *testing.T) {
		for _, name := range corpustest.Files(t, "corpus/ncu/*rep*") {
			sameValues(t, name)
		}
	})
}

func sameValues(t *testing.T, name string) {
	f, err := Open(context.Background(), name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, prefix := range []string{"", "launch__", "no such metric"} {
		for _, a := range f.Report.Actions() {
			values, err := a.Values(func(name string) bool { return strings.HasPrefix(name, prefix) })
			if err != nil {
				t.Fatal(err)
			}
			want := map[string]metric.Value{}
			ms, _ := a.Metrics()
			for _, m := range ms.Sorted() {
				if strings.HasPrefix(m.Name, prefix) {
					want[m.Name] = m.Value
				}
			}
			if len(values) != len(want) {
				t.Errorf("%s: %d values of %q, want %d", name, len(values), prefix, len(want))
			}
			for name, v := range want {
				if got := values[name]; got.Kind() != v.Kind() || got.Kind() == metric.KindString && got.Text() != v.Text() || got.Uint64() != v.Uint64() {
					t.Errorf("%s: %v, want %v", name, got, v)
				}
			}
		}
	}
}
