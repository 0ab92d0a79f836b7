package ncurep

import (
	"github.com/gpuprof/gpuprof/format/internal/cursor"
)

// Column holds values of one metric. Nearly always they are all of one kind.
type Column struct {
	Kind    Kind     // of all values, or of none of them if Kinds is set
	Kinds   []Kind   // kind per value; nil if all are of Kind
	Bits    []uint64 // the bits of numbers (see [Value]); index into Strings for strings
	Strings []string
}

// Instances are the values of a metric per correlation id: per instruction
// address, opcode, register count, time stamp and so on. An absent id is a
// value of kindNone.
type Instances struct {
	IDs    Column
	Values Column
}

// len returns the number of values.
func (c *Column) len() int { return len(c.Bits) }

// at returns value i.
func (c *Column) at(i int) Value {
	kind := c.Kind
	if c.Kinds != nil {
		kind = c.Kinds[i]
	}
	if kind == KindString {
		return StringValue(c.Strings[c.Bits[i]])
	}
	return Value{kind: kind, bits: c.Bits[i]}
}

// Len returns the number of instances; a nil Instances has none.
func (in *Instances) Len() int {
	if in == nil {
		return 0
	}
	return len(in.Values.Bits)
}

// At returns id and value of instance i.
func (in *Instances) At(i int) (id, v Value) { return in.IDs.at(i), in.Values.at(i) }

// NumInstances returns the number of instances without decoding them.
func (m *Metric) NumInstances() int { return int(m.n) }

// Instances decodes the instances.
func (m *Metric) Instances() (Instances, error) {
	var in Instances
	err := m.decodeInstances(&in)
	return in, err
}

// decodeInstances is like [Metric.Instances] and reuses the space in in.
func (m *Metric) decodeInstances(in *Instances) error {
	in.IDs.reset(int(m.n))
	in.Values.reset(int(m.n))
	if m.n == 0 {
		return nil
	}
	var problems Problems
	c := cursor.New(m.buf.file, m.buf.base+int64(m.off), m.buf.b[m.off:m.off+m.size])
	for {
		num, wire, ok := c.Field()
		if !ok {
			break
		}
		if num != 3 || wire != cursor.Len {
			c.SkipField(wire)
			continue
		}
		e := c.Sub()
		if c.Err() != nil {
			break
		}
		if err := in.add(&e); err != nil {
			problems.add(err)
		}
	}
	return problems.err()
}

// add decodes one list element.
func (in *Instances) add(c *cursor.Cursor) error {
	var kinds [2]Kind
	var bits [2]uint64
	var strs [2][]byte
	for {
		num, wire, ok := c.Field()
		if !ok {
			break
		}
		if wire != cursor.Len || num != 1 && num != 2 {
			c.SkipField(wire)
			continue
		}
		n := c.Uvarint()
		if n > uint64(c.Len()) {
			c.Failf("a value of at most the bytes left", "%d bytes", n)
			break
		}
		kinds[num-1], bits[num-1], strs[num-1] = readKind(c, c.Pos()+int(n))
	}
	if err := c.Err(); err != nil {
		return err
	}
	in.IDs.add(kinds[0], bits[0], strs[0])
	in.Values.add(kinds[1], bits[1], strs[1])
	return nil
}

func (c *Column) reset(n int) {
	if cap(c.Bits) < n {
		c.Bits = make([]uint64, 0, n)
	}
	*c = Column{Bits: c.Bits[:0], Strings: c.Strings[:0]}
}

func (c *Column) add(kind Kind, bits uint64, str []byte) {
	switch {
	case c.Kinds != nil:
		c.Kinds = append(c.Kinds, kind)
	case len(c.Bits) == 0:
		c.Kind = kind
	case kind != c.Kind:
		c.Kinds = make([]Kind, len(c.Bits)+1, max(len(c.Bits)+1, cap(c.Bits)))
		for i := range c.Kinds {
			c.Kinds[i] = c.Kind
		}
		c.Kinds[len(c.Bits)] = kind
	}
	if kind == KindString {
		bits = uint64(len(c.Strings))
		c.Strings = append(c.Strings, string(str))
	}
	c.Bits = append(c.Bits, bits)
}
