package web

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestOtherUser connects as another user, where the test may.
func TestOtherUser(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root may become another user")
	}
	s, err := Listen(context.Background(), "127.0.0.1:0", []string{example})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() { ended <- s.Serve(ctx) }()
	defer func() { stop(); <-ended }()
	get := func(uid uint32) string {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		c := exec.CommandContext(ctx, "bash", "-c", fmt.Sprintf(
			`exec 3<>/dev/tcp/127.0.0.1/%s; printf 'GET /api/files HTTP/1.1\r\nHost: 127.0.0.1:%s\r\nAuthorization: Bearer %s\r\nConnection: close\r\n\r\n' >&3; head -n 1 <&3`, s.port, s.port, s.token))
		c.SysProcAttr, c.Dir = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uid, Gid: uid}}, "/"
		b, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, b)
		}
		return string(b)
	}
	if own := get(0); !strings.Contains(own, " 200 ") {
		t.Errorf("own: %s", own)
	}
	if other := get(65534); !strings.Contains(other, " 403 ") {
		t.Errorf("another user: %s", other)
	}
}
