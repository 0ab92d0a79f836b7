package ncurep

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/internal/corpustest"
)

// corpusFiles lists the real reports.
func corpusFiles(tb testing.TB) []string {
	var names []string
	for _, name := range corpustest.Files(tb, "corpus/ncu/*") {
		if !strings.HasSuffix(name, ".tsv") {
			names = append(names, name)
		}
	}
	return names
}

// eachReport runs a test on the project's own example reports and, where they
// are at hand, on the real ones.
func eachReport(t *testing.T, test func(t *testing.T, name string)) {
	examples, err := filepath.Glob(filepath.Join("..", "..", "examples", "*.ncu-rep"))
	if err != nil || len(examples) == 0 {
		t.Fatal("no examples", err)
	}
	for _, name := range examples {
		t.Run(filepath.Base(name), func(t *testing.T) { test(t, name) })
	}
	t.Run("corpus", func(t *testing.T) {
		for _, name := range corpusFiles(t) {
			t.Run(filepath.Base(name), func(t *testing.T) { test(t, name) })
		}
	})
}

// TestDecodeAll opens every report and decodes everything in it.
func TestDecodeAll(t *testing.T) {
	eachReport(t, func(t *testing.T, name string) {
		f, err := OpenFile(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if err := f.Problems().err(); err != nil {
			t.Error(err)
		}
		n, err := decodeAll(f)
		if err != nil {
			t.Error(err)
		}
		if n.metrics == 0 || n.strings == 0 {
			t.Errorf("little in it: %+v", n)
		}
	})
}
