package table

import (
	"encoding/binary"
	"fmt"
	"slices"
)

// magic begins an encoded table.
const magic = "gpuprof SASS 3\n"

// Encode writes the operations of one architecture. Operations and everything in
// them are written in the order given, so that the same tables are the same bytes.
//
// The layout: magic; the texts of tokens, each once; per operation its code and
// the length of its body; the bodies. Numbers are unsigned varints.
func Encode(ops []*Op) []byte {
	e := &encoder{texts: map[string]uint64{}}
	bodies := make([][]byte, len(ops))
	for i, o := range ops {
		e.b = nil
		e.op(o)
		bodies[i] = e.b
	}
	b := append([]byte(magic), binary.AppendUvarint(nil, uint64(len(e.order)))...)
	for _, t := range e.order {
		b = append(binary.AppendUvarint(b, uint64(len(t))), t...)
	}
	b = binary.AppendUvarint(b, uint64(len(ops)))
	for i, o := range ops {
		b = binary.AppendUvarint(b, uint64(o.Code))
		b = binary.AppendUvarint(b, uint64(len(bodies[i])))
	}
	for _, body := range bodies {
		b = append(b, body...)
	}
	return b
}

type encoder struct {
	b     []byte
	texts map[string]uint64
	order []string
}

func (e *encoder) num(v uint64) { e.b = binary.AppendUvarint(e.b, v) }

func (e *encoder) bool(v bool) {
	if v {
		e.b = append(e.b, 1)
	} else {
		e.b = append(e.b, 0)
	}
}

func (e *encoder) text(s string) {
	i, ok := e.texts[s]
	if !ok {
		i = uint64(len(e.order))
		e.texts[s] = i
		e.order = append(e.order, s)
	}
	e.num(i)
}

func (e *encoder) word(w Word) {
	e.b = binary.LittleEndian.AppendUint64(e.b, w.Lo)
	e.b = binary.LittleEndian.AppendUint64(e.b, w.Hi)
}

func (e *encoder) op(o *Op) {
	e.b = append(e.b, byte(o.Guard))
	e.word(o.Fixed)
	e.word(o.Value)
	e.control(&o.Control)
	e.num(uint64(len(o.Features)))
	for _, f := range o.Features {
		e.b = append(e.b, byte(f.Test), f.Lo, f.N)
	}
	e.num(uint64(len(o.Groups)))
	for i := range o.Groups {
		g := &o.Groups[i]
		e.b = append(e.b, byte(g.Slot))
		e.bool(g.Presence)
		e.tree(g.Tree)
	}
	e.num(uint64(len(o.Tokens)))
	for i := range o.Tokens {
		t := &o.Tokens[i]
		e.b = append(e.b, byte(t.Slot), byte(t.Kind))
		e.num(uint64(t.Group))
		e.num(uint64(t.Label))
		e.text(t.Text)
		if t.Kind == Literal {
			continue
		}
		e.num(uint64(len(t.Fields)))
		for _, f := range t.Fields {
			e.field(f)
		}
		if len(t.Fields) > 1 {
			e.tree(t.Choice)
		}
	}
	e.apart(o.Apart)
}

// apart writes pairs in their order: how far the first is from that of the pair
// before, and the second from that of the pair before, or from the first if that is another.
func (e *encoder) apart(pairs []Apart) {
	e.num(uint64(len(pairs)))
	last := Apart{}
	for _, p := range pairs {
		if p.First != last.First {
			last.Second = p.First
		}
		e.num(uint64(p.First - last.First))
		e.num(uint64(p.Second - last.Second))
		last = p
	}
}

func (e *encoder) control(c *Control) {
	e.num(uint64(c.NoStall))
	e.bool(c.NoWrite)
	e.bool(c.NoRead)
	e.b = append(e.b, c.NoReuse[:]...)
}

func (e *encoder) field(f Field) {
	e.b = append(e.b, byte(f.Form))
	e.bool(f.Signed)
	e.bool(f.Invert)
	e.num(uint64(len(f.Runs)))
	for _, r := range f.Runs {
		e.b = append(e.b, r.Value, r.Word, r.Len)
	}
}

// tree writes the nodes root first, then those below "no", then those below
// "yes": an odd number is twice the feature and one, an even one twice the label
// and two.
func (e *encoder) tree(t Tree) {
	if len(t) == 0 {
		e.num(0)
		return
	}
	var walk func(i int32)
	walk = func(i int32) {
		n := t[i]
		if n.Feature < 0 {
			e.num(uint64(n.Label+1) << 1)
			return
		}
		e.num(uint64(n.Feature)<<1 | 1)
		walk(n.No)
		walk(n.Yes)
	}
	walk(0)
}

// A Table holds the operations of an architecture, each decoded when it is first
// asked for. It is for one goroutine at a time.
type Table struct {
	texts  []string
	bodies [1 << 12][]byte
	ops    [1 << 12]*Op
	codes  []int
}

// Decode reads what Encode wrote.
func Decode(b []byte) (*Table, error) {
	d := &decoder{b: b}
	if len(b) < len(magic) || string(b[:len(magic)]) != magic {
		return nil, fmt.Errorf("table of instructions: found %q, expected %q", b[:min(len(b), len(magic))], magic)
	}
	d.at = len(magic)
	t := &Table{}
	for range d.count() {
		t.texts = append(t.texts, string(d.bytes(d.count())))
	}
	type entry struct{ code, size int }
	entries := make([]entry, 0, 1024)
	for range d.count() {
		entries = append(entries, entry{int(d.num()) & 0xfff, d.count()})
	}
	for _, e := range entries {
		t.codes = append(t.codes, e.code)
		t.bodies[e.code] = d.bytes(e.size)
	}
	if d.bad {
		return nil, fmt.Errorf("table of instructions: cut or broken at byte %d of %d", d.at, len(b))
	}
	return t, nil
}

// Codes are the operations in the table.
func (t *Table) Codes() []int { return slices.Clone(t.codes) }

// Op is the operation with the given code, nil if the table has none.
func (t *Table) Op(code int) *Op {
	code &= 0xfff
	if o := t.ops[code]; o != nil {
		return o
	}
	body := t.bodies[code]
	if body == nil {
		return nil
	}
	d := &decoder{b: body, texts: t.texts}
	o := d.op()
	o.Code = code
	if d.bad || !o.sound() {
		t.bodies[code] = nil
		return nil
	}
	t.ops[code] = o
	return o
}

type decoder struct {
	b     []byte
	at    int
	bad   bool
	texts []string
}

func (d *decoder) num() uint64 {
	v, n := binary.Uvarint(d.b[d.at:])
	if n <= 0 {
		d.bad = true
		return 0
	}
	d.at += n
	return v
}

// count is a number of things that take a byte each at least.
func (d *decoder) count() int {
	v := d.num()
	if v > uint64(len(d.b)-d.at) {
		d.bad = true
		return 0
	}
	return int(v)
}

func (d *decoder) bytes(n int) []byte {
	if n > len(d.b)-d.at {
		d.bad = true
		return nil
	}
	d.at += n
	return d.b[d.at-n : d.at]
}

func (d *decoder) byte() byte {
	if b := d.bytes(1); b != nil {
		return b[0]
	}
	return 0
}

func (d *decoder) word() Word {
	b := d.bytes(16)
	if b == nil {
		return Word{}
	}
	return Word{binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:])}
}

func (d *decoder) op() *Op {
	o := &Op{Guard: Guard(d.byte()), Fixed: d.word(), Value: d.word(), Control: d.control()}
	o.Features = make([]Feature, d.count())
	for i := range o.Features {
		o.Features[i] = Feature{Test(d.byte()), d.byte(), d.byte()}
	}
	o.Groups = make([]Group, d.count())
	for i := range o.Groups {
		o.Groups[i] = Group{Slot: Slot(d.byte()), Presence: d.byte() == 1, Tree: d.tree()}
	}
	o.Tokens = make([]Token, d.count())
	for i := range o.Tokens {
		t := &o.Tokens[i]
		t.Slot, t.Kind = Slot(d.byte()), Kind(d.byte())
		t.Group, t.Label = int32(d.num()), int32(d.num())
		if k := d.num(); k < uint64(len(d.texts)) {
			t.Text = d.texts[k]
		} else {
			d.bad = true
		}
		if t.Kind == Literal {
			continue
		}
		t.Fields = make([]Field, d.count())
		for k := range t.Fields {
			t.Fields[k] = d.field()
		}
		if len(t.Fields) > 1 {
			t.Choice = d.tree()
		}
	}
	o.Apart = make([]Apart, d.count())
	last := Apart{}
	for i := range o.Apart {
		if by := int32(d.num()); by != 0 {
			last.First += by
			last.Second = last.First
		}
		last.Second += int32(d.num())
		o.Apart[i] = last
	}
	return o
}

func (d *decoder) control() Control {
	c := Control{NoStall: uint32(d.num()), NoWrite: d.byte() == 1, NoRead: d.byte() == 1}
	for i := range c.NoReuse {
		c.NoReuse[i] = d.byte()
	}
	return c
}

func (d *decoder) field() Field {
	f := Field{Form: Form(d.byte()), Signed: d.byte() == 1, Invert: d.byte() == 1}
	f.Runs = make([]Run, d.count())
	for i := range f.Runs {
		f.Runs[i] = Run{d.byte(), d.byte(), d.byte()}
	}
	return f
}

func (d *decoder) tree() Tree {
	var t Tree
	open := []int32{} // nodes whose "yes" is still to come
	for {
		v := d.num()
		at := int32(len(t))
		if d.bad {
			return nil
		}
		if v&1 == 1 {
			t = append(t, Node{Feature: int32(v >> 1), No: at + 1})
			open = append(open, at)
			continue
		}
		t = append(t, Node{Feature: -1, Label: int32(v>>1) - 1})
		if len(open) == 0 {
			return t
		}
		t[open[len(open)-1]].Yes = at + 1
		open = open[:len(open)-1]
	}
}

// sound reports whether all that an operation refers to is there.
func (o *Op) sound() bool {
	for _, f := range o.Features {
		if f.N == 0 || int(f.Lo)+int(f.N) > 128 || f.N > 64 || f.Test >= tests {
			return false
		}
	}
	trees := []Tree{}
	for i := range o.Groups {
		trees = append(trees, o.Groups[i].Tree)
	}
	for i := range o.Tokens {
		t := &o.Tokens[i]
		if t.Group < 0 || int(t.Group) >= len(o.Groups) || t.Kind >= kinds {
			return false
		}
		trees = append(trees, t.Choice)
		for _, f := range t.Fields {
			if !f.sound() {
				return false
			}
		}
	}
	for _, t := range trees {
		for _, n := range t {
			if int(n.Feature) >= len(o.Features) {
				return false
			}
		}
	}
	return true
}

func (f *Field) sound() bool {
	for _, r := range f.Runs {
		if r.Len == 0 || int(r.Word)+int(r.Len) > 128 || int(r.Value)+int(r.Len) > 64 {
			return false
		}
	}
	return f.Form == Integer || f.Form <= Next && len(f.Runs) == 1
}
