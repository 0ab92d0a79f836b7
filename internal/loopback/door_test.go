package loopback

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestListen(t *testing.T) {
	for _, addr := range []string{"0.0.0.0:0", "example.com:80", "127.0.0.1", ":0", "192.0.2.1:0"} {
		if l, err := Listen(t.Context(), addr); err == nil {
			l.Close()
			t.Errorf("%s is listened on", addr)
		}
	}
	l, err := Listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if _, err := Listen(t.Context(), l.Addr().String()); !errors.Is(err, ErrPort) {
		t.Errorf("%v, expected ErrPort", err)
	}
	if d := NewDoor(l, "x"); d.Origin() != "http://"+l.Addr().String() {
		t.Error(d.Origin())
	}
}

func TestDoor(t *testing.T) {
	d := &Door{Host: "127.0.0.1", Port: "8080", Token: NewToken()}
	for host, want := range map[string]bool{"127.0.0.1:8080": true, "localhost:8080": true, "127.0.0.1:8081": false, "127.0.0.1": false, "evil.example:8080": false, "127.0.0.1.evil.example:8080": false} {
		if d.OwnHost(host) != want {
			t.Errorf("host %s: %t", host, !want)
		}
	}
	for origin, want := range map[string]bool{"": true, "http://localhost:8080": true, "https://localhost:8080": false, "null": false, "http://evil.example": false} {
		if d.OwnOrigin(origin) != want {
			t.Errorf("origin %s: %t", origin, !want)
		}
	}
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	if d.Authorised(r) || (&Door{}).Authorised(r) {
		t.Error("no token opens")
	}
	r.Header.Set("Authorization", "Bearer "+d.Token)
	if !d.Authorised(r) {
		t.Error("the token does not open")
	}
	r.Header.Set("Authorization", "Bearer "+strings.ToUpper(d.Token)+"0")
	if d.Authorised(r) {
		t.Error("another token opens")
	}
	if !OwnPeer(t.Context()) || OwnPeer(WithPeer(t.Context(), func() bool { return false })) {
		t.Error("peers")
	}
}

// A request over a connection of this user's is this user's.
func TestOwnPeer(t *testing.T) {
	own := make(chan bool, 1)
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { own <- OwnPeer(r.Context()) }))
	WatchPeers(s.Config)
	s.Start()
	defer s.Close()
	r, err := http.NewRequestWithContext(context.Background(), http.MethodGet, s.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := http.DefaultClient.Do(r); err != nil {
		t.Fatal(err)
	}
	if !<-own {
		t.Error("our own request is another's")
	}
}
