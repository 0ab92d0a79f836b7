package ncurep

import (
	"bytes"
	"io"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
)

// bounded runs f and fails if it takes much memory or long.
func bounded(t *testing.T, size int, f func()) {
	start, before := time.Now(), allocated()
	f()
	if n := allocated() - before; n > allocationLimit(size) {
		t.Errorf("allocated %d bytes for %d", n, size)
	}
	if d := time.Since(start); d > 5*time.Second {
		t.Errorf("took %v", d)
	}
}

// FuzzOpen opens anything, decodes all of it and writes it back. What is written
// must open without a complaint about its container.
func FuzzOpen(f *testing.F) {
	sample := encodeReport(f, sampleReport())
	f.Add(sample)
	f.Add(sample[:len(sample)*2/3])
	f.Add(encodeReport(f, &Report{}))
	z, err := zstd.NewWriter(nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(z.EncodeAll(encodeReport(f, &Report{Results: []*ResultData{sampleResult(0)}}), nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		size := len(b)
		if bytes.HasPrefix(b, magicZstd) {
			size = 1<<20 + 101*len(b) // what it may become
		}
		bounded(t, size, func() {
			r, err := OpenBytes(b, "fuzz")
			if err != nil {
				wantFormatError(t, err, int64(size))
				return
			}
			_, _ = decodeAll(r)
			var out bytes.Buffer
			if _, err := r.WriteTo(&out); err != nil {
				t.Fatal(err)
			}
			back, err := OpenBytes(out.Bytes(), "back")
			if err != nil {
				t.Fatalf("what was written does not open: %v", err)
			}
			if len(r.Problems()) == 0 && (len(back.Results) != len(r.Results) || len(back.Strings) != len(r.Strings) || len(back.Problems()) > 0) {
				t.Fatalf("%d results and %d strings, want %d and %d; %v", len(back.Results), len(back.Strings), len(r.Results), len(r.Strings), back.Problems())
			}
		})
	})
}

// FuzzMetrics decodes a result entry.
func FuzzMetrics(f *testing.F) {
	ids := map[string]uint32{}
	id := func(name string) uint32 {
		if _, ok := ids[name]; !ok {
			ids[name] = uint32(len(ids))
		}
		return ids[name]
	}
	f.Add(sampleResult(0).encode(id))
	f.Add((&ResultData{}).encode(id))
	f.Fuzz(func(t *testing.T, entry []byte) {
		h := counts(0, 1)
		h.Strings = &stringTable{Strings: []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"}}
		b := rawReport("NVR\x00", rawBlock{h, [][]byte{entry}})
		bounded(t, len(b), func() {
			r, err := OpenBytes(b, "fuzz")
			if err != nil || len(r.Results) == 0 {
				return
			}
			d, err := r.Results[0].data()
			if err != nil || r.Results[0].Broken != nil {
				return
			}
			// What decodes without a complaint keeps its content through the writer.
			at := func(name string) uint32 { id := r.canon[name]; return id }
			c1 := d.encode(at)
			r2, err := OpenBytes(rawReport("NVR\x00", rawBlock{h, [][]byte{c1}}), "again")
			if err != nil {
				t.Fatal(err)
			}
			d2, err := r2.Results[0].data()
			if err != nil {
				t.Fatal(err)
			}
			if c2 := d2.encode(at); !bytes.Equal(c1, c2) {
				t.Fatalf("encodes to %d bytes, then to %d", len(c1), len(c2))
			}
		})
	})
}

// fuzzMessage decodes a message; what it encodes to is stable.
func fuzzMessage[M any](f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte) {
		bounded(t, len(b), func() {
			d := newDecoder("fuzz", 0, b)
			m := newMessage[M](d, wireValue{b: b})
			once := appendMessage[M](nil, m)
			if len(d.problems) > 0 {
				wantFormatError(t, d.problems[0], int64(len(b)))
				return
			}
			d = newDecoder("again", 0, once)
			d.budget += budgetFor(int64(len(b)))
			again := newMessage[M](d, wireValue{b: once})
			if err := d.problems.err(); err != nil {
				t.Fatalf("what was encoded does not decode: %v", err)
			}
			if twice := appendMessage[M](nil, again); !bytes.Equal(once, twice) {
				t.Fatalf("encodes to %x, then to %x", once, twice)
			}
		})
	})
}

func FuzzSection(f *testing.F) {
	f.Add(appendMessage(nil, sampleSection()))
	f.Add(appendMessage(nil, &Section{Identifier: "x", Bodies: []*SectionBody{{Items: []*BodyItem{
		{RooflineChart: &RooflineChart{Rooflines: []*Roofline{{PeakWork: &RooflineValue{Constant: Some(2.0)}}}}},
		{Timeline: &Timeline{Groups: []*timelineGroup{{Rows: []*timelineRow{{Metrics: []*SectionMetric{{Name: "m", Multiplier: Some(2.0)}}}}}}}},
		{SuffixTable: &SuffixTable{Suffixes: &Suffixes{Suffixes: []*Suffix{{Name: ".sum"}}}, BaseNames: &BaseNames{}}},
	}}}}))
	fuzzMessage[Section](f)
}

func FuzzRule(f *testing.F) {
	f.Add(appendMessage(nil, sampleRule()))
	fuzzMessage[RuleResult](f)
}

func FuzzNvtx(f *testing.F) {
	f.Add(appendMessage(nil, sampleResult(0).Nvtx))
	fuzzMessage[NvtxState](f)
}

func FuzzBlockHeader(f *testing.F) {
	f.Add(appendMessage(nil, &blockHeader{NumSources: Some(uint32(1)), Session: sampleReport().Session, Strings: &stringTable{Strings: []string{"a"}}, PayloadSize: Some(uint32(5))}))
	fuzzMessage[blockHeader](f)
}

// FuzzCubin parses an ELF file with all that is in it.
func FuzzCubin(f *testing.F) {
	f.Add(sampleCubin())
	f.Fuzz(func(t *testing.T, b []byte) {
		bounded(t, 3*len(b), func() { // sections may overlap
			c, err := ParseCubin(b, "fuzz")
			if err != nil {
				wantFormatError(t, err, int64(len(b)))
				return
			}
			for i := range c.Functions {
				_ = c.text(&c.Functions[i])
			}
			_ = c.PTX()
			walkLines(c.Lines())
			walkLines(c.PTXLines())
		})
	})
}

// FuzzLineTable runs a line number program within a sound cubin.
func FuzzLineTable(f *testing.F) {
	f.Add(sampleLines(0))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, b []byte) {
		c := &Cubin{name: "fuzz", b: b, sections: []elfSection{{}, {name: ".debug_line", typ: 1, size: uint64(len(b))}}}
		bounded(t, 2*len(b), func() { walkLines(c.Lines()) })
	})
}

// walkLines looks up every row of a table.
func walkLines(t *LineTable) {
	for i := range t.Sequences {
		s := &t.Sequences[i]
		for k := 0; k < len(s.Rows); k += 1 + len(s.Rows)/100 {
			rows, seq := t.Find(s.Section, s.Rows[k].Offset)
			loc := location{Rows: rows, seq: seq, tab: t}
			if len(rows) > 0 {
				io.WriteString(io.Discard, t.Line(&rows[0]).File)
			}
			_ = loc.inlined()
		}
	}
}
