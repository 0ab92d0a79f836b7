package sass_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/gpuprof/gpuprof/format/sass"
	"github.com/gpuprof/gpuprof/internal/corpustest"
	"github.com/gpuprof/gpuprof/internal/sasslearn"
)

// TestPairs compares the texts of some hundred thousand words of each architecture
// with those of the vendor's disassembler.
func TestPairs(t *testing.T) {
	dir := filepath.Join(corpustest.Dir(t), "oracle", "sass")
	for name, sm := range map[string]int{"SM70": 70, "SM75": 75, "SM80": 80, "SM86": 86, "SM89": 89, "SM90a": 90} {
		t.Run(name, func(t *testing.T) {
			f, err := os.Open(filepath.Join(dir, name+".tsv.zst"))
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			z, err := zstd.NewReader(f)
			if err != nil {
				t.Fatal(err)
			}
			defer z.Close()
			pairs, err := sasslearn.ReadPairs(z)
			if err != nil {
				t.Fatal(err)
			}
			kept := pairs[:0]
			for i, p := range pairs {
				// Every seventh; those whose control bits are no compiler's apart.
				if i%7 == 0 && !strings.Contains(p.Text, ".reuse") {
					kept = append(kept, p)
				}
			}
			s := sasslearn.Measure(sass.NewDecoder(sm), kept)
			t.Log(s)
			if s.Words < 50_000 || 1000*s.Exact < 985*s.Words || 2000*s.Wrong > s.Words {
				t.Errorf("%v", s)
				for _, f := range s.Failures(8) {
					t.Error(f)
				}
			}
		})
	}
}
