package sass

import (
	"strconv"
	"strings"
	"testing"
)

// word parses 32 hex digits, bit 127 first.
func word(t testing.TB, s string) Word {
	t.Helper()
	hi, err := strconv.ParseUint(s[:16], 16, 64)
	if err != nil {
		t.Fatal(err)
	}
	lo, err := strconv.ParseUint(s[16:], 16, 64)
	if err != nil {
		t.Fatal(err)
	}
	return Word{Lo: lo, Hi: hi}
}

// vectors are words that a compiler made of PTX of our own.
var vectors = []struct {
	sm         int
	word, text string
}{
	{70, "00016200001f41fffffc5005121183a8", "@!P0 ATOMG.E.ADD.STRONG.GPU PT, R17, [R18+-0x3b0], R5 "},
	{70, "00092200000080060000001008067236", "HMMA.884.F16.F16.STEP1 R6, R8.ROW, R16.ROW, R6 "},
	{70, "0001e2000000e5000001401344007386", "STG.E.EF.U16.SYS [R68+0x140], R19 "},
	{80, "000fc400078e00ff0100000010107824", "IMAD.SHL.U32 R16, R16, 0x1000000, RZ "},
	{80, "0001e2000b901dc8007607e014117fae", "LDGSTS.E.BYPASS.LTC256B.128 [R17+0x760], [R20.64+0x7e0] "},
	{80, "000fea0003800000000000400000794" + "7", "BRA rel+0x40 "},
	{80, "000fca00078e00ff00000a00ff017624", "IMAD.MOV.U32 R1, RZ, RZ, c[0x0][0x28] "},
	{80, "000fe200000001ff00000004ff027435", "HFMA2.MMA R2, -RZ, RZ, 0, 2.384185791015625e-07 "},
	{80, "040fe200078e00ff800000000c1a7824", "IMAD.U32 R26, R12.reuse, -0x80000000, RZ "},
	{80, "000fea000383fffffffffff000007947", "BRA rel-0x10 "},
	{90, "000fe2000800081820e00000041879f0", "HGMMA.64x64x16.F32 R24, gdesc[UR4].tnspA, R24, gsb0 "},
	{90, "0001e2000d90e186000000040600798e", "REDG.E.INC.STRONG.GPU desc[UR6][R6.64], R4 "},
	{90, "0001e4000805000400000008060073b4", "UTMALDG.3D.IM2COL [UR8], [UR6], UR4 "},
}

func TestText(t *testing.T) {
	for _, v := range vectors {
		d := NewDecoder(v.sm)
		if got := d.Text(word(t, v.word), Unplaced, Nvdisasm); got != v.text {
			t.Errorf("sm_%d %s: got %q, want %q", v.sm, v.word, got, v.text)
		}
	}
}

func TestStyles(t *testing.T) {
	w := word(t, "040fe200078e00ff800000000c1a0824")
	for _, c := range []struct {
		sm    int
		style Style
		want  string
	}{
		{80, Nvdisasm, "@P0 IMAD.U32 R26, R12.reuse, -0x80000000, RZ "},
		{80, NsightCompute, "@P0   IMAD.U32 R26, R12, -0x80000000, RZ "},
		{75, NsightCompute, "@P0  IMAD.U32 R26, R12, -0x80000000, RZ "},
	} {
		if got := NewDecoder(c.sm).Text(w, 0, c.style); got != c.want {
			t.Errorf("sm_%d: got %q, want %q", c.sm, got, c.want)
		}
	}
	if got := NewDecoder(80).Text(word(t, "000fea000383fffffffffff000007947"), 0x1000, NsightCompute); got != "      BRA 0x1000" && got != "      BRA 0x1000 " {
		t.Errorf("a branch to itself at 0x1000: %q", got)
	}
}

// TestOperands checks that the parts of an operand say what its text says.
func TestOperands(t *testing.T) {
	d := NewDecoder(80)
	in := d.Decode(word(t, "0001e2000b901dc8007607e014117fae"))
	if in.Mnemonic != "LDGSTS" || !in.Has("BYPASS") || len(in.Operands) != 2 || !in.Guard.Always() {
		t.Fatalf("got %+v", in)
	}
	if o := in.Operands[1]; o.Kind != Memory || o.Register != 20 || o.Value != 0x7e0 || o.Uniform != None || o.Text != "[R20.64+0x7e0]" {
		t.Errorf("global address: %+v", o)
	}
	if a, ok := in.access(); !ok || a.Bits != 128 || a.Space != global || strings.Join(a.Hints, " ") != "BYPASS LTC256B" {
		t.Errorf("access %+v", a)
	}
	in = d.Decode(word(t, "000fca00078e00ff00000a00ff017624"))
	if o := in.Operands[3]; o.Kind != Constant || o.Bank != 0 || o.Value != 0x28 {
		t.Errorf("constant: %+v", o)
	}
	if o := in.Operands[1]; o.Kind != Register || o.Register != zeroRegister {
		t.Errorf("RZ: %+v", o)
	}
	in = d.Decode(word(t, "000fea000383fffffffffff000007947"))
	if pc, ok := in.Target(0x40); !ok || pc != 0x40 || in.Class() != ControlFlow {
		t.Errorf("branch to %#x, %v", pc, ok)
	}
	in = NewDecoder(90).Decode(word(t, "000fe2000800081820e00000041879f0"))
	if s, ok := in.tensor(); !ok || s != (tensorShape{M: 64, N: 64, K: 16, Type: "F16", Result: "F32"}) {
		t.Errorf("tensor shape %+v", s)
	}
}

func TestControl(t *testing.T) {
	c := controlOf(word(t, "001fda0003f0627000005a0005007a0c"))
	if c.Stall != 13 || c.Wait != 1 || c.WriteBarrier != -1 || c.ReadBarrier != -1 {
		t.Errorf("got %+v", c)
	}
	if s := c.String(); s != "0-----:-:-:-:S13" && s != "0-----:-:-:Y:S13" {
		t.Errorf("got %s", s)
	}
	if c := controlOf(word(t, "000e24000000210000000000"+"00057919")); c.WriteBarrier != 0 || c.Stall != 2 {
		t.Errorf("got %+v", c)
	}
}

// TestUnknown checks that nothing is guessed.
func TestUnknown(t *testing.T) {
	for _, c := range []struct {
		name, word string
		sm         int
	}{
		{"no such operation", "000fe200000000000000000000007fff", 80},
		{"a bit that no instruction has", "000fe240078e00ff0100000010107824", 90},
		{"a GPU that is not known", "000fc400078e00ff0100000010107824", 120},
		{"the tables are of Volta and later", "000fc400078e00ff0100000010107824", 61},
	} {
		d := NewDecoder(c.sm)
		w := word(t, c.word)
		in := d.Decode(w)
		if text, ok := d.AppendText(nil, w, 0, Nvdisasm); ok || in.Known() || string(text) != "0x"+c.word {
			t.Errorf("%s: got %q", c.name, text)
		}
		if in.Control != controlOf(w) {
			t.Errorf("%s: control bits %+v", c.name, in.Control)
		}
	}
}

// TestTablesLoad checks that every table of the binary can be read, and how much
// they take.
func TestTablesLoad(t *testing.T) {
	for sm, name := range architectures {
		tab := tableOf(sm)
		if tab == nil {
			t.Fatalf("%s: no table", name)
		}
		n := 0
		for _, c := range tab.Codes() {
			if tab.Op(c) == nil {
				t.Errorf("%s: operation %03x is broken", name, c)
			}
			n++
		}
		if n < 300 {
			t.Errorf("%s: only %d operations", name, n)
		}
	}
	size := 0
	files, err := tables.ReadDir("tables")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		b, _ := tables.ReadFile("tables/" + f.Name())
		size += len(b)
	}
	if size > 4<<20 {
		t.Errorf("tables of %d bytes, more than 4 MB", size)
	}
}

// TestOperationsHaveClasses checks that every mnemonic of the tables is explained.
func TestOperationsHaveClasses(t *testing.T) {
	for sm := range architectures {
		tab := tableOf(sm)
		for _, c := range tab.Codes() {
			for _, tok := range tab.Op(c).Tokens {
				if tok.Slot == 0 && tok.Text != "" {
					if o, ok := Lookup(tok.Text); !ok || o.Meaning == "" {
						t.Errorf("sm_%d: nothing is said of %s", sm, tok.Text)
					}
				}
			}
		}
	}
}
