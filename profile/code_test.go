package profile

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestInstructions(t *testing.T) {
	for _, c := range []struct {
		arch int
		size uint64
		want []uint64
	}{
		{80, 0x30, []uint64{0x100, 0x110, 0x120}},
		{0, 0x18, []uint64{0x100}},
		{61, 0x40, []uint64{0x108, 0x110, 0x118, 0x128, 0x130, 0x138}},
		{35, 0x48, []uint64{0x108, 0x110, 0x118, 0x120, 0x128, 0x130, 0x138}},
		{80, 0, nil},
		{61, 7, nil},
	} {
		f := Function{Address: 0x100, Size: c.size}
		if d := cmp.Diff(c.want, f.Instructions(c.arch)); d != "" {
			t.Errorf("arch %d, %d bytes: -want +got:\n%s", c.arch, c.size, d)
		}
	}
}

func TestFunctionAt(t *testing.T) {
	c := &Code{Functions: []Function{{Name: "a", Address: 0x100, Size: 0x10}, {Name: "unknown"}, {Name: "last", Address: math.MaxUint64 - 0xf, Size: 0x10}, {Name: "b", Address: 0x200}}}
	indexed := *c
	indexed.Index()
	for _, x := range []struct {
		pc   uint64
		want string
	}{{0xff, ""}, {0x100, "a"}, {0x10f, "a"}, {0x110, ""}, {0x200, "b"}, {0x300, "b"}, {math.MaxUint64, "last"}, {0, ""}} {
		for _, c := range []*Code{c, &indexed} {
			got := ""
			if f := c.FunctionAt(x.pc); f != nil {
				got = f.Name
			}
			if got != x.want {
				t.Errorf("FunctionAt(%#x) = %q, want %q", x.pc, got, x.want)
			}
		}
	}
}
