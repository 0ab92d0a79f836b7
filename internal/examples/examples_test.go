package examples

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/gpuprof/gpuprof/format/ncurep"
	definition "github.com/gpuprof/gpuprof/section"
)

var update = flag.Bool("update", false, "write the examples anew")

func TestExamplesAreFresh(t *testing.T) {
	file := filepath.Join("..", "..", "examples", "items.section")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	every, warnings, err := definition.ParseFile(file, string(text))
	if err != nil || len(warnings) > 0 {
		t.Fatal(err, warnings)
	}
	for name, report := range map[string]*ncurep.Report{
		"transpose.ncu-rep": Transpose(),
		"items.ncu-rep":     Items(every),
	} {
		var b bytes.Buffer
		if _, err := report.WriteTo(&b); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join("..", "..", "examples", name)
		if *update {
			if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		have, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(have, b.Bytes()) {
			t.Errorf("%s is stale: go test ./internal/examples -update", path)
		}
	}
}
