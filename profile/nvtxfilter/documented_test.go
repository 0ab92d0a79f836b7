package nvtxfilter

import (
	"strings"
	"testing"
)

// stateOf reads "DOMAIN: a>b>c; x,y": a push/pop stack, bottom first, and open
// start/end ranges.
func stateOf(s string) State {
	var d Domain
	name, rest, _ := strings.Cut(s, ": ")
	d.Name = name
	push, open, _ := strings.Cut(rest, "; ")
	if push != "" {
		d.PushPop = strings.Split(push, ">")
	}
	if open != "" {
		d.StartEnd = strings.Split(open, ",")
	}
	return State{Domains: []Domain{d}}
}

// What the public command line guide of Nsight Compute says of its own examples,
// and what follows from it. Expressions after "!" exclude.
func TestDocumented(t *testing.T) {
	const def = defaultDomain
	for _, c := range []struct {
		state  string
		filter []string
		want   bool
	}{
		{def + ": A_range", []string{"A_range/"}, true},
		{def + ": X>A_range>Y", []string{"A_range/"}, true},
		{"Domain-A: A_range", []string{"A_range/"}, false},
		{"Domain-A: A_range", []string{"Domain-A@A_range/"}, true},
		{def + ": A_range>B range", []string{"[A_range"}, true},
		{def + ": X>A_range", []string{"[A_range"}, false},
		{def + ": A_range>B range", []string{"A_range/*/B range"}, true},
		{def + ": A_range>X>Y>B range", []string{"A_range/*/B range"}, true},
		{def + ": B range>A_range", []string{"A_range/*/B range"}, false},
		{def + ": A_range>B range", []string{"!A_range/*/B range"}, false},
		{def + ": A_range>X", []string{"A_range/", "!B range]"}, true},
		{def + ": A_range>B range", []string{"A_range/", "!B range]"}, false},
		{def + ": A_range>B range>X", []string{"A_range/", "!B range]"}, true},
		{def + ": B range>C>Range D", []string{"B range/+/Range D"}, true},
		{def + ": B range>Range D", []string{"B range/+/Range D"}, false},
		{def + ": B range>C>E>Range D", []string{"B range/+/Range D"}, false},
		{def + ": A>B", []string{"A/B"}, true},
		{def + ": A>X>B", []string{"A/B"}, false},
		{def + ": X>Range Z", []string{"Range Z]"}, true},
		{def + ": Range Z>X", []string{"Range Z]"}, false},
		{def + ": Range C>X>Range Z", []string{"Range C/*/Range Z]"}, true},
		{def + ": A_range>X>Range Z", []string{"[A_range/+/Range Z"}, true},
		{"Domain B: A_range>Q>Range Z", []string{"Domain B@A_range/*/Range Z]"}, true},
		{"Domain-A: ; A_range", []string{"Domain-A@A_range"}, true},
		{def + ": ; A_range,B range", []string{"A_range,B range"}, true},
		{def + ": ; A_range", []string{"A_range,B range"}, false},
		{def + ": ; A_range", []string{"A_range", "B range"}, true},
		{def + ": ", []string{"!A_range"}, true},
		{def + ": ; A_range", []string{"!A_range"}, false},
		{def + ": ; B range", []string{"B range", "!A_range"}, true},
		{def + ": ; A_range,B range", []string{"B range", "!A_range"}, false},
		{def + ": ; A_range", []string{"A_range/"}, false},
		{def + ": A_range", []string{"A_range"}, false},
		{"DomainX: Range7", []string{"regex:Domain[A-Z]@Range[0-9]/"}, true},
		{"3domainA: ; 1rangeA,RangeC5", []string{"regex:[0-9]domainA@/[0-9]rangeA,RangeC[0-9/]"}, true},
		{"3domainA: ; 1rangeA", []string{"regex:[0-9]domainA@/[0-9]rangeA,RangeC[0-9/]"}, false},
		{def + ": ; A_range[i]", []string{`A_range\[i\]`}, true},
		{def + ": BottomRange>M>TopRange", []string{"BottomRange/*/TopRange"}, true},
		{"dom.tests: ; test.r0", []string{"test.r0@dom.tests"}, false},
		{def + ": ; A_range,B range,C", []string{"B range,A_range"}, true},
		{def + `: C:\tmp`, []string{`C:\\tmp/`}, true},
		{def + ": a.b", []string{`a\.b/`}, true},
	} {
		for _, compat := range []bool{false, true} {
			f := Filter{Compat: compat}
			for _, text := range c.filter {
				text, exclude := strings.CutPrefix(text, "!")
				e, err := Parse(text)
				if err != nil {
					t.Fatal(err)
				}
				if exclude {
					f.Exclude = append(f.Exclude, e)
				} else {
					f.Include = append(f.Include, e)
				}
			}
			if got := f.Match(stateOf(c.state)); got != c.want {
				t.Errorf("%q on %q, compat %v: %v, want %v", c.filter, c.state, compat, got, c.want)
			}
		}
	}
}
