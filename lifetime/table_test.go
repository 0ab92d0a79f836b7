package lifetime

import (
	"testing"
)

// unhash finds a key with a given hash of space 0, in its group of four.
func unhash(h uint64) uint64 {
	const inverse = 0xf1de83e19937733d // of the multiplier, modulo 2^64
	h ^= h >> 32
	return (h * inverse) << 2
}

func TestUnhash(t *testing.T) {
	for _, key := range []uint64{0, 4, 1 << 20, 0x7f580face700 &^ 3, 1<<59 - 4} {
		if got := unhash(hash(key, 0)); got != key {
			t.Errorf("key %x came back as %x", key, got)
		}
	}
}

// Addresses made to collide must cost time, not memory without bound.
func TestCollisions(t *testing.T) {
	var tab table
	tab.reset()
	n := 0
	for i := uint64(0); n < 20000 && i < 1<<32; i++ {
		// The same directory bits for all, as far as keys can be found for them.
		h := i<<44 | 0x5a5<<12
		k := unhash(h)
		if hash(k, 0) != h {
			continue
		}
		n++
		e := tab.lookup(k, 0, hash(k, 0))
		if e.meta&usedBit != 0 {
			t.Fatalf("key %x was there", k)
		}
		e.meta |= usedBit
		e.start = int64(n)
	}
	if n < 5000 {
		t.Fatalf("only %d colliding keys found: the test does not test", n)
	}
	if len(tab.dir) > 64*(tab.used+8) {
		t.Errorf("a directory of %d entries for %d segments", len(tab.dir), tab.used)
	}
	seen := 0
	tab.each(func(s *segment) {
		for i := range s.entry {
			if s.entry[i].meta != 0 {
				seen++
			}
		}
	})
	if seen != n || tab.entries != int64(n) {
		t.Errorf("%d entries, %d counted, %d made", seen, tab.entries, n)
	}
	tab.reset()
	if tab.used != 1 || tab.entries != 0 {
		t.Errorf("after reset %d segments, %d entries", tab.used, tab.entries)
	}
}

func TestTableGrows(t *testing.T) {
	var tab table
	for range 3 { // memory of the round before is used again
		tab.reset()
		const n = 200000
		for i := range uint64(n) {
			e := tab.lookup(i*3, i&1, hash(i*3, i&1))
			e.meta |= usedBit
			e.start = int64(i)
		}
		for i := range uint64(n) {
			if e := tab.lookup(i*3, i&1, hash(i*3, i&1)); e.meta&usedBit == 0 || e.start != int64(i) {
				t.Fatalf("block %d lost", i)
			}
		}
		if tab.entries != n {
			t.Fatalf("%d entries", tab.entries)
		}
		if perBlock := float64(tab.used+len(tab.free)) * segBytes / n; perBlock > 100 {
			t.Errorf("%.0f bytes a block", perBlock)
		}
	}
}
