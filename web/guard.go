package web

import (
	"net/http"
	"strings"

	"github.com/gpuprof/gpuprof/internal/loopback"
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
			next.ServeHTTP(w, r)
		}
	})
}

// door says who may ask.
func (s *Server) door() *loopback.Door {
	return &loopback.Door{Host: s.host, Port: s.port, Token: s.token}
}
