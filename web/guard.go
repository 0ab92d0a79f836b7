package web

import (
	"net/http"
	"strings"

	"github.com/gpuprof/gpuprof/internal/carry"
	"github.com/gpuprof/gpuprof/internal/loopback"
	"github.com/gpuprof/gpuprof/page"
)

// guard refuses requests that a foreign page or program makes. A page on
// another host that rebinds its name to 127.0.0.1 sends that name as Host; a
// page that only posts here sends its Origin; and neither knows the token.
func (s *Server) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		switch {
		case !loopback.OwnPeer(r.Context()):
			http.Error(w, "the request is of another user of this machine: 'gpuprof open --allow-other-users' lets them in", http.StatusForbidden)
		case !s.door().OwnHost(r.Host):
			http.Error(w, "host is not this viewer's", http.StatusForbidden)
		case !s.door().OwnOrigin(r.Header.Get("Origin")):
			http.Error(w, "origin is not this viewer's", http.StatusForbidden)
		case strings.HasPrefix(r.URL.Path, "/api/") && !s.door().Authorised(r):
			http.Error(w, "token is missing or wrong: open the address that gpuprof printed", http.StatusUnauthorized)
		default:
			careful(next, w, r)
		}
	})
}

// door says who may ask.
func (s *Server) door() *loopback.Door {
	return &loopback.Door{Host: s.host, Port: s.port, Token: s.token}
}

// careful answers a request; if that panics, with a line, as pages do in their place.
func careful(next http.Handler, w http.ResponseWriter, r *http.Request) {
	fault := carry.Catch(func() { next.ServeHTTP(w, r) })
	switch {
	case fault == nil:
	case fault.Value == http.ErrAbortHandler: // how a handler ends a connection
		panic(http.ErrAbortHandler)
	default:
		http.Error(w, page.Internal(r.URL.Path, nil, fault).Error(), http.StatusInternalServerError)
	}
}
