package trace

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A payloadSchema lays out binary payloads of NVTX events.
type payloadSchema struct {
	Domain, ID int64
	Name       string
	Size       int64 // bytes; 0: not told
	Entries    []payloadEntry
}

// A payloadEntry is a member of a PayloadSchema.
type payloadEntry struct {
	Name, Description string
	Type              int64 // NVTX_PAYLOAD_ENTRY_TYPE_*, or the number of a schema or an enumeration of the domain
	Flags             int64
	Detail            int64 // length of an array
	Offset            int64 // bytes; -1: behind the entry before it, aligned to its own size

	index int64
}

// PayloadSchemas are the layouts of a trace.
type PayloadSchemas struct {
	All   []*payloadSchema // by domain and number
	byID  map[[2]int64]*payloadSchema
	enums map[[2]int64]*payloadEnum
}

// A PayloadField is a value of a payload: an integer, a double or a text by Kind.
type PayloadField struct {
	Name     string // members of a schema inside another are named outer.inner, elements of an array name[0]
	Kind     Kind
	Int      int64 // for unsigned ones of 64 bits the same bits
	Unsigned bool
	Real     float64
	Text     string // of an array of characters; of an enumeration the name of the value, Int being the value
}

// payloadSchemas reads NVTX_PAYLOAD_SCHEMAS and NVTX_PAYLOAD_SCHEMA_ENTRIES. A
// trace without them has none.
func (t *Trace) payloadSchemas(ctx context.Context) (*PayloadSchemas, error) {
	p := &PayloadSchemas{byID: map[[2]int64]*payloadSchema{}, enums: map[[2]int64]*payloadEnum{}}
	s, err := t.Table(ctx, "NVTX_PAYLOAD_SCHEMAS", "domainId", "schemaId", "name", "payloadSize")
	if err != nil || s == nil {
		return p, err
	}
	domain, id, size := s.Ints("domainId"), s.Ints("schemaId"), s.Ints("payloadSize")
	for i := range id {
		k := [2]int64{domain[i], id[i]}
		if p.byID[k] != nil { // another process has the same
			continue
		}
		p.byID[k] = &payloadSchema{Domain: domain[i], ID: id[i], Size: size[i], Name: t.cellText(s.Col("name"), i)}
		p.All = append(p.All, p.byID[k])
	}
	e, err := t.Table(ctx, "NVTX_PAYLOAD_SCHEMA_ENTRIES", "domainId", "schemaId", "idx", "flags", "type", "name", "description", "arrayOrUnionDetail", "offset")
	if err != nil {
		return nil, err
	}
	if e != nil {
		p.entries(t, e)
	}
	slices.SortFunc(p.All, func(a, b *payloadSchema) int { return cmp.Or(cmp.Compare(a.Domain, b.Domain), cmp.Compare(a.ID, b.ID)) })
	return p, p.readEnums(ctx, t)
}

// entries hands each entry to its schema.
func (p *PayloadSchemas) entries(t *Trace, e *Table) {
	domain, id, index := e.Ints("domainId"), e.Ints("schemaId"), e.Ints("idx")
	typ, flags, detail, offset := e.Ints("type"), e.Ints("flags"), e.Ints("arrayOrUnionDetail"), e.Ints("offset")
	for i := range id {
		s := p.byID[[2]int64{domain[i], id[i]}]
		if s == nil || slices.ContainsFunc(s.Entries, func(x payloadEntry) bool { return x.index == index[i] }) {
			continue
		}
		at := offset[i]
		if e.IsNull("offset", i) {
			at = -1
		}
		s.Entries = append(s.Entries, payloadEntry{Name: t.cellText(e.Col("name"), i), Description: t.cellText(e.Col("description"), i),
			Type: typ[i], Flags: flags[i], Detail: detail[i], Offset: at, index: index[i]})
	}
	for _, s := range p.All {
		slices.SortFunc(s.Entries, func(a, b payloadEntry) int { return cmp.Compare(a.index, b.index) })
	}
}

func (t *Trace) cellText(c *Column, i int) string {
	if c == nil || c.Kind != Texts || c.IsNull(i) {
		return ""
	}
	return t.Strings.Text(c.Syms[i])
}

// lookup returns the schema of a number, or nil.
func (p *PayloadSchemas) lookup(domain, id int64) *payloadSchema { return p.byID[[2]int64{domain, id}] }

// Bounds of schemas inside schemas, which may lead in circles: how deep, and how
// many entries one payload may visit.
const (
	payloadDepth   = 8
	payloadEntries = 1 << 16
)

// Flags of entries that say where a value is and how many there are; the others
// say what it means.
const (
	payloadLayout     = 0x7e // pointer, offset, array
	payloadFixedArray = 1 << 4
)

// Decode takes a payload apart, little-endian as all targets are. It returns the
// fields before the first that it cannot decode, with an error that names that
// one: pointers, unions, and arrays and texts whose length the schema does not
// tell are not decoded.
func (p *PayloadSchemas) Decode(domain, id int64, data []byte) ([]PayloadField, error) {
	s := p.lookup(domain, id)
	if s == nil {
		return nil, fmt.Errorf("payload: domain %d has no schema %d", domain, id)
	}
	left := payloadEntries
	fields, _, err := p.decode(nil, s, "", data, 0, &left)
	return fields, err
}

func (p *PayloadSchemas) decode(out []PayloadField, s *payloadSchema, prefix string, data []byte, depth int, left *int) ([]PayloadField, int64, error) {
	if depth >= payloadDepth {
		return out, 0, fmt.Errorf("payload: schema %d: schemas inside schemas are more than %d deep", s.ID, payloadDepth)
	}
	at := int64(0)
	for _, e := range s.Entries {
		typ, inner, enum := payloadTypes[e.Type], p.lookup(s.Domain, e.Type), p.enums[[2]int64{s.Domain, e.Type}]
		if enum != nil {
			typ = payloadType{enum.size, true, Integers}
		}
		n, array := int64(1), e.Flags&payloadLayout == payloadFixedArray && e.Detail > 0
		if array {
			n = e.Detail
		}
		if e.Flags&payloadLayout != 0 && !array || typ.size == 0 && inner == nil {
			return out, at, fmt.Errorf("payload: schema %d, entry %q: type %d with flags %#x is not decoded", s.ID, prefix+e.Name, e.Type, e.Flags)
		}
		if *left -= int(min(n, payloadEntries+1)); *left < 0 {
			return out, at, fmt.Errorf("payload: schema %d: more than %d entries", s.ID, payloadEntries)
		}
		switch {
		case e.Offset >= 0:
			at = e.Offset
		case typ.size > 0:
			at = (at + typ.size - 1) / typ.size * typ.size
		}
		if at > int64(len(data)) || int64(len(data))-at < n*typ.size {
			return out, at, fmt.Errorf("payload: schema %d, entry %q: %d bytes at offset %d expected, the payload has %d", s.ID, prefix+e.Name, n*typ.size, at, len(data))
		}
		if array && payloadChars[e.Type] {
			text, _, _ := strings.Cut(string(data[at:at+n]), "\x00")
			out = append(out, PayloadField{Name: prefix + e.Name, Kind: Texts, Text: text})
			at += n
			continue
		}
		for k := range n {
			name := prefix + e.Name
			if array {
				name += "[" + strconv.FormatInt(k, 10) + "]"
			}
			if typ.size > 0 {
				f := typ.field(name, data[at:at+typ.size])
				if enum != nil {
					f.Text = enum.name(f.Int)
				}
				out = append(out, f)
				at += typ.size
				continue
			}
			var used int64
			var err error
			if out, used, err = p.decode(out, inner, name+".", data[at:], depth+1, left); err != nil {
				return out, at, err
			}
			at += max(used, min(inner.Size, int64(len(data))-at))
		}
	}
	return out, at, nil
}

// A payloadType is how a number of a payload is written.
type payloadType struct {
	size   int64
	signed bool
	kind   Kind
}

// payloadTypes are the entry types of NVTX for plain numbers. Those of C have
// the sizes that they have on 64-bit Linux.
var payloadTypes = map[int64]payloadType{
	1: {1, true, Integers}, 2: {1, false, Integers}, 3: {2, true, Integers}, 4: {2, false, Integers}, // char, short
	5: {4, true, Integers}, 6: {4, false, Integers}, 7: {8, true, Integers}, 8: {8, false, Integers}, // int, long
	9: {8, true, Integers}, 10: {8, false, Integers}, // long long
	11: {1, true, Integers}, 12: {1, false, Integers}, 13: {2, true, Integers}, 14: {2, false, Integers},
	15: {4, true, Integers}, 16: {4, false, Integers}, 17: {8, true, Integers}, 18: {8, false, Integers},
	19: {4, true, Reals}, 20: {8, true, Reals},
	22: {8, false, Integers}, 23: {8, false, Integers}, // size_t, address
	25: {1, false, Integers}, 26: {2, false, Integers}, 27: {4, false, Integers}, // characters of 8, 16, 32 bits
	32: {1, false, Integers},                   // byte
	43: {4, true, Reals}, 44: {8, true, Reals}, // floats of 32 and 64 bits
	68: {4, false, Integers}, 69: {4, false, Integers}, 70: {8, false, Integers}, // category, colour, scope
	71: {4, false, Integers}, 72: {8, false, Integers}, 73: {4, false, Integers}, 74: {8, false, Integers}, // process and thread of 32 and 64 bits
}

// payloadChars are the types whose arrays are texts.
var payloadChars = map[int64]bool{1: true, 25: true}

func (p payloadType) field(name string, b []byte) PayloadField {
	var raw [8]byte
	copy(raw[:], b)
	u := binary.LittleEndian.Uint64(raw[:])
	f := PayloadField{Name: name, Kind: p.kind, Unsigned: !p.signed}
	switch {
	case p.kind == Reals && p.size == 4:
		f.Real = float64(math.Float32frombits(uint32(u)))
	case p.kind == Reals:
		f.Real = math.Float64frombits(u)
	case p.signed:
		shift := 64 - 8*p.size
		f.Int = int64(u<<shift) >> shift
	default:
		f.Int = int64(u)
	}
	return f
}
