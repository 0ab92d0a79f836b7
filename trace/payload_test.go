package trace

import (
	"context"
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
	p, err := layouts().PayloadSchemas(context.Background())
	if err != nil || len(p.All) != 4 {
		t.Fatal(len(p.All), err)
	}
	plain := "\x01\x00\x00\x00\x00\x00\x00\x00" + "\xfe\xff\xff\xff" + "\xee\xee\xee\xee" + "\x00\x10\x00\x00\x00\x00\x00\x00" + "\x00\x00\x00\x00\x00\x00\xe0\x3f"
	want := []PayloadField{{Name: "id", Int: 1}, {Name: "rank", Int: -2}, {Name: "bytes", Int: 4096}, {Name: "ratio", Kind: Reals, Real: 0.5}}
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
