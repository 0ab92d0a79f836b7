package torchmem

import (
	"encoding/binary"
	"hash/maphash"
)

// mostSpelled bounds the bytes of spelled stacks that are kept.
const mostSpelled = 16 << 20

// A spelling is how the file writes a stack: numbers of the memo, which are those of
// its frames.
type spelling struct {
	text  string
	stack uint32
}

// references reads, behind a MARK, what most of a file is: a list that is filled with
// values of the memo and nothing else, which are the frames of a stack. A stack that
// was spelled so before is known by its spelling, whose numbers then need not be looked
// up one by one. It is false, and nothing is read, where something else follows.
func (p *parser) references() bool {
	if p.room() == 0 {
		return false
	}
	l := p.stack[len(p.stack)-1]
	if l.kind() != kindList || p.list(l) != objEmpty {
		return false
	}
	b, k := p.b[p.i:p.n], 0
	for k+5 < len(b) && b[k] == opLongBinGet {
		k += 5
	}
	if k == 0 || k >= len(b) || b[k] != opAppends {
		return false
	}
	text := b[:k]
	sum := maphash.Bytes(p.seed, text)
	known, ok := p.spelled[sum]
	if ok && known.text == string(text) {
		p.lists.Set(int(l.n()), uint32(objStack)|known.stack)
		p.i += k + 1
		return true
	}
	from := len(p.stack)
	for at := 1; at < k; at += 5 {
		n := int(binary.LittleEndian.Uint32(text[at:]))
		m := uint32(0)
		if n < p.memo.Len() {
			m = p.memo.At(n)
		}
		if m == 0 {
			p.stack = p.stack[:from]
			return false
		}
		p.push(memoized(m))
	}
	items := p.stack[from:]
	p.stack = p.stack[:from]
	p.i += k + 1
	p.grow(l, items)
	if o := p.list(l); o.tag() == objStack && !ok && p.spelledBytes+k <= mostSpelled {
		p.spelled[sum] = spelling{string(text), uint32(o.row())}
		p.spelledBytes += k
	}
	return true
}
