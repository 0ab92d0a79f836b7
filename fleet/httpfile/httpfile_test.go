package httpfile

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// content are bytes that no two places share.
func content(n int) []byte {
	b := make([]byte, n)
	r := rand.NewChaCha8([32]byte{1})
	r.Read(b)
	return b
}

func serve(t *testing.T, h http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL + "/dir/run.sqlite?signature=secret"
}

func opened(t *testing.T, address string) *File {
	t.Helper()
	f, err := Open(t.Context(), http.DefaultClient, address)
	if err != nil {
		t.Fatal(err)
	}
	f.wait = time.Millisecond
	return f
}

// TestRead reads pieces of all sizes and places, and asks for few ranges.
func TestRead(t *testing.T) {
	want := content(50<<20 + 12345)
	var asked atomic.Int64
	f := opened(t, serve(t, func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		w.Header().Set("ETag", `"1"`)
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(want))
	}))
	if f.Size() != int64(len(want)) {
		t.Fatalf("size %d, want %d", f.Size(), len(want))
	}
	got := make([]byte, len(want))
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		at := r.IntN(len(want))
		p := got[:r.IntN(1+min(20<<20, len(want)-at)>>r.IntN(20))]
		if n, err := f.ReadAt(p, int64(at)); n != len(p) || err != nil || !bytes.Equal(p, want[at:at+n]) {
			t.Fatalf("%d bytes at %d: %d, %v", len(p), at, n, err)
		}
	}
	if n, err := f.ReadAt(got[:100], f.size-40); n != 40 || err != io.EOF || !bytes.Equal(got[:40], want[len(want)-40:]) {
		t.Errorf("at the end: %d, %v", n, err)
	}
	if _, err := f.ReadAt(got[:1], -1); err == nil {
		t.Error("before the begin")
	}
	asked.Store(0)
	if _, err := io.Copy(io.Discard, io.NewSectionReader(f, 0, 20<<20)); err != nil || asked.Load() > 21 {
		t.Errorf("20 MiB in order: %d requests, %v", asked.Load(), err)
	}
}

// TestFaults: servers that are busy or break off are asked again; a file that
// changes, is cut or is none is an error that names the address without what signs it.
func TestFaults(t *testing.T) {
	want := content(3 << 20)
	var asked atomic.Int64
	busy := opened(t, serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch n := asked.Add(1); {
		case n == 2:
			w.WriteHeader(http.StatusServiceUnavailable)
		case n == 3:
			w.Header().Set("Content-Range", "bytes 0-1048575/3145728")
			w.Header().Set("Content-Length", "1048576")
			w.WriteHeader(http.StatusPartialContent)
			w.Write(want[:1000]) // and no more
		default:
			http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(want))
		}
	}))
	got := make([]byte, len(want))
	if _, err := busy.ReadAt(got, 0); err != nil || !bytes.Equal(got, want) {
		t.Errorf("a busy server: %v", err)
	}
	tag := atomic.Pointer[string]{}
	first, second := `"1"`, `"2"`
	tag.Store(&first)
	changes := opened(t, serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", *tag.Load())
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(want))
	}))
	tag.Store(&second)
	if _, err := changes.ReadAt(got, 0); err == nil || !strings.Contains(err.Error(), "changed") || strings.Contains(err.Error(), "secret") {
		t.Errorf("a file that changes: %v", err)
	}
	for name, h := range map[string]http.HandlerFunc{
		"404": http.NotFound,
		"found \"bytes": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Range", "bytes 0-0/*")
			w.WriteHeader(206)
		},
	} {
		if _, err := Open(t.Context(), http.DefaultClient, serve(t, h)); err == nil || !strings.Contains(err.Error(), name) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Open(t.Context(), http.DefaultClient, "http://127.0.0.1:1/run?signature=secret"); err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("no server: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Open(ctx, http.DefaultClient, serve(t, http.NotFound)); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestWhole reads from a server that has no ranges.
func TestWhole(t *testing.T) {
	address := serve(t, func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("all of it")) })
	if _, err := Open(t.Context(), http.DefaultClient, address); !errors.Is(err, ErrRanges) {
		t.Errorf("%v", err)
	}
	var b bytes.Buffer
	if err := Whole(t.Context(), http.DefaultClient, address, &b, 100); err != nil || b.String() != "all of it" {
		t.Errorf("%q, %v", b.String(), err)
	}
	if err := Whole(t.Context(), http.DefaultClient, address, io.Discard, 3); err == nil || !strings.Contains(err.Error(), "at most 3") {
		t.Errorf("%v", err)
	}
	if !Is(address) || Is("/a/b") || Name("https://u:p@h/a?x=1#f") != "https://h/a" {
		t.Error("addresses")
	}
	empty := opened(t, serve(t, func(w http.ResponseWriter, r *http.Request) {
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(nil))
	}))
	if _, err := empty.ReadAt(make([]byte, 1), 0); empty.Size() != 0 || err != io.EOF {
		t.Errorf("empty: %d, %v", empty.Size(), err)
	}
}
