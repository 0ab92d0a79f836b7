package choose

import (
	"testing"

	"github.com/gpuprof/gpuprof/profile"
)

// called is a launch with a call stack.
type called struct {
	profile.Measured
	frames []profile.Frame
}

func (c called) CallStack() ([]profile.Frame, error) { return c.frames, nil }

// TestStack takes launches by the frames of their call stacks.
func TestStack(t *testing.T) {
	a := profile.NewAction(called{frames: []profile.Frame{
		{Function: "cudaLaunchKernel", Module: "/usr/lib/libcudart.so.12"}, {Function: "forward", File: "/src/model.py", Module: "python3"},
		{Function: "main", File: "/src/main.cpp", Module: "/bin/app"}}})
	for _, c := range []struct {
		native, python, notNative, notPython []string
		want                                 bool
	}{
		{want: true}, {native: []string{"main"}, want: true}, {native: []string{"forward"}}, {python: []string{"forward"}, want: true},
		{python: []string{"main"}}, {native: []string{"regex:^cuda"}, want: true}, {native: []string{"main.cpp@main"}, want: true},
		{native: []string{"src/main.cpp@main"}, want: true}, {native: []string{"ain.cpp@main"}}, {native: []string{"libcudart.so.12@regex:Launch"}, want: true},
		{native: []string{"none", "main"}, want: true}, {notNative: []string{"main"}}, {notNative: []string{"forward"}, want: true},
		{notPython: []string{"model.py@forward"}}, {native: []string{"main"}, notPython: []string{"forward"}}, {native: []string{"none"}, notNative: []string{"main"}},
	} {
		var s Stack
		for _, err := range []error{s.AddInclude(c.native, false), s.AddInclude(c.python, true), s.AddExclude(c.notNative, false), s.AddExclude(c.notPython, true)} {
			if err != nil {
				t.Fatal(err)
			}
		}
		if got, err := s.match(a); err != nil || got != c.want {
			t.Errorf("%+v: %v %v", c, got, err)
		}
	}
	var s Stack
	if err := s.AddInclude([]string{"regex:("}, false); err == nil {
		t.Error("a broken expression is taken")
	}
}

// TestParseRange takes instances of ranges, which launches that follow each other share.
func TestParseRange(t *testing.T) {
	for text, want := range map[string]string{"::1": "aa.....", "::2": "....b..", "::1|3": "aa....c", "yes::": "aa..b.c", ":1:[23]": "....b.c"} {
		f, err := ParseRange(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		got := ""
		for _, c := range "aa..b.c" {
			if f.take(c != '.') && c != '.' {
				got += string(c)
			} else {
				got += "."
			}
		}
		if got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	for _, bad := range []string{"", "1", "maybe::", "::(", "a:b:c:d"} {
		if _, err := ParseRange(bad); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}
