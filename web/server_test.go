package web

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"github.com/gpuprof/gpuprof/internal/corpustest"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/view"
)

const example = "../examples/transpose.ncu-rep"

// start serves files until the test ends.
func start(t testing.TB, names ...string) *Server {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	s, err := Listen(ctx, "127.0.0.1:0", names)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return s
}

func (s *Server) base() string { return "http://" + net.JoinHostPort(s.host, s.port) }

// ask sends a request with the token; change may alter it.
func ask(t testing.TB, s *Server, method, path string, body io.Reader, change func(*http.Request)) (int, string) {
	t.Helper()
	r, err := http.NewRequest(method, s.base()+path, body)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+s.token)
	if change != nil {
		change(r)
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(b)
}

func TestRefused(t *testing.T) {
	s := start(t, example)
	for _, c := range []struct {
		name, method, path string
		change             func(*http.Request)
		want               int
	}{
		{name: "own", path: "/api/files", want: 200},
		{name: "foreign host", path: "/api/files", change: func(r *http.Request) { r.Host = "evil.example:" + s.port }, want: 403},
		{name: "host without port", path: "/", change: func(r *http.Request) { r.Host = "127.0.0.1" }, want: 403},
		{name: "foreign origin", path: "/api/files", change: func(r *http.Request) { r.Header.Set("Origin", "http://evil.example") }, want: 403},
		{name: "null origin", path: "/api/files", change: func(r *http.Request) { r.Header.Set("Origin", "null") }, want: 403},
		{name: "own origin", path: "/api/files", change: func(r *http.Request) { r.Header.Set("Origin", s.base()) }, want: 200},
		{name: "no token", path: "/api/files", change: func(r *http.Request) { r.Header.Del("Authorization") }, want: 401},
		{name: "wrong token", path: "/api/page/details?file=0", change: func(r *http.Request) { r.Header.Set("Authorization", "Bearer 0") }, want: 401},
		{name: "cookie", path: "/api/files", change: func(r *http.Request) {
			r.Header.Del("Authorization")
			r.AddCookie(&http.Cookie{Name: "gpuprof_token" + s.port, Value: s.token})
		}, want: 401},
		{name: "dots", path: "/..%2f..%2fserver.go", want: 404},
		{name: "file by path", path: "/api/page/details?file=../examples/transpose.ncu-rep", want: 422},
		{name: "file that is not open", path: "/api/page/details?file=7", want: 422},
		{name: "option that names a folder", path: "/api/page/details?file=0&section-folder=/etc", want: 400},
		{name: "option that names a program", path: "/api/page/details?file=0&python=/bin/sh", want: 400},
		{name: "page that writes", path: "/api/page/convert?file=0", want: 404},
		{name: "no file", path: "/api/page/details", want: 400},
		{name: "post to a page", method: "POST", path: "/api/page/details?file=0", want: 405},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.method == "" {
				c.method = "GET"
			}
			if got, body := ask(t, s, c.method, c.path, nil, c.change); got != c.want {
				t.Errorf("status %d, want %d: %.200s", got, c.want, body)
			}
		})
	}
}

func TestListenOnlyHere(t *testing.T) {
	for _, addr := range []string{"0.0.0.0:0", ":0", "192.0.2.1:0", "nonsense"} {
		if s, err := Listen(context.Background(), addr, nil); err == nil {
			s.listener.Close()
			t.Errorf("listens on %q", addr)
		}
	}
}

// TestPageIsCommand compares what the server sends with what the command writes.
func TestPageIsCommand(t *testing.T) {
	s := start(t, example)
	for _, name := range []string{"details", "source", "raw", "session"} {
		t.Run(name, func(t *testing.T) {
			f, err := load.Open(context.Background(), example)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			q := &page.Request{Args: []string{example}, Files: []*load.File{f}, Format: view.FormatJSON}
			doc, err := s.pages.Lookup(name).Do(context.Background(), q)
			if err != nil {
				t.Fatal(err)
			}
			var want bytes.Buffer
			if err := view.Render(&want, doc, view.FormatJSON, q.ViewOptions()); err != nil {
				t.Fatal(err)
			}
			status, got := ask(t, s, "GET", "/api/page/"+name+"?file=0&format=json", nil, nil)
			if status != 200 {
				t.Fatal(status, got)
			}
			if d := cmp.Diff(want.String(), got); d != "" {
				t.Error(d)
			}
			_, people := ask(t, s, "GET", "/api/page/"+name+"?file=0", nil, nil)
			if d := cmp.Diff(strip(t, want.Bytes()), strip(t, []byte(people))); d != "" {
				t.Error(d)
			}
		})
	}
}

// strip decodes a document without its members for people.
func strip(t *testing.T, b []byte) any {
	t.Helper()
	var v any
	if err := json.Unmarshal(b, &v); err != nil {
		t.Fatal(err)
	}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			if _, table := v["rows"]; table {
				delete(v, "text")
				delete(v, "labels")
				delete(v, "printed")
			}
			for _, m := range v {
				walk(m)
			}
		case []any:
			for _, e := range v {
				walk(e)
			}
		}
	}
	walk(v)
	return v
}

func TestUpload(t *testing.T) {
	s := start(t)
	data, err := os.ReadFile(example)
	if err != nil {
		t.Fatal(err)
	}
	status, body := ask(t, s, "POST", "/api/upload?name=..%2f..%2fescaped.ncu-rep", bytes.NewReader(data), nil)
	var o openFile
	if err := json.Unmarshal([]byte(body), &o); status != 200 || err != nil || o.Name != "escaped.ncu-rep" || o.Error != "" {
		t.Fatalf("status %d, %s", status, body)
	}
	if dir := filepath.Dir(filepath.Dir(s.files[0].path)); dir != s.uploads {
		t.Errorf("stored in %s, want a folder of %s", dir, s.uploads)
	}
	if status, body := ask(t, s, "POST", "/api/upload?name=bad.ncu-rep", strings.NewReader("<script>"), nil); status != 200 || !strings.Contains(body, "expected a profile") {
		t.Errorf("a file that is no profile: status %d, %s", status, body)
	}
	// A length alone is refused: nothing of a huge upload is read.
	r := httptest.NewRequest("POST", s.base()+"/api/upload?name=a", strings.NewReader("x"))
	r.Header.Set("Authorization", "Bearer "+s.token)
	r.ContentLength = maxUpload + 1
	w := httptest.NewRecorder()
	if s.Handler().ServeHTTP(w, r); w.Code != http.StatusRequestEntityTooLarge {
		t.Errorf("huge upload: status %d", w.Code)
	}
	// One that does not tell its length is cut off, and nothing of it stays.
	s.maxUpload = 1 << 20
	status, body = ask(t, s, "POST", "/api/upload?name=endless", io.LimitReader(zeros{}, 64<<20), nil)
	if status != http.StatusRequestEntityTooLarge {
		t.Errorf("endless upload: status %d, %.200s", status, body)
	}
	if left, _ := filepath.Glob(filepath.Join(s.uploads, "*", "endless")); len(left) > 0 {
		t.Errorf("an upload that was cut off left %v", left)
	}
}

// zeros never end.
type zeros struct{}

func (zeros) Read(b []byte) (int, error) { clear(b); return len(b), nil }

// TestEveryPathIsGuarded asks each path of the API without the token, and as a
// page of another host or another site would.
func TestEveryPathIsGuarded(t *testing.T) {
	s := start(t, example)
	for _, path := range []string{"GET /api/files", "GET /api/pages", "GET /api/recipes", "GET /api/changes", "GET /api/recent", "POST /api/recent/0", "DELETE /api/recent",
		"GET /api/page/details?file=0", "GET /api/timeline/0/tracks", "GET /api/timeline/0/view", "POST /api/upload?name=x", "GET /api/queries", "PUT /api/queries"} {
		method, path, _ := strings.Cut(path, " ")
		for name, c := range map[string]struct {
			change func(*http.Request)
			want   int
		}{
			"no token":       {func(r *http.Request) { r.Header.Del("Authorization") }, 401},
			"wrong token":    {func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+strings.Repeat("0", 32)) }, 401},
			"foreign host":   {func(r *http.Request) { r.Host = "rebound.example:" + s.port }, 403},
			"foreign origin": {func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") }, 403},
			"other port":     {func(r *http.Request) { r.Header.Set("Origin", "http://127.0.0.1:1") }, 403},
		} {
			if status, body := ask(t, s, method, path, nil, c.change); status != c.want {
				t.Errorf("%s %s, %s: status %d, expected %d: %.100s", method, path, name, status, c.want, body)
			}
		}
	}
	if len(s.files) != 1 || s.uploads != "" {
		t.Error("a request that was refused had an effect")
	}
}

// TestSlowReader shows that a client that never reads its answers holds up
// neither others nor the end of the server.
func TestSlowReader(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	s, err := Listen(ctx, "127.0.0.1:0", []string{example})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx) }()
	for range 8 {
		c, err := net.Dial("tcp", net.JoinHostPort(s.host, s.port))
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		for range 20 {
			if _, err := io.WriteString(c, "GET /api/page/raw?file=0 HTTP/1.1\r\nHost: "+net.JoinHostPort(s.host, s.port)+"\r\nAuthorization: Bearer "+s.token+"\r\n\r\n"); err != nil {
				t.Fatal(err)
			}
		}
	}
	if status, body := ask(t, s, "GET", "/api/page/details?file=0", nil, nil); status != 200 {
		t.Error(status, body)
	}
	stop()
	select {
	case err := <-done:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(grace + 20*time.Second):
		t.Error("the server does not end")
	}
}

// TestSlowClient shows that a client that never ends its request holds up nobody.
func TestSlowClient(t *testing.T) {
	s := start(t, example)
	for range 8 {
		c, err := net.Dial("tcp", net.JoinHostPort(s.host, s.port))
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if _, err := io.WriteString(c, "GET /api/files HTTP/1.1\r\nHost: "); err != nil {
			t.Fatal(err)
		}
	}
	if status, body := ask(t, s, "GET", "/api/page/details?file=0", nil, nil); status != 200 {
		t.Error(status, body)
	}
}

// exported is the exported file of others.
func exported(t *testing.T, names ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Export(t.Context(), &b, names, Options{}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestExportErrors: files that cannot be read are told before anything is written,
// and errors of writing are told from those of files.
func TestExportErrors(t *testing.T) {
	var b bytes.Buffer
	err := Export(t.Context(), &b, []string{example, "nowhere.ncu-rep"}, Options{})
	if writing := (*WriteError)(nil); err == nil || errors.As(err, &writing) || b.Len() > 0 {
		t.Errorf("a file that is not there: %v, %d bytes", err, b.Len())
	}
	err = Export(t.Context(), full{}, []string{example}, Options{})
	if writing := (*WriteError)(nil); !errors.As(err, &writing) || !errors.Is(err, io.ErrShortWrite) {
		t.Errorf("a full disk: %v", err)
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

// TestAnswersEnd: an answer that is too long is an error, not all of memory.
func TestAnswersEnd(t *testing.T) {
	r := &response{limit: 3 << 20}
	for range 3 {
		if _, err := r.Write(make([]byte, 1<<20)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := r.Write([]byte{0}); err == nil || !strings.Contains(err.Error(), "3 MB") {
		t.Error(err)
	}
}

// TestExportInert shows that no text of a profile ends the element it stands in.
func TestExportInert(t *testing.T) {
	html := exported(t, example)
	_, rest, ok := bytes.Cut(html, []byte(`<script type="application/gzip" id="saved">`))
	text, _, _ := bytes.Cut(rest, []byte("</script>"))
	z, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, bytes.NewReader(text)))
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if !ok || err != nil || !json.Valid(data) || bytes.ContainsAny(data, "<>") || bytes.ContainsAny(text, "<>") {
		t.Error("the data of the export is not closed in")
	}
	if bytes.Contains(html, []byte(`src="app.js"`)) || bytes.Contains(html, []byte("style.css\"")) {
		t.Error("the export refers to other files")
	}
}

// TestExportSize: the exported file of a report has at most three times its size, where that is
// not small beside the viewer itself.
func TestExportSize(t *testing.T) {
	for _, name := range corpustest.Files(t, "corpus/ncu/*.ncu-rep") {
		st, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if st.Size() < 1<<20 {
			continue
		}
		n := len(exported(t, name))
		t.Logf("%s: %d bytes, exported %d: %.2f", filepath.Base(name), st.Size(), n, float64(n)/float64(st.Size()))
		if int64(n) > 3*st.Size() {
			t.Errorf("%s has %d bytes and is %d when it is exported", name, st.Size(), n)
		}
	}
}

// TestClients sends mixed requests of 20 clients at once: for five seconds, or for
// as long as GPUPROF_LOAD says. Meanwhile a file changes again and again.
func TestClients(t *testing.T) {
	span := 5 * time.Second
	if v := os.Getenv("GPUPROF_LOAD"); v != "" {
		d, err := time.ParseDuration(v)
		if err != nil {
			t.Fatal(err)
		}
		span = d
	}
	changing := filepath.Join(t.TempDir(), "changing.ncu-rep")
	data, err := os.ReadFile(example)
	if err != nil {
		t.Fatal(err)
	}
	write := func() {
		if err := os.WriteFile(changing+".new", data, 0o600); err != nil {
			t.Error(err)
		}
		if err := os.Rename(changing+".new", changing); err != nil {
			t.Error(err)
		}
	}
	write()
	s := start(t, example, smallTrace(t, ""), changing)
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	paths := []string{"/", "/api/files", "/api/page/details?file=0", "/api/page/source?file=0", "/api/page/raw?file=0",
		"/api/page/session?file=0", "/api/page/sections", "/api/page/details?file=0&print-details=all", "/api/changes", "/api/recent",
		"/api/page/details?file=2", "/api/page/stats?file=1", "/api/page/query?file=1&sql=SELECT+COUNT(*)+FROM+StringIds", "/api/timeline/1/tracks", "/api/timeline/1/view?pixels=800",
		"/api/timeline/1/view?t0=1000050000&t1=1000090000", "/api/timeline/1/search?q=kernel", "/api/timeline/1/aggregate", "/api/timeline/1/slice?id=5"}
	for _, p := range paths {
		ask(t, s, "GET", p, nil, nil)
	}
	before, end := heap(), time.Now().Add(span)
	var wg sync.WaitGroup
	var mu sync.Mutex
	n := 0
	for i := range 20 {
		wg.Go(func() {
			for k := i; time.Now().Before(end); k++ {
				r, _ := http.NewRequest("GET", s.base()+paths[k%len(paths)], nil)
				r.Header.Set("Authorization", "Bearer "+s.token)
				res, err := http.DefaultClient.Do(r)
				if err != nil {
					t.Error(err)
					return
				}
				io.Copy(io.Discard, res.Body)
				res.Body.Close()
				if res.StatusCode != 200 {
					t.Errorf("%s: status %d", r.URL.Path, res.StatusCode)
				}
				mu.Lock()
				n++
				mu.Unlock()
			}
		})
	}
	wg.Go(func() {
		for time.Now().Before(end) {
			time.Sleep(700 * time.Millisecond)
			write()
		}
	})
	wg.Wait()
	http.DefaultClient.CloseIdleConnections()
	time.Sleep(4 * quiet)
	heap() // the files that were read anew let go of theirs
	after := heap()
	version := answer[[]*openFile](t, s, "GET", "/api/files")[2].Version
	t.Logf("%d requests, %d times a file was read anew; heap %d KB before, %d KB after", n, version, before>>10, after>>10)
	if version == 0 {
		t.Error("the file that changed was never read anew")
	}
	if after > before+(8<<20) {
		t.Errorf("heap grew from %d to %d bytes", before, after)
	}
}
