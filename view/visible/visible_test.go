package visible

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestString(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", ""},
		{"void gemm<float, 4>(int*)", "void gemm<float, 4>(int*)"},
		{"größe 行列 🙂 e\u0301", "größe 行列 🙂 e\u0301"},
		{"a\tb\nc\r\nd", "a\tb\nc\nd"},
		{"\x1b[31mred\x1b[0m", `\x1b[31mred\x1b[0m`},
		{"\x1b]0;title\x07", `\x1b]0;title\x07`},
		{"a\rb", `a\rb`},
		{"\x00\x7f", `\x00\x7f`},
		{"\u009b31m", `\u009b31m`},
		{"a\x9b31m", `a\x9b31m`},
		{"evil\u202egnp.exe", `evil\u202egnp.exe`},
		{"\u2066x\u2069\u200f", `\u2066x\u2069\u200f`},
		{"\U000e0041", `\U000e0041`},
		{"\u2028", `\u2028`},
		{"cut \xe2\x82", `cut \xe2\x82`},
		{"٣ א ب", "٣ א ب"},
	} {
		if got := String(c.in); got != c.want {
			t.Errorf("%q: got %q, want %q", c.in, got, c.want)
		}
	}
}

// oracle says what is shown, by a table of the library that Go has, a character at
// a time.
func dangerousIn(s string) bool {
	for i, r := range s {
		switch {
		case r == '\n', r == '\t':
		case r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD"):
			return true
		case r < ' ', r >= 0x7f && r < 0xa0, strings.ContainsRune("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069", r):
			return true
		}
	}
	return false
}

func hostile(t *rapid.T) string {
	piece := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"\x1b[2J", "\x9b", "\u009b", "\u202e", "\r", "\r\n", "\x7f", "行", "\xe2\x80", "\n", "\t", "x"}),
		rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }))
	return strings.Join(rapid.SliceOf(piece).Draw(t, "pieces"), "")
}

// Nothing dangerous comes out, however it goes in, and the ways to go agree.
func TestShown(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := hostile(t)
		got := String(s)
		if dangerousIn(got) || !utf8.ValidString(got) {
			t.Fatalf("%q shows %q", s, got)
		}
		if again := String(got); again != got {
			t.Fatalf("%q changes once more to %q", got, again)
		}
		if !dangerousIn(s) && !strings.ContainsFunc(s, Dangerous) && got != s {
			t.Fatalf("%q changed to %q", s, got)
		}
		if b := string(Append([]byte("x"), []byte(s))); b != "x"+got {
			t.Fatalf("Append(%q) = %q, String %q", s, b, got)
		}
		var out bytes.Buffer
		w := NewWriter(&out)
		for rest := s; rest != ""; {
			n := rapid.IntRange(1, min(5, len(rest))).Draw(t, "n")
			if m, err := w.Write([]byte(rest[:n])); m != n || err != nil {
				t.Fatal(m, err)
			}
			rest = rest[n:]
		}
		w.Close()
		if out.String() != got {
			t.Fatalf("Writer(%q) = %q, String %q", s, out.String(), got)
		}
	})
}

var line = []byte(strings.Repeat("    sm__throughput.avg.pct_of_peak_sustained_elapsed      %      12.34\n", 500))

// BenchmarkAppend looks at text; BenchmarkCopy is its peer, which does not.
func BenchmarkAppend(b *testing.B) {
	b.SetBytes(int64(len(line)))
	to := make([]byte, 0, 2*len(line))
	for b.Loop() {
		to = Append(to[:0], line)
	}
}

func BenchmarkCopy(b *testing.B) {
	b.SetBytes(int64(len(line)))
	to := make([]byte, 0, 2*len(line))
	for b.Loop() {
		to = append(to[:0], line...)
	}
}
