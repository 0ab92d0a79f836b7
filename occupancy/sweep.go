package occupancy

import "sort"

// A Curve tells how many wavefronts are in flight as one resource varies. From
// one place to the next the number stays; the last place is the most there is.
type Curve struct {
	Resource Resource
	X        []int // what is varied
	Waves    []int // in flight; 0 where the kernel does not fit
	At       int   // the kernel's own value of X
	Limiting bool  // the resource limits the kernel as it is
}

// Sweep computes the curves around a kernel: work-group size, vector registers
// and scalar registers where they can limit, each number of them, and local
// memory, of which a place is where the result changes.
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
	begin := func(r Resource, at int, set func(*Kernel, int)) (*Curve, func(int) int) {
		out = append(out, Curve{Resource: r, At: at, Limiting: limiting[r]})
		return &out[len(out)-1], func(x int) int {
			v := k
			set(&v, x)
			if l, err := d.Limits(v); err == nil {
				return l.Active
			}
			return 0
		}
	}
	each := func(r Resource, first, last, at int, set func(*Kernel, int)) {
		c, waves := begin(r, at, set)
		for x := first; x <= last; x++ {
			c.X, c.Waves = append(c.X, x), append(c.Waves, waves(x))
		}
	}
	each(Group, 1, group, k.Group, func(v *Kernel, x int) { v.Group = x })
	each(VGPR, 0, min(d.MaxVGPRs, d.VGPRs), k.VGPRs, func(v *Kernel, x int) { v.VGPRs = x })
	if d.SGPRs > 0 {
		each(SGPR, 0, maxSGPRs, k.SGPRs, func(v *Kernel, x int) { v.SGPRs = x })
	}
	c, waves := begin(LDS, k.LDS, func(v *Kernel, x int) { v.LDS = x })
	for x := 0; x <= d.MaxLDS; {
		w := waves(x)
		c.X, c.Waves = append(c.X, x), append(c.Waves, w)
		// More never gives more, so the next change is found by halving.
		x += 1 + sort.Search(d.MaxLDS-x, func(i int) bool { return waves(x+i+1) != w })
	}
	if last := len(c.X) - 1; c.X[last] < d.MaxLDS {
		c.X, c.Waves = append(c.X, d.MaxLDS), append(c.Waves, c.Waves[last])
	}
	return out, nil
}

// maxSGPRs is how many scalar registers a wavefront can address.
const maxSGPRs = 104

// Gain is the largest use of a resource, below what the kernel uses, at which
// more wavefronts are in flight; ok is false where less of it alone gains nothing.
func (d *Device) Gain(k Kernel, r Resource) (use, waves int, ok bool) {
	own, err := d.Limits(k)
	if err != nil {
		return 0, 0, false
	}
	var field *int
	step := 1
	switch r {
	case VGPR:
		field = &k.VGPRs
	case SGPR:
		field = &k.SGPRs
	case LDS:
		field, step = &k.LDS, d.LDSGranule
	default:
		return 0, 0, false
	}
	// The sizes that fill whole granules; what is reserved is a multiple of them.
	for *field -= *field % step; *field >= 0; *field -= step {
		if l, err := d.Limits(k); err == nil && l.Active > own.Active {
			return *field, l.Active, true
		}
	}
	return 0, 0, false
}
