package loopback

import (
	"net/netip"
	"strings"
	"testing"
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
