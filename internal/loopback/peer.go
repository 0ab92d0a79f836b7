package loopback

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

// WatchPeers lets [OwnPeer] ask who is at the other end of a connection to srv. The
// answer is looked up once, with the first request.
func WatchPeers(srv *http.Server) {
	srv.ConnContext = func(ctx context.Context, c net.Conn) context.Context {
		return WithPeer(ctx, sync.OnceValue(func() bool {
			peer, err := netip.ParseAddrPort(c.RemoteAddr().String())
			if err != nil {
				return false
			}
			uid, known := OwnerOf(peer)
			return !known || uid == os.Getuid()
		}))
	}
}

// WithPeer is a context of requests of which own tells whether they are this user's.
func WithPeer(ctx context.Context, own func() bool) context.Context {
	return context.WithValue(ctx, peerKey{}, own)
}

// OwnPeer reports whether a request is this user's, as far as the system tells.
func OwnPeer(ctx context.Context) bool {
	own, ok := ctx.Value(peerKey{}).(func() bool)
	return !ok || own()
}
