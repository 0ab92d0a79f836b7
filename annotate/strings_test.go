package annotate

import "testing"

// TestManyTexts: texts beyond those that are looked for are still right.
func TestManyTexts(t *testing.T) {
	var s Strings
	for i := range 3 * refsPer {
		b := []byte{byte(i), byte(i >> 8), byte(i >> 16)}
		id := s.intern(b, false)
		if s.intern(b, false) != id || s.get(id) != string(b) {
			t.Fatal(i)
		}
	}
	if s.n != 3*refsPer || s.get(stringID(s.n)) != "" {
		t.Error(s.n)
	}
}
