package flame

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/gpuprof/gpuprof/trace"
)

// of makes a profile of stacks, outermost name first, each of a weight and as
// long; events follow each other on thread 1.
func of(stacks []string, weights []int64) *Profile {
	b := newBuilder("ns")
	var now int64
	for i, s := range stacks {
		at := int32(-1)
		for _, r := range s {
			at = b.node(at, b.name(string(r)))
		}
		if at < 0 {
			continue
		}
		b.Self[at] += weights[i]
		b.Count[at]++
		b.Start, b.End = append(b.Start, now), append(b.End, now+weights[i])
		b.Thread, b.Node = append(b.Thread, 1), append(b.Node, at)
		now += weights[i]
	}
	return b.Profile
}

func picture(boxes []Box) []string {
	var out []string
	for _, b := range boxes {
		out = append(out, strings.Repeat(" ", b.Depth)+b.Name+" "+strings.Join([]string{num(b.X), num(b.Width), num(b.Self), num(b.Count), num(int64(b.Merged))}, ","))
	}
	return out
}

func num(v int64) string {
	if v < 0 {
		return "-" + num(-v)
	}
	if v < 10 {
		return string(rune('0' + v))
	}
	return num(v/10) + num(v%10)
}

func TestPictures(t *testing.T) {
	p := of([]string{"ab", "ac", "ab", "d", "aab"}, []int64{10, 20, 30, 5, 35})
	for name, c := range map[string]struct{ got, want []string }{
		"left": {picture(p.LeftHeavy(View{Pixels: 1000})), []string{
			"a 0,95,0,4,0", " b 0,40,40,2,0", " a 40,35,0,1,0", "  b 40,35,35,1,0", " c 75,20,20,1,0", "d 95,5,5,1,0"}},
		"merged": {picture(p.LeftHeavy(View{Pixels: 2})), []string{"a 0,95,0,4,0", " b 0,95,60,4,3", "d 95,5,5,1,1"}},
		"window": {picture(p.LeftHeavy(View{From: 76, To: 96, Pixels: 1000})), []string{"a 0,95,0,4,0", " c 75,20,20,1,0", "d 95,5,5,1,0"}},
		"time": {picture(p.TimeOrder(1, View{Pixels: 1000})), []string{
			"a 0,60,0,3,0", " b 0,10,0,1,0", " c 10,20,0,1,0", " b 30,30,0,1,0", "d 60,5,0,1,0", "a 65,35,0,1,0", " a 65,35,0,1,0", "  b 65,35,0,1,0"}},
		"callees": {picture(p.Callees("a").LeftHeavy(View{Pixels: 1000})), []string{
			"a 0,95,0,4,0", " b 0,40,40,2,0", " a 40,35,0,1,0", "  b 40,35,35,1,0", " c 75,20,20,1,0"}},
		"callers": {picture(p.Callers("b").LeftHeavy(View{Pixels: 1000})), []string{
			"b 0,75,0,3,0", " a 0,75,40,3,0", "  a 0,35,35,1,0"}},
	} {
		if d := cmp.Diff(c.want, c.got); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
	want := []Function{{"a", 0, 95, 4}, {"b", 75, 75, 3}, {"c", 20, 20, 1}, {"d", 5, 5, 1}}
	if d := cmp.Diff(want, p.Functions()); d != "" {
		t.Error(d)
	}
}

// TestLeftHeavyWhole: whatever the pixels, the outermost boxes cover the weight,
// boxes of a depth do not overlap, and each lies within one of the depth above.
func TestLeftHeavyWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		stacks := rapid.SliceOfN(rapid.StringOfN(rapid.RuneFrom([]rune("abc")), 1, 6, -1), 1, 40).Draw(t, "stacks")
		weights := make([]int64, len(stacks))
		for i := range weights {
			weights[i] = rapid.Int64Range(1, 1000).Draw(t, "weight")
		}
		p := of(stacks, weights)
		boxes := p.LeftHeavy(View{Pixels: rapid.IntRange(1, 2000).Draw(t, "pixels")})
		var outer int64
		end := map[int]int64{}
		for _, b := range boxes {
			if b.X < end[b.Depth] {
				t.Fatalf("boxes of depth %d overlap: %v", b.Depth, picture(boxes))
			}
			end[b.Depth] = b.X + b.Width
			if b.Depth == 0 {
				outer += b.Width
			} else if b.X+b.Width > end[b.Depth-1] {
				t.Fatalf("a box sticks out of the one around it: %v", picture(boxes))
			}
		}
		if outer != p.Weight() {
			t.Fatalf("the outermost boxes weigh %d, the profile %d", outer, p.Weight())
		}
		for _, f := range p.Functions() { // the slow way
			var total int64
			for i, s := range stacks {
				if strings.Contains(s, f.Name) {
					total += weights[i]
				}
			}
			if f.Total != total || p.Callees(f.Name).Weight() != total || p.Callers(f.Name).Weight() != total {
				t.Fatalf("%s: total %d, callees %d, callers %d, want %d", f.Name, f.Total, p.Callees(f.Name).Weight(), p.Callers(f.Name).Weight(), total)
			}
		}
	})
}

// TestTimeBounded: the boxes of a row are no more than pixels, and their events
// are all there.
func TestTimeBounded(t *testing.T) {
	const n = 20000
	stacks, weights := make([]string, n), make([]int64, n)
	for i := range stacks {
		stacks[i], weights[i] = string(rune('a'+i%7)), 3
	}
	p := of(stacks, weights)
	boxes := p.TimeOrder(trace.GlobalID(1), View{Pixels: 500})
	var events int64
	for _, b := range boxes {
		events += b.Count
	}
	if len(boxes) > 500 || events != n {
		t.Errorf("%d boxes of %d events, want at most 500 of %d", len(boxes), events, n)
	}
}

// TestDeepBounded: a stack deeper than any picture is drawn as deep as one may be.
func TestDeepBounded(t *testing.T) {
	p := of([]string{strings.Repeat("ab", 5000)}, []int64{7})
	for name, boxes := range map[string][]Box{"left": p.LeftHeavy(View{Pixels: 10}), "time": p.TimeOrder(1, View{Pixels: 10})} {
		if len(boxes) != maxDepth || boxes[maxDepth-1].Depth != maxDepth-1 {
			t.Errorf("%s: %d boxes, want %d", name, len(boxes), maxDepth)
		}
	}
	if f := p.Functions(); len(f) != 2 || f[0].Total != 7 {
		t.Errorf("functions: %+v", f)
	}
}
