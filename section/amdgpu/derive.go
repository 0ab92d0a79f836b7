package amdgpu

import (
	"strings"

	"github.com/gpuprof/gpuprof/occupancy"
	"github.com/gpuprof/gpuprof/profile"
)

// Derive adds what follows from the numbers of a launch where a file does not
// tell it: counters that ROCm's profilers derive from others, the traffic to
// memory over time, and the occupancy on a device that is known.
func Derive(n *profile.Numbers, device string, block [3]uint64) {
	d := deviceOf(device)
	v := valuesOf(*n)
	if v.found {
		counters(n, &v, d)
	}
	if v.has("FetchSize", "WriteSize") {
		throughput(n, v.get("FetchSize")+v.get("WriteSize"), v.get("gpu__time_duration.sum"))
	}
	if d != nil && !v.has("KernelOccupancy") && v.has("VGPRs") {
		computedOccupancy(n, d, occupancy.Kernel{VGPRs: int(v.get("VGPRs")), AGPRs: int(v.get("AccumVGPRs")), SGPRs: int(v.get("SGPRs")), LDS: int(v.get("LocalMemSize"))}, block)
	}
}

// throughput adds the traffic of so many Kbyte in so many nanoseconds.
func throughput(n *profile.Numbers, traffic, duration float64) {
	if duration > 0 {
		n.Real("dram__bytes.sum.per_second", traffic*1024/duration*1e9)
	}
}

// deviceOf finds the architecture of a device by its name, which some profilers
// end in a number; nil if it is unknown.
func deviceOf(name string) *occupancy.Device {
	for range 3 {
		if d := occupancy.Find(name); d != nil {
			return d
		}
		if name == "" || name[len(name)-1] < '0' || name[len(name)-1] > '9' {
			return nil
		}
		name = name[:len(name)-1]
	}
	return nil
}

// derivedFrom are the metrics that derive looks at. Names of sums come with and
// without _sum.
var derivedFrom = map[string]bool{
	"FetchSize": true, "WriteSize": true, "gpu__time_duration.sum": true, "KernelOccupancy": true,
	"VGPRs": true, "AccumVGPRs": true, "SGPRs": true, "LocalMemSize": true,
	"VALUInsts": true, "SALUInsts": true, "SFetchInsts": true, "GDSInsts": true, "LDSInsts": true, "VALUUtilization": true, "L2CacheHit": true,
	"SQ_WAVES": true, "SQ_INSTS_VALU": true, "SQ_INSTS_SALU": true, "SQ_INSTS_SMEM": true, "SQ_INSTS_GDS": true, "SQ_INSTS_LDS": true,
	"SQ_INSTS_FLAT_LDS_ONLY": true, "SQ_THREAD_CYCLES_VALU": true, "SQ_ACTIVE_INST_VALU": true,
	"TCC_HIT": true, "TCC_MISS": true, "GL2C_HIT": true, "GL2C_MISS": true,
	"TCC_EA_RDREQ": true, "TCC_EA_RDREQ_32B": true, "TCC_EA_WRREQ": true, "TCC_EA_WRREQ_64B": true,
	"FETCH_SIZE": true, "WRITE_SIZE": true,
}

// operands are the numbers that derive looks at.
type operands struct {
	of    map[string]float64
	found bool // there are counters of the hardware among them
}

func (v *operands) has(names ...string) bool {
	for _, name := range names {
		if _, ok := v.of[name]; !ok {
			return false
		}
	}
	return true
}

func (v *operands) get(name string) float64 { return v.of[name] }

func valuesOf(n profile.Numbers) operands {
	v := operands{of: make(map[string]float64, 16)}
	for i := range n {
		m := &n[i]
		name := strings.TrimSuffix(m.Name, "_sum")
		if derivedFrom[name] {
			v.of[name] = m.Value.Double()
			v.found = v.found || strings.Contains(name, "_") && name[0] < 'a'
		}
	}
	return v
}

// counters adds derived counters as ROCm defines them (counter_defs.yaml of its
// profilers; rocm.docs.amd.com, "MI300 and MI200 series performance counters and
// metrics"), with the sums of the parts of the GPU.
func counters(n *profile.Numbers, v *operands, d *occupancy.Device) {
	add := func(name string, value float64) {
		if !v.has(name) {
			n.Real(name, value)
			v.of[name] = value
		}
	}
	ratio := func(name, part, whole string, factor float64) {
		if v.has(part, whole) && v.get(whole) > 0 {
			add(name, factor*v.get(part)/v.get(whole))
		}
	}
	ratio("VALUInsts", "SQ_INSTS_VALU", "SQ_WAVES", 1)
	ratio("SALUInsts", "SQ_INSTS_SALU", "SQ_WAVES", 1)
	ratio("SFetchInsts", "SQ_INSTS_SMEM", "SQ_WAVES", 1)
	ratio("GDSInsts", "SQ_INSTS_GDS", "SQ_WAVES", 1)
	if v.has("SQ_INSTS_LDS", "SQ_INSTS_FLAT_LDS_ONLY") && v.get("SQ_WAVES") > 0 {
		add("LDSInsts", (v.get("SQ_INSTS_LDS")-v.get("SQ_INSTS_FLAT_LDS_ONLY"))/v.get("SQ_WAVES"))
	}
	// A wavefront has 64 lanes where the level 2 cache is a TCC.
	if d != nil || v.has("TCC_HIT") || v.has("TCC_EA_RDREQ") {
		wave := 64.0
		if d != nil {
			wave = float64(d.Wave)
		}
		ratio("VALUUtilization", "SQ_THREAD_CYCLES_VALU", "SQ_ACTIVE_INST_VALU", 100/wave)
	}
	for _, cache := range []string{"TCC", "GL2C"} {
		if hit, miss := v.get(cache+"_HIT"), v.get(cache+"_MISS"); v.has(cache+"_HIT", cache+"_MISS") && hit+miss > 0 {
			add("L2CacheHit", 100*hit/(hit+miss))
		}
	}
	memory(v, add)
}

// memory adds the traffic to video memory in Kbyte: requests of 32 and 64 bytes.
func memory(v *operands, add func(string, float64)) {
	switch {
	case v.has("FETCH_SIZE"):
		add("FetchSize", v.get("FETCH_SIZE"))
	case v.has("TCC_EA_RDREQ", "TCC_EA_RDREQ_32B"):
		add("FetchSize", (v.get("TCC_EA_RDREQ_32B")*32+(v.get("TCC_EA_RDREQ")-v.get("TCC_EA_RDREQ_32B"))*64)/1024)
	}
	switch {
	case v.has("WRITE_SIZE"):
		add("WriteSize", v.get("WRITE_SIZE"))
	case v.has("TCC_EA_WRREQ", "TCC_EA_WRREQ_64B"):
		add("WriteSize", ((v.get("TCC_EA_WRREQ")-v.get("TCC_EA_WRREQ_64B"))*32+v.get("TCC_EA_WRREQ_64B")*64)/1024)
	}
}

// computedOccupancy adds what an .occupancy file would say. For RDNA a compute
// unit stands for a work-group processor.
func computedOccupancy(n *profile.Numbers, d *occupancy.Device, k occupancy.Kernel, block [3]uint64) {
	if !d.HasAGPRs() {
		k.AGPRs = 0
	}
	if group := float64(block[0]) * float64(block[1]) * float64(block[2]); group <= float64(d.MaxGroup) {
		k.Group = int(group)
	}
	l, err := d.Limits(k)
	if err != nil {
		return
	}
	n.Real("KernelOccupancy", float64(l.Percent()))
	n.Whole("MaxWavesPerComputeUnit", int64(l.MaxWaves))
	n.Whole("WavesPerWorkGroup", int64(l.Group))
	n.Whole("WavesLimitedByVGPR", int64(l.Waves[occupancy.VGPR]))
	if d.SGPRs > 0 {
		n.Whole("WavesLimitedBySGPR", int64(l.Waves[occupancy.SGPR]))
	}
	n.Whole("WavesLimitedByLDS", int64(l.Waves[occupancy.LDS]))
	n.Whole("WavesLimitedByWorkgroup", int64(l.Waves[occupancy.Group]))
	n.Text("OccupancyComputedFor", d.Name)
}
