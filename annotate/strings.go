package annotate

import (
	"bytes"
	"hash/maphash"
	"strings"
	"unicode/utf8"
)

// stringID names a text in [Strings].
type stringID uint32

const (
	pageSize   = 1 << 20
	refsPer    = 1 << 14 // references in a block of Strings.refs
	maxInterns = 1 << 20 // texts that are looked for; later new ones are stored as often as they come
)

// Strings holds the texts of events, each once as long as there are not very
// many different ones. The zero value is empty.
type Strings struct {
	pages []*strings.Builder // never grown, so that substrings stay valid
	refs  []*[refsPer]textRef
	n     int
	table []internSlot // open addressing; len is a power of two
	used  int
	seed  maphash.Seed
}

type textRef struct{ page, off, len uint32 }

type internSlot struct {
	hash uint32
	id   uint32 // + 1; 0 is a free slot
}

// get returns a text.
func (t *Strings) get(id stringID) string {
	if int(id) >= t.n {
		return ""
	}
	ref := t.refs[id/refsPer][id%refsPer]
	return t.pages[ref.page].String()[ref.off : ref.off+ref.len]
}

// intern returns the id of b, which it copies if it is new. With clean set,
// bytes that are not UTF-8 are left out.
func (t *Strings) intern(b []byte, clean bool) stringID {
	if t.table == nil {
		t.table = make([]internSlot, 1<<10)
		t.seed = maphash.MakeSeed()
	}
	h64 := maphash.Bytes(t.seed, b)
	h := uint32(h64 >> 32)
	mask := uint64(len(t.table) - 1)
	i := h64 & mask
	for ; t.table[i].id != 0; i = (i + 1) & mask {
		if t.table[i].hash == h {
			if id := stringID(t.table[i].id - 1); t.get(id) == string(b) {
				return id
			}
		}
	}
	if clean && !utf8.Valid(b) {
		return t.intern(bytes.ToValidUTF8(b, nil), false)
	}
	id := t.add(b)
	if t.used < maxInterns {
		t.table[i] = internSlot{hash: h, id: uint32(id) + 1}
		if t.used++; t.used*2 > len(t.table) {
			t.grow()
		}
	}
	return id
}

func (t *Strings) grow() {
	old := t.table
	t.table = make([]internSlot, 2*len(old))
	mask := uint64(len(t.table) - 1)
	for _, s := range old {
		if s.id == 0 {
			continue
		}
		i := maphash.String(t.seed, t.get(stringID(s.id-1))) & mask
		for t.table[i].id != 0 {
			i = (i + 1) & mask
		}
		t.table[i] = s
	}
}

// add stores b without looking for it.
func (t *Strings) add(b []byte) stringID {
	p := len(t.pages) - 1
	if p < 0 || t.pages[p].Cap()-t.pages[p].Len() < len(b) {
		page := new(strings.Builder)
		page.Grow(max(pageSize>>max(0, 8-len(t.pages)), len(b))) // small files need little
		t.pages = append(t.pages, page)
		p++
	}
	ref := textRef{page: uint32(p), off: uint32(t.pages[p].Len()), len: uint32(len(b))}
	t.pages[p].Write(b)
	if t.n%refsPer == 0 {
		t.refs = append(t.refs, new([refsPer]textRef))
	}
	t.refs[t.n/refsPer][t.n%refsPer] = ref
	t.n++
	return stringID(t.n - 1)
}
