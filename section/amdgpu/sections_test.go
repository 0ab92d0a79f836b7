package amdgpu

import "testing"

// TestStock: every stock section parses without a warning and has metrics.
func TestStock(t *testing.T) {
	defs, err := stock()
	if err != nil || len(defs) < 5 {
		t.Fatal(len(defs), err)
	}
	for _, d := range defs {
		if d.Header == nil || len(d.Header.Metrics) == 0 {
			t.Errorf("%s shows nothing", d.Identifier)
		}
	}
}
