package sasslearn

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/format/sass"
	"github.com/gpuprof/gpuprof/format/sass/table"
)

// toy is the text of a word of a made-up instruction set with two operations: ADD
// with signs, a type, a carry that is hidden when it is PT, and an alias for a zero
// source; LOAD with an address of which each part may be missing. Words with the
// type 3 and words with bit 100 set are no instructions.
func toy(w table.Word) string {
	reg := func(lo int) string {
		if v := w.Field(lo, 8); v != 255 {
			return fmt.Sprintf("R%d", v)
		}
		return "RZ"
	}
	pred := func(p string, lo int) string {
		if v := w.Field(lo, 3); v != 7 {
			return fmt.Sprintf("%s%d", p, v)
		}
		return p + "T"
	}
	var b strings.Builder
	if g := w.Field(12, 4); g != 7 {
		b.WriteString("@")
		if g >= 8 {
			b.WriteString("!")
		}
		b.WriteString(pred("P", 12) + " ")
	}
	if w.Bit(100) == 1 {
		return ""
	}
	switch w.Op() {
	case 0x210:
		kind := [...]string{"", ".U32", ".S16", "?"}[w.Field(76, 2)]
		if kind == "?" {
			return ""
		}
		b.WriteString("ADD")
		if w.Field(24, 8) == 255 {
			b.WriteString(".MOVE")
		}
		b.WriteString(kind + " " + reg(16))
		if w.Field(81, 3) != 7 {
			b.WriteString(", " + pred("P", 81))
		}
		sign := ""
		if w.Bit(72) == 1 {
			sign = "-"
		}
		v := int32(w.Field(32, 32))
		hex := fmt.Sprintf("%#x", uint32(v))
		if v < 0 {
			hex = fmt.Sprintf("-%#x", -int64(v))
		}
		b.WriteString(", " + sign + reg(24) + ", " + hex)
	case 0x381:
		b.WriteString("LOAD" + [...]string{"", ".64"}[w.Bit(73)] + " " + reg(16) + ", [")
		off := int64(w.Field(40, 24)<<40) >> 40
		base := w.Field(24, 8) != 255 || off == 0
		if base {
			b.WriteString(reg(24))
		}
		if off != 0 {
			if base {
				b.WriteString("+")
			}
			if off < 0 {
				b.WriteString("-")
				off = -off
			}
			fmt.Fprintf(&b, "%#x", off)
		}
		b.WriteString("]")
	}
	b.WriteString(" ")
	return b.String()
}

// toyWords makes words like those of a compiler, each with its flips if asked.
func toyWords(seed uint64, n int, flips bool) []Pair {
	r := rand.New(rand.NewPCG(seed, 0))
	var out []Pair
	reg := func() uint64 {
		if r.IntN(5) == 0 {
			return 255
		}
		return r.Uint64N(40)
	}
	for i := range n {
		op := uint64(0x210)
		if i%2 == 1 {
			op = 0x381
		}
		w := table.Word{}.With(0, 12, op).With(12, 4, 7).With(16, 8, reg()).With(24, 8, reg()).With(72, 2, r.Uint64N(4)).
			With(76, 2, r.Uint64N(3)).With(81, 3, 7).With(105, 4, 1+r.Uint64N(10)).With(110, 6, 0x3f)
		if op == 0x210 {
			w = w.With(32, 32, r.Uint64()>>r.IntN(33)).With(73, 1, 0)
			if r.IntN(3) == 0 {
				w = w.With(81, 3, r.Uint64N(7))
			}
		} else {
			w = w.With(72, 1, 0).With(76, 2, 0).With(40, 24, []uint64{0, r.Uint64N(1 << 12), -r.Uint64N(1 << 12)}[r.IntN(3)])
		}
		if r.IntN(4) == 0 {
			w = w.With(12, 4, r.Uint64N(16))
		}
		out = append(out, Pair{w, toy(w)})
		if flips {
			for b := 16; b < 105; b++ {
				out = append(out, Pair{w.Flip(b), toy(w.Flip(b))})
			}
		}
	}
	return out
}

func toyTable(t testing.TB, pairs []Pair) *sass.Decoder {
	t.Helper()
	b := table.Encode(Learn(pairs, Options{}))
	tab, err := table.Decode(b)
	if err != nil {
		t.Fatal(err)
	}
	return sass.NewDecoderFor(0, tab)
}

// TestLearn learns the made-up instruction set and checks words that it has not
// seen: the text is right or hex, and seldom hex.
func TestLearn(t *testing.T) {
	d := toyTable(t, append(toyWords(1, 60, true), toyWords(2, 1500, false)...))
	s := Measure(d, toyWords(3, 20_000, false))
	if s.Wrong > 0 || 200*s.Hex > s.Words {
		t.Errorf("%v", s)
		for _, f := range s.Failures(5) {
			t.Error(f)
		}
	}
	// Words that are no instructions, and words with a bit that none has.
	for _, p := range toyWords(4, 200, false) {
		for _, w := range []table.Word{p.Word.Flip(100), p.Word.Flip(96)} {
			if text, known := d.AppendText(nil, w, sass.Unplaced, sass.Nvdisasm); known && string(text) != toy(w) {
				t.Fatalf("%x: got %q, want %q", w, text, toy(w))
			}
		}
	}
}

// TestLearnIsDeterministic learns twice.
func TestLearnIsDeterministic(t *testing.T) {
	pairs := append(toyWords(1, 20, true), toyWords(2, 300, false)...)
	a, b := table.Encode(Learn(pairs, Options{})), table.Encode(Learn(pairs, Options{}))
	if string(a) != string(b) {
		t.Error("the same pairs gave two tables")
	}
}

func TestRead(t *testing.T) {
	for _, text := range []string{
		"@!P0 LDG.E.64 R2, [R4.64+UR8+-0x10] ", "NOP", "FADD R1, -|R2|.reuse, +INF  ", "HMMA.16816.F32 R4, R8.reuse, R2, R4 ",
		"STG.E desc[UR4][R2.64+0x4], R0 ", "DEPBAR {3,2} ", "LDC R1, c[0x0][R3+0x28] ", "HADD2 R0, R1.H0_H0, -c[0x0] [0x10].H1_H1 ",
		"BRX R2 rel-0x40 ", "FMUL R0, R1, -0.0  ", "MUFU.RCP R0, 1.07374182400000000000e+09 ", "IADD3 R0, P0, PT, R1, ~R2, R3, !P1, !PT ",
	} {
		r, ok := read(text)
		if !ok || !r.named {
			t.Errorf("%q is not read", text)
			continue
		}
		if len(r.tokens) == 0 || r.tokens[0].slot != table.Mnemonic {
			t.Errorf("%q: %+v", text, r.tokens)
		}
	}
	if r, ok := read("F2F.INVALID3 R0, R1 "); !ok || r.named {
		t.Errorf("a value without a name: %+v, %v", r, ok)
	}
}

func TestReadPairs(t *testing.T) {
	p, err := ReadPairs(strings.NewReader("000fe200000000000000000000007918\tNOP\n000fe200000000000000000000000fff\n000fe200000000000000000000007918\t~\n"))
	if err != nil || len(p) != 2 || p[0].Text != "NOP" || p[1].Text != "" || p[0].Word.Op() != 0x918 {
		t.Errorf("%v, %v", p, err)
	}
	if _, err := ReadPairs(strings.NewReader("xyz\n")); err == nil || !strings.Contains(err.Error(), "line 1") {
		t.Errorf("error %v", err)
	}
}

// TestReadLong: a text that is longer than any instruction's is not taken apart. The
// time for it would grow with the square of its length, and the 257th of equal tokens
// would count as the first.
func TestReadLong(t *testing.T) {
	const start = "LDG R2, "
	if r, ok := read(start + strings.Repeat("-", maxText-len(start))); !ok || len(r.tokens) != 2+maxText-len(start) {
		t.Errorf("%d tokens, %v", len(r.tokens), ok)
	}
	for _, n := range []int{maxText + 1, 1 << 20} {
		if r, ok := read(start + strings.Repeat("-", n-len(start))); ok || len(r.tokens) > 0 {
			t.Errorf("%d bytes: %d tokens, %v", n, len(r.tokens), ok)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add("@!P0 LDG.E.64 R2, [R4.64+UR8+-0x10] ")
	f.Add("HADD2 R0, -1.5, 0x")
	f.Add("FFMA R0, " + strings.Repeat("-", maxText))
	f.Fuzz(func(t *testing.T, text string) { read(text) })
}

// TestLearnControl tells what is wrong with words that differ from instructions in
// control bits alone.
func TestLearnControl(t *testing.T) {
	base := table.Word{Lo: 0x210}.With(105, 5, 4).With(110, 3, 7).With(113, 3, 7)
	pairs := []Pair{
		{base, "IADD3 R0, R1, R2, R3 "},
		{base.With(105, 5, 20).With(122, 3, 1), "IADD3 R0, R1.reuse, R2, R3 "},
		{base.With(105, 5, 20), "IADD3 R0, R1, R2, R3 "},
		{base.With(116, 6, 63), "IADD3 R0, R1, R2, R3 "},
		{base.With(105, 5, 16), ""},
		{base.With(110, 3, 2), ""},
		{base.With(105, 5, 20).With(122, 3, 4), ""},
		{base.With(113, 3, 2).With(105, 5, 28), ""}, // one of the two is wrong, or both: nothing is learned
		{base.With(105, 5, 20).With(32, 8, 9).With(113, 3, 1), ""},
	}
	op := &table.Op{Code: 0x210}
	LearnControl([]*table.Op{op}, pairs)
	if want := (table.Control{NoStall: 1 << 16, NoWrite: true, NoReuse: [table.ReuseKinds]uint8{2: 1 << 4}}); op.Control != want {
		t.Errorf("got %+v, want %+v", op.Control, want)
	}
}

// TestSignByType: an immediate that is signed where bit 74 is 0. Small numbers tell
// nothing of the type, and are printed all the same.
func TestSignByType(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	pair := func(unsigned bool, v uint32) Pair {
		w := table.Word{Lo: 0x906}.With(12, 4, 7).With(16, 8, 3).With(32, 32, uint64(v)).With(105, 5, 4).With(110, 6, 63)
		if unsigned {
			return Pair{w.With(74, 1, 1), fmt.Sprintf("I2F.U32 R3, %#x ", v)}
		}
		if int32(v) < 0 {
			return Pair{w, fmt.Sprintf("I2F R3, -%#x ", -int64(int32(v)))}
		}
		return Pair{w, fmt.Sprintf("I2F R3, %#x ", v)}
	}
	var pairs []Pair
	for i := range 60 {
		v := r.Uint32()
		if i%2 == 1 {
			v >>= 12
		}
		pairs = append(pairs, pair(false, v), pair(true, v))
	}
	d := toyTable(t, pairs)
	for _, p := range []Pair{pair(false, 8), pair(false, 0xfffffff8), pair(true, 8), pair(true, 0xfffffff8)} {
		if got := d.Text(p.Word, sass.Unplaced, sass.Nvdisasm); got != p.Text {
			t.Errorf("got %q, want %q", got, p.Text)
		}
	}
}

// TestNames: a name is one token, however many parts it has.
func TestNames(t *testing.T) {
	for text, want := range map[string]int{"S2R R3, SR_TID.X ": 4, "BMOV.32 B1, THREAD_STATE_ENUM.1 ": 5, "PLOP3.LUT P1, R5.SIGN ": 6} {
		r, ok := read(text)
		if !ok || len(r.tokens) != want {
			t.Errorf("%q: %d tokens %+v, want %d", text, len(r.tokens), r.tokens, want)
		}
	}
}
