package python

import (
	"context"
	"fmt"
	"strconv"

	"github.com/gpuprof/gpuprof/occupancy"
)

// occupancyArguments are those of an OccupancyParameters in Python.
type occupancyArguments struct {
	Major, Minor       int // compute capability
	Threads, Registers int // of a block; of a thread
	Shared, SharedSize int // bytes: of a block; that the multiprocessor sets apart, 0 for all it can
	Barriers           int // of a block
	Vary               []string
}

// occupancyRecord is the answer to "occupancy": a multiprocessor full of blocks.
type occupancyRecord struct {
	Occupancy float64        `json:"occupancy"` // percent
	Blocks    int            `json:"blocks"`
	Limiters  []string       `json:"limiters"`
	Used      map[string]use `json:"used"`
	Optimal   map[string]int `json:"optimal,omitempty"` // values of what varied
}

type use struct {
	Allocated int `json:"allocated"`
	Total     int `json:"total"`
}

// limiterNames are the members of OccupancyLimiter by resource.
var limiterNames = map[occupancy.Resource]string{occupancy.VGPR: "REGISTERS", occupancy.LDS: "SHARED_MEMORY", occupancy.Group: "BLOCKS"}

// maxBarriers are the barriers that a block can have.
const maxBarriers = 16

func cudaDevice(major, minor int) (*occupancy.Device, error) {
	d, err := occupancy.Lookup(fmt.Sprintf("sm_%d%d", major, minor))
	if err != nil || major <= 0 || minor < 0 || minor > 9 {
		return nil, &Error{"ValueError", fmt.Sprintf("compute capability %d.%d is not known", major, minor)}
	}
	return d, nil
}

// occupancy answers for a compute capability. What varies takes the values with
// the most warps in flight, of those the ones nearest to what was given.
func (s *Service) occupancy(_ context.Context, q *Request) error {
	var a occupancyArguments
	if err := q.Decode(&a); err != nil {
		return err
	}
	d, err := cudaDevice(a.Major, a.Minor)
	if err != nil {
		return err
	}
	if a.SharedSize < 0 || a.SharedSize > d.LDS {
		return &Error{"ValueError", fmt.Sprintf("%d bytes of shared memory, of 0 to %d", a.SharedSize, d.LDS)}
	}
	if a.Barriers < 0 || a.Barriers > maxBarriers {
		return &Error{"ValueError", fmt.Sprintf("%d barriers in a block, of 0 to %d", a.Barriers, maxBarriers)}
	}
	if len(a.Vary) == 0 {
		r, err := a.compute(d)
		if err != nil {
			return &Error{"ValueError", err.Error()}
		}
		return q.Answer(r)
	}
	r, err := a.optimal(d)
	if err != nil {
		return err
	}
	return q.Answer(r)
}

func (a *occupancyArguments) compute(d *occupancy.Device) (occupancyRecord, error) {
	own := *d
	if a.SharedSize > 0 {
		own.LDS = a.SharedSize
	}
	l, err := own.Limits(occupancy.Kernel{VGPRs: a.Registers, LDS: a.Shared, Group: a.Threads})
	if err != nil {
		return occupancyRecord{}, err
	}
	blocks := l.Active / l.Group
	shared := 0
	if a.Shared+own.ReservedLDS > 0 {
		shared = (a.Shared + own.ReservedLDS + own.LDSGranule - 1) / own.LDSGranule * own.LDSGranule
	}
	warp := (a.Registers*own.Wave + own.VGPRGranule - 1) / own.VGPRGranule * own.VGPRGranule
	r := occupancyRecord{Occupancy: 100 * float64(l.Active) / float64(l.MaxWaves), Blocks: blocks, Limiters: []string{}, Used: map[string]use{
		"threads":       {l.Active * own.Wave, own.MaxWaves * own.Wave},
		"registers":     {l.Active * warp, own.VGPRs},
		"shared_memory": {blocks * shared, own.LDS},
	}}
	for _, x := range l.Limiting() {
		r.Limiters = append(r.Limiters, limiterNames[x])
	}
	return r, nil
}

// optimal tries the values of what varies, two at most.
func (a *occupancyArguments) optimal(d *occupancy.Device) (occupancyRecord, error) {
	if len(a.Vary) > 2 {
		return occupancyRecord{}, &Error{"ValueError", "only up to two occupancy variables can vary"}
	}
	best, found, distance := occupancyRecord{}, false, 0
	var try func(at occupancyArguments, away int, rest []string) error
	try = func(at occupancyArguments, away int, rest []string) error {
		if len(rest) > 0 {
			field, values, err := at.variable(d, rest[0])
			if err != nil {
				return err
			}
			given := *field
			for _, *field = range values {
				if err := try(at, away+max(given-*field, *field-given), rest[1:]); err != nil {
					return err
				}
			}
			return nil
		}
		r, err := at.compute(d)
		if err != nil { // this one does not fit
			return nil
		}
		if !found || r.Occupancy > best.Occupancy || r.Occupancy == best.Occupancy && away < distance {
			best, found, distance = r, true, away
			best.Optimal = map[string]int{}
			for _, name := range a.Vary {
				field, _, _ := at.variable(d, name)
				best.Optimal[name] = *field
			}
		}
		return nil
	}
	if err := try(*a, 0, a.Vary); err != nil {
		return best, err
	}
	if !found {
		return best, &Error{"ValueError", "no value fits the device"}
	}
	return best, nil
}

// variable is what a member of OccupancyVariable names, and the values to try.
func (a *occupancyArguments) variable(d *occupancy.Device, name string) (field *int, values []int, err error) {
	from, to, step := 0, 0, 1
	switch name {
	case "THREADS_PER_BLOCK":
		field, from, to, step = &a.Threads, d.Wave, d.MaxGroup, d.Wave
	case "REGISTERS_PER_THREAD":
		field, from, to = &a.Registers, 1, d.MaxVGPRs
	case "SHARED_MEMORY_PER_BLOCK":
		field, to, step = &a.Shared, d.MaxLDS, d.LDSGranule
	case "BLOCK_BARRIERS":
		field, to = &a.Barriers, maxBarriers
	default:
		return nil, nil, &Error{"ValueError", "no occupancy variable is named " + strconv.Quote(name)}
	}
	given := *field
	for v := from; v <= to; v += step {
		values = append(values, v)
	}
	if given >= from && given <= to && (given-from)%step != 0 {
		values = append(values, given)
	}
	return field, values, nil
}

// gpuRecord is the answer to "gpu": the keys of get_gpu_data.
type gpuRecord struct {
	Major          int    `json:"cc_major"`
	Minor          int    `json:"cc_minor"`
	Name           string `json:"sm_version"`
	Family         string `json:"chip_family"`
	Warp           int    `json:"threads_per_warp"`
	Warps          int    `json:"max_warps_per_sm"`
	Threads        int    `json:"max_threads_per_sm"`
	Blocks         int    `json:"max_thread_blocks_per_sm"`
	Barriers       int    `json:"block_barriers_per_sm"`
	Shared         int    `json:"smem_per_sm"`
	SharedBlock    int    `json:"max_shared_mem_per_block"`
	Registers      int    `json:"registers_per_sm"`
	RegsBlock      int    `json:"max_regs_per_block"`
	RegsThread     int    `json:"max_regs_per_thread"`
	RegsUnit       int    `json:"reg_allocation_unit_size"`
	RegsGrain      string `json:"reg_allocation_granularity"`
	SharedUnit     int    `json:"shared_mem_allocation_unit_size"`
	WarpsGrain     string `json:"warps_allocation_granularity"`
	BlockSize      int    `json:"max_thread_block_size"`
	SharedConfigs  []int  `json:"shared_mem_size_configs"`
	WarpRegsGrains []int  `json:"warp_reg_allocation_granularities"`
}

func (s *Service) gpu(_ context.Context, q *Request) error {
	var a struct{ Major, Minor int }
	if err := q.Decode(&a); err != nil {
		return err
	}
	d, err := cudaDevice(a.Major, a.Minor)
	if err != nil {
		return err
	}
	r := gpuRecord{Major: a.Major, Minor: a.Minor, Name: d.Name, Warp: d.Wave, Warps: d.MaxWaves, Threads: d.MaxWaves * d.Wave,
		Blocks: d.Groups, Barriers: maxBarriers * d.Groups, Shared: d.LDS, SharedBlock: d.MaxLDS, Registers: d.VGPRs, RegsBlock: d.MaxRegs,
		RegsThread: d.MaxVGPRs, RegsUnit: d.VGPRGranule, RegsGrain: "warp", SharedUnit: d.LDSGranule, WarpsGrain: strconv.Itoa(d.SIMDs),
		BlockSize: d.MaxGroup, SharedConfigs: sharedConfigs(d.LDS, a.Major, a.Minor), WarpRegsGrains: []int{d.VGPRGranule}}
	if len(d.Aliases) > 1 {
		r.Family = d.Aliases[1]
	}
	return q.Answer(r)
}

// sharedConfigs are the sizes in bytes to which shared memory can be set, of the
// memory that it has in common with the L1 cache. See the CUDA C++ Programming
// Guide, Compute Capabilities.
func sharedConfigs(most, major, minor int) []int {
	sizes := []int{0, 8, 16, 32, 64, 96, 100, 132, 164, 196, 228}
	switch {
	case major < 7:
		return []int{most}
	case major == 7 && minor == 5:
		sizes = []int{32, 64}
	}
	out := []int{}
	for _, kb := range sizes {
		// 96 KB is the most of Volta, and no size of later ones.
		if kb<<10 <= most && (kb != 96 || most == 96<<10) {
			out = append(out, kb<<10)
		}
	}
	return out
}
