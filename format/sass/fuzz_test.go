package sass

import (
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/format/sass/table"
)

// FuzzDecode decodes any word for any architecture. What is known has the same
// text piece by piece as in one go.
func FuzzDecode(f *testing.F) {
	for _, v := range vectors {
		w := word(f, v.word)
		f.Add(v.sm, w.Lo, w.Hi)
	}
	decoders := map[int]*Decoder{}
	f.Fuzz(func(t *testing.T, sm int, lo, hi uint64) {
		d := decoders[sm]
		if d == nil {
			d = NewDecoder(sm)
			decoders[sm] = d
		}
		w := Word{Lo: lo, Hi: hi}
		in := d.Decode(w)
		text, ok := d.AppendText(nil, w, Unplaced, Nvdisasm)
		if ok != in.Known() {
			t.Fatalf("text %q, known %v", text, in.Known())
		}
		in.Effects()
		in.access()
		in.tensor()
		d.AppendText(nil, w, hi, NsightCompute)
		if !ok {
			return
		}
		parts := []string{}
		if g := in.Guard.String(); g != "" {
			parts = append(parts, g)
		}
		parts = append(parts, strings.Join(append([]string{in.Mnemonic}, in.Modifiers...), "."))
		ops := []string{}
		for _, o := range in.Operands {
			ops = append(ops, o.Text)
		}
		if len(ops) > 0 {
			parts = append(parts, strings.Join(ops, ", "))
		}
		if got := strings.Join(parts, " "); strings.TrimRight(got, " ") != strings.TrimRight(string(text), " ") {
			t.Errorf("parts %q, text %q", got, text)
		}
	})
}

// FuzzTable reads broken tables.
func FuzzTable(f *testing.F) {
	op := &table.Op{Code: 0x123, Features: []table.Feature{{Lo: 16, N: 1}},
		Groups: []table.Group{{Tree: table.Tree{{Feature: 0, No: 1, Yes: 2}, {Feature: -1, Label: 1}, {Feature: -1, Label: -1}}}},
		Tokens: []table.Token{{Text: "X", Label: 1}}}
	f.Add(table.Encode([]*table.Op{op}), uint64(0x123), uint64(0))
	f.Fuzz(func(t *testing.T, b []byte, lo, hi uint64) {
		tab, err := table.Decode(b)
		if err != nil {
			return
		}
		d := NewDecoderFor(80, tab)
		w := Word{Lo: lo, Hi: hi}
		d.Decode(w)
		d.Text(w, 0, NsightCompute)
	})
}
