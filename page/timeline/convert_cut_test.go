package timeline

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/internal/corpustest"
	"github.com/gpuprof/gpuprof/internal/nsysgen"
	"github.com/gpuprof/gpuprof/internal/nsysrepgen"
	"github.com/gpuprof/gpuprof/page"
)

// told runs a request and keeps its notes.
type told struct{ notes []string }

func (n *told) Note(text string)                            { n.notes = append(n.notes, text) }
func (*told) Progress(int, int)                             {}
func (*told) Put(ctx context.Context, a *page.Answer) error { return a.Write(&bytes.Buffer{}, nil) }
func (n *told) run(p *page.Page, args ...string) (page.Status, error) {
	return page.Run(context.Background(), page.Request{Page: p, Args: args}, n)
}

// TestConvertDamaged cuts files at many places: what is left is converted, and
// what is missing is told, with the status of a finding; or nothing is, with an
// error that names the file.
func TestConvertDamaged(t *testing.T) {
	dir := t.TempDir()
	native, base := filepath.Join(dir, "made.nsys-rep"), filepath.Join(dir, "made.sqlite")
	if err := os.WriteFile(native, nsysrepgen.Sample().Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := nsysgen.Write(base, nsysgen.Size{Kernels: 2000, Ranges: 600, Copies: 100, Threads: 2, Devices: 1, Names: 9}); err != nil {
		t.Fatal(err)
	}
	cutAndConvert(t, native, base)
	var n told // of a whole file nothing is told
	if status, err := n.run(Convert, base, filepath.Join(dir, "again.sqlite")); status != page.Fine || err != nil || len(n.notes) > 0 {
		t.Errorf("status %d, notes %q, %v", status, n.notes, err)
	}
}

// TestConvertDamagedReal is TestConvertDamaged on real files.
func TestConvertDamagedReal(t *testing.T) {
	var files []string
	for _, pattern := range []string{"corpus/nsys-rep/*.nsys-rep", "corpus/nsys-rep/*.sqlite", "corpus/nsys-rep/*.qdrep"} {
		files = append(files, corpustest.Files(t, pattern)...)
	}
	cutAndConvert(t, files...)
}

func cutAndConvert(t *testing.T, files ...string) {
	for _, file := range files {
		whole, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if len(whole) > 2<<20 {
			continue
		}
		t.Run(filepath.Base(file), func(t *testing.T) {
			for k := range 12 {
				n := len(whole) * (2*k + 1) / 24
				switch k {
				case 10: // at the border of a page
					n = n / 4096 * 4096
				case 11:
					n = len(whole) - 1
				}
				cut := filepath.Join(t.TempDir(), fmt.Sprintf("cut%d%s", k, filepath.Ext(file)))
				if err := os.WriteFile(cut, whole[:n], 0o644); err != nil {
					t.Fatal(err)
				}
				to := filepath.Join(t.TempDir(), "out.sqlite")
				var said told
				status, err := said.run(Convert, cut, to)
				switch {
				case err != nil && !strings.Contains(err.Error(), filepath.Base(cut)):
					t.Errorf("cut at %d of %d: the error names no file: %v", n, len(whole), err)
				case err == nil && status != page.Finding:
					t.Errorf("cut at %d of %d: status %d, want %d", n, len(whole), status, page.Finding)
				case err == nil && !strings.Contains(strings.Join(said.notes, "\n"), filepath.Base(cut)):
					t.Errorf("cut at %d of %d: notes do not tell: %q", n, len(whole), said.notes)
				case err == nil && !exists(to):
					t.Errorf("cut at %d of %d: nothing was written", n, len(whole))
				}
			}
		})
	}
}
