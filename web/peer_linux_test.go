package web

import (
	"context"
	"fmt"
	"net/netip"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestOwnerIn(t *testing.T) {
	const table = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 1 1 0 100 0 0 10 0
   1: 0100007F:C350 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1001        0 2 1 0 20 4 30 10 -1
   2: 0000000000000000FFFF00000100007F:C351 0000000000000000FFFF00000100007F:1F90 01 00000000:00000000 00:00000000 00000000  1002 0 3
   3: 00000000000000000000000001000000:C352 00000000000000000000000001000000:1F90 01 00000000:00000000 00:00000000 00000000  1003 0 3
   4: zz:C353 short
`
	for address, want := range map[string]int{"127.0.0.1:50000": 1001, "127.0.0.1:50001": 1002, "[::1]:50002": 1003, "127.0.0.1:50003": -1, "127.0.0.2:50000": -1} {
		uid, found := ownerIn(strings.NewReader(table), netip.MustParseAddrPort(address))
		if !found {
			uid = -1
		}
		if uid != want {
			t.Errorf("%s: user %d, want %d", address, uid, want)
		}
	}
}

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
