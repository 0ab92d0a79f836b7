package amd

import (
	"strings"
	"testing"
)

// TestOccupancyRows: rows that are more than announced, or broken, are bounded.
func TestOccupancyRows(t *testing.T) {
	const head = "Thread ID,Kernel Name,Kernel occupancy\n"
	for name, text := range map[string]string{
		"announced": "# KernelCount=2\n" + head + strings.Repeat("1,k,50\n", 100_000),
		"broken":    head + strings.Repeat(",\n", 100_000),
	} {
		o, err := ReadOccupancy(strings.NewReader(text), int64(len(text)), "t.occupancy")
		if err != nil {
			t.Fatal(name, err)
		}
		if n := o.Len(); n > mostUnannounced+2 || n < mostUnannounced {
			t.Errorf("%s: %d rows", name, n)
		}
		told := false
		for _, p := range o.Problems {
			told = told || strings.Contains(p.Found, "left out")
		}
		if !told {
			t.Errorf("%s: nothing tells of the rest", name)
		}
	}
}
