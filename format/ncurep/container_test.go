package ncurep

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"github.com/gpuprof/gpuprof/format/internal/cursor"
)

// rawBlock is a block for tests that need control over the layout.
type rawBlock struct {
	h       blockHeader
	entries [][]byte
}

func rawReport(magic string, blocks ...rawBlock) []byte {
	b := appendEntry([]byte(magic), appendMessage(nil, &FileHeader{Version: 7}))
	for _, bl := range blocks {
		var payload []byte
		for _, e := range bl.entries {
			payload = appendEntry(payload, e)
		}
		h := bl.h
		h.NumSources, h.NumResults = Some(h.NumSources.Value), Some(h.NumResults.Value)
		h.PayloadSize = Some(uint32(len(payload)))
		h.Process = &Process{ID: 1}
		b = appendEntry(b, appendMessage(nil, &h))
		b = append(b, payload...)
	}
	return b
}

func counts(sources, results uint32) blockHeader {
	return blockHeader{NumSources: Some(sources), NumResults: Some(results)}
}

func result(ref uint64, ids ...uint32) []byte {
	d := ResultData{ResultHeader: ResultHeader{FunctionName: fmt.Sprintf("k%d", ref), Source: &SourceHead{Reference: Some(ref)}}}
	for range ids {
		d.Metrics = append(d.Metrics, MetricData{Value: Uint64Value(1)})
	}
	i := -1
	return d.encode(func(string) uint32 { i++; return ids[i] })
}

// TestStringTablesAccumulate has three tables, of which the last two come with
// later blocks, and sources behind the results that refer to them.
func TestStringTablesAccumulate(t *testing.T) {
	h1, h2, h3 := counts(0, 1), counts(0, 1), counts(0, 0)
	h1.Strings = &stringTable{Strings: []string{"a", "b"}}
	h2.Strings = &stringTable{Strings: []string{"c"}}
	h3.Strings = &stringTable{Strings: []string{"d"}}
	first := SourceData{SourceHead: SourceHead{Reference: Some(uint64(5)), SMRevision: Some(uint32(1)),
		Functions: &FunctionTable{Functions: []*Function{{MangledName: "f"}}}}, Binary: []byte("cubin")}
	second := SourceData{SourceHead: SourceHead{Reference: Some(uint64(5)), Functions: &FunctionTable{Functions: []*Function{{MangledName: "g"}}}}}
	f := open(t, rawReport("NVR\x00",
		rawBlock{h1, [][]byte{result(5, 0, 3)}},
		rawBlock{h2, [][]byte{result(5, 1, 2)}},
		rawBlock{h3, nil},
		rawBlock{counts(2, 0), [][]byte{first.encode(), second.encode()}},
	))
	var names []string
	for _, r := range f.Results {
		ms, err := r.Metrics()
		check(t, err)
		for _, m := range ms.All {
			names = append(names, m.Name)
		}
	}
	if diff := cmp.Diff([]string{"a", "d", "b", "c"}, names); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
	if len(f.Sources) != 1 {
		t.Fatalf("%d sources, want them merged to 1", len(f.Sources))
	}
	s := f.Results[0].SourceOf()
	bin, err := s.Binary()
	check(t, err)
	if len(s.Functions) != 2 || s.Functions[1].MangledName != "g" || string(bin) != "cubin" || s.BinarySize() != 5 || len(s.Entries) != 2 {
		t.Errorf("merged source: %+v, binary %q", s, bin)
	}
}

// TestRangeResults counts range results and keeps their bytes.
func TestRangeResults(t *testing.T) {
	h := counts(0, 1)
	h.NumRangeResults = Some(uint32(1))
	b := rawReport("NVR\x00", rawBlock{h, [][]byte{result(1), []byte("\x0a\x05range")}})
	f := open(t, b)
	if n := f.numRangeResults(); n != 1 || len(f.Results) != 1 {
		t.Errorf("%d range results and %d results, want 1 and 1", n, len(f.Results))
	}
	raw, err := f.rangeResult(0)
	if err != nil || string(raw) != "\x0a\x05range" {
		t.Errorf("range result %q, %v", raw, err)
	}
	if _, err := f.rangeResult(1); err == nil {
		t.Error("no error for a range result that is not there")
	}
	if got := written(t, f.Edit()); !bytes.Equal(got, b) {
		t.Error("not written back as it was")
	}
}

// TestMagics accepts what the published guide prints as well as what files have.
func TestMagics(t *testing.T) {
	for magic, want := range map[string]bool{"NVR\x00": true, "NVP\x00": true, "NVX\x00": false, "nvr\x00": false} {
		b := rawReport(magic, rawBlock{counts(0, 1), [][]byte{result(1)}})
		if _, err := OpenBytes(b, "x"); (err == nil) != want {
			t.Errorf("%q: %v", magic, err)
		}
		if Sniff(b) != want {
			t.Errorf("Sniff(%q) is %v", magic, !want)
		}
	}
}

// TestUnknownFields checks that fields from the future survive.
func TestUnknownFields(t *testing.T) {
	entry := append(result(1), appendString(nil, 99, "news")...)
	h := counts(0, 1)
	h.Unknown = appendUint(nil, 44, 7)
	b := rawReport("NVR\x00", rawBlock{h, [][]byte{entry}})
	f := open(t, b)
	if got := f.Results[0].Unknown.numbers(); !cmp.Equal(got, []int{99}) {
		t.Errorf("unknown fields %v of the result", got)
	}
	if got := f.Blocks[0].Header.Unknown.fields(); got != 1 {
		t.Errorf("%d unknown fields in the block header", got)
	}
	e := f.Edit()
	e.Result(f.Results[0]).Header(func(h *ResultHeader) { h.FunctionName = "other" })
	e.process(func(p *Process) { p.ID = 2 })
	g := open(t, written(t, e))
	if r := g.Results[0]; r.FunctionName != "other" || r.Unknown.fields() != 1 || g.Blocks[0].Header.Unknown.fields() != 1 {
		t.Errorf("after an edit: %+v", r)
	}
}

func TestCompressed(t *testing.T) {
	plain := encodeReport(t, sampleReport())
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	packed := z.EncodeAll(plain, nil)
	f := open(t, packed)
	if !f.Compressed || len(f.Results) != 2 {
		t.Errorf("compressed %v, %d results", f.Compressed, len(f.Results))
	}
	if got := written(t, f.Edit()); !bytes.Equal(got, plain) {
		t.Error("the decompressed report is not written back as it was")
	}
	if !Sniff(packed) || !Sniff(packed[:20]) || Sniff(z.EncodeAll([]byte("something else, not a report"), nil)) {
		t.Error("Sniff does not look into the frame")
	}
	if _, err := OpenBytes(z.EncodeAll([]byte("something else"), nil), "x"); err == nil {
		t.Error("no error for a zstd file that is no report")
	}
	for _, cut := range []int{4, 10, len(packed) / 2, len(packed) - 1} {
		if f, err := OpenBytes(packed[:cut], "x"); err == nil && len(f.Problems()) == 0 {
			t.Errorf("cut at %d: no diagnostic", cut)
		}
	}
}

// TestCompressionBomb checks the limit on the decompressed size.
func TestCompressionBomb(t *testing.T) {
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	bomb := z.EncodeAll(append([]byte("NVR\x00"), make([]byte, 100<<20)...), nil)
	before := allocated()
	_, err = OpenBytes(bomb, "bomb")
	if !errors.Is(err, errTooLarge) {
		t.Errorf("error %v for %d bytes that become 100 MiB", err, len(bomb))
	}
	if n := allocated() - before; n > 32<<20 {
		t.Errorf("allocated %d bytes for %d", n, len(bomb))
	}
	report := z.EncodeAll(rawReport("NVR\x00", rawBlock{counts(1, 0), [][]byte{(&SourceData{Binary: make([]byte, 5<<20)}).encode()}}), nil)
	if _, err := OpenBytes(report, "x"); !errors.Is(err, errTooLarge) {
		t.Errorf("error %v, want the limit", err)
	}
	o := Options{MaxDecompressed: 8 << 20}
	if f, err := o.Open(bytes.NewReader(report), int64(len(report)), "x"); err != nil || len(f.Sources) != 1 {
		t.Errorf("with a higher limit: %v", err)
	}
}

// TestNothingUsable lists inputs that give one clear error.
func TestNothingUsable(t *testing.T) {
	le := binary.LittleEndian
	tests := []struct {
		name string
		b    []byte
		off  int64
		err  error
	}{
		{"empty", nil, 0, cursor.ErrCorrupt},
		{"text", []byte("hello, world, this is no report"), 0, cursor.ErrCorrupt},
		{"magic alone", []byte("NVR\x00"), 0, cursor.ErrCorrupt},
		{"huge file header", le.AppendUint32([]byte("NVR\x00"), 1<<31), 4, cursor.ErrCorrupt},
		{"no block", rawReport("NVR\x00"), 10, cursor.ErrTruncated},
		{"zeros", append(rawReport("NVR\x00"), make([]byte, 1000)...), 10, cursor.ErrCorrupt},
		{"huge block header", le.AppendUint32(rawReport("NVR\x00"), 1<<31), 10, cursor.ErrTruncated},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := OpenBytes(test.b, "bad.ncu-rep")
			var fe *formatError
			if !errors.As(err, &fe) || fe.File != "bad.ncu-rep" || fe.Offset != test.off || !errors.Is(err, test.err) {
				t.Errorf("got %v, want an error at offset %d wrapping %v", err, test.off, test.err)
			}
		})
	}
}

// TestFloods checks that many tiny pieces are not blown up.
func TestFloods(t *testing.T) {
	const n = 1 << 20
	empty := appendMessage(nil, &blockHeader{NumSources: Some(uint32(0)), NumResults: Some(uint32(0)), PayloadSize: Some(uint32(0))})
	many := counts(0, n/4)
	big := ResultData{ResultHeader: ResultHeader{FunctionName: "k"}}
	flood := func(field byte) []byte {
		return append(big.encode(nil), bytes.Repeat([]byte{field<<3 | 2, 0}, n/2)...)
	}
	section := appendLen(nil, resultSections, func(b []byte) []byte {
		return append(b, bytes.Repeat([]byte{5<<3 | 2, 0}, n/2)...)
	})
	tests := map[string][]byte{
		"blocks":   append(rawReport("NVR\x00"), bytes.Repeat(appendEntry(nil, empty), n/len(empty))...),
		"entries":  rawReport("NVR\x00", rawBlock{many, make([][]byte, n/4)}),
		"metrics":  rawReport("NVR\x00", rawBlock{counts(0, 1), [][]byte{flood(resultMetrics)}}),
		"sections": rawReport("NVR\x00", rawBlock{counts(0, 1), [][]byte{append(big.encode(nil), bytes.Repeat([]byte{0x8a, 0x01, 0}, n/3)...)}}),
		"bodies":   rawReport("NVR\x00", rawBlock{counts(0, 1), [][]byte{append(big.encode(nil), section...)}}),
		"unknown":  rawReport("NVR\x00", rawBlock{counts(0, 1), [][]byte{append(big.encode(nil), bytes.Repeat([]byte{0xaa, 0x06, 0}, n/3)...)}}),
	}
	for name, b := range tests {
		t.Run(name, func(t *testing.T) {
			guarded(t, name, len(b), func() {
				f, err := OpenBytes(b, "flood")
				if err != nil {
					return
				}
				for _, r := range f.Results {
					_, _ = r.Metrics()
					_, _ = r.Sections()
				}
			})
		})
	}
}

// TestStringDoubt loses a string table and expects no wrong name.
func TestStringDoubt(t *testing.T) {
	h1, h2 := counts(0, 1), counts(0, 1)
	h1.Strings = &stringTable{Strings: []string{"a", "b"}}
	h2.Strings = &stringTable{Strings: []string{"c"}}
	b := rawReport("NVR\x00", rawBlock{h1, [][]byte{result(5, 0, 1)}}, rawBlock{h2, [][]byte{result(6, 2)}})
	at := bytes.Index(b, []byte("\x0a\x01a\x0a\x01b"))
	b[at+1] = 0x70 // the first string now reaches beyond the table
	f, err := OpenBytes(b, "x")
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Results) != 2 || len(f.Problems()) == 0 {
		t.Fatalf("%d results, problems %v", len(f.Results), f.Problems())
	}
	ms, err := f.Results[1].Metrics()
	if err == nil || len(ms.All) != 1 || ms.All[0].Name != "" || ms.All[0].NameID != 2 {
		t.Errorf("metric %+v, error %v: want one without a name", ms.All, err)
	}
}

// TestConcurrentUse decodes from several goroutines; the race detector watches.
func TestConcurrentUse(t *testing.T) {
	f := open(t, encodeReport(t, sampleReport()))
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if _, err := decodeAll(f); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}
