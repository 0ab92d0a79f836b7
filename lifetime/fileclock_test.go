package lifetime

import (
	"strings"
	"testing"
)

// TestFileClock: the clock of a lifetime file follows from its lines.
func TestFileClock(t *testing.T) {
	const head = "kernel_id,address,lifetime_cycles,lifetime_ns\n"
	for _, c := range []struct {
		text string
		mhz  float64
		ok   bool
	}{
		{head + "25,2479779712.00,17116.00,7658.17\n25,2479779584.00,17115.00,7657.72\n", 2235, true}, // the guide's
		{head + "1,0.00,3.00,2.65\n1,0.00,13826.00,12213.78\n", 1132, true},
		{head + "1,0.00,100000.00,66644.45\r\n", 1500.5, true},
		{head + "1,0.00,10.00,10.00", 1000, true},
		{head + "1,0.00,0.00,0.00\n", 0, false},
		{head + "1,0.00,5.00,later\n1,0.00\n\n", 0, false},
		{head, 0, false},
		{"", 0, false},
		{"kernel_id,address,lifetime_cycles\n1,0,5\n", 0, false},
	} {
		if mhz, ok := FileClock(strings.NewReader(c.text)); mhz != c.mhz || ok != c.ok {
			t.Errorf("%q: %v, %v", c.text, mhz, ok)
		}
	}
	for text, want := range map[string]float64{`{"Name":"x","gpuprof":{"clock_mhz":1132.0}}`: 1132, `{"Name":"x"}`: 0, `{"gpuprof":{"clock_mhz":null}}`: 0, `{"gpuprof":{"clock_mhz":-1}}`: 0, "": 0, "[]": 0} {
		if mhz, ok := ReportClock(strings.NewReader(text)); mhz != want || ok != (want > 0) {
			t.Errorf("%q: %v, %v", text, mhz, ok)
		}
	}
}
