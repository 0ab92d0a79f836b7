package nvtxfilter

import (
	"errors"
	"testing"
)

// Any text parses or gives an error inside the text; what parses can be matched,
// and Compat only ever takes matches away.
func FuzzParse(f *testing.F) {
	for _, v := range readVectors(f) {
		f.Add(v.expr, "A", "B")
	}
	f.Add(`regex:D[0-9]@/[A-Z]x\/y/*/+/B[0-9/]`, "A", "[")
	f.Add(`a\\]`, `a\`, "")
	f.Fuzz(func(t *testing.T, text, low, high string) {
		e, err := Parse(text)
		if err != nil {
			var s *SyntaxError
			if !errors.As(err, &s) || s.Expr != text || s.Offset < 0 || s.Offset > len(text) || s.Want == "" || s.Found == "" {
				t.Fatalf("%q: error %#v", text, err)
			}
			return
		}
		if e.String() != text || e.Domain() == "" {
			t.Fatalf("%q: parsed as %q, domain %q", text, e, e.Domain())
		}
		s := State{Domains: []Domain{{PushPop: []string{low, high, low}, StartEnd: []string{high}}, {Name: high, PushPop: []string{low}}}}
		plain, compat := Filter{Include: []*Expr{e}}, Filter{Include: []*Expr{e}, Compat: true}
		if compat.Match(s) && !plain.Match(s) {
			t.Fatalf("%q matches %q only in compat mode", text, s)
		}
	})
}
