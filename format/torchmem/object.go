package torchmem

import (
	"encoding/binary"
	"hash/maphash"
)

func (p *parser) newList() value {
	p.lists.Add(uint32(objEmpty))
	return p.numbered(kindList, p.lists.Len()-1)
}

func (p *parser) newDict() value {
	p.dicts.Add(uint32(objEmpty))
	return p.numbered(kindDict, p.dicts.Len()-1)
}

func (p *parser) numbered(k kind, n int) value {
	if n >= mostObjects {
		p.fail("fewer objects", k.String()+" too many", ErrTooLarge)
	}
	return pack(k, uint64(n))
}

func (p *parser) list(v value) object { return object(p.lists.At(int(v.n()))) }
func (p *parser) dict(v value) object { return object(p.dicts.At(int(v.n()))) }

// appends adds items to the list on top of the stack.
func (p *parser) appends(items []value) {
	if p.err != nil {
		return
	}
	if p.room() == 0 || p.stack[len(p.stack)-1].kind() != kindList {
		p.corrupt("a list to append to", "%s", p.top())
		return
	}
	p.grow(p.stack[len(p.stack)-1], items)
}

func (p *parser) top() string {
	if p.room() == 0 {
		return "nothing"
	}
	return p.stack[len(p.stack)-1].kind().String()
}

// grow adds items to a list. One of frames alone becomes a stack.
func (p *parser) grow(l value, items []value) {
	if len(items) == 0 {
		return
	}
	o := p.list(l)
	if t := o.tag(); (t == objEmpty || t == objStack) && p.collect(o, items) {
		p.lists.Set(int(l.n()), uint32(objStack)|p.internStack(p.lines))
		return
	}
	row := o.row()
	if o.tag() != objGeneric {
		var whole list
		if o.tag() == objStack { // frames, and then something else
			for _, f := range p.snap.linesOf(uint32(row)) {
				whole.add(p.frameDicts[f])
			}
		}
		p.generic = append(p.generic, whole)
		row = len(p.generic) - 1
		p.lists.Set(int(l.n()), uint32(objGeneric)|uint32(row))
	}
	for _, v := range items {
		p.generic[row].add(v)
	}
}

// collect lays the numbers of frames into p.lines, behind those of the stack that
// a list is already; false if items are not frames alone.
func (p *parser) collect(o object, items []value) bool {
	p.lines = p.lines[:0]
	if o.tag() == objStack {
		p.lines = append(p.lines, p.snap.linesOf(uint32(o.row()))...)
	}
	for _, v := range items {
		if v.kind() != kindDict {
			return false
		}
		f := p.dict(v)
		if f.tag() != objFrame {
			return false
		}
		p.lines = append(p.lines, uint32(f.row()))
	}
	return true
}

// linesOf are the frames of a stack by number.
func (s *Snapshot) linesOf(stack uint32) []uint32 {
	from := uint32(0)
	if stack > 0 {
		from = s.stacks[stack-1]
	}
	return s.lines[from:s.stacks[stack]]
}

// internStack numbers a stack; equal stacks have one number.
func (p *parser) internStack(lines []uint32) uint32 {
	p.scratch = p.scratch[:0]
	for _, f := range lines {
		p.scratch = binary.NativeEndian.AppendUint32(p.scratch, f)
	}
	sum := maphash.Bytes(p.seed, p.scratch)
	for _, s := range p.byHash[sum] {
		if equal(p.snap.linesOf(s), lines) {
			return s
		}
	}
	s := &p.snap
	id := uint32(len(s.stacks))
	s.lines = append(s.lines, lines...)
	s.stacks = append(s.stacks, uint32(len(s.lines)))
	p.byHash[sum] = append(p.byHash[sum], id)
	if id >= objRow || len(s.lines) > 1<<30 {
		p.fail("fewer stacks", "too many", ErrTooLarge)
	}
	return id
}

func equal(a, b []uint32) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// setItems sets keys of the dict on top of the stack.
func (p *parser) setItems(items []value) {
	if p.err != nil {
		return
	}
	if p.room() == 0 || p.stack[len(p.stack)-1].kind() != kindDict {
		p.corrupt("a dict to set keys of", "%s", p.top())
		return
	}
	p.fill(p.stack[len(p.stack)-1], items)
}

// fill sets keys of a dict. One that is filled at once with the keys of a record
// becomes that record; others are kept as they are, and looked at in the end.
func (p *parser) fill(d value, items []value) {
	if len(items)%2 != 0 {
		p.corrupt("a value for each key", "an odd number of items, %d", len(items))
		return
	}
	for i := 0; i < len(items); i += 2 {
		if k := items[i].kind(); k == kindList || k == kindDict {
			p.corrupt("a key that can be one", "%s", k)
			return
		}
	}
	if len(items) == 0 || p.err != nil {
		return
	}
	o := p.dict(d)
	if o.tag() == objEmpty && len(items) > 2 {
		if o = p.record(d, items); o != objEmpty {
			p.dicts.Set(int(d.n()), uint32(o))
			return
		}
	}
	row := o.row()
	switch o.tag() {
	case objEmpty:
		p.pairs = append(p.pairs, nil)
		row = len(p.pairs) - 1
		p.dicts.Set(int(d.n()), uint32(objGeneric)|uint32(row))
	case objGeneric:
	default:
		p.corrupt("a dict that is filled at once or key by key", "keys added to a record")
		return
	}
	p.pairs[row] = append(p.pairs[row], items...)
}

// tuple makes a tuple. Those of two small numbers, as of pools, are kept once.
func (p *parser) tuple(items []value) value {
	if p.err != nil {
		return 0
	}
	if len(items) == 2 {
		k := [2]value{items[0], items[1]}
		if n, ok := p.pools[k]; ok {
			return pack(kindTuple, uint64(n))
		}
		p.pools[k] = len(p.tuples)
	}
	p.tuples = append(p.tuples, append([]value(nil), items...))
	return p.numbered(kindTuple, len(p.tuples)-1)
}
