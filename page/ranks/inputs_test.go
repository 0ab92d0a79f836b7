package ranks

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/internal/ranksgen"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/view"
)

// pack puts the reports of a folder into a tar, and something that is none.
func pack(t *testing.T, dir string, out io.Writer) {
	t.Helper()
	w := tar.NewWriter(out)
	names, _ := filepath.Glob(filepath.Join(dir, "*.sqlite"))
	for _, n := range names {
		b, err := os.ReadFile(n)
		if err != nil {
			t.Fatal(err)
		}
		w.WriteHeader(&tar.Header{Name: "run/" + filepath.Base(n), Mode: 0o644, Size: int64(len(b)), Typeflag: tar.TypeReg})
		w.Write(b)
	}
	w.WriteHeader(&tar.Header{Name: "run/settings.json", Mode: 0o644, Size: 2, Typeflag: tar.TypeReg})
	w.Write([]byte("{}"))
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestInputs asks the same of a folder, a pattern, a tar and a compressed tar.
func TestInputs(t *testing.T) {
	dir := t.TempDir()
	s := ranksgen.Default(21)
	s.Ranks, s.Straggler, s.Factor = 4, 1, 1.2
	if err := os.Mkdir(filepath.Join(dir, "run"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := ranksgen.Make(s).Write(filepath.Join(dir, "run")); err != nil {
		t.Fatal(err)
	}
	plain, err := os.Create(filepath.Join(dir, "run.tar"))
	if err != nil {
		t.Fatal(err)
	}
	pack(t, filepath.Join(dir, "run"), plain)
	plain.Close()
	packed, err := os.Create(filepath.Join(dir, "run.tgz"))
	if err != nil {
		t.Fatal(err)
	}
	z := gzip.NewWriter(packed)
	pack(t, filepath.Join(dir, "run"), z)
	z.Close()
	packed.Close()
	var want string
	for _, operand := range []string{"run", "run/rank_*.sqlite", "run.tar", "run.tgz"} {
		d, err := Page.Do(context.Background(), &page.Request{Args: []string{filepath.Join(dir, filepath.FromSlash(operand))}, Format: view.FormatJSON})
		if err != nil {
			t.Fatalf("%s: %v", operand, err)
		}
		var b strings.Builder
		if err := view.Render(&b, d, view.FormatJSON, view.Options{}); err != nil {
			t.Fatal(err)
		}
		if want == "" {
			want = b.String()
		}
		if b.String() != want || d.Failed {
			t.Errorf("%s: another answer than of the folder (failed: %v)", operand, d.Failed)
		}
	}
	if !strings.Contains(want, "Rank 1 (node00, GPU 1) needs") {
		t.Error("the straggler is not named")
	}
}

// TestBrokenTar cuts a tar: that is told, and is no panic.
func TestBrokenTar(t *testing.T) {
	dir := t.TempDir()
	s := ranksgen.Default(22)
	s.Ranks = 2
	if err := ranksgen.Make(s).Write(dir); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	pack(t, dir, &b)
	for _, n := range []int{0, 100, 512, 5000, b.Len() / 2} {
		name := filepath.Join(dir, "cut.tar")
		if err := os.WriteFile(name, []byte(b.String()[:n]), 0o644); err != nil {
			t.Fatal(err)
		}
		d, err := Page.Do(context.Background(), &page.Request{Args: []string{name}})
		if err == nil && !d.Failed {
			t.Errorf("%d bytes: nothing is told", n)
		}
	}
	if !slices.Contains(extensions, ".gpr") {
		t.Error("folders are searched for partials, too")
	}
}
