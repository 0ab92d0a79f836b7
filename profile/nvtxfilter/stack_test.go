package nvtxfilter

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// With names of one letter a stack is a string, and a pattern a regular
// expression over it: an independent account of the operators.
func TestStackPattern(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		letter := rapid.SampledFrom([]string{"A", "B", "C"})
		items := rapid.SliceOfN(letter, 1, 5).Draw(t, "items")
		frames := rapid.SliceOfN(letter, 0, 12).Draw(t, "frames")
		if rapid.Bool().Draw(t, "deep") { // past the matcher's fixed buffer
			frames = append(rapid.SliceOfN(letter, 60, 70).Draw(t, "low"), frames...)
		}
		p := stackPattern{bottom: rapid.Bool().Draw(t, "bottom"), top: rapid.Bool().Draw(t, "top")}
		var re strings.Builder
		if p.bottom {
			re.WriteString("^")
		}
		for i, it := range items {
			g := rapid.SampledFrom([]gap{gapNone, gapAny, gapOne}).Draw(t, "gap")
			p.gaps = append(p.gaps, g)
			re.WriteString(it)
			if i < len(items)-1 {
				re.WriteString(map[gap]string{gapNone: "", gapAny: ".*", gapOne: "."}[g])
			}
		}
		if p.top {
			re.WriteString("$")
		}
		asked := map[[2]int]bool{}
		got := p.match(len(frames), func(item, frame int) bool {
			if k := [2]int{item, frame}; asked[k] {
				t.Fatalf("frame %d asked twice about item %d", frame, item)
			} else {
				asked[k] = true
			}
			return items[item] == frames[frame]
		})
		if want := regexp.MustCompile(re.String()).MatchString(strings.Join(frames, "")); got != want {
			t.Fatalf("%v, want %v as %s on %v", got, want, re.String(), frames)
		}
	})
}

func BenchmarkMatch(b *testing.B) {
	frames := make([]string, 24)
	for i := range frames {
		frames[i] = "aten::frame_" + string(rune('a'+i))
	}
	s := State{Domains: []Domain{{PushPop: frames}}}
	for _, text := range []string{"aten::frame_x]", "aten::frame_a/*/aten::frame_h/+/aten::frame_j", "regex:frame_[a-f]/*/_[x-z]$"} {
		e, err := Parse(text)
		if err != nil {
			b.Fatal(err)
		}
		f := Filter{Include: []*Expr{e}}
		if !f.Match(s) {
			b.Fatalf("%q does not match", text)
		}
		b.Run(text, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				f.Match(s)
			}
		})
	}
}
