package amdgpu

import (
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/gpuprof/gpuprof/occupancy"
	"github.com/gpuprof/gpuprof/profile"
)

// A Deriver is [Derive] for the launches of one file, of which there may be
// millions, but few kernels.
type Deriver struct {
	known    []*occupancy.Device // by device; nil: unknown
	computed sync.Map            // the numbers of an occupancy, by kernelUse
	kept     atomic.Int32        // entries of computed
}

// maxKept is how many occupancies are remembered.
const maxKept = 4096

// A Use is what metrics of a launch are derived from. Negative numbers, NaN and a block
// of nothing are unknown.
type Use struct {
	Device            int // as in [Deriver.Devices]
	VGPRs, SGPRs, LDS int64
	Block             [3]uint64
	Traffic           float64 // Kbyte to and from memory
	Time              float64 // ns
	Measured          bool    // the occupancy, by the profiler
}

// A kernelUse is what the occupancy of a launch depends on.
type kernelUse struct {
	device *occupancy.Device
	kernel occupancy.Kernel
	block  [3]uint64
}

// Devices tells the devices of the file, to which more may be added at the end.
func (d *Deriver) Devices(all []profile.Device) {
	for _, x := range all[len(d.known):] {
		d.known = append(d.known, deviceOf(x.Name))
	}
}

// Add adds to n what follows from u.
func (d *Deriver) Add(n *profile.Numbers, u *Use) {
	if !math.IsNaN(u.Traffic) {
		throughput(n, u.Traffic, u.Time)
	}
	if !d.computes(u) {
		return
	}
	device := d.known[u.Device]
	use := kernelUse{device, occupancy.Kernel{VGPRs: int(u.VGPRs), SGPRs: int(max(u.SGPRs, 0)), LDS: int(max(u.LDS, 0))}, u.Block}
	known, ok := d.computed.Load(use)
	if !ok {
		var m profile.Numbers
		computedOccupancy(&m, device, use.kernel, u.Block)
		if known = m; d.kept.Add(1) <= maxKept {
			d.computed.Store(use, known)
		}
	}
	*n = append(*n, known.(profile.Numbers)...)
}

// computes reports whether an occupancy follows from u: of a known device, with all
// that limits it. What a file says that it does not know is not taken for nothing.
func (d *Deriver) computes(u *Use) bool {
	device := d.known[u.Device]
	return device != nil && !u.Measured && u.VGPRs >= 0 && (u.SGPRs >= 0 || device.SGPRs == 0) && u.LDS >= 0 && u.Block[0] > 0
}

// Adds reports whether Add may add a metric that is not among names.
func (d *Deriver) Adds(u *Use, names []string) bool {
	if device := d.known[u.Device]; d.computes(u) &&
		(!slices.Contains(names, "KernelOccupancy") || device.SGPRs > 0 && !slices.Contains(names, "WavesLimitedBySGPR")) {
		return true
	}
	return u.Time > 0 && !math.IsNaN(u.Traffic) && !slices.Contains(names, "dram__bytes.sum.per_second")
}
