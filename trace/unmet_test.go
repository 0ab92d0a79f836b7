package trace

import (
	"context"
	"fmt"
	"regexp"
	"testing"
)

func TestUnmet(t *testing.T) {
	for _, c := range []struct {
		name string
		sel  Selection
		want string
	}{
		{"all there", Selection{Devices: []int64{1, 0}, Processes: []int64{2}, Streams: []int64{9}, Threads: []ThreadID{{-1, 3}, {1, 2}},
			Kernels: regexp.MustCompile("gemm_nn"), Ranges: regexp.MustCompile("mark")}, "[]"},
		{"device", Selection{Devices: []int64{1, 3}}, "[{device 3 [0 1]}]"},
		{"process", Selection{Processes: []int64{3, 4}}, "[{process 3 [1 2]} {process 4 [1 2]}]"},
		{"stream", Selection{Streams: []int64{1}}, "[{stream 1 [7 8 9]}]"},
		{"thread", Selection{Threads: []ThreadID{{2, 1}}}, "[{thread 2:1 [1:1 1:2 2:3]}]"},
		{"thread of any process", Selection{Threads: []ThreadID{{-1, 4}}}, "[{thread 4 [1:1 1:2 2:3]}]"},
		{"kernel", Selection{Kernels: regexp.MustCompile("copy")}, "[{kernel copy [add gemm]}]"},
		{"range: domains are none, numbers fold", Selection{Ranges: regexp.MustCompile("domain")}, "[{range domain [step N mark]}]"},
		{"nothing asked", Selection{Fold: true}, "[]"},
	} {
		got, err := picking().Unmet(context.Background(), &c.sel)
		if fmt.Sprint(got) != c.want || err != nil {
			t.Errorf("%s: %v, want %s; %v", c.name, got, c.want, err)
		}
	}
}

func TestMeets(t *testing.T) {
	for _, c := range []struct {
		start, end, first, last int64
		meets                   bool
	}{{0, 0, 0, 0, true}, {60, 90, 0, 0, true}, {33, 34, 0, 0, true}, {61, 90, 0, 60, false}, {-9, -1, 0, 60, false}} {
		meets, first, last, err := picking().Meets(context.Background(), c.start, c.end)
		if meets != c.meets || first != c.first || last != c.last || err != nil {
			t.Errorf("%d/%d: %v %d %d %v", c.start, c.end, meets, first, last, err)
		}
	}
}
