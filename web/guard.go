package web

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/hex"
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/gpuprof/gpuprof/internal/carry"
	"github.com/gpuprof/gpuprof/page"
)

// newToken returns 128 random bits in hexadecimal.
func newToken() string {
	var b [16]byte
	rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

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
		case !ownPeer(r.Context()):
			http.Error(w, "the request is of another user of this machine: 'gpuprof open --allow-other-users' lets them in", http.StatusForbidden)
		case !s.ownHost(r.Host):
			http.Error(w, "host is not this viewer's", http.StatusForbidden)
		case r.Header.Get("Origin") != "" && !s.ownOrigin(r.Header.Get("Origin")):
			http.Error(w, "origin is not this viewer's", http.StatusForbidden)
		case strings.HasPrefix(r.URL.Path, "/api/") && !s.authorised(r):
			http.Error(w, "token is missing or wrong: open the address that gpuprof printed", http.StatusUnauthorized)
		default:
			careful(next, w, r)
		}
	})
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

// ownHost reports whether a Host header names the address that is listened on.
func (s *Server) ownHost(host string) bool {
	name, port, err := net.SplitHostPort(host)
	if err != nil || port != s.port {
		return false
	}
	return name == "localhost" || name == s.host
}

func (s *Server) ownOrigin(origin string) bool {
	u, err := url.Parse(origin)
	return err == nil && u.Scheme == "http" && s.ownHost(u.Host)
}

// authorised reports whether a request has the token, in a header that only this
// viewer's scripts send. A cookie would not do: browsers send cookies to every
// port of a host, so to the servers of others too.
func (s *Server) authorised(r *http.Request) bool {
	given := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	return subtle.ConstantTimeCompare([]byte(given), []byte(s.token)) == 1
}
