package web

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"os"
	"sync"
)

// peerKey is the key of a context under which a connection's check stands.
type peerKey struct{}

// watchPeers lets guard ask who is at the other end of a connection. The answer
// is looked up once, with the first request.
func (s *Server) watchPeers(srv *http.Server) {
	if s.options.OtherUsers {
		return
	}
	srv.ConnContext = func(ctx context.Context, c net.Conn) context.Context {
		return context.WithValue(ctx, peerKey{}, sync.OnceValue(func() bool {
			peer, err := netip.ParseAddrPort(c.RemoteAddr().String())
			if err != nil {
				return false
			}
			uid, known := ownerOf(peer)
			return !known || uid == os.Getuid()
		}))
	}
}

// ownPeer reports whether a request is this user's, as far as the system tells.
func ownPeer(ctx context.Context) bool {
	own, ok := ctx.Value(peerKey{}).(func() bool)
	return !ok || own()
}
