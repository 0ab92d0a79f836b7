package table

import (
	"slices"
	"testing"
)

// names is an operation whose operand is one of two names: A where bit 72 is set, B
// where bit 73 is.
func names() *Op {
	bit := func(feature int32) Tree {
		return Tree{{Feature: feature, No: 1, Yes: 2}, {Feature: -1, Label: 0}, {Feature: -1, Label: 1}}
	}
	const operand = FirstOperand + 15
	return &Op{
		Code:     0x919,
		Features: []Feature{{Lo: 72, N: 1}, {Lo: 73, N: 1}},
		Groups:   []Group{{Slot: Mnemonic, Tree: Tree{{Feature: -1, Label: 1}}}, {Slot: operand, Tree: bit(0)}, {Slot: operand, Tree: bit(1)}},
		Tokens: []Token{
			{Slot: Mnemonic, Group: 0, Label: 1, Text: "S2R"},
			{Slot: operand, Group: 1, Label: 1, Text: "SR_A"},
			{Slot: operand, Group: 2, Label: 1, Text: "SR_B"},
		},
		Apart: []Apart{{First: 1, Second: 2}},
	}
}

// TestPieces: an operand shows what it was seen to show, or the word is undecided.
func TestPieces(t *testing.T) {
	b := Encode([]*Op{names()})
	tab, err := Decode(b)
	if err != nil {
		t.Fatal(err)
	}
	o := tab.Op(0x919)
	if o == nil {
		t.Fatal("the operation is not sound")
	}
	if !slices.Equal(o.Apart, names().Apart) {
		t.Errorf("read back: tokens apart are %v", o.Apart)
	}
	w := Word{Lo: 0x919}
	for _, c := range []struct {
		what string
		w    Word
		want string
	}{
		{"the first name", w.Flip(72), "SR_A"},
		{"the second name", w.Flip(73), "SR_B"},
		{"no name", w, ""},
		{"two names, of which neither stands before the other", w.Flip(72).Flip(73), ""},
	} {
		p, ok := o.Pieces(c.w)
		if ok != (c.want != "") || ok && (len(p) != 2 || p[1].Text != c.want) {
			t.Errorf("%s: got %v, %v, want %q", c.what, p, ok, c.want)
		}
	}
}

// TestApartIsWritten writes and reads many pairs.
func TestApartIsWritten(t *testing.T) {
	o := names()
	for range 300 {
		o.Tokens = append(o.Tokens, o.Tokens[2])
	}
	o.Apart = []Apart{{0, 1}, {0, 299}, {1, 2}, {7, 9}, {7, 200}, {300, 301}}
	tab, err := Decode(Encode([]*Op{o}))
	if err != nil {
		t.Fatal(err)
	}
	if got := tab.Op(0x919).Apart; !slices.Equal(got, o.Apart) {
		t.Errorf("got %v, want %v", got, o.Apart)
	}
}

// TestNext: the register behind another, of a descriptor that takes two.
func TestNext(t *testing.T) {
	f := Field{Form: Next, Runs: []Run{{Word: 64, Len: 6}}}
	for in, want := range map[uint64]int64{0: 1, 4: 5, 61: 62, 62: 63, 63: 63} {
		if got := f.Value(Word{}.With(64, 6, in)); got != want {
			t.Errorf("behind UR%d comes %d, want %d", in, got, want)
		}
	}
}
