package occupancy

import (
	"errors"
	"fmt"
)

// ErrKernel is wrapped by the error for a kernel that cannot run on the device.
var ErrKernel = errors.New("kernel does not fit the device")

// Limits computes the wavefronts in flight on a compute unit.
func (d *Device) Limits(k Kernel) (Limits, error) {
	if err := d.check(k); err != nil {
		return Limits{}, err
	}
	l := d.limits(k)
	if l.Active == 0 {
		return l, fmt.Errorf("%w: not one %s has room on %s", ErrKernel, d.words().group, d.Name)
	}
	return l, nil
}

func (d *Device) check(k Kernel) error {
	most := k.MaxGroup
	if most <= 0 || most > d.MaxGroup {
		most = d.MaxGroup
	}
	words := d.words()
	for _, c := range []struct {
		what       string
		have, most int
	}{
		{words.items + " in a " + words.group, k.Group, most},
		{words.registers, k.VGPRs, d.MaxVGPRs},
		{"accumulation registers", k.AGPRs, d.MaxVGPRs},
		{"scalar registers", k.SGPRs, 1 << 12},
		{"bytes of " + words.memory, k.LDS, d.MaxLDS},
	} {
		if c.have < 0 || c.have > c.most {
			return fmt.Errorf("%w: %d %s, of 0 to %d on %s", ErrKernel, c.have, c.what, c.most, d.Name)
		}
	}
	if k.Group == 0 {
		return fmt.Errorf("%w: a %s of no %s", ErrKernel, words.group, words.items)
	}
	return nil
}

// limits computes without checks, for values of any size.
func (d *Device) limits(k Kernel) Limits {
	switch d.model {
	case vliw:
		return d.vliwLimits(k)
	case gcn:
		return d.gcnLimits(k)
	case nvidia:
		return d.nvidiaLimits(k)
	}
	return d.simdLimits(k)
}

func ceilDiv(a, b int) int { return (a + b - 1) / b }

func roundUp(a, b int) int { return ceilDiv(a, b) * b }

// groups is the number of work-groups that a compute unit can hold.
func (d *Device) groups(wavesPerGroup int) int {
	if wavesPerGroup == 1 && d.SingleGroups > 0 {
		return d.SingleGroups
	}
	return d.Groups
}

// begin computes what AMD's models have in common: the wavefronts in a
// work-group and the largest number on a compute unit.
func (d *Device) begin(k Kernel) (l Limits, groups int) {
	l.Group = max(1, ceilDiv(k.Group, d.Wave))
	if k.Group > 0 {
		groups = d.groups(l.Group)
	}
	most := k.MaxGroup
	if most <= 0 {
		most = d.MaxGroup
	}
	l.MaxWaves = min(d.MaxWaves, groups*ceilDiv(most, d.Wave))
	l.used = [numResources]bool{SGPR: k.SGPRs != 0, VGPR: k.VGPRs+k.AGPRs != 0, LDS: k.LDS != 0, Group: true}
	return l, groups
}

func (l *Limits) finish() {
	l.Active = min(l.Waves[SGPR], l.Waves[VGPR], l.Waves[LDS], l.Waves[Group])
}

// whole rounds wavefronts down to whole work-groups.
func (l *Limits) whole(waves int) int { return waves / l.Group * l.Group }

// gcnLimits is the arithmetic of AMD's profilers for Southern Islands to GFX9.
func (d *Device) gcnLimits(k Kernel) Limits {
	l, groups := d.begin(k)
	byGroup := l.whole(min(l.Group*groups, d.MaxWaves)) // theirs is the device's number here
	l.Waves[Group] = byGroup
	l.Waves[VGPR] = l.whole(min(d.VGPRs/roundUp(max(k.VGPRs, 1), d.VGPRGranule)*d.SIMDs, byGroup))
	l.Waves[SGPR] = l.whole(min(d.SGPRs/roundUp(max(k.SGPRs+d.ExtraSGPRs, 1), d.SGPRGranule)*d.SIMDs, byGroup))
	l.Waves[LDS] = min(l.Group*(d.LDS/max(k.LDS, 1)), byGroup)
	l.finish()
	return l
}

// vliwLimits is the arithmetic of AMD's profilers for Evergreen and Northern
// Islands. Registers are neither rounded nor clamped to the wavefronts of a
// compute unit unless they exceed those of its work-groups; this is theirs.
func (d *Device) vliwLimits(k Kernel) Limits {
	l, groups := d.begin(k)
	v := d.VGPRs / max(k.VGPRs, 1)
	if v > groups*l.Group {
		v = min(groups*l.Group, l.MaxWaves)
	}
	l.Waves[VGPR] = l.whole(v)
	l.Waves[LDS] = min(l.Group*min(d.LDS/max(k.LDS, 1), groups), l.MaxWaves)
	l.Waves[Group] = min(l.whole(l.MaxWaves), groups*l.Group)
	l.Waves[SGPR] = l.MaxWaves // there are none
	l.used[SGPR] = false
	l.finish()
	return l
}

// simdLimits is the arithmetic for CDNA and RDNA: registers are allocated to
// wavefronts of one SIMD, local memory to work-groups.
func (d *Device) simdLimits(k Kernel) Limits {
	l, groups := d.begin(k)
	byGroup := l.whole(min(l.Group*groups, l.MaxWaves))
	l.Waves[Group] = byGroup
	v := max(k.VGPRs, k.AGPRs)
	if d.Unified && k.AGPRs > 0 {
		v = roundUp(k.VGPRs, 4) + k.AGPRs // accumulation registers begin at a multiple of 4
	}
	v = roundUp(max(v, 1), d.VGPRGranule)
	l.Waves[VGPR] = l.whole(min(d.VGPRs/v*d.SIMDs, byGroup))
	l.Waves[SGPR] = byGroup
	if d.SGPRs > 0 {
		s := roundUp(max(k.SGPRs+d.ExtraSGPRs, 1), d.SGPRGranule)
		l.Waves[SGPR] = l.whole(min(d.SGPRs/s*d.SIMDs, byGroup))
	} else {
		l.used[SGPR] = false
	}
	l.Waves[LDS] = byGroup
	if k.LDS > 0 {
		l.Waves[LDS] = min(l.Group*(d.LDS/roundUp(k.LDS, d.LDSGranule)), byGroup)
	}
	l.finish()
	return l
}

// nvidiaLimits is the arithmetic of the CUDA occupancy calculator: registers are
// allocated to warps, within one of the parts of a multiprocessor; shared memory
// to blocks.
func (d *Device) nvidiaLimits(k Kernel) Limits {
	l := Limits{MaxWaves: d.MaxWaves, Group: max(1, ceilDiv(k.Group, d.Wave))}
	l.used = [numResources]bool{VGPR: k.VGPRs != 0, LDS: k.LDS != 0, Group: true}
	byGroup := min(d.Groups, d.MaxWaves/l.Group)
	blocks := d.MaxWaves
	if k.VGPRs > 0 {
		perWarp := roundUp(k.VGPRs*d.Wave, d.VGPRGranule)
		blocks = d.VGPRs / d.SIMDs / perWarp * d.SIMDs / l.Group
		// The hardware checks a block as if it took registers of all parts at once.
		if perWarp*roundUp(l.Group, d.SIMDs) > d.MaxRegs {
			blocks = 0
		}
	}
	shared := d.MaxWaves
	if k.LDS+d.ReservedLDS > 0 {
		pool := d.LDS
		if k.SharedConfig > 0 {
			pool = min(pool, k.SharedConfig)
		}
		shared = pool / roundUp(k.LDS+d.ReservedLDS, d.LDSGranule)
	}
	l.Waves[Group] = byGroup * l.Group
	l.Waves[VGPR] = min(blocks*l.Group, d.MaxWaves)
	l.Waves[LDS] = min(shared*l.Group, d.MaxWaves)
	l.Waves[SGPR] = d.MaxWaves
	l.finish()
	return l
}
