package page

import "testing"

func TestParseSpan(t *testing.T) {
	if f, err := parseSpan("5/1"); err == nil {
		t.Errorf("5/1 is %+v", f)
	}
	if f, err := parseSpan("1s/"); err != nil || f.Start != 1e9 || f.End != 1<<63-1 {
		t.Errorf("%+v, %v", f, err)
	}
}
