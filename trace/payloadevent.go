package trace

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
)

// payloadHeader is the length of what stands before a payload in binaryData.
const payloadHeader = 32

// splitPayload reads what stands before the payload of an event in the column
// binaryData: the domain, the schema and the number of bytes of the payload, 64
// bits each, and a fourth number of which readers disagree: where the payload
// begins, or where it ends. It is taken for its begin where that leaves room for
// the payload. Vendor documents do not tell of it, and no file was there to
// compare with.
func splitPayload(data string) (domain, schema int64, payload []byte, err error) {
	b := []byte(data)
	if d, e := hex.DecodeString(data); e == nil && len(d) >= payloadHeader { // as some exports of exports have it
		b = d
	}
	if len(b) < payloadHeader {
		return 0, 0, nil, fmt.Errorf("payload: %d bytes, a header has %d", len(b), payloadHeader)
	}
	word := func(i int) uint64 { return binary.LittleEndian.Uint64(b[8*i:]) }
	size, at, n := word(2), word(3), uint64(len(b))
	if at < payloadHeader || at > n || size > n-at {
		at = payloadHeader
	}
	if size > n-at {
		return 0, 0, nil, fmt.Errorf("payload: %d bytes expected behind the header, found %d", size, n-at)
	}
	return int64(word(0)), int64(word(1)), b[at : at+size], nil
}

// decodeEvent takes the column binaryData of an event apart. Fields before the
// first that is not decoded come with the error, and the schema where it is known.
func (p *PayloadSchemas) decodeEvent(data string) (*payloadSchema, []PayloadField, error) {
	domain, schema, payload, err := splitPayload(data)
	if err != nil {
		return nil, nil, err
	}
	fields, err := p.Decode(domain, schema, payload)
	return p.lookup(domain, schema), fields, err
}

// String is the value of a field.
func (f PayloadField) String() string {
	switch {
	case f.Text != "" || f.Kind == Texts:
		return f.Text
	case f.Kind == Reals:
		return strconv.FormatFloat(f.Real, 'g', -1, 64)
	case f.Unsigned:
		return strconv.FormatUint(uint64(f.Int), 10)
	}
	return strconv.FormatInt(f.Int, 10)
}

// formatPayload prints fields as "name=value, name=value".
func formatPayload(fields []PayloadField) string {
	var b strings.Builder
	for i, f := range fields {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(f.Name + "=" + f.String())
	}
	return b.String()
}

// A payloadEnum is an enumeration that the program registered.
type payloadEnum struct {
	size  int64
	names map[int64]string
	flags []int64 // values that are bits of a set
}

// name is the name of a value; the names of its bits where it is a set; "" where
// there is none.
func (e *payloadEnum) name(v int64) string {
	if n, ok := e.names[v]; ok {
		return n
	}
	var set []string
	for _, f := range e.flags {
		if f != 0 && v&f == f {
			set = append(set, e.names[f])
			v &^= f
		}
	}
	if v != 0 {
		return ""
	}
	return strings.Join(set, "|")
}

// readEnums reads NVTX_PAYLOAD_ENUMS and NVTX_PAYLOAD_ENUM_ENTRIES.
func (p *PayloadSchemas) readEnums(ctx context.Context, t *Trace) error {
	e, err := t.Table(ctx, "NVTX_PAYLOAD_ENUM_ENTRIES", "domainId", "schemaId", "name", "value", "isFlag")
	if err != nil || e == nil {
		return err
	}
	domain, id, value, flag := e.Ints("domainId"), e.Ints("schemaId"), e.Ints("value"), e.Ints("isFlag")
	for i := range id {
		k := [2]int64{domain[i], id[i]}
		if p.enums[k] == nil {
			p.enums[k] = &payloadEnum{size: 4, names: map[int64]string{}}
		}
		x := p.enums[k]
		if _, known := x.names[value[i]]; known {
			continue // another process has the same
		}
		x.names[value[i]] = t.cellText(e.Col("name"), i)
		if flag[i] != 0 {
			x.flags = append(x.flags, value[i])
		}
	}
	s, err := t.Table(ctx, "NVTX_PAYLOAD_ENUMS", "domainId", "schemaId", "size")
	if err != nil || s == nil {
		return err
	}
	domain, id, size := s.Ints("domainId"), s.Ints("schemaId"), s.Ints("size")
	for i := range id {
		if x := p.enums[[2]int64{domain[i], id[i]}]; x != nil && (size[i] == 1 || size[i] == 2 || size[i] == 8) {
			x.size = size[i]
		}
	}
	return nil
}
