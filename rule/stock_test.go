package rule

import (
	"context"
	"testing"
)

func TestStockLoads(t *testing.T) {
	h := newHost(t, Options{})
	s, err := h.Load(context.Background(), Stock())
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range s.Problems {
		t.Error(p)
	}
	if len(s.Rules) < 16 {
		t.Errorf("%d rules", len(s.Rules))
	}
	for _, r := range s.Rules {
		if r.Name == "" || r.Description == "" || r.Section == "" {
			t.Errorf("%+v", r)
		}
	}
	for _, o := range apply1(t, h, s) {
		if e, ok := o.Err.(*Error); len(o.Result.Messages) > 0 || !ok || !e.Raised {
			t.Errorf("%s on a launch without metrics: %v, %v", o.Rule.ID, o.Result.Messages, o.Err)
		}
	}
}
