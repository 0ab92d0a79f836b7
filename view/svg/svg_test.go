package svg_test

import (
	"encoding/xml"
	"math"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/view/svg"
)

// TestWrite draws what a plot may have: the picture is sound XML, texts cannot
// leave their places, and what is drawn lies where it should.
func TestWrite(t *testing.T) {
	p := svg.Plot{Title: "<b>", Y: svg.Axis{Label: "share", Last: 1, Ticks: []svg.Tick{{At: 1, Text: "100 %"}}},
		X: svg.Axis{Label: "time & place", First: 1, Last: 1e4, Log: true, Ticks: []svg.Tick{{At: 100, Text: "100 ns"}}},
		Series: []svg.Series{{Name: "one", X: []float64{1, 100, 1e4}, Y: []float64{0, 0.5, 0.5}, Dashed: true},
			{Name: "\"two\"", Color: 1, Bars: []svg.Bar{{From: 0, To: 100, Height: 1, Text: "0 to 100"}}}},
		Mark: &svg.Mark{X: 100, Y: 0.5, Text: "here"}}
	var b strings.Builder
	if err := svg.Write(&b, "title", "words", []svg.Plot{p, p, p}); err != nil {
		t.Fatal(err)
	}
	got := b.String()
	if err := xml.Unmarshal([]byte(got), new(struct{})); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`width="960" height="560"`, `translate(0,280)`, // two beside one another
		`&lt;b&gt;`, `time &amp; place`, `&#34;two&#34;`,
		`d="M56.0 228.0H256.0V136.0H456.0V136.0" stroke-dasharray`, // 100 is in the middle of 1 to 10000
		`x="156.00" y="44.00" width="99.50" height="184.00"`,       // the second half of 1 to 100: two series share it
		`<title>0 to 100</title>`, `cx="256.0" cy="136.0"`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in %s", want, got)
		}
	}
	b.Reset()
	hostile := svg.Plot{X: svg.Axis{Last: 1}, Y: svg.Axis{Last: 1}, Series: []svg.Series{{}, {X: []float64{math.NaN()}, Y: []float64{math.Inf(1)}}}}
	if err := svg.Write(&b, "", "", []svg.Plot{hostile}); err != nil || xml.Unmarshal([]byte(b.String()), new(struct{})) != nil {
		t.Errorf("%v in %s", err, b.String())
	}
}
