package trace

import (
	"context"
	"encoding/hex"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// ready is a source of tables that are there.
type ready []*Table

func (f ready) Tables() []TableInfo {
	var out []TableInfo
	for _, t := range f {
		info := TableInfo{Name: t.Name}
		for _, c := range t.Columns {
			info.Columns = append(info.Columns, ColumnInfo{c.Name, c.Kind})
		}
		out = append(out, info)
	}
	return out
}

func (f ready) Read(_ context.Context, table string, columns []ColumnInfo, _ *Strings) (*Table, []error, error) {
	i := slices.IndexFunc(f, func(t *Table) bool { return t.Name == table })
	out := &Table{Name: table, Rows: f[i].Rows}
	for _, c := range columns {
		out.Columns = append(out.Columns, f[i].Col(c.Name))
	}
	return out, nil, nil
}

// layouts are schema 100, a number of 64 bits, an int, a size at 16 and a
// double; 101, a byte and a schema 100; 102, itself; 103, an array.
func layouts() *Trace {
	s := &Table{Name: "NVTX_PAYLOAD_SCHEMAS", Rows: 4}
	s.AddInts("domainId", []int64{1, 1, 1, 1}, nil)
	s.AddInts("schemaId", []int64{100, 101, 102, 103}, nil)
	s.AddInts("payloadSize", []int64{32, 40, 8, 8}, nil)
	e := &Table{Name: "NVTX_PAYLOAD_SCHEMA_ENTRIES", Rows: 8}
	e.AddInts("domainId", []int64{1, 1, 1, 1, 1, 1, 1, 1}, nil)
	e.AddInts("schemaId", []int64{100, 100, 100, 100, 101, 101, 102, 103}, nil)
	e.AddInts("idx", []int64{3, 0, 1, 2, 0, 1, 0, 0}, nil)
	e.AddInts("type", []int64{20, 18, 5, 22, 11, 100, 102, 5}, nil)
	e.AddInts("flags", []int64{0, 0, 0, 0, 0, 0, 0, 1 << 4}, nil)
	e.AddInts("offset", []int64{0, 0, 8, 16, 0, 8, 0, 0}, []bool{true, true, false, false, false, false, false, false})
	t := New("made", ready{s, e})
	names := &Column{Name: "name", Kind: Texts}
	for _, n := range []string{"ratio", "id", "rank", "bytes", "flag", "inner", "again", "list"} {
		names.Syms = append(names.Syms, t.Strings.Intern(n))
	}
	e.Columns = append(e.Columns, names)
	u := New("made", ready{s, e})
	u.Strings = t.Strings
	return u
}

func TestPayload(t *testing.T) {
	p, err := layouts().payloadSchemas(context.Background())
	if err != nil || len(p.All) != 4 {
		t.Fatal(len(p.All), err)
	}
	plain := "\x01\x00\x00\x00\x00\x00\x00\x00" + "\xfe\xff\xff\xff" + "\xee\xee\xee\xee" + "\x00\x10\x00\x00\x00\x00\x00\x00" + "\x00\x00\x00\x00\x00\x00\xe0\x3f"
	want := []PayloadField{{Name: "id", Int: 1, Unsigned: true}, {Name: "rank", Int: -2}, {Name: "bytes", Int: 4096, Unsigned: true}, {Name: "ratio", Kind: Reals, Real: 0.5}}
	got, err := p.Decode(1, 100, []byte(plain))
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Error(d, err)
	}
	got, err = p.Decode(1, 101, []byte("\xff......."+plain))
	if err != nil || len(got) != 5 || got[0].Int != -1 || got[1].Name != "inner.id" {
		t.Error(got, err)
	}
	if got, err := p.Decode(1, 100, []byte(plain[:20])); err == nil || len(got) != 2 || !strings.Contains(err.Error(), `"bytes": 8 bytes at offset 16`) {
		t.Error("cut:", got, err)
	}
	for id, text := range map[int64]string{102: "deep", 103: "flags 0x10", 104: "no schema 104"} {
		if _, err := p.Decode(1, id, []byte(plain)); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("schema %d: %v", id, err)
		}
	}
	rapid.Check(t, func(t *rapid.T) { // no payload may do harm
		p.Decode(1, rapid.Int64Range(99, 104).Draw(t, "schema"), rapid.SliceOfN(rapid.Byte(), 0, 64).Draw(t, "data"))
	})
}

// rich are layouts with arrays, texts and enumerations: schema 200 is a text of
// 4 characters, two numbers of 16 bits, an enumeration 300 and a set 301.
func rich() *Trace {
	s := &Table{Name: "NVTX_PAYLOAD_SCHEMAS", Rows: 1}
	s.AddInts("domainId", []int64{7}, nil)
	s.AddInts("schemaId", []int64{200}, nil)
	e := &Table{Name: "NVTX_PAYLOAD_SCHEMA_ENTRIES", Rows: 4}
	e.AddInts("domainId", []int64{7, 7, 7, 7}, nil)
	e.AddInts("schemaId", []int64{200, 200, 200, 200}, nil)
	e.AddInts("idx", []int64{0, 1, 2, 3}, nil)
	e.AddInts("type", []int64{1, 13, 300, 301}, nil)
	e.AddInts("flags", []int64{1 << 4, 1<<4 | 1<<9, 0, 0}, nil)
	e.AddInts("arrayOrUnionDetail", []int64{4, 2, 0, 0}, nil)
	v := &Table{Name: "NVTX_PAYLOAD_ENUM_ENTRIES", Rows: 4}
	v.AddInts("domainId", []int64{7, 7, 7, 7}, nil)
	v.AddInts("schemaId", []int64{300, 300, 301, 301}, nil)
	v.AddInts("value", []int64{0, 1, 1, 4}, nil)
	v.AddInts("isFlag", []int64{0, 0, 1, 1}, nil)
	z := &Table{Name: "NVTX_PAYLOAD_ENUMS", Rows: 1}
	z.AddInts("domainId", []int64{7}, nil)
	z.AddInts("schemaId", []int64{301}, nil)
	z.AddInts("size", []int64{1}, nil)
	t := New("made", ready{s, e, v, z})
	name := func(words ...string) *Column {
		c := &Column{Name: "name", Kind: Texts}
		for _, w := range words {
			c.Syms = append(c.Syms, t.Strings.Intern(w))
		}
		return c
	}
	e.Columns = append(e.Columns, name("label", "pair", "op", "set"))
	v.Columns = append(v.Columns, name("Sum", "Product", "read", "write"))
	u := New("made", ready{s, e, v, z})
	u.Strings = t.Strings
	return u
}

func TestDecodeEvent(t *testing.T) {
	p, err := rich().payloadSchemas(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	word := func(n byte) string { return string([]byte{n, 0, 0, 0, 0, 0, 0, 0}) }
	body := "ab\x00\x00" + "\x01\x00\xff\xff" + "\x01\x00\x00\x00" + "\x05"
	const want = "label=ab, pair[0]=1, pair[1]=-1, op=Product, set=read|write"
	n := byte(len(body))
	for name, data := range map[string]string{
		"the fourth number is the begin": word(7) + word(200) + word(n) + word(32) + body,
		"the fourth number is the end":   word(7) + word(200) + word(n) + word(32+n) + body,
		"something lies between":         word(7) + word(200) + word(n) + word(40) + word(0) + body,
		"as hexadecimal digits":          hex.EncodeToString([]byte(word(7) + word(200) + word(n) + word(32) + body)),
	} {
		s, fields, err := p.decodeEvent(data)
		if got := formatPayload(fields); err != nil || s == nil || s.ID != 200 || got != want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	for name, c := range map[string]struct{ data, want string }{
		"no header":    {"short", "a header has 32"},
		"cut":          {word(7) + word(200) + word(n) + word(32) + body[:3], "bytes expected behind the header"},
		"other schema": {word(7) + word(9) + word(0) + word(32), "no schema 9"},
		"too small":    {word(7) + word(200) + word(2) + word(32) + body, "4 bytes at offset 0 expected"},
	} {
		if _, _, err := p.decodeEvent(c.data); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, expected %q", name, err, c.want)
		}
	}
	if got := p.enums[[2]int64{7, 301}].name(2); got != "" {
		t.Errorf("bit 2 of the set is called %q", got)
	}
}

// FuzzPayload takes apart a payload by a schema that is fuzzed too: four bytes
// make an entry of schema 1, which may hold schemas 1 and 2.
func FuzzPayload(f *testing.F) {
	f.Add([]byte{18, 0, 0, 0, 5, 0, 0, 8}, []byte("0123456789abcdef0123456789abcdef0123456789abcdef"))
	f.Add([]byte{1, 1 << 4, 200, 0, 201, 0, 0, 4}, []byte(strings.Repeat("\x01\x00", 40)))
	f.Add([]byte{201, 1 << 4, 255, 255, 200, 1 << 4, 255, 255}, make([]byte, 300))
	f.Fuzz(func(t *testing.T, entries, data []byte) {
		a, b := &payloadSchema{Domain: 1, ID: 200, Size: int64(len(entries))}, &payloadSchema{Domain: 1, ID: 201, Size: -1}
		for i := 0; i+4 <= min(len(entries), 64); i += 4 {
			e := payloadEntry{Name: "m", Type: int64(entries[i]), Flags: int64(entries[i+1]), Detail: int64(int8(entries[i+2])) << (entries[i+2] % 50), Offset: int64(int8(entries[i+3]))}
			a.Entries = append(a.Entries, e)
			if i%8 == 0 {
				b.Entries = append(b.Entries, e)
			}
		}
		p := &PayloadSchemas{byID: map[[2]int64]*payloadSchema{{1, 200}: a, {1, 201}: b}, enums: map[[2]int64]*payloadEnum{{1, 99}: {size: 2, flags: []int64{1, 0, -1}}}}
		fields, err := p.Decode(1, 200, data)
		if len(fields) > payloadEntries {
			t.Errorf("%d fields, %v", len(fields), err)
		}
		formatPayload(fields[:min(len(fields), 100)])
		if _, _, payload, err := splitPayload(string(data)); err == nil && len(payload) > len(data) {
			t.Errorf("%d bytes of payload in %d", len(payload), len(data))
		}
		p.decodeEvent(string(data))
	})
}
