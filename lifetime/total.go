package lifetime

import (
	"math"
	"slices"
)

// LevelTotal sums a memory level up over all kernels.
type LevelTotal struct {
	Name      string
	Lifetimes Distribution // in cycles; kernels' weights do not enter

	Loads, Stores, Unknown, Retries int64
	Unique                          int64 // sum over kernels
	Reuse                           [8]int64
	Rewritten, Refilled, Open       int64
	Merged, Inherited, Backward     int64
	Units                           int  // the most that one kernel accessed
	NoLifetimes                     bool // they are not known: no file has them

	// WeightedLoads, WeightedStores and WeightedNS count every kernel as often as
	// its weight says.
	WeightedLoads, WeightedStores, WeightedNS float64

	// Write is how often the level is written.
	Write Frequency

	Uses []DeviceUse // by device of the table

	sizes []int64 // bytes of one unit in each kernel
}

// Frequency describes a write frequency over all kernels, in MHz.
type Frequency struct {
	Max      float64
	MaxIndex int     // position of that kernel, from 0
	P90      float64 // linear interpolation
	// Weighted is the mean, every kernel weighted by its cycles (and its weight).
	// That the guide's field of this name is this mean is a guess.
	Weighted float64

	values []float64
	sum    float64
	cycles float64
}

func (f *Frequency) add(mhz float64, index int, weight float64) {
	if len(f.values) == 0 || mhz > f.Max {
		f.Max, f.MaxIndex = mhz, index
	}
	f.values = append(f.values, mhz)
	f.sum += mhz * weight
	f.cycles += weight
	f.Weighted = f.sum / f.cycles
}

// settle computes what needs all values.
func (f *Frequency) settle() {
	sorted := slices.Sorted(slices.Values(f.values))
	f.P90 = quantile(sorted, 0.9)
}

// quantile is the q-quantile of sorted values with linear interpolation.
func quantile(sorted []float64, q float64) float64 {
	n := len(sorted)
	if n == 0 {
		return math.NaN()
	}
	at := q * float64(n-1)
	lo := int(at)
	hi := min(lo+1, n-1)
	return sorted[lo] + (sorted[hi]-sorted[lo])*(at-float64(lo))
}

// DeviceUse is what a level would have asked of a device.
type DeviceUse struct {
	Device *Device
	// Refreshes is the sum over lifetimes of how often the retention time fits
	// into them, rounded down: a block is refreshed each time that its data would
	// be lost, as long as it is needed. This is a guess at what GainSight counts.
	Refreshes float64
	// Within counts the lifetimes that need no refresh, WithinCycles their length.
	Within                         uint64
	WithinCycles                   float64
	MinRetentionNS, MaxRetentionNS float64 // over kernels
	Known                          int     // kernels with a known retention time
	TooFast                        int     // kernels that write faster than the device's table goes
}

func newLevelTotal(name string, t *DeviceTable) *LevelTotal {
	l := &LevelTotal{Name: name}
	for i := range t.Devices {
		l.Uses = append(l.Uses, DeviceUse{Device: &t.Devices[i], MinRetentionNS: math.Inf(1)})
	}
	return l
}

// add takes one kernel's result.
func (t *LevelTotal) add(a *Analysis, r *KernelResult, l *LevelResult, k *KernelLevel, weight float64) {
	t.Lifetimes.Merge(l.Lifetimes)
	t.Loads += l.reads()
	t.Stores += l.Stores
	t.Unknown += l.Unknown
	t.Retries += l.Retries
	t.Unique += l.Unique
	for i, n := range l.Reuse {
		t.Reuse[i] += n
	}
	t.Rewritten += l.Rewritten
	t.Refilled += l.Refilled
	t.Open += l.Open
	t.Merged += l.Merged
	t.Inherited += l.Inherited
	t.Backward += l.Backward
	t.Units = max(t.Units, len(l.Units))
	t.WeightedLoads += weight * float64(l.reads())
	t.WeightedStores += weight * float64(l.Stores)
	t.WeightedNS += weight * a.Machine.NS(float64(r.Cycles))
	t.sizes = append(t.sizes, k.Size/int64(max(len(l.Units), 1)))
	t.Write.add(k.WriteMHz, len(a.Kernels), weight*float64(r.Cycles))
	for i := range t.Uses {
		t.Uses[i].add(&a.Machine, l.Lifetimes, k.WriteMHz, weight)
	}
}

// add takes one kernel.
func (u *DeviceUse) add(m *Machine, d *Distribution, writeMHz, weight float64) {
	ns := u.Device.RetentionNS(writeMHz)
	if math.IsNaN(ns) {
		if len(u.Device.Retention) > 0 {
			u.TooFast++
		}
		return
	}
	u.Known++
	u.MinRetentionNS, u.MaxRetentionNS = min(u.MinRetentionNS, ns), max(u.MaxRetentionNS, ns)
	u.lifetimes(m, d, writeMHz, weight)
}

// lifetimes counts what a kernel's lifetimes ask of the device.
func (u *DeviceUse) lifetimes(m *Machine, d *Distribution, writeMHz, weight float64) {
	ns := u.Device.RetentionNS(writeMHz)
	if math.IsNaN(ns) {
		return
	}
	period := m.period()
	d.each(func(cycles int64, n uint64) {
		if refreshes := math.Floor(float64(cycles) * period / ns); refreshes > 0 {
			u.Refreshes += refreshes * float64(n) * weight
			return
		}
		u.Within += n
		u.WithinCycles += float64(cycles) * float64(n)
	})
}

// complete reports whether the device's retention was known for every kernel.
func (u *DeviceUse) complete(t *LevelTotal) bool { return u.Known == len(t.sizes) && u.Known > 0 }

// unitBytes is the size of one unit of the level: the largest that any kernel had,
// 0 where it is unknown.
func (t *LevelTotal) unitBytes() int64 {
	if len(t.sizes) == 0 {
		return 0
	}
	return slices.Max(t.sizes)
}

// NeverReused is the share of lifetimes that nothing read again, NaN where that is
// unknown.
func (t *LevelTotal) NeverReused() float64 {
	var all int64
	for _, n := range t.Reuse {
		all += n
	}
	return float64(t.Reuse[0]) / float64(all)
}

// Capacity is the level's size in bytes over all of its units, 0 where unknown:
// what the settings say, else the size of one unit times the number of SMs that
// the log states for an L1, or the units that were accessed.
func (a *Analysis) Capacity(t *LevelTotal) int64 {
	if n := a.Settings.Capacity[t.Name]; n > 0 {
		return n
	}
	units := int64(max(t.Units, 1))
	if t.Name == "L1D" {
		units = max(units, a.Machine.Config.SMs)
	}
	return t.unitBytes() * units
}
