package atomicfile

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// names are the files of a folder.
func names(t *testing.T, dir string) []string {
	t.Helper()
	all, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range all {
		out = append(out, e.Name())
	}
	return out
}

func read(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "out.csv")
	if err := WriteBytes(name, []byte("first")); err != nil {
		t.Fatal(err)
	}
	failure := errors.New("no more")
	err := Write(name, func(f *File) error {
		if _, err := f.Write([]byte("half a fi")); err != nil {
			t.Fatal(err)
		}
		if got := read(t, name); got != "first" {
			t.Errorf("while writing the file holds %q", got)
		}
		return failure
	})
	if !errors.Is(err, failure) || read(t, name) != "first" {
		t.Errorf("after a failure: %v, %q", err, read(t, name))
	}
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic is lost")
			}
		}()
		Write(name, func(*File) error { panic("broken") })
	}()
	if err := WriteBytes(name, []byte("second")); err != nil || read(t, name) != "second" {
		t.Errorf("%v, %q", err, read(t, name))
	}
	if got := names(t, dir); len(got) != 1 {
		t.Errorf("left in the folder: %q", got)
	}
}

func TestKeepsPermissionsAndLinks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("permissions and links are those of Unix")
	}
	dir, other := t.TempDir(), t.TempDir()
	real := filepath.Join(other, "real.json")
	if err := os.WriteFile(real, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link.json")
	if err := os.Symlink(real, link); err != nil {
		t.Fatal(err)
	}
	if err := WriteBytes(link, []byte("new")); err != nil {
		t.Fatal(err)
	}
	if st, err := os.Lstat(link); err != nil || st.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is no longer one: %v, %v", st, err)
	}
	if st, err := os.Stat(real); err != nil || st.Mode().Perm() != 0o600 || read(t, real) != "new" {
		t.Errorf("behind the link: %v, %v, %q", st.Mode(), err, read(t, real))
	}
	fresh := filepath.Join(dir, "fresh")
	plain := filepath.Join(dir, "plain")
	if err := errors.Join(WriteBytes(fresh, nil), os.WriteFile(plain, nil, 0o666)); err != nil {
		t.Fatal(err)
	}
	a, _ := os.Stat(fresh)
	b, _ := os.Stat(plain)
	if a.Mode() != b.Mode() {
		t.Errorf("a new file has mode %v, other new files %v", a.Mode(), b.Mode())
	}
}

func TestWhatCannotBeReplaced(t *testing.T) {
	dir := t.TempDir()
	if err := WriteBytes(dir, []byte("x")); err == nil {
		t.Error("a folder is written to")
	}
	if err := WriteBytes("", []byte("x")); err == nil {
		t.Error("no name is a name")
	}
	if err := WriteBytes(filepath.Join(dir, "no", "such", "folder"), []byte("x")); err == nil {
		t.Error("a folder that is not there is written to")
	}
	if runtime.GOOS != "windows" {
		if err := WriteBytes(os.DevNull, []byte("x")); err != nil {
			t.Errorf("%s: %v", os.DevNull, err)
		}
		if st, err := os.Stat(os.DevNull); err != nil || st.Mode().IsRegular() {
			t.Errorf("%s is now %v, %v", os.DevNull, st.Mode(), err)
		}
	}
	long := filepath.Join(dir, strings.Repeat("n", 250))
	if err := WriteBytes(long, []byte("x")); err != nil {
		t.Errorf("a name of 250 letters: %v", err)
	}
}
