package loopback

import (
	"bufio"
	"encoding/binary"
	"encoding/hex"
	"io"
	"net/netip"
	"os"
	"strconv"
	"strings"
)

// OwnerOf is the user of the socket that is bound to an address of this machine,
// as the system's tables of TCP sockets tell it. Where they can be read and have
// no such socket, it is nobody's: -1.
func OwnerOf(peer netip.AddrPort) (uid int, known bool) {
	for _, name := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		f, err := os.Open(name)
		if err != nil {
			continue
		}
		known = true
		uid, found := ownerIn(f, peer)
		f.Close()
		if found {
			return uid, true
		}
	}
	return -1, known
}

// ownerIn looks a local address up in a table of TCP sockets: lines of number,
// local address, remote address, state, queues, timer, retransmissions and user.
func ownerIn(table io.Reader, local netip.AddrPort) (uid int, found bool) {
	for lines := bufio.NewScanner(table); lines.Scan(); {
		f := strings.Fields(lines.Text())
		if len(f) < 8 {
			continue
		}
		if a, ok := socketAddress(f[1]); !ok || a != netip.AddrPortFrom(local.Addr().Unmap(), local.Port()) {
			continue
		}
		uid, err := strconv.Atoi(f[7])
		return uid, err == nil
	}
	return 0, false
}

// socketAddress reads an address as the tables spell it: words of 32 bits in the
// machine's order of bytes, a colon, and the port, 0100007F:1F90.
func socketAddress(s string) (netip.AddrPort, bool) {
	host, port, _ := strings.Cut(s, ":")
	b, err := hex.DecodeString(host)
	if err != nil {
		return netip.AddrPort{}, false
	}
	for i := 0; i+4 <= len(b); i += 4 {
		binary.NativeEndian.PutUint32(b[i:], binary.BigEndian.Uint32(b[i:]))
	}
	a, ok := netip.AddrFromSlice(b)
	n, err := strconv.ParseUint(port, 16, 16)
	return netip.AddrPortFrom(a.Unmap(), uint16(n)), ok && err == nil
}
