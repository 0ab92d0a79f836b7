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

func TestCorpusOpens(t *testing.T) {
	for _, name := range corpusFiles(t) {
		t.Run(filepath.Base(name), func(t *testing.T) {
			f, err := OpenFile(name)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if p := f.Problems(); len(p) > 0 {
				t.Error(p)
			}
			for _, r := range f.Results {
				ms, err := r.Metrics()
				if err != nil {
					t.Fatal(err)
				}
				for i := range ms.All {
					if _, err := ms.All[i].Instances(); err != nil {
						t.Fatal(err)
					}
				}
				if _, err := r.Sections(); err != nil {
					t.Fatal(err)
				}
				if _, err := r.Rules(); err != nil {
					t.Fatal(err)
				}
				if _, err := r.Nvtx(); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}
