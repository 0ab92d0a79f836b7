package fleet_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/gpuprof/gpuprof/format/simlog/loggen"
	"github.com/gpuprof/gpuprof/internal/ranksgen"
)

// pack writes the files of a folder as a tar.
func pack(t *testing.T, dir, name string, through func(io.Writer) (io.WriteCloser, error)) string {
	t.Helper()
	var b bytes.Buffer
	var to io.WriteCloser = nop{&b}
	if through != nil {
		var err error
		if to, err = through(&b); err != nil {
			t.Fatal(err)
		}
	}
	w := tar.NewWriter(to)
	if err := w.AddFS(os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	if err := w.WriteHeader(&tar.Header{Name: "notes.txt", Size: 3, Mode: 0o600}); err != nil {
		t.Fatal(err)
	}
	io.WriteString(w, "abc")
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

type nop struct{ io.Writer }

func (nop) Close() error { return nil }

func gz(w io.Writer) (io.WriteCloser, error)  { return gzip.NewWriter(w), nil }
func zst(w io.Writer) (io.WriteCloser, error) { return zstd.NewWriter(w) }

// empty makes a file.
func empty(t *testing.T, name string) string {
	t.Helper()
	if err := os.WriteFile(name, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestInputs: the same reports in a folder, tars, compressed tars and on a server have
// the same answer.
func TestInputs(t *testing.T) {
	s := ranksgen.Default(11)
	s.Ranks = 4
	dir := made(t, s)
	_, want := ask(t, "fleet ranks", nil, dir)
	plain, zipped, packed := pack(t, dir, "run.tar", nil), pack(t, dir, "run.tar.gz", gz), pack(t, dir, "run.tzst", zst)
	root := http.NewServeMux()
	root.Handle("/", http.FileServer(http.Dir(dir)))
	for name, path := range map[string]string{"run.tar": plain, "run.tgz": zipped} {
		root.HandleFunc("/"+name, func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, path) })
	}
	root.HandleFunc("/whole/", func(w http.ResponseWriter, r *http.Request) { // no ranges
		b, err := os.ReadFile(filepath.Join(dir, filepath.Base(r.URL.Path)))
		if err != nil {
			http.NotFound(w, r)
			return
		}
		w.Write(b)
	})
	server := httptest.NewServer(root)
	defer server.Close()
	files, _ := filepath.Glob(filepath.Join(dir, "*.sqlite"))
	var addresses, whole []string
	for _, f := range files {
		addresses = append(addresses, server.URL+"/"+filepath.Base(f)+"?signature=secret")
		whole = append(whole, server.URL+"/whole/"+filepath.Base(f))
	}
	list := filepath.Join(t.TempDir(), "list")
	if err := os.WriteFile(list, []byte(strings.Join(addresses, "\n")), 0o666); err != nil {
		t.Fatal(err)
	}
	for name, args := range map[string][]string{"tar": {plain}, "gzip": {zipped}, "zstd": {packed}, "addresses": addresses, "whole": whole, "list": {"@" + list},
		"tar of a server": {server.URL + "/run.tar"}, "compressed tar of a server": {server.URL + "/run.tgz"}, "pattern": {filepath.Join(dir, "rank_*.sqlite")}} {
		if d, got := ask(t, "fleet ranks", options("shard-size", "1"), args...); got != want || d.Failed {
			t.Errorf("%s: %s\nwant %s", name, got, want)
		}
	}
	data := filepath.Join(t.TempDir(), "data")
	ask(t, "fleet convert", options("dataset", data), zipped, addresses[0])
	if names, _ := filepath.Glob(filepath.Join(data, "StringIds", "*", "*", "*", "*", "rank_*.sqlite.parquet")); len(names) != 4 {
		t.Errorf("converted %v, want 4 reports", names)
	}
	// What is broken is named, the rest is done.
	b, err := os.ReadFile(zipped)
	if err != nil {
		t.Fatal(err)
	}
	cut := filepath.Join(t.TempDir(), "cut.tar.gz")
	if err := os.WriteFile(cut, b[:len(b)*3/4], 0o666); err != nil {
		t.Fatal(err)
	}
	d, _ := ask(t, "fleet stats", options("report", "cuda_gpu_kern_sum"), cut, addresses[0])
	last := d.Sections[len(d.Sections)-1]
	if !d.Failed || last.ID != "problems" || !strings.Contains(last.Items[0].Message.Text, "cut.tar.gz: ") || !strings.Contains(last.Items[0].Message.Text, "unexpected EOF") {
		t.Errorf("a tar that is cut: %+v", last)
	}
	// What unpacks to far more than profiles do is not unpacked.
	zeros := t.TempDir()
	if err := os.Truncate(empty(t, filepath.Join(zeros, "z.sqlite")), 200<<20); err != nil {
		t.Fatal(err)
	}
	d, _ = ask(t, "fleet stats", options("report", "cuda_gpu_kern_sum"), pack(t, zeros, "zeros.tar.gz", gz), addresses[0])
	last = d.Sections[len(d.Sections)-1]
	if !d.Failed || !strings.Contains(last.Items[0].Message.Text, "z.sqlite: expected an archive that unpacks to at most 50 times its size") {
		t.Errorf("a bomb: %+v", last)
	}
	name := filepath.Join(dir, "run.log")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := loggen.Write(f, loggen.Options{Bytes: 3 << 20, Kernels: 20}); err != nil {
		t.Fatal(err)
	}
	f.Close()
	_, want = ask(t, "lifetimes", nil, name)
	for _, size := range []string{"1", "64"} {
		if _, got := ask(t, "fleet lifetimes", options("shard-size", size), server.URL+"/run.log?signature=secret"); got != want {
			t.Errorf("a log of a server: %s\nwant %s", got, want)
		}
	}
}
