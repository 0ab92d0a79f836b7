package lifetime

import "math"

// Projection is a memory level made of another device. Energies are in pJ for the
// whole run; what the device table or the log does not allow to compute is NaN.
//
//	read    = loads x bits of a block x read energy
//	write   = stores x bits of a block x write energy
//	refresh = refreshes x bits of a block x refresh energy
//	leakage = bits of the level x leakage x time
//
// These formulas are ours. GainSight promises energies but shows none.
type Projection struct {
	Level, Device string // name of the level, key of the device
	Name          string // of the device
	MinRetention  float64
	MaxRetention  float64 // ns, over the kernels' write frequencies; +Inf: static
	Refreshes     float64
	WithinShare   float64 // share of lifetimes that need no refresh
	WithinTime    float64 // the same, weighted by their length: share of the occupied memory
	TooFast       int     // kernels that write faster than the device allows

	Area      float64 // in the table's AreaUnit
	AreaRatio float64 // against the reference device

	Read, Write, Refresh, Leakage, Energy float64
	EnergyRatio                           float64
}

// Project computes a level on every device of the table.
func (a *Analysis) Project(t *LevelTotal) []Projection {
	out := make([]Projection, 0, len(t.Uses))
	for i := range t.Uses {
		out = append(out, a.projection(t, &t.Uses[i]))
	}
	for i := range out {
		for j := range out {
			if out[j].Device == a.Devices.Reference {
				out[i].AreaRatio = out[i].Area / out[j].Area
				out[i].EnergyRatio = out[i].Energy / out[j].Energy
			}
		}
	}
	return out
}

func (a *Analysis) projection(t *LevelTotal, u *DeviceUse) Projection {
	d, nan := u.Device, math.NaN()
	p := Projection{Level: t.Name, Device: d.Key, Name: d.Name, MinRetention: nan, MaxRetention: nan, Refreshes: nan, WithinShare: nan, WithinTime: nan,
		TooFast: u.TooFast, AreaRatio: nan, EnergyRatio: nan}
	if u.complete(t) {
		p.MinRetention, p.MaxRetention, p.Refreshes = u.MinRetentionNS, u.MaxRetentionNS, u.Refreshes
		p.WithinShare = float64(u.Within) / float64(t.Lifetimes.N())
		p.WithinTime = u.WithinCycles / t.Lifetimes.Sum()
	}
	bits := float64(a.Capacity(t)) * 8
	if bits == 0 {
		bits = nan
	}
	block := float64(a.Machine.Block) * 8
	p.Area = bits * given(d.AreaPerBit)
	p.Read = t.WeightedLoads * block * given(d.ReadEnergy) / 1000
	p.Write = t.WeightedStores * block * given(d.WriteEnergy) / 1000
	switch refresh := given(d.RefreshEnergy); {
	case p.Refreshes == 0:
		p.Refresh = 0
	case math.IsNaN(refresh):
		p.Refresh = p.Refreshes * block * (given(d.ReadEnergy) + given(d.WriteEnergy)) / 1000
	default:
		p.Refresh = p.Refreshes * block * refresh / 1000
	}
	p.Leakage = bits * given(d.Leakage) * t.WeightedNS / 1e6
	p.Energy = p.Read + p.Write + p.Refresh + p.Leakage
	return p
}

// given is an optional number of the device table, NaN if it is not there.
func given(v *float64) float64 {
	if v == nil {
		return math.NaN()
	}
	return *v
}

// Share is the part of a level that a heterogeneous composition gives a device.
type Share struct {
	Device    string
	Name      string
	Lifetimes float64 // share of lifetimes, in [0, 1]
	Capacity  float64 // share of the occupied memory: lifetimes weighted by their length
}

// Composition is a level made of several devices, each lifetime kept in the
// cheapest device that holds it without a refresh. It assumes that data can be
// placed by its lifetime, which no hardware knows in advance: it is a bound. The
// retention time of a device is that at the level's highest write frequency of any
// kernel.
type Composition struct {
	Level  string
	Shares []Share // devices that get something, cheapest first
	// AreaRatio compares the composition with the reference device at the same
	// capacity.
	AreaRatio float64
}

// Compose finds the composition of a level with the least area. It needs a static
// device in the table, for what lives longest, and one that is not; false if there
// is none with an area and a retention time.
func (a *Analysis) Compose(t *LevelTotal) (Composition, bool) {
	c := Composition{Level: t.Name}
	type candidate struct {
		d    *Device
		area float64
		ns   float64
	}
	var all []candidate
	static, volatile := false, false
	for i := range a.Devices.Devices {
		d := &a.Devices.Devices[i]
		ns := d.RetentionNS(t.Write.Max)
		if d.AreaPerBit == nil || math.IsNaN(ns) {
			continue
		}
		at := 0
		for at < len(all) && all[at].area <= *d.AreaPerBit {
			at++
		}
		all = append(all[:at], append([]candidate{{d, *d.AreaPerBit, ns}}, all[at:]...)...)
		static, volatile = static || d.Static(), volatile || !d.Static()
	}
	ref := a.Devices.Find(a.Devices.Reference)
	if !static || !volatile || t.Lifetimes.N() == 0 || ref == nil || ref.AreaPerBit == nil {
		return c, false
	}
	counts, times := make([]float64, len(all)), make([]float64, len(all))
	period := a.Machine.period()
	t.Lifetimes.each(func(cycles int64, n uint64) {
		for i := range all {
			if float64(cycles)*period < all[i].ns {
				counts[i] += float64(n)
				times[i] += float64(n) * float64(cycles)
				return
			}
		}
	})
	total := t.Lifetimes.Sum()
	for i, cand := range all {
		if counts[i] == 0 {
			continue
		}
		s := Share{Device: cand.d.Key, Name: cand.d.Name, Lifetimes: counts[i] / float64(t.Lifetimes.N())}
		if total > 0 {
			s.Capacity = times[i] / total
		}
		c.Shares = append(c.Shares, s)
		c.AreaRatio += s.Capacity * cand.area / *ref.AreaPerBit
	}
	return c, true
}
