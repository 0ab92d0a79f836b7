package annotate

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/format/nvtxt"
	"github.com/gpuprof/gpuprof/internal/corpustest"
)

// TestImporterVectors: what the importer of Nsight Systems did with a file, the
// dialect nsys does: it refuses the same files and reads the same events.
func TestImporterVectors(t *testing.T) {
	dir := filepath.Join(corpustest.Dir(t), "oracle", "nvtxt")
	names, err := filepath.Glob(filepath.Join(dir, "*.expect.json"))
	if err != nil || len(names) == 0 {
		t.Skip("no vectors")
	}
	checked := 0
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var want struct {
			Cmd    string
			Args   []string
			Exit   int
			Events []struct {
				Start int64
				Text  string
			}
		}
		if err := json.Unmarshal(b, &want); err != nil {
			t.Fatal(name, err)
		}
		if want.Cmd != "create" || len(want.Args) > 0 || want.Exit == 139 { // 139: it crashed
			continue
		}
		checked++
		f, err := LoadFile(context.Background(), strings.TrimSuffix(name, ".expect.json")+".nvtxt", LoadOptions{Options: nvtxt.Options{Dialect: nvtxt.Nsys}})
		if err != nil {
			t.Error(err)
			continue
		}
		if f.Diagnostics.Failed(false) != (want.Exit != 0) {
			t.Errorf("%s: errors %v, the importer ended with %d", filepath.Base(name), f.Diagnostics.Err(), want.Exit)
			continue
		}
		if want.Exit == 0 && f.Events.Len() != len(want.Events) {
			t.Errorf("%s: %d events, want %d", filepath.Base(name), f.Events.Len(), len(want.Events))
		}
	}
	if checked < 100 {
		t.Errorf("only %d vectors checked", checked)
	}
}
