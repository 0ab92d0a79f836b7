package torchmem

import "fmt"

// The keys that records are known by. Their texts are interned first, so that
// the number of the text is that of the key.
const (
	keyNone = iota // the empty text
	keyAction
	keyAddr
	keySize
	keyStream
	keyTime
	keyFrames
	keyCompile
	keyNote
	keyCategory
	keyDeviceFree
	keyFilename
	keyLine
	keyName
	keyState
	keyRequested
	keyAddress
	keyHistory
	keyRealSize
	keyDevice
	keyTotal
	keyAllocated
	keyActive
	keySegmentType
	keyPool
	keyExpandable
	keyBlocks
	keyStage
	keySegments
	keyTraces
	keyOldTraces
	keySettings
	keyAnnotations
	keyCount
)

var keyNames = [keyCount]string{"", "action", "addr", "size", "stream", "time_us", "frames", "compile_context", "user_metadata", "category", "device_free",
	"filename", "line", "name", "state", "requested_size", "address", "history", "real_size", "device", "total_size", "allocated_size", "active_size",
	"segment_type", "segment_pool_id", "is_expandable", "blocks", "stage", "segments", "device_traces", "traces", "allocator_settings", "external_annotations"}

func (p *parser) internKeys() {
	for _, k := range keyNames {
		p.intern([]byte(k))
	}
	p.actions = map[uint32]Action{}
	for a := Alloc; int(a) < len(actionNames); a++ {
		p.actions[uint32(p.intern([]byte(actionNames[a])).n())] = a
	}
}

// fields are the values of known keys of a dict.
type fields struct {
	has uint64
	at  [keyCount]value
}

func (f *fields) any(keys ...int) bool {
	for _, k := range keys {
		if f.has>>k&1 != 0 {
			return true
		}
	}
	return false
}

func (f *fields) collect(items []value) {
	f.has = 0
	for i := 0; i+1 < len(items); i += 2 {
		if k := items[i]; k.kind() == kindText && k.n() < keyCount {
			f.at[k.n()] = items[i+1]
			f.has |= 1 << k.n()
		}
	}
}

// record makes the record that a dict is, by its keys; objEmpty if it is none.
func (p *parser) record(d value, items []value) object {
	f := &p.fields
	f.collect(items)
	switch {
	case f.any(keyAction):
		return p.event(f)
	case f.any(keyFilename) && f.any(keyName):
		return p.frame(d, f)
	case f.any(keyBlocks):
		return p.segment(*f)
	case f.any(keyState) && f.any(keySize):
		return p.block(f)
	case f.any(keyRealSize):
		p.histories = append(p.histories, history{p.count(f, keyRealSize, -1), p.stackOf(f)})
		return objHistory | object(len(p.histories)-1)
	case f.any(keyStage):
		p.snap.Annotations = append(p.snap.Annotations, Annotation{p.word(f, keyName), p.word(f, keyStage), p.number(f, keyDevice, -1), p.number(f, keyTime, -1)})
		return objAnnotation | object(len(p.snap.Annotations)-1)
	}
	return objEmpty
}

// resolve is the record that a value is, for dicts that were filled key by key
// too.
func (p *parser) resolve(v value) object {
	if v.kind() != kindDict {
		return objEmpty
	}
	o := p.dict(v)
	if o.tag() == objGeneric {
		if r := p.record(v, p.pairs[o.row()]); r != objEmpty {
			p.dicts.Set(int(v.n()), uint32(r))
			return r
		}
	}
	return o
}

func (p *parser) event(f *fields) object {
	e := &p.snap.Events
	row := e.Action.Len()
	action, word := Other, uint32(0)
	if v := f.at[keyAction]; v.kind() == kindText {
		if action = p.actions[uint32(v.n())]; action == Other {
			word = uint32(v.n())
		}
	} else {
		p.wrong(keyAction, "a text", v)
	}
	e.Action.Add(action)
	e.Word.Add(word)
	e.Address.Add(p.pointer(f, keyAddr))
	e.Size.Add(p.count(f, keySize, 0))
	e.Stream.Add(p.pointer(f, keyStream))
	e.Time.Add(p.number(f, keyTime, -1))
	e.Stack.Add(p.stackOf(f))
	e.Compile.Add(p.note(f, keyCompile))
	e.Note.Add(p.note(f, keyNote))
	e.Category.Add(p.note(f, keyCategory))
	e.Free.Add(p.number(f, keyDeviceFree, -1))
	if row >= objRow {
		p.fail("fewer events", "too many", ErrTooLarge)
	}
	return objEvent | object(row)
}

func (p *parser) frame(d value, f *fields) object {
	file, name := f.at[keyFilename], f.at[keyName]
	if file.kind() != kindText || name.kind() != kindText {
		p.wrong(keyFilename, "a text", file)
		return objEmpty
	}
	line := p.pointer(f, keyLine)
	k := [3]uint64{file.n(), line, name.n()}
	id, ok := p.frames[k]
	if !ok {
		id = uint32(len(p.snap.frames))
		p.frames[k] = id
		p.snap.frames = append(p.snap.frames, Frame{p.snap.Texts[file.n()], line, p.snap.Texts[name.n()]})
		p.frameDicts = append(p.frameDicts, d)
	}
	return objFrame | object(id)
}

// A history is an allocation in a block of 2.0 and before.
type history struct {
	size  int64
	stack uint32
}

// A block is a Block whose address may not be told.
type block struct {
	Block
	addressed bool
}

func (p *parser) block(f *fields) object {
	b := block{Block: Block{Address: p.pointer(f, keyAddress), Size: p.count(f, keySize, 0), State: p.word(f, keyState), Stack: p.stackOf(f)},
		addressed: f.any(keyAddress, keyAddr)}
	if !f.any(keyAddress) {
		b.Address = p.pointer(f, keyAddr)
	}
	b.Requested = p.count(f, keyRequested, -1)
	if b.Requested < 0 {
		b.Requested = b.Size
	}
	if h, ok := p.lastHistory(f); ok {
		if !f.any(keyRequested) && h.size >= 0 {
			b.Requested = h.size
		}
		if !f.any(keyFrames) {
			b.Stack = h.stack
		}
	}
	p.blocks = append(p.blocks, b)
	return objBlock | object(len(p.blocks)-1)
}

// lastHistory is the newest allocation of a block.
func (p *parser) lastHistory(f *fields) (history, bool) {
	v := f.at[keyHistory]
	if !f.any(keyHistory) || v.kind() != kindList || p.list(v).tag() != objGeneric {
		return history{}, false
	}
	saved := *f
	o := p.resolve(p.generic[p.list(v).row()][0].first)
	*f = saved
	if o.tag() != objHistory {
		return history{}, false
	}
	return p.histories[o.row()], true
}

func (p *parser) segment(f fields) object {
	s := Segment{Device: p.number(&f, keyDevice, 0), Address: p.pointer(&f, keyAddress), Total: p.count(&f, keyTotal, 0), Allocated: p.count(&f, keyAllocated, -1),
		Active: p.count(&f, keyActive, -1), Requested: p.count(&f, keyRequested, -1), Stream: p.pointer(&f, keyStream), HasStream: f.any(keyStream),
		Type: p.word(&f, keySegmentType), Stack: p.stackOf(&f)}
	if v := f.at[keyExpandable]; f.any(keyExpandable) {
		n, _ := p.bits(v)
		s.Expandable = n != 0
	}
	s.Pool, s.HasPool = p.pool(&f)
	if s.Device < 0 || s.Device > 1<<16 {
		p.corrupt("a number of a device", "%d", s.Device)
	}
	running := s.Address
	p.each(f.at[keyBlocks], "blocks", func(v value) {
		o := p.resolve(v)
		if o.tag() != objBlock {
			p.corrupt("a block with size and state", "%s", v.kind())
			return
		}
		b := p.blocks[o.row()]
		if !b.addressed {
			b.Address = running
		}
		b.Misplaced = b.Address != running
		running = b.Address + uint64(b.Size)
		p.take(&p.taken.blocks, len(p.blocks), "blocks")
		s.Blocks = append(s.Blocks, b.Block)
		if !f.any(keyTotal) {
			s.Total += b.Size
		}
	})
	p.segments = append(p.segments, s)
	return objSegment | object(len(p.segments)-1)
}

func (p *parser) pool(f *fields) (pool [2]int64, ok bool) {
	v := f.at[keyPool]
	if !f.any(keyPool) {
		return pool, false
	}
	var items []value
	switch {
	case v.kind() == kindTuple:
		items = p.tuples[v.n()]
	case v.kind() == kindList && p.list(v).tag() == objGeneric: // of a file that went through JSON
		for x := range p.generic[p.list(v).row()].all {
			if items = append(items, x); len(items) == 2 {
				break
			}
		}
	}
	if len(items) != 2 {
		p.wrong(keyPool, "two numbers", v)
		return pool, false
	}
	for i, x := range items {
		if pool[i], ok = p.signed(x); !ok {
			p.wrong(keyPool, "two numbers", x)
		}
	}
	return pool, ok
}

// mostShared is how many more records may be taken than there are: a pickle can refer to
// the same list as often as it likes, which costs it four bytes each time.
const mostShared = 1 << 20

// take counts a record that becomes part of the snapshot; there are so many of its kind.
func (p *parser) take(n *int, there int, what string) {
	if *n++; *n > there+mostShared {
		p.fail(fmt.Sprintf("each of %d %s once", there, what), "them again and again", ErrTooLarge)
	}
}

// each calls f for the values of a list or tuple; None has none.
func (p *parser) each(v value, key string, f func(v value)) {
	switch v.kind() {
	case kindNone:
		return
	case kindTuple:
		for _, x := range p.tuples[v.n()] {
			if f(x); p.err != nil {
				return
			}
		}
		return
	}
	if v.kind() != kindList || p.list(v).tag() != objGeneric && p.list(v).tag() != objEmpty {
		p.corrupt("a list in "+key, "%s", v.kind())
		return
	}
	if o := p.list(v); o.tag() == objGeneric {
		for x := range p.generic[o.row()].all {
			if f(x); p.err != nil {
				return
			}
		}
	}
}

// stackOf is the stack in frames.
func (p *parser) stackOf(f *fields) uint32 {
	v := f.at[keyFrames]
	if !f.any(keyFrames) || v.kind() == kindNone {
		return 0
	}
	switch v.kind() {
	case kindTuple:
		if id, ok := p.tupleStacks[v]; ok {
			return id
		}
	case kindList:
		switch o := p.list(v); o.tag() {
		case objEmpty:
			return 0
		case objStack:
			return uint32(o.row())
		}
	default:
		p.wrong(keyFrames, "a list", v)
		return 0
	}
	saved := *f
	p.lines = p.lines[:0]
	var lines []uint32
	p.each(v, "frames", func(x value) {
		r := p.resolve(x)
		if r.tag() != objFrame {
			p.corrupt("frames with filename, line and name", "%s", x.kind())
			return
		}
		lines = append(lines, uint32(r.row()))
	})
	*f = saved
	id := p.internStack(lines)
	if v.kind() == kindTuple {
		p.tupleStacks[v] = id
	} else {
		p.lists.Set(int(v.n()), uint32(objStack)|id)
	}
	return id
}

func (p *parser) wrong(key int, want string, found value) {
	p.corrupt(fmt.Sprintf("%s in %s", want, keyNames[key]), "%s", found.kind())
}

// pointer is an address or stream: 64 bits, whatever their sign.
func (p *parser) pointer(f *fields, key int) uint64 {
	if !f.any(key) || f.at[key].kind() == kindNone {
		return 0
	}
	n, ok := p.bits(f.at[key])
	if !ok {
		p.wrong(key, "a number of 64 bits", f.at[key])
	}
	return n
}

// number is a whole number; without is what a dict says that has no such key.
func (p *parser) number(f *fields, key int, without int64) int64 {
	if !f.any(key) || f.at[key].kind() == kindNone {
		return without
	}
	n, ok := p.signed(f.at[key])
	if !ok {
		p.wrong(key, "a number", f.at[key])
	}
	return n
}

// count is number, of bytes.
func (p *parser) count(f *fields, key int, without int64) int64 {
	n := p.number(f, key, without)
	if n < 0 && f.any(key) && p.err == nil {
		p.corrupt("0 or more in "+keyNames[key], "%d", n)
	}
	if n > 1<<55 {
		p.corrupt("bytes that a memory may have in "+keyNames[key], "%d", n)
	}
	return n
}

func (p *parser) word(f *fields, key int) string {
	if !f.any(key) {
		return ""
	}
	if v := f.at[key]; v.kind() == kindText {
		return p.snap.Texts[v.n()]
	}
	p.wrong(key, "a text", f.at[key])
	return ""
}

// note is the number of a text; one that is no text is none.
func (p *parser) note(f *fields, key int) uint32 {
	if v := f.at[key]; f.any(key) && v.kind() == kindText {
		return uint32(v.n())
	}
	return 0
}
