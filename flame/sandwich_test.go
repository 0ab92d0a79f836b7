package flame

import "testing"

// TestSandwichOfRanges: a range counts as itself in both halves of the sandwich, as in its row,
// not as the ranges inside it.
func TestSandwichOfRanges(t *testing.T) {
	b := newBuilder("ns")
	b.Whole = true
	add := func(parent int32, name string, self, count int64) int32 {
		n := b.node(parent, b.name(name))
		b.Self[n], b.Count[n] = self, count
		return n
	}
	step := add(add(-1, "epoch", 5, 1), "step", 20, 2)
	add(add(step, "layer", 30, 6), "step", 7, 3) // within itself
	p := b.Profile
	var row Function
	for _, f := range p.Functions() {
		if f.Name == "step" {
			row = f
		}
	}
	if row != (Function{Name: "step", Self: 27, Total: 57, Count: 2}) {
		t.Fatalf("the row is %+v", row)
	}
	v := View{Pixels: 1000}
	for what, boxes := range map[string][]Box{"callees": p.Callees("step").LeftHeavy(v), "callers": p.Callers("step").LeftHeavy(v)} {
		if m := boxes[0]; m.Name != "step" || m.Total != row.Total || m.Count != row.Count {
			t.Errorf("%s: the box in the middle is %+v, its row %+v", what, m, row)
		}
	}
	var self int64
	for _, m := range p.Callees("step").LeftHeavy(v) {
		if m.Name == "step" {
			self += m.Self
		}
	}
	if self != row.Self {
		t.Errorf("its boxes have %d by themselves, its row %d", self, row.Self)
	}
}
