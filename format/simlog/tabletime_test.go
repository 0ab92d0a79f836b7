package simlog

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
)

// TestTimes: a log may state times in place of cycles, since any moment and in fractions.
func TestTimes(t *testing.T) {
	for _, c := range []struct {
		name, text string
		cycles     []int64
		clock      float64
		ends       []int64 // of kernels, 0 where none is stated
		notes      int
	}{
		{"ns since 1970", "time_ns,level,address,op\n1700000000000000000,L1D,0,load\n1700000000000000150,L1D,32,store\n", []int64{0, 150}, 1000, []int64{0}, 1},
		{"with a clock", "# clock_mhz = 1500\ntime_ns,level,address,op\n1000,L1D,0,load\n1010.5,L1D,32,store\n", []int64{0, 16}, 1500, []int64{0}, 1},
		{"a clock too late", "time_ns,level,address,op\n1000,L1D,0,load\n# clock_mhz = 1500\n1010,L1D,32,store\n", []int64{0, 10}, 1000, []int64{0}, 2},
		{"kernels", "kernel,time_ns,level,address,op\n1,500,L1D,0,load\n1,700,L1D,0,load\n2,900,L1D,0,load\n2,1000,L1D,0,load\n2,1200,,,end\n", []int64{0, 200, 0, 100}, 1000, []int64{0, 300}, 1},
		{"an end ahead", "# kernel 1 end = 800\nkernel,time_ns,level,address,op\n1,500,L1D,0,load\n", []int64{0}, 1000, []int64{300}, 0},
		{"cycles count where both are", "cycle,time_ns,level,address,op\n7,500,L1D,0,load\n", []int64{7}, 0, []int64{0}, 1},
		{"words", "time_ns,level,address,op\nnow,L1D,0,load\n5.x,L1D,0,load\n9223372036854775808,L1D,0,load\n-2.5,L1D,0,load\n-1,L1D,0,load\n", []int64{0, 2}, 1000, []int64{0}, 2},
		{"too far apart", "time_ns,level,address,op\n-9223372036854775807,L1D,0,load\n9223372036854775807,L1D,0,load\n", []int64{0}, 1000, []int64{0}, 2},
	} {
		r := NewTableReader(t.Context(), strings.NewReader(c.text))
		var cycles, ends []int64
		for {
			b, err := r.Next()
			if b != nil {
				cycles = append(cycles, b.Cycle...)
				for _, e := range b.Events {
					if e.Kind == KernelEnd {
						ends = append(ends, e.Kernel.EndCycle)
					}
				}
			}
			if err != nil {
				if !errors.Is(err, io.EOF) {
					t.Errorf("%s: %v", c.name, err)
				}
				break
			}
		}
		if got := r.Config(); !slices.Equal(cycles, c.cycles) || !slices.Equal(ends, c.ends) || got.ClockMHz != c.clock || got.Timed != (c.clock > 0) || len(r.Notes()) != c.notes {
			t.Errorf("%s: cycles %v, ends %v, %+v, %v", c.name, cycles, ends, got, r.Notes())
		}
	}
}
