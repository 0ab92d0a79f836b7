package scrub

import (
	"slices"
	"strings"
)

// A value is a text that is taken out wherever it stands.
type value struct {
	text  string
	kind  Kind
	what  string
	token bool   // only where no other letter, digit or _ touches it
	stand string // what stands in for it
}

// A matcher finds many values in a text at once.
type matcher struct {
	heads [1 << 10]uint64 // a bit for each pair of bytes with which a value begins
	by    map[int][]*value
	least int // bytes of the shortest value
}

func newMatcher(values []*value) *matcher {
	m := &matcher{by: map[int][]*value{}, least: 1 << 30}
	for _, v := range values {
		if len(v.text) < 2 {
			continue
		}
		p := pair(v.text[0], v.text[1])
		m.heads[p>>6] |= 1 << (p & 63)
		m.by[p] = append(m.by[p], v)
		m.least = min(m.least, len(v.text))
	}
	for _, list := range m.by {
		slices.SortFunc(list, func(a, b *value) int {
			if len(a.text) != len(b.text) {
				return len(b.text) - len(a.text) // the longest first
			}
			return strings.Compare(a.text, b.text)
		})
	}
	return m
}

// next returns the first value at or behind b[at:], and where it begins.
func (m *matcher) next(b []byte, at int) (int, *value) {
	if len(m.by) == 0 {
		return 0, nil
	}
	for i := at; i+m.least <= len(b); i++ {
		p := int(b[i])<<8 | int(b[i+1])
		if m.heads[p>>6]&(1<<(p&63)) == 0 {
			continue
		}
		for _, v := range m.by[p] {
			if len(b)-i >= len(v.text) && string(b[i:i+len(v.text)]) == v.text && (!v.token || apart(b, i, i+len(v.text))) {
				return i, v
			}
		}
	}
	return 0, nil
}

// apart reports whether no letter, digit or _ touches b[start:end].
func apart(b []byte, start, end int) bool {
	touches := func(c byte) bool { return isAlnum[c] || c == '_' }
	return (start == 0 || !touches(b[start-1])) && (end == len(b) || !touches(b[end]))
}
