package occupancy

import (
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

	SharedConfig int // NVIDIA: bytes of shared memory that a multiprocessor is set to; 0: the most
}

// names are the names of all devices, in order.
func names() []string {
	var out []string
	for i := range devices {
		out = append(out, devices[i].Name)
	}
	return out
}

// Devices are all devices.
func Devices() []Device { return append([]Device(nil), devices...) }

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

// words are a vendor's names of things.
type words struct {
	waves, group, items, registers, memory, unit string
	resources                                    [numResources]string // "": there is none
}

var vendorWords = [...]words{
	AMD: {"wavefronts", "work-group", "work-items", "vector registers", "local memory", "compute unit",
		[...]string{"SGPR", "VGPR", "LDS", "Work-group size"}},
	NVIDIA: {"warps", "block", "threads", "registers", "shared memory", "multiprocessor",
		[...]string{"", "Registers", "Shared memory", "Block size"}},
}

func (d *Device) words() *words { return &vendorWords[d.Vendor] }

// Word is the name of a resource on a device.
func (d *Device) Word(r Resource) string { return d.words().resources[r] }

// Waves is the vendor's word for wavefronts.
func (d *Device) Waves() string { return d.words().waves }

// GroupWord is the vendor's word for a work-group.
func (d *Device) GroupWord() string { return d.words().group }

// ItemWord is the vendor's word for work-items, in the plural.
func (d *Device) ItemWord() string { return d.words().items }

// Unit is the vendor's word for a compute unit; RDNA is reckoned by the
// work-group processor, which is two of them.
func (d *Device) Unit() string {
	if d.workGroupProcessor() {
		return "work-group processor"
	}
	return d.words().unit
}

// workGroupProcessor tells RDNA, where local memory is that of two compute units.
func (d *Device) workGroupProcessor() bool { return d.model == simd && d.SGPRs == 0 }

// HasAGPRs tells whether the device has accumulation registers.
func (d *Device) HasAGPRs() bool { return d.model == simd && d.SGPRs > 0 }

// sortedAliases are the other names of d.
func (d *Device) sortedAliases() []string {
	a := append([]string(nil), d.Aliases...)
	sort.Strings(a)
	return a
}

// OtherNames are the aliases of d in one line.
func (d *Device) OtherNames() string { return strings.Join(d.sortedAliases(), ", ") }
