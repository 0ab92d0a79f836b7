package web

import (
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/internal/atomicfile"
)

// Names that no system takes, or that are not what they seem, are the fault of who
// asks.
func TestUploadNames(t *testing.T) {
	s := startWith(t, Options{})
	for name, want := range map[string]int{
		"a\x00b.ncu-rep": 400, strings.Repeat("n", 300): 400, "x\x1b[2J": 400, "x\u202egnp": 400, "\xff": 400, "": 400, "..": 400,
		strings.Repeat("n", 200): 200, "größe.csv": 200,
	} {
		if status, body := ask(t, s, "POST", "/api/upload?name="+url.QueryEscape(name), strings.NewReader("x"), nil); status != want {
			t.Errorf("%q: status %d, expected %d: %s", name, status, want, body)
		}
	}
}

func TestManyFiles(t *testing.T) {
	s := startWith(t, Options{}, example)
	path := "/api/page/details?" + strings.Repeat("file="+s.files[0].ID+"&", 3000)
	if status, body := ask(t, s, "GET", path, nil, nil); status != 400 || !strings.Contains(body, "3000") {
		t.Errorf("status %d, %.200s", status, body)
	}
}

// What a server that crashed has left goes when the next needs a folder; that of a
// living one stays.
func TestUploadsOfTheDead(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("here locks do not end with their process")
	}
	tmp := t.TempDir()
	dead, living, foreign := filepath.Join(tmp, uploadFolder+"1"), filepath.Join(tmp, uploadFolder+"2"), filepath.Join(tmp, uploadFolder+"3")
	for _, dir := range []string{dead, living, foreign} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "secret.ncu-rep"), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, dir := range []string{dead, living} {
		l, err := atomicfile.Hold(filepath.Join(dir, uploadLock))
		if err != nil {
			t.Fatal(err)
		}
		if dir == dead {
			l.Close()
		} else {
			defer l.Close()
		}
	}
	sweepUploads(tmp)
	for dir, stays := range map[string]bool{dead: false, living: true, foreign: true} {
		if _, err := os.Stat(filepath.Join(dir, "secret.ncu-rep")); (err == nil) != stays {
			t.Errorf("%s: stays %v, expected %v", filepath.Base(dir), err == nil, stays)
		}
	}
}
