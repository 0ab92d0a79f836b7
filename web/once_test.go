package web

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/gpuprof/gpuprof/internal/loopback"
)

// direct asks without a network, so that no client follows what it is sent to.
func direct(s *Server, method, path string, token bool) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, s.base()+path, nil)
	if token {
		r.Header.Set("Authorization", "Bearer "+s.token)
	}
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, r)
	return w
}

// TestOnce buys an address for a download and opens it twice.
func TestOnce(t *testing.T) {
	s := start(t, example)
	sold := direct(s, "POST", "/api/once?to="+url.QueryEscape("/api/page/raw?file=0&format=csv"), true)
	_, path, _ := strings.Cut(strings.TrimSuffix(strings.TrimSpace(sold.Body.String()), `"}`), `"path":"`)
	got := direct(s, "GET", path, false)
	if got.Code != 200 || got.Header().Get("Content-Disposition") != "attachment" || !strings.Contains(got.Body.String(), "gpu__time_duration.sum") {
		t.Errorf("first: %d, %v, %.80q", got.Code, got.Header(), got.Body)
	}
	if again := direct(s, "GET", path, false); again.Code != http.StatusGone {
		t.Errorf("second: %d", again.Code)
	}
	for _, to := range []string{"/api/files", "http://evil.example/api/page/raw", "//evil.example/api/page/raw", "/", "/api/page/../files"} {
		sold := direct(s, "POST", "/api/once?to="+url.QueryEscape(to), true)
		if sold.Code == 200 {
			_, path, _ := strings.Cut(strings.TrimSuffix(strings.TrimSpace(sold.Body.String()), `"}`), `"path":"`)
			if got := direct(s, "GET", path, false); got.Code == 200 {
				t.Errorf("%s: sold and opened: %.80q", to, got.Body)
			}
		}
	}
}

// TestTicketsEnd sells more than are kept, and too late.
func TestTicketsEnd(t *testing.T) {
	var o once
	first := o.add("/first", time.Minute)
	for range maxTickets {
		o.add("/more", time.Hour)
	}
	late := o.add("/late", -time.Second)
	if len(o.kept) > maxTickets || o.take(first) != "" || o.take(late) != "" || o.take("") != "" {
		t.Errorf("%d are kept", len(o.kept))
	}
}

// TestEntry follows what the browser is started with: it opens the viewer once,
// and the token stands in no argument.
func TestEntry(t *testing.T) {
	s, err := Listen(context.Background(), "127.0.0.1:0", []string{example})
	if err != nil {
		t.Fatal(err)
	}
	defer s.listener.Close()
	entry, err := s.Entry()
	if err != nil || strings.Contains(entry, s.token) {
		t.Fatal(entry, err)
	}
	if path, ok := strings.CutPrefix(entry, s.base()); ok {
		got := direct(s, "GET", path, false)
		if got.Code != http.StatusSeeOther || got.Header().Get("Location") != "/#token="+s.token {
			t.Errorf("%d %v", got.Code, got.Header())
		}
		if again := direct(s, "GET", path, false); again.Code != http.StatusGone {
			t.Errorf("again: %d", again.Code)
		}
	}
	s.options.OtherUsers = true // then nobody is refused at the door
	file, err := s.Entry()
	if err != nil {
		t.Fatal(err)
	}
	st, err := os.Stat(file)
	if err != nil || st.Mode().Perm() != 0o600 {
		t.Fatal(st.Mode(), err)
	}
	if b, err := os.ReadFile(file); err != nil || !strings.Contains(string(b), "url="+s.URL()) {
		t.Errorf("%s %v", b, err)
	}
	s.close()
	if _, err := os.Stat(file); err == nil {
		t.Error("the file stays")
	}
}

// TestForeignPeer asks as another user would.
func TestForeignPeer(t *testing.T) {
	s := start(t, example)
	r := httptest.NewRequest("GET", s.base()+"/", nil)
	r.Host = s.host + ":" + s.port
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, r.WithContext(loopback.WithPeer(r.Context(), func() bool { return false })))
	if w.Code != http.StatusForbidden || !strings.Contains(w.Body.String(), "--allow-other-users") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}
