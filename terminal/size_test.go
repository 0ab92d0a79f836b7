package terminal

import "testing"

func TestSize(t *testing.T) {
	for text, want := range map[string]Size{"1": 1, "500M": 500 << 20, "8G": 8 << 30, "8g": 8 << 30, "16KiB": 16 << 10, "2TB": 2 << 40} {
		var s Size
		if err := s.Set(text); err != nil || s != want {
			t.Errorf("%s: %d, %v", text, s, err)
		}
	}
	for _, text := range []string{"", "0", "-1", "M", "1X", "1MM", "9999999T", "1.5G"} {
		var s Size
		if s.Set(text) == nil {
			t.Errorf("%q: %d, expected an error", text, s)
		}
	}
}
