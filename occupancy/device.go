package occupancy

import (
	"fmt"
	"sort"
	"strings"
)

// Vendor is the maker of a device.
type Vendor uint8

// The vendors.
const (
	AMD Vendor = iota
	NVIDIA
)

// model is the arithmetic that an architecture follows.
type model uint8

const (
	vliw   model = iota // Evergreen and Northern Islands
	gcn                 // Southern Islands to GFX9, as AMD's profilers compute
	simd                // CDNA and RDNA
	nvidia              // all compute capabilities
)

// A Device holds the pools of a compute unit. Sizes of memory are in bytes.
type Device struct {
	Name    string // of the architecture
	Aliases []string
	Vendor  Vendor

	Wave     int // work-items in a wavefront, threads in a warp
	SIMDs    int // in a compute unit, or parts of a multiprocessor
	MaxWaves int // in a compute unit
	MaxGroup int // work-items in a work-group, at most

	Groups       int // work-groups in a compute unit
	SingleGroups int // the same for work-groups of one wavefront; 0: as Groups

	VGPRs       int // of a SIMD for one lane; of NVIDIA registers of a multiprocessor
	VGPRGranule int
	MaxVGPRs    int // of one work-item
	Unified     bool
	SGPRs       int // of a SIMD; 0: no limit
	SGPRGranule int
	ExtraSGPRs  int // added to what a kernel uses

	LDS         int // of a compute unit
	LDSGranule  int
	MaxLDS      int // of one work-group
	ReservedLDS int // of each work-group
	MaxRegs     int // NVIDIA: registers of one block

	model model
}

// A Kernel says what a kernel uses.
type Kernel struct {
	VGPRs    int // of a work-item; NVIDIA: registers of a thread
	AGPRs    int // accumulation registers of CDNA
	SGPRs    int // of a wavefront
	LDS      int // bytes of a work-group
	Group    int // work-items in a work-group
	MaxGroup int // limit of the device or the compiler; 0: that of the device
}

// Lookup finds a device by name or alias, whatever the case.
func Lookup(name string) (*Device, error) {
	if d := index[fold(name)]; d != nil {
		return d, nil
	}
	return nil, fmt.Errorf("device %q is unknown; there are %s", name, strings.Join(Names(), ", "))
}

// Names are the names of all devices, in order.
func Names() []string {
	var out []string
	for i := range devices {
		out = append(out, devices[i].Name)
	}
	return out
}

// Devices are all devices.
func Devices() []Device { return append([]Device(nil), devices...) }

// fold makes names comparable: "SM 9.0", "sm_90" and "CC9.0" are one.
func fold(s string) string {
	s = strings.ToLower(strings.TrimSpace(s))
	s = strings.NewReplacer(" ", "", "_", "", "-", "", "/", "").Replace(s)
	for _, p := range []string{"sm", "cc", "compute"} {
		if t, ok := strings.CutPrefix(s, p); ok && t != "" && t[0] >= '0' && t[0] <= '9' {
			s = t
		}
	}
	if s != "" && s[0] >= '1' && s[0] <= '9' {
		s = strings.ReplaceAll(s, ".", "")
		s = strings.TrimRight(s, "af") // sm_90a, sm_100f
	}
	return s
}

// index finds devices by folded names; it is never written after it is made.
var index = func() map[string]*Device {
	m := map[string]*Device{}
	for i := range devices {
		d := &devices[i]
		for _, n := range append([]string{d.Name}, d.Aliases...) {
			m[fold(n)] = d
		}
	}
	return m
}()

// Resource is something a compute unit runs out of.
type Resource uint8

// The resources, in the order in which AMD names them.
const (
	SGPR Resource = iota
	VGPR
	LDS
	Group
	numResources
)

// Limits are the wavefronts that each resource has room for.
type Limits struct {
	MaxWaves int // in a compute unit, for this size of work-group
	Waves    [numResources]int
	Active   int
	Group    int // wavefronts in a work-group

	used [numResources]bool
}

// Percent is the occupancy, computed in single precision as AMD does.
func (l *Limits) Percent() float32 { return float32(l.Active) / float32(l.MaxWaves) * 100 }

// Limiting are the resources that no other undercuts and of which the kernel
// uses some; none at full occupancy.
func (l *Limits) Limiting() []Resource {
	if l.Active == l.MaxWaves {
		return nil
	}
	var out []Resource
	for r := range numResources {
		if l.Waves[r] == l.Active && l.used[r] {
			out = append(out, r)
		}
	}
	return out
}

// Word is the name of a resource on a device.
func (d *Device) Word(r Resource) string {
	if d.Vendor == NVIDIA {
		return [...]string{"", "Registers", "Shared memory", "Block size"}[r]
	}
	return [...]string{"SGPR", "VGPR", "LDS", "Work-group size"}[r]
}

// Waves is the vendor's word for wavefronts.
func (d *Device) Waves() string {
	if d.Vendor == NVIDIA {
		return "warps"
	}
	return "wavefronts"
}

// sortedAliases are the other names of d.
func (d *Device) sortedAliases() []string {
	a := append([]string(nil), d.Aliases...)
	sort.Strings(a)
	return a
}

// OtherNames are the aliases of d in one line.
func (d *Device) OtherNames() string { return strings.Join(d.sortedAliases(), ", ") }
