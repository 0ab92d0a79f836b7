package sasslearn

import "testing"

// TestMend takes an operation that was learned from more, keeps one that does not get
// better, and takes none that is wrong where the old one is not.
func TestMend(t *testing.T) {
	const add, load = 0x210, 0x381
	pairs := func(n int, keep func(Pair) bool) (out []Pair) {
		for _, p := range toyWords(3, n, true) {
			if keep(p) {
				out = append(out, p)
			}
		}
		return out
	}
	few := Learn(pairs(12, func(Pair) bool { return true }), Options{})
	many := Learn(pairs(300, func(p Pair) bool { return p.Word.Op() == add }), Options{})
	test := toyWords(4, 400, false)
	var took []int
	got, err := Mend(few, many, test, func(code int, was, now *Score) { took = append(took, code) })
	if err != nil || len(took) != 1 || took[0] != add || len(got) != 2 || got[0] != many[0] || got[1].Code != load {
		t.Fatalf("took %x of %d operations, %v", took, len(got), err)
	}
	if _, err := Mend(got, few, test, func(code int, was, now *Score) { t.Errorf("%x was taken: %v, was %v", code, now, was) }); err != nil {
		t.Fatal(err)
	}

	// Texts that are wrong are no gain, however many are exact.
	lies := pairs(300, func(p Pair) bool { return p.Word.Op() == add })
	for i := range lies {
		if lies[i].Word.Field(76, 2) == 1 && lies[i].Text != "" {
			lies[i].Text = "SUB" + lies[i].Text[3:]
		}
	}
	if _, err := Mend(few, Learn(lies, Options{}), test, func(code int, was, now *Score) { t.Errorf("%x was taken: %v, was %v", code, now, was) }); err != nil {
		t.Fatal(err)
	}
}
