//go:build !linux

package web

import "net/netip"

// ownerOf is not known here.
func ownerOf(netip.AddrPort) (uid int, known bool) { return -1, false }
