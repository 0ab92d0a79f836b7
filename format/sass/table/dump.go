package table

import (
	"fmt"
	"strings"
)

// TreeString is the tree in brackets: (question no yes).
func (o *Op) TreeString(t Tree) string {
	var b strings.Builder
	var walk func(i int32)
	walk = func(i int32) {
		n := t[i]
		if n.Feature < 0 {
			fmt.Fprintf(&b, "%d", n.Label)
			return
		}
		f := o.Features[n.Feature]
		fmt.Fprintf(&b, "(%v%d+%d ", [...]string{"", "zero", "ones", "one", "pow2", "reuse", "shift"}[f.Test], f.Lo, f.N)
		walk(n.No)
		b.WriteByte(' ')
		walk(n.Yes)
		b.WriteByte(')')
	}
	if len(t) > 0 {
		walk(0)
	}
	return b.String()
}

// Dump is the operation as text, for those who make tables.
func (o *Op) Dump() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%03x fixed %x %x\n", o.Code, o.Fixed.Hi, o.Fixed.Lo)
	for i, g := range o.Groups {
		fmt.Fprintf(&b, "group %d slot %d presence %v %s\n", i, g.Slot, g.Presence, o.TreeString(g.Tree))
	}
	for _, t := range o.Tokens {
		fmt.Fprintf(&b, "token slot %d group %d label %d %q kind %d %v %s\n", t.Slot, t.Group, t.Label, t.Text, t.Kind, t.Fields, o.TreeString(t.Choice))
	}
	return b.String()
}
