package loopback

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// NewToken returns 128 random bits in hexadecimal.
func NewToken() string {
	var b [16]byte
	rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// ErrPort is matched by the errors for ports that cannot be had.
var ErrPort = errors.New("port")

// Listen listens on a loopback address, HOST:PORT; port 0 takes a free one.
func Listen(ctx context.Context, addr string) (net.Listener, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("address %q: expected HOST:PORT, such as 127.0.0.1:8080: %w", addr, err)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, fmt.Errorf("address %q: expected a loopback address such as 127.0.0.1:0", addr)
	}
	var c net.ListenConfig
	l, err := c.Listen(ctx, "tcp", addr)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("%w %s is taken by another program, perhaps another gpuprof: choose another, or 0 for a free one", ErrPort, port)
	case errors.Is(err, os.ErrPermission):
		return nil, fmt.Errorf("%w %s is reserved: choose one above 1023, or 0 for a free one", ErrPort, port)
	}
	return l, err
}

// A Door says who may ask a server.
type Door struct {
	Host, Port string // that is listened on
	Token      string
}

// NewDoor is the door of a listener.
func NewDoor(l net.Listener, token string) Door {
	bound := l.Addr().(*net.TCPAddr)
	return Door{Host: bound.IP.String(), Port: strconv.Itoa(bound.Port), Token: token}
}

// Origin is the address of the server as browsers spell it.
func (d *Door) Origin() string { return "http://" + net.JoinHostPort(d.Host, d.Port) }

// OwnHost reports whether a Host header names the address that is listened on.
func (d *Door) OwnHost(host string) bool {
	name, port, err := net.SplitHostPort(host)
	if err != nil || port != d.Port {
		return false
	}
	return name == "localhost" || name == d.Host
}

// OwnOrigin reports whether a request says that it comes from a page of the server,
// or, as programs do, says nothing of where it comes from.
func (d *Door) OwnOrigin(origin string) bool {
	if origin == "" {
		return true
	}
	u, err := url.Parse(origin)
	return err == nil && u.Scheme == "http" && d.OwnHost(u.Host)
}

// Authorised reports whether a request has the token as a bearer. A cookie would
// not do: browsers send cookies to every port of a host, so to the servers of
// others too.
func (d *Door) Authorised(r *http.Request) bool {
	given := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	return d.Token != "" && subtle.ConstantTimeCompare([]byte(given), []byte(d.Token)) == 1
}
