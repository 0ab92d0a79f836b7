package occupancy

// A Curve tells how many wavefronts are in flight as one resource varies.
type Curve struct {
	Resource Resource
	X        []int // what is varied
	Waves    []int // in flight; 0 where the kernel does not fit
	At       int   // the kernel's own value of X
	Limiting bool  // the resource limits the kernel as it is
}

// sweepPoints is the number of steps in a curve over local memory.
const sweepPoints = 320

// Sweep computes the curves around a kernel: work-group size, vector registers,
// scalar registers where they can limit, and local memory.
func (d *Device) Sweep(k Kernel) ([]Curve, error) {
	own, err := d.Limits(k)
	if err != nil {
		return nil, err
	}
	limiting := map[Resource]bool{}
	for _, r := range own.Limiting() {
		limiting[r] = true
	}
	group := d.MaxGroup
	if k.MaxGroup > 0 {
		group = min(group, k.MaxGroup)
	}
	var out []Curve
	curve := func(r Resource, first, last, step, at int, set func(*Kernel, int)) {
		c := Curve{Resource: r, At: at, Limiting: limiting[r]}
		for x := first; x <= last; x += step {
			v := k
			set(&v, x)
			waves := 0
			if l, err := d.Limits(v); err == nil {
				waves = l.Active
			}
			c.X, c.Waves = append(c.X, x), append(c.Waves, waves)
		}
		out = append(out, c)
	}
	curve(Group, 1, group, 1, k.Group, func(v *Kernel, x int) { v.Group = x })
	curve(VGPR, 0, min(d.MaxVGPRs, d.VGPRs), 1, k.VGPRs, func(v *Kernel, x int) { v.VGPRs = x })
	if d.SGPRs > 0 {
		curve(SGPR, 0, maxSGPRs, 1, k.SGPRs, func(v *Kernel, x int) { v.SGPRs = x })
	}
	curve(LDS, 0, d.MaxLDS, max(1, d.MaxLDS/sweepPoints), k.LDS, func(v *Kernel, x int) { v.LDS = x })
	return out, nil
}

// maxSGPRs is how many scalar registers a wavefront can address.
const maxSGPRs = 104
