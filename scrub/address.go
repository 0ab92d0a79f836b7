package scrub

import (
	"bytes"
	"net/netip"
	"strings"
)

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
func isHex(c byte) bool   { return isDigit(c) || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F' }

// maxIPv4 and maxIPv6 are the longest texts of addresses.
const (
	maxIPv4 = len("255.255.255.255")
	maxIPv6 = len("0000:0000:0000:0000:0000:ffff:255.255.255.255")
)

// ipv4 looks for an address whose first number ends at b[at], before a dot. Versions
// look the same: "10.2.1.3" is either. So an address has to be of a private network,
// to stand where addresses stand, or to have numbers that versions do not reach.
func ipv4(b []byte, at int, emit func(hit)) {
	start := at
	for start > 0 && at-start < 2 && isDigit(b[start-1]) {
		start--
	}
	if start > 0 && (isAlnum[b[start-1]] || b[start-1] == '.' || b[start-1] == '_') {
		return
	}
	end := start
	for end < len(b) && end-start <= maxIPv4 && (isDigit(b[end]) || b[end] == '.') {
		end++
	}
	for end > start && b[end-1] == '.' {
		end--
	}
	if end < len(b) && (isAlnum[b[end]] || b[end] == '_') {
		return
	}
	a, err := netip.ParseAddr(string(b[start:end]))
	if err != nil || !a.Is4() || documented(a) {
		return
	}
	q := a.As4()
	before := strings.ToLower(string(b[max(0, start-12):start]))
	if strings.Contains(before, "ver") || strings.HasSuffix(before, "v") || strings.HasSuffix(before, "-") && !a.IsPrivate() || q[2] == 0 && q[3] == 0 {
		return
	}
	shared := q[0] == 100 && q[1]&0xc0 == 64
	large := 0
	for _, n := range q {
		if n >= 64 {
			large++
		}
	}
	if a.IsPrivate() && q[0] != 10 || a.IsLinkLocalUnicast() || shared || large >= 2 && q[0] >= 32 || q[0] == 10 && large >= 1 || called(before, b[end:]) {
		emit(hit{start, end, Address, "IPv4"})
	}
}

// called reports whether an address stands between texts as one does.
func called(before string, behind []byte) bool {
	if len(behind) > 1 && (behind[0] == ':' || behind[0] == '/') && isDigit(behind[1]) {
		return true
	}
	if strings.HasSuffix(before, "//") || strings.HasSuffix(before, "@") {
		return true
	}
	before = strings.TrimRight(before, " =:\"'[(")
	for _, s := range []string{"host", "addr", "address", "ip", "peer", "server", "master", "from", "inet", "client", "connect"} {
		if strings.HasSuffix(before, s) {
			return true
		}
	}
	return false
}

// hardware looks for a MAC or longer adapter address whose first number ends at
// b[at], before a colon or dash.
func hardware(b []byte, at int, emit func(hit)) {
	start := at - 1
	if start < 0 || !isHex(b[start]) || start > 0 && (isAlnum[b[start-1]] || b[start-1] == ':' || b[start-1] == '-' || b[start-1] == '_') {
		return
	}
	sep, groups, end, letters := b[at+1], 1, at+1, false
	for end+2 < len(b) && b[end] == sep && isHex(b[end+1]) && isHex(b[end+2]) {
		end += 3
		groups++
	}
	if groups != 6 && groups != 8 && groups != 20 || end < len(b) && (isAlnum[b[end]] || b[end] == sep || b[end] == '_') {
		return
	}
	first, same := b[start], true
	for _, c := range b[start:end] {
		letters = letters || isHex(c) && !isDigit(c)
		same = same && (c == first || c == sep)
	}
	if same || sep == '-' && !letters || bytes.HasPrefix(bytes.ReplaceAll(b[start:end], []byte{'-'}, []byte{':'}), []byte("00:00:5e:00:53:")) {
		return
	}
	emit(hit{start, end, Hardware, "MAC"})
}

// ipv6 looks for an address of which a group ends at b[at], before a colon.
func ipv6(b []byte, at int, emit func(hit)) {
	start := at
	for start > 0 && at-start < 4 && isHex(b[start-1]) {
		start--
	}
	if start > 0 && (isAlnum[b[start-1]] || b[start-1] == ':' || b[start-1] == '_' || b[start-1] == '.') {
		return // no beginning, or one that was looked at
	}
	end, colons, double := start, 0, 0
	for end < len(b) && end-start <= maxIPv6 && (isHex(b[end]) || b[end] == ':') {
		if b[end] == ':' {
			colons++
			if end > start && b[end-1] == ':' {
				double++
			}
		}
		end++
	}
	if double > 1 || colons < 3 || end < len(b) && (isAlnum[b[end]] || b[end] == '_') {
		return
	}
	a, err := netip.ParseAddr(string(b[start:end]))
	if err == nil && a.Is6() && !documented(a) {
		emit(hit{start, end, Address, "IPv6"})
	}
}
