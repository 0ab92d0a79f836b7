package python

import (
	"context"

	"github.com/gpuprof/gpuprof/occupancy"
)

// occupancyRecord is the answer to "occupancy", in warps of a multiprocessor.
type occupancyRecord struct {
	MaxWarps  int       `json:"max_warps"`
	Warps     int       `json:"warps"`
	Registers int       `json:"registers"` // room by registers alone
	Shared    int       `json:"shared"`    // room by shared memory alone
	Blocks    int       `json:"blocks"`    // room by slots for blocks and warps alone
	Limiters  []string  `json:"limiters"`
	Curves    [][][]int `json:"curves"` // block size, registers, shared memory: pairs of value and warps
}

// limiterNames are the members of OccupancyLimiter by resource.
var limiterNames = map[occupancy.Resource]string{occupancy.VGPR: "REGISTERS", occupancy.LDS: "SHARED_MEMORY", occupancy.Group: "BLOCKS"}

// occupancy answers for NVIDIA's devices, by compute capability or name.
func (s *Service) occupancy(_ context.Context, q *Request) error {
	var k struct {
		Device                            string
		BlockSize, Registers, SharedBytes int
		Curves                            bool
	}
	if err := q.Decode(&k); err != nil {
		return err
	}
	d, err := occupancy.Lookup(k.Device)
	if err != nil {
		return &Error{"ValueError", err.Error()}
	}
	if d.Vendor != occupancy.NVIDIA {
		return &Error{"ValueError", d.Name + ": expected a device of NVIDIA"}
	}
	kernel := occupancy.Kernel{VGPRs: k.Registers, LDS: k.SharedBytes, Group: k.BlockSize}
	l, err := d.Limits(kernel)
	if err != nil {
		return &Error{"ValueError", err.Error()}
	}
	r := occupancyRecord{MaxWarps: d.MaxWaves, Warps: l.Active, Registers: l.Waves[occupancy.VGPR],
		Shared: l.Waves[occupancy.LDS], Blocks: l.Waves[occupancy.Group], Limiters: []string{}, Curves: [][][]int{}}
	for _, x := range l.Limiting() {
		r.Limiters = append(r.Limiters, limiterNames[x])
	}
	if !k.Curves {
		return q.Answer(r)
	}
	curves, err := d.Sweep(kernel)
	if err != nil {
		return &Error{"ValueError", err.Error()}
	}
	for _, x := range []occupancy.Resource{occupancy.Group, occupancy.VGPR, occupancy.LDS} {
		points := [][]int{}
		for _, c := range curves {
			for i := range c.X {
				if c.Resource == x {
					points = append(points, []int{c.X[i], c.Waves[i]})
				}
			}
		}
		r.Curves = append(r.Curves, points)
	}
	return q.Answer(r)
}
