package nvtxfilter

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestParseErrors(t *testing.T) {
	for _, c := range []struct {
		expr   string
		offset int
		want   string // in the message
		err    error
	}{
		{"*/B", 0, `expected a range name below the operator, found "*"`, ErrInvalid},
		{"D1@//+/B", 5, `found "+"`, ErrInvalid},
		{"*/", 0, "range name", ErrInvalid},
		{"@", 0, `expected a domain name before "@"`, ErrInvalid},
		{"@A", 0, "domain name", ErrInvalid},
		{"regex:@A", 6, "domain name", ErrInvalid},
		{"DomainA@RangeA,DomainB@RangeB", 22, `found a second "@"`, ErrInvalid},
		{"regex:(", 6, "missing closing )", ErrInvalid},
		{"regex:D(@A", 6, "missing closing )", ErrInvalid},
		{"regex:A,B[", 9, "missing closing ]", ErrInvalid},
		{"regex:A/x**/", 9, "invalid nested repetition", ErrInvalid},
		{"regex:[*", 7, "missing argument to repetition", ErrInvalid},
		{"regex:A/x*+", 9, "RE2 syntax", ErrUnsupported},
		{"regex:(?=A)B/", 6, "RE2 syntax", ErrUnsupported},
		{`regex:(A)\1/`, 9, "invalid escape", ErrUnsupported},
		{"regex:a{2000}/", 7, "invalid repeat count", ErrUnsupported},
	} {
		_, err := Parse(c.expr)
		var s *SyntaxError
		if !errors.As(err, &s) {
			t.Errorf("%q: error %v, want a SyntaxError", c.expr, err)
			continue
		}
		if s.Expr != c.expr || s.Offset != c.offset || !strings.Contains(s.Error(), c.want) || !errors.Is(err, c.err) {
			t.Errorf("%q: %v (%v), want offset %d and %q (%v)", c.expr, err, s.Err, c.offset, c.want, c.err)
		}
		vendor := ""
		if c.err == ErrInvalid {
			vendor = "Invalid configuration for nvtx-exclude : " + c.expr
		}
		if got := s.Vendor("nvtx-exclude"); got != vendor {
			t.Errorf("%q: vendor message %q, want %q", c.expr, got, vendor)
		}
	}
}

// What follows from the mechanism beyond the measured expressions.
func TestInferred(t *testing.T) {
	for _, c := range []struct {
		expr, state   string
		match, compat bool
	}{
		{"A/+/*/B", ": A>B", true, true},    // the last operator counts
		{"A/+/", ": A", true, true},         // an operator after the last name has no effect
		{"A/+", ": A", true, true},          //
		{"[*/B", ": *>B", true, true},       // brackets come off after operators are told
		{"*]", ": A>*", true, true},         //
		{"*", ": ; *", true, true},          // no operators among start/end ranges
		{`A/\*/B`, ": A>*>B", true, true},   // an escaped operator is a name
		{`A/\*/B`, ": A>X>B", false, false}, //
		{"/A", ": A", true, true},           // slashes without a name between are one
		{"///A///", ": A", true, true},      //
		{"/", ": A", false, false},          // the empty name is nobody's
		{"regex:/", ": A", true, true},      // the empty regular expression is everybody's
		{"A,", ": ; A", false, false},       // commas are not: the second name is empty
		{"A,A", ": ; A", true, true},        // each name is looked for by itself
		{"D@", "D: ; A", false, false},      //
		{"B]/", ": B]", true, true},         // only a bracket at the end of the text is an operator
		{`A\]`, ": ; A]", true, true},       //
		{`A\\]`, `: A\`, true, true},        // an even number of backslashes escapes nothing
		{`A\`, `: ; A\`, true, true},        // one at the end stays
		{"A/B/A", ": A>B>A", true, false},   // a repeated name
		{"A/*/A", ": A>B>A", true, false},   //
		{"regex:./.", ": A>B", true, true},
		{"regex:./.+", ": A>A", true, false},
		{"A/B", ": A>X>A>B", true, false}, // not only the lowest A is tried
		{"A/*/B/C", ": A>B>X>B>C", true, false},
		{"A/*/B/C", ": A>B>C>B>X", true, true},
		{"A]", ": A>A", true, true},                         //
		{"regex:[A-Z/]", ": ; X", false, false},             // bottom, "A-Z]"
		{"regex:/[A-Z/]", ": ; X", true, true},              //
		{"regex:A/B[0-9/]", ": A>B7", true, true},           // that slash is no operator, the other is
		{"regex:A.B/", ": A\nB", true, true},                // "." is any character
		{"regex:^B$/", ": A\nB", true, true},                // lines
		{`regex:k\[0\]/`, ": k[0]", true, true},             // escapes are the regular expression's
		{"regex:D@A/", "XDX: A", true, true},                // a domain is searched for, too
		{"regex:A/", "D: A", false, false},                  // without one it is the default domain
		{`<default domain>@A`, ": ; A", true, true},         //
		{`\regex:A`, ": ; regex:A", true, true},             //
		{"regex:A,B", ": ; xBx,xAx", true, true},            //
		{"regex:A/*/B]", ": xAx>C>xBx", true, true},         // operators stay operators
		{"regex:A/+/B]", ": xAx>xBx", false, false},         //
		{`a\/b@A/`, "a/b: A", true, true},                   //
		{"a/b@A", "a/b: ; A", true, true},                   // only the ranges have operators
		{"[A/]", ": A", false, false},                       //
		{strings.Repeat("A/+/B/", 40), ": A", false, false}, //
	} {
		e, err := Parse(c.expr)
		if err != nil {
			t.Error(err)
			continue
		}
		for compat, want := range map[bool]bool{false: c.match, true: c.compat} {
			f := Filter{Include: []*Expr{e}, Compat: compat}
			if got := f.Match(stateOf(c.state)); got != want {
				t.Errorf("%q on %q, compat %v: %v, want %v", c.expr, c.state, compat, got, want)
			}
		}
	}
}

func TestDomain(t *testing.T) {
	for _, c := range []struct{ expr, domain, is, isNot string }{
		{"A/", defaultDomain, "", "D1"},
		{"regex:A/", defaultDomain, defaultDomain, "D1"},
		{`D\@1@A/`, "D@1", "D@1", ""},
		{`regex:D.@A/`, "D.", "my D1", ""},
	} {
		e, err := Parse(c.expr)
		if err != nil {
			t.Fatal(err)
		}
		if e.Domain() != c.domain || !e.MatchDomain(c.is) || e.MatchDomain(c.isNot) || e.String() != c.expr {
			t.Errorf("%q: domain %q, %q %v, %q %v", e, e.Domain(), c.is, e.MatchDomain(c.is), c.isNot, e.MatchDomain(c.isNot))
		}
	}
}

// anyName draws names that are likely to hold operators.
func anyName() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.StringN(1, 12, -1),
		rapid.StringMatching(`(regex:)?[@,\[\]/*+\\ab. ]{1,8}`),
		rapid.Map(rapid.SliceOfN(rapid.Byte(), 1, 8), func(b []byte) string { return string(b) }),
	)
}

// An escaped name stands for itself, wherever it is, and for nothing else.
func TestEscape(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfN(anyName(), 1, 6).Draw(t, "names")
		domain := anyName().Draw(t, "domain")
		other := anyName().Draw(t, "other")
		pick := rapid.IntRange(0, len(names)-1).Draw(t, "pick")
		s := State{Domains: []Domain{{Name: domain, PushPop: names, StartEnd: names}}}
		at := escape(domain) + "@"
		has := false
		for _, n := range names {
			has = has || n == other
		}
		for _, c := range []struct {
			expr string
			want bool
		}{
			{at + escape(names[pick]) + "/", true},
			{at + escape(names[pick]), true},
			{at + "[" + escape(names[0]), true},
			{at + escape(names[len(names)-1]) + "]", true},
			{at + "[" + escapeAll(names, "/") + "]", true},
			{at + escapeAll(names, ","), true},
			{at + "[" + escape(names[0]) + "/*/" + escape(names[len(names)-1]) + "]", len(names) > 1},
			{at + escape(other) + "/", has},
			{at + escape(other), has},
		} {
			e, err := Parse(c.expr)
			if err != nil {
				t.Fatal(err)
			}
			if got := e.Match(s); got != c.want {
				t.Fatalf("%q on %q: %v, want %v", c.expr, names, got, c.want)
			}
			if e.Domain() != domain {
				t.Fatalf("%q: domain %q, want %q", c.expr, e.Domain(), domain)
			}
		}
	})
}

func escapeAll(names []string, sep string) string {
	var out []string
	for _, n := range names {
		out = append(out, escape(n))
	}
	return strings.Join(out, sep)
}

func ExampleParse() {
	_, err := Parse("*/forward")
	fmt.Println(err)
	// Output:
	// NVTX filter "*/forward": offset 0: expected a range name below the operator, found "*"
}

func ExampleFilter() {
	step, _ := Parse("train@step/*/forward")
	warmup, _ := Parse("train@[warm-up")
	f := Filter{Include: []*Expr{step}, Exclude: []*Expr{warmup}}
	for _, stack := range [][]string{
		{"epoch 1", "step", "layer 3", "forward"},
		{"epoch 1", "step", "backward"},
		{"warm-up", "step", "forward"},
	} {
		fmt.Println(f.Match(State{Domains: []Domain{{Name: "train", PushPop: stack}}}))
	}
	// Output:
	// true
	// false
	// false
}
