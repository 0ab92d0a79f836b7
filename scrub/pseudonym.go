package scrub

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/netip"
	"regexp"
	"strings"
)

// What stands in for values. Addresses are those that RFC 5737, 3849 and 7042 keep
// for documents.
const (
	removed    = "[removed]"
	secretMark = "[secret]"
	mailMark   = "user@example.com"
)

var (
	standIn = regexp.MustCompile(`^(?:user[0-9]+|u[0-9]+|host[0-9]+|h[0-9]+|kernel_[0-9a-fx_]+|k[0-9a-f]+)$`)
	marks   = []string{removed, secretMark, "[redacted]", mailMark}
)

// clean reports whether a text stands in for a value, or tells nothing.
func clean(b []byte) bool {
	s := strings.TrimRight(string(bytes.TrimSpace(b[:min(len(b), 64)])), "\x00")
	if s == "" {
		return len(bytes.TrimSpace(bytes.Trim(b, "\x00 "))) == 0
	}
	for _, m := range marks {
		if s == m && len(bytes.Trim(b, "\x00 ")) == len(m) {
			return true
		}
	}
	if strings.Trim(s, "x") == "" || strings.Trim(s, "*") == "" {
		return true
	}
	return len(b) <= 40 && standIn.MatchString(s)
}

// documented reports whether an address is kept for documents, or is no machine's.
func documented(a netip.Addr) bool {
	for _, p := range documents {
		if p.Contains(a) {
			return true
		}
	}
	return a.IsLoopback() || a.IsUnspecified() || a.IsMulticast()
}

var documents = []netip.Prefix{
	netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("198.51.100.0/24"), netip.MustParsePrefix("203.0.113.0/24"),
	netip.MustParsePrefix("2001:db8::/32"), netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("240.0.0.0/4"),
}

// number makes the stand-in for the nth value of a kind, from 1.
func number(k Kind, n int, value string) string {
	switch k {
	case Host:
		return fmt.Sprintf("host%d", n)
	case User:
		if strings.Contains(value, "@") {
			return mailMark
		}
		return fmt.Sprintf("user%d", n)
	case Address:
		if strings.Contains(value, ":") {
			return fmt.Sprintf("2001:db8::%x", n)
		}
		return fmt.Sprintf("192.0.2.%d", 1+(n-1)%254)
	case Hardware:
		if !strings.ContainsAny(value, ":-") || value[0] == '-' {
			return fmt.Sprint(n) // a number
		}
		sep := ":"
		if strings.Contains(value, "-") {
			sep = "-"
		}
		return strings.Join([]string{"00", "00", "5e", "00", "53", fmt.Sprintf("%02x", n%256)}, sep)
	case Secret:
		return secretMark
	}
	return removed
}

// pseudonym is the stable one of a name: the same in every report that is scrubbed
// with the same salt.
func pseudonym(salt, name string) string {
	sum := sha256.Sum256([]byte(salt + "\x00" + name))
	return "kernel_" + hex.EncodeToString(sum[:4])
}

// fit makes a stand-in of at most n bytes, and of just n where fixed is set.
func fit(stand string, n int, fixed, whole bool) []byte {
	switch {
	case len(stand) == n || len(stand) < n && !fixed:
		return []byte(stand)
	case len(stand) < n && whole:
		return append([]byte(stand), bytes.Repeat([]byte{' '}, n-len(stand))...)
	}
	if i := strings.IndexAny(stand, "0123456789"); i > 0 && !fixed && standIn.MatchString(stand) && 1+len(stand)-i <= n {
		return []byte(stand[:1] + stand[i:]) // u1 for user1
	}
	return bytes.Repeat([]byte{'x'}, n)
}
