package web

import (
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/gpuprof/gpuprof/internal/loopback"
)

// once keeps addresses that open once, each under a word that cannot be guessed:
// for what a browser asks for without our header, the first page and downloads.
type once struct {
	mu   sync.Mutex
	kept map[string]ticket
}

type ticket struct {
	to    string
	until time.Time
}

// Words that nobody uses are forgotten after a while, and the oldest once there
// are too many.
const (
	ticketTime = time.Minute
	maxTickets = 100
)

// add returns the word that opens an address.
func (o *once) add(to string, keep time.Duration) string {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.kept == nil {
		o.kept = map[string]ticket{}
	}
	oldest := ""
	for w, t := range o.kept {
		if time.Now().After(t.until) {
			delete(o.kept, w)
		} else if oldest == "" || t.until.Before(o.kept[oldest].until) {
			oldest = w
		}
	}
	if len(o.kept) >= maxTickets {
		delete(o.kept, oldest)
	}
	word := loopback.NewToken()
	o.kept[word] = ticket{to, time.Now().Add(keep)}
	return word
}

// take returns the address of a word and forgets it; "" if there is none.
func (o *once) take(word string) string {
	o.mu.Lock()
	defer o.mu.Unlock()
	t := o.kept[word]
	delete(o.kept, word)
	if time.Now().After(t.until) {
		return ""
	}
	return t.to
}

// sell answers with an address below /once/ that gives a page as a file, once.
func (s *Server) sell(w http.ResponseWriter, r *http.Request) {
	to := r.URL.Query().Get("to")
	if u, err := url.Parse(to); err != nil || u.Host != "" || !strings.HasPrefix(u.Path, "/api/page/") {
		http.Error(w, "only pages can be downloaded", http.StatusBadRequest)
		return
	}
	w.Header().Set("Cache-Control", "no-store")
	writeJSON(w, map[string]string{"path": "/once/" + s.once.add(to, ticketTime)})
}

// redeem sends the browser that gpuprof started to the viewer, or a page as a
// file to one that was sold the address.
func (s *Server) redeem(pages http.Handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		to := s.once.take(r.PathValue("word"))
		u, err := url.Parse(to)
		switch {
		case to == "" || err != nil:
			http.Error(w, "this address was used already, or is too old: ask for it again, or open the one that gpuprof printed", http.StatusGone)
		case strings.HasPrefix(u.Path, "/api/page/"):
			own := r.Clone(r.Context())
			own.URL, own.RequestURI = u, to
			w.Header().Set("Content-Disposition", "attachment")
			pages.ServeHTTP(w, own)
		default:
			http.Redirect(w, r, to, http.StatusSeeOther)
		}
	}
}

// Entry is what to give the browser that gpuprof starts, in an argument that other
// users can read in the list of processes: an address that opens the viewer once,
// where they are refused at the door, else a file that only this user can read and
// that leads there. The server removes the file when it ends.
func (s *Server) Entry() (string, error) {
	if _, known := loopback.OwnerOf(netip.AddrPort{}); known && !s.options.OtherUsers {
		return s.origin() + "/once/" + s.once.add("/#token="+s.token, 2*time.Minute), nil
	}
	dir, err := os.MkdirTemp("", "gpuprof-") // of mode 0700
	if err != nil {
		return "", err
	}
	s.mu.Lock()
	s.entry = dir
	s.mu.Unlock()
	name := filepath.Join(dir, "open.html")
	return name, os.WriteFile(name, fmt.Appendf(nil, "<!doctype html><meta charset=utf-8><title>gpuprof</title><meta http-equiv=refresh content=\"0; url=%s\">\n", s.URL()), 0o600)
}
