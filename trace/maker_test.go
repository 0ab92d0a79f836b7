package trace

import "testing"

func TestMaker(t *testing.T) {
	for tool, want := range map[string][2]bool{"rocpd database": {true, true}, "RPD database": {true, true}, "ROCm thread trace": {true, true}, "Nsight Systems": {false, false}, "": {false, false}} {
		tr := New("t", fixed{})
		tr.Tool = tool
		if tr.OfROCm() != want[0] || tr.OfAMD() != want[1] {
			t.Errorf("%q: %v %v", tool, tr.OfROCm(), tr.OfAMD())
		}
	}
}
