package web

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gpuprof/gpuprof/internal/examples"
)

// startWith is start with options.
func startWith(t *testing.T, o Options, names ...string) *Server {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	s, err := ListenWith(ctx, "127.0.0.1:0", names, o)
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

// answer decodes what the server says.
func answer[T any](t *testing.T, s *Server, method, path string) T {
	t.Helper()
	status, body := ask(t, s, method, path, nil, nil)
	var v T
	if err := json.Unmarshal([]byte(body), &v); status != 200 || err != nil {
		t.Fatalf("%s: status %d, %.300s", path, status, body)
	}
	return v
}

// wait waits for a condition to hold.
func wait(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if holds() {
			return
		}
	}
	t.Fatal("never: " + what)
}

// TestReload writes a file over, replaces it, breaks it and takes it away.
func TestReload(t *testing.T) {
	name := filepath.Join(t.TempDir(), "report.ncu-rep")
	write := func(launches int) {
		t.Helper()
		r := *examples.Transpose()
		r.Results = r.Results[:launches]
		if err := r.WriteFile(name); err != nil {
			t.Fatal(err)
		}
	}
	write(1)
	s := start(t, name)
	shows := func(launches int) func() bool {
		return func() bool {
			d := answer[struct{ Sections []any }](t, s, "GET", "/api/page/details?file=0")
			return len(d.Sections) == launches
		}
	}
	wait(t, "one launch", shows(1))
	before := answer[struct{ Changes int }](t, s, "GET", "/api/changes").Changes
	write(2)
	wait(t, "two launches", shows(2))
	if now := answer[struct{ Changes int }](t, s, "GET", "/api/changes").Changes; now <= before {
		t.Errorf("changes were counted to %d, then to %d", before, now)
	}
	if v := answer[[]*openFile](t, s, "GET", "/api/files")[0].Version; v < 1 {
		t.Errorf("version %d after a change", v)
	}
	if err := os.WriteFile(name, []byte("not any more"), 0o600); err != nil {
		t.Fatal(err)
	}
	wait(t, "an error in words", func() bool {
		return strings.Contains(answer[[]*openFile](t, s, "GET", "/api/files")[0].Error, "expected a profile")
	})
	write(2)
	wait(t, "two launches again", func() bool { return answer[[]*openFile](t, s, "GET", "/api/files")[0].Error == "" && shows(2)() })
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	time.Sleep(3 * quiet)
	if !shows(2)() {
		t.Error("a file that is gone is not shown as it was")
	}
}

// TestReloadSections changes a section file of a folder that was named.
func TestReloadSections(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "mine.section")
	write := func(title string) {
		t.Helper()
		text := "Identifier: \"Mine\"\nDisplayName: \"" + title + "\"\nHeader { Metrics { Label: \"Time\" Name: \"gpu__time_duration.sum\" } }\n"
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("First title")
	s := startWith(t, Options{Sections: []string{dir}}, example)
	shows := func(title string) func() bool {
		return func() bool {
			_, list := ask(t, s, "GET", "/api/page/sections", nil, nil)
			_, details := ask(t, s, "GET", "/api/page/details?file=0", nil, nil)
			return strings.Contains(list, title) && strings.Contains(details, title)
		}
	}
	wait(t, "the section", shows("First title"))
	time.Sleep(3 * quiet) // until the folder is watched
	before := answer[struct{ Changes int }](t, s, "GET", "/api/changes").Changes
	write("Another, longer title")
	wait(t, "the change is counted", func() bool {
		return answer[struct{ Changes int }](t, s, "GET", "/api/changes").Changes > before
	})
	wait(t, "the new title", shows("Another, longer title"))
}

// TestRecent opens what another run had open, and nothing else.
func TestRecent(t *testing.T) {
	list := filepath.Join(t.TempDir(), "gpuprof", "recent.json")
	first := startWith(t, Options{Recent: list}, example, "no such file.ncu-rep")
	wait(t, "the list is written", func() bool { _, err := os.Stat(list); return err == nil })
	if l := answer[[]recentFile](t, first, "GET", "/api/recent"); len(l) != 0 {
		t.Errorf("what is open is listed: %v", l)
	}
	s := startWith(t, Options{Recent: list})
	l := answer[[]recentFile](t, s, "GET", "/api/recent")
	if len(l) != 1 || l[0].Name != filepath.Base(example) || l[0].Gone {
		t.Fatalf("listed: %+v, expected the example alone", l)
	}
	abs, err := filepath.Abs(example)
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"0", "%2e%2e%2fserver.go", recentID(filepath.Join(t.TempDir(), "x")), strings.ReplaceAll(abs, "/", "%2F")} {
		if status, body := ask(t, s, "POST", "/api/recent/"+id, nil, nil); status != 404 {
			t.Errorf("recent file %s: status %d, %.200s", id, status, body)
		}
	}
	if status, _ := ask(t, s, "POST", "/api/recent/"+l[0].ID, nil, func(r *http.Request) { r.Header.Set("Origin", "http://evil.example") }); status != 403 {
		t.Errorf("a foreign page opens a recent file: status %d", status)
	}
	for range 2 { // the second time it is open already
		if o := answer[*openFile](t, s, "POST", "/api/recent/"+l[0].ID); o.ID != "0" || o.Error != "" || !slices.Contains(o.Kinds, "launches") {
			t.Errorf("opened: %+v", o)
		}
	}
	if l := answer[[]recentFile](t, s, "DELETE", "/api/recent"); len(l) != 0 {
		t.Errorf("listed after all was forgotten: %v", l)
	}
	if b, err := os.ReadFile(list); err != nil || strings.Contains(string(b), "transpose") {
		t.Errorf("the list is %q, %v", b, err)
	}
	if err := os.WriteFile(list, []byte("["), 0o600); err != nil {
		t.Fatal(err)
	}
	if status, body := ask(t, s, "GET", "/api/recent", nil, nil); status != 422 || !strings.Contains(body, "expected a list") {
		t.Errorf("a broken list: status %d, %s", status, body)
	}
}

// TestRecentOff shows that nothing is remembered when that is not wanted.
func TestRecentOff(t *testing.T) {
	s := start(t, example)
	if l := answer[[]recentFile](t, s, "GET", "/api/recent"); len(l) != 0 {
		t.Errorf("listed: %v", l)
	}
	answer[[]recentFile](t, s, "DELETE", "/api/recent")
}

// TestTakenPort names the port in words.
func TestTakenPort(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if _, err := Listen(t.Context(), l.Addr().String(), nil); err == nil || !strings.Contains(err.Error(), "taken by another program") {
		t.Errorf("a taken port: %v", err)
	}
}

// TestShutdown ends a server while an answer is under way: it arrives whole, and
// what was dropped on the window is deleted.
func TestShutdown(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	s, err := Listen(ctx, "127.0.0.1:0", []string{smallTrace(t, "")})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx) }()
	if status, body := ask(t, s, "POST", "/api/upload?name=a.txt", strings.NewReader("x"), nil); status != 200 {
		t.Fatal(status, body)
	}
	dropped := s.uploads
	o, err := s.lookup("0")
	if err != nil {
		t.Fatal(err)
	}
	o.work.Lock() // keeps the page waiting until the server is told to end
	got := make(chan int, 1)
	go func() {
		status, body := ask(t, s, "GET", "/api/page/stats?file=0", nil, nil)
		if !json.Valid([]byte(body)) {
			status = 0
		}
		got <- status
	}()
	time.Sleep(100 * time.Millisecond)
	stop()
	time.Sleep(100 * time.Millisecond)
	o.work.Unlock()
	if status := <-got; status != 200 {
		t.Errorf("the answer under way has status %d", status)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(dropped); !os.IsNotExist(err) {
		t.Errorf("the folder of dropped files is still there: %v", err)
	}
	if _, err := net.Dial("tcp", net.JoinHostPort(s.host, s.port)); err == nil {
		t.Error("the port still answers")
	}
}
