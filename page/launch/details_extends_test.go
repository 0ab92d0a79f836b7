package launch

import (
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/format/ncurep"
	"github.com/gpuprof/gpuprof/section"
	"github.com/gpuprof/gpuprof/view"
)

// outline is the tree of sections as text: "A(B C(D))".
func outline(list []view.Section) string {
	var out []string
	for _, s := range list {
		text := s.ID
		if len(s.Sections) > 0 {
			text += "(" + outline(s.Sections) + ")"
		}
		out = append(out, text)
	}
	return strings.Join(out, " ")
}

// TestMerge moves sections into those that they extend. Nothing is lost where
// that leads nowhere or in a circle.
func TestMerge(t *testing.T) {
	for _, c := range []struct{ sections, want string }{
		{"A B", "A B"},
		{"A B>A C", "A(B) C"},
		{"B>A A", "A(B)"},
		{"A B>A C>B D>A", "A(B(C) D)"},
		{"A>Nowhere B", "A B"},
		{"A>A", "A"},
		{"A>B B>A C>A", "A(C) B"},
		{"A>B B>C C>A D>C", "A B C(D)"},
		{"A A B>A", "A(B) A"},
	} {
		var list []view.Section
		var defs []*section.Definition
		for f := range strings.FieldsSeq(c.sections) {
			id, parent, ok := strings.Cut(f, ">")
			def := &section.Definition{Identifier: id}
			if ok {
				def.Extends = ncurep.Some(parent)
			}
			list = append(list, view.Section{ID: id})
			defs = append(defs, def)
		}
		if got := outline(merge(list, defs)); got != c.want {
			t.Errorf("%s: %s, want %s", c.sections, got, c.want)
		}
	}
}
