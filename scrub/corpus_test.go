package scrub

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"github.com/gpuprof/gpuprof/format/nsysrep"
	"github.com/gpuprof/gpuprof/internal/atomicfile"
	"github.com/gpuprof/gpuprof/internal/corpustest"
)

// corpus lists the files of real profiles that can be scrubbed: all below 300 kB and
// every sixth of the others, or with GPUPROF_EVERY_FILE=1 all.
func corpus(t *testing.T) []string {
	root := filepath.Join(corpustest.Dir(t), "corpus")
	every, large := os.Getenv("GPUPROF_EVERY_FILE") != "", 0
	var out []string
	for _, dir := range []string{"ncu", "nsys", "nsys-rep", "kineto", "amd", "rocm", "nvtxt"} {
		filepath.WalkDir(filepath.Join(root, dir), func(p string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() && filepath.Ext(p) != ".tsv" && filepath.Ext(p) != ".md" {
				st, err := d.Info()
				if err != nil {
					return err
				}
				if st.Size() > 300<<10 {
					if large++; !every && large%6 != 1 {
						return nil
					}
				}
				out = append(out, p)
			}
			return err
		})
	}
	return out
}

// scrubbed scrubs a file into a folder; ok is false for files of other formats.
func scrubbed(t *testing.T, name string, o Options) (to string, s *Scrubber, ok bool) {
	t.Helper()
	in, err := Open(name)
	if errors.Is(err, ErrUnsupported) {
		return "", nil, false
	}
	if err != nil {
		t.Logf("not opened: %v", err)
		return "", nil, false
	}
	defer in.Close()
	to = filepath.Join(t.TempDir(), filepath.Base(name))
	err = atomicfile.Write(to, func(f *atomicfile.File) error {
		s, err = Run(context.Background(), in, f, o)
		return err
	})
	if errors.Is(err, io.ErrUnexpectedEOF) { // a packed file that was cut off
		t.Logf("not written: %v", err)
		return "", nil, false
	}
	if err != nil {
		t.Fatal(err)
	}
	return to, s, true
}

// contents returns what a file holds, once as it lies and once unpacked.
func contents(t *testing.T, name string) [][]byte {
	t.Helper()
	raw, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	out := [][]byte{raw}
	switch {
	case bytes.HasPrefix(raw, []byte(gzipMagic)):
		z, err := gzip.NewReader(bytes.NewReader(raw))
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, b)
	case bytes.HasPrefix(raw, []byte("\x28\xb5\x2f\xfd")):
		z, _ := zstd.NewReader(bytes.NewReader(raw))
		defer z.Close()
		b, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, b)
	case bytes.HasPrefix(raw, []byte(nsysrep.Magic)):
		f, err := nsysrep.Open(bytes.NewReader(raw), int64(len(raw)), name)
		if err != nil {
			t.Fatal(err)
		}
		f.Write(io.Discard, nsysrep.Edit{
			Frame: func(_ int, b []byte) ([]byte, error) { out = append(out, bytes.Clone(b)); return b, nil },
			Texts: func(b []byte) ([]byte, error) { out = append(out, bytes.Clone(b)); return b, nil },
		})
	}
	for _, b := range out { // escaped slashes of JSON
		if bytes.Contains(b, []byte(`\/`)) {
			out = append(out, bytes.ReplaceAll(b, []byte(`\/`), []byte(`/`)))
		}
	}
	return out
}

// left lists the values of which one stands somewhere in a file.
func left(t *testing.T, name string, s *Scrubber) (out []*value) {
	list := make([]*value, 0, len(s.values))
	for _, v := range s.values {
		list = append(list, v)
	}
	m := newMatcher(list)
	for _, b := range contents(t, name) {
		for at, v := m.next(b, 0); v != nil; at, v = m.next(b, at+len(v.text)) {
			out = append(out, v)
		}
	}
	return out
}

func sound(t *testing.T, name string) {
	head := make([]byte, 16)
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	io.ReadFull(f, head)
	if string(head) != "SQLite format 3\x00" {
		return
	}
	c, err := sqlite.OpenConn(name, sqlite.OpenReadOnly)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	err = sqlitex.ExecuteTransient(c, "PRAGMA integrity_check", &sqlitex.ExecOptions{ResultFunc: func(s *sqlite.Stmt) error {
		if text := s.ColumnText(0); text != "ok" {
			t.Errorf("SQLite says: %s", text)
		}
		return nil
	}})
	if err != nil {
		t.Error(err)
	}
}

// TestNothingIsLeft searches what was taken out of real profiles in what was written,
// and scrubs that once more, which must find nothing.
func TestNothingIsLeft(t *testing.T) {
	files, done := corpus(t), 0
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			to, s, ok := scrubbed(t, name, Options{})
			if !ok {
				return
			}
			done++
			for i, v := range left(t, to, s) {
				if i < 10 {
					t.Errorf("%s (%s) of %d bytes is left", v.kind, v.what, len(v.text))
				}
			}
			sound(t, to)
			in, err := Open(to)
			if err != nil {
				t.Fatal(err)
			}
			defer in.Close()
			again, err := Run(context.Background(), in, nil, Options{})
			if err != nil {
				t.Fatal(err)
			}
			for i, f := range again.Findings() {
				if i < 10 {
					t.Errorf("found in what was scrubbed: %v", f)
				}
			}
			if t.Failed() {
				for _, v := range again.values {
					t.Logf("again: %s %s, %d bytes", v.kind, v.what, len(v.text))
				}
			}
		})
	}
	t.Logf("%d of %d files", done, len(files))
}

// TestSecretsOfTheCorpus lists what was taken for a secret: in profiles that people
// published there should be hardly any.
func TestSecretsOfTheCorpus(t *testing.T) {
	for _, name := range corpus(t) {
		in, err := Open(name)
		if err != nil {
			continue
		}
		s := New(Options{})
		err = in.walk(context.Background(), nil, func(x Text) []byte {
			kind, _ := s.judge(x)
			if kind == None { // what is removed as a whole tells nothing
				find(x.Bytes, func(h hit) {
					if h.kind == Secret {
						s.learn(string(x.Bytes[h.start:h.end]), h.kind, h.what)
					}
				})
			} else if kind == Secret {
				s.learn(string(x.Bytes), kind, "named so")
			}
			return x.Bytes
		})
		in.Close()
		if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%s: %v", filepath.Base(name), err)
		}
		list := []string{}
		for _, v := range s.values {
			list = append(list, v.what)
		}
		if len(list) > 0 {
			t.Logf("%s: %d: %s", filepath.Base(name), len(list), strings.Join(list[:min(4, len(list))], ", "))
		}
		if len(list) > 1 {
			t.Errorf("%s: %d supposed secrets", filepath.Base(name), len(list))
		}
	}
}
