package page

import (
	"testing"

	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/view"
)

// TestSizes: zeros are those of a launch that failed, as ncu prints them, but where the
// file may not tell sizes.
func TestSizes(t *testing.T) {
	one := [3]uint64{64, 1, 1}
	for _, c := range []struct {
		unsized bool
		grid    [3]uint64
		want    string
		missing bool
	}{
		{false, [3]uint64{}, "(0, 0, 0)x(64, 1, 1)", false}, {true, [3]uint64{}, "(n/a)x(64, 1, 1)", true}, {true, one, "(64, 1, 1)x(64, 1, 1)", false},
	} {
		l := Launch{Launch: profile.Launch{Action: &profile.Action{Grid: c.grid, Block: one, Unsized: c.unsized}}}
		if got := l.Extent(); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
		if v := l.Size(l.Grid); (v.Kind() == view.KindNull) != c.missing {
			t.Errorf("%+v: %v", c, v)
		}
	}
}
