package table

import "testing"

func TestControlAllows(t *testing.T) {
	c := Control{NoStall: 1<<16 | 1<<31, NoWrite: true, NoReuse: [ReuseKinds]uint8{1: 1 << 6, 2: 1 << 4}}
	base := Word{}.With(110, 3, 7).With(113, 3, 7)
	for _, k := range []struct {
		name string
		w    Word
		want bool
	}{
		{"a stall of 4", base.With(105, 5, 4), true},
		{"a stall that no instruction has", base.With(105, 5, 16), false},
		{"a scoreboard for the results", base.With(105, 5, 4).With(110, 3, 0), false},
		{"a scoreboard for the operands", base.With(105, 5, 4).With(113, 3, 0), true},
		{"hints", base.With(105, 5, 4).With(122, 3, 4), true},
		{"hints that there are none of", base.With(105, 5, 4).With(122, 3, 6), false},
		{"a register that is reused", base.With(105, 5, 20).With(122, 3, 2), true},
		{"a third one", base.With(105, 5, 20).With(122, 3, 4), false},
	} {
		if got := c.Allows(k.w); got != k.want {
			t.Errorf("%s: allowed %v", k.name, got)
		}
	}
	if !(&Control{}).Allows(base) {
		t.Error("the zero value refuses a word")
	}
}
