package load

import (
	"math"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/format/amd"
	"github.com/gpuprof/gpuprof/occupancy"
	"github.com/gpuprof/gpuprof/profile"
)

// derive adds what follows from the numbers of a launch where a file does not
// tell it: counters that ROCm's profilers derive from others, the traffic to
// memory over time, and the occupancy on a device that is known.
func (n *numbers) derive(device string, a *profile.Action) {
	d := deviceOf(device)
	v := n.values()
	if v.found {
		n.counters(&v, d)
	}
	if v.has("FetchSize", "WriteSize") {
		n.throughput(v.get("FetchSize")+v.get("WriteSize"), v.get("gpu__time_duration.sum"))
	}
	if d != nil && !v.has("KernelOccupancy") && v.has("VGPRs") {
		n.computedOccupancy(d, occupancy.Kernel{VGPRs: int(v.get("VGPRs")), AGPRs: int(v.get("AccumVGPRs")), SGPRs: int(v.get("SGPRs")), LDS: int(v.get("LocalMemSize"))}, a)
	}
}

// throughput adds the traffic of so many Kbyte in so many nanoseconds.
func (n *numbers) throughput(traffic, duration float64) {
	if duration > 0 {
		n.real("dram__bytes.sum.per_second", traffic*1024/duration*1e9)
	}
}

// findTraffic finds the columns that derive looks at.
func (of *counters) findTraffic() {
	of.fetch, of.write = -1, -1
	for i, col := range of.table.Counter {
		switch of.names[i] {
		case "FetchSize":
			of.fetch = col.Column
		case "WriteSize":
			of.write = col.Column
		}
	}
}

// knowDevices looks the devices up that r has come to name.
func (of *counters) knowDevices(r *Report) {
	for _, d := range r.Devices[len(of.known):] {
		of.known = append(of.known, deviceOf(d.Name))
	}
}

// derive is numbers.derive for a row of a counter file, of which there may be
// millions.
func (of *counters) derive(n *numbers, l *counterLaunch, k *amd.Kernel, cells []string, measured bool) {
	if of.fetch >= 0 && of.write >= 0 && max(of.fetch, of.write) < len(cells) {
		if traffic := amd.Float(cells[of.fetch]) + amd.Float(cells[of.write]); !math.IsNaN(traffic) {
			n.throughput(traffic, k.Time*1e6)
		}
	}
	d := of.known[l.device]
	if d == nil || measured || k.VGPRs < 0 {
		return
	}
	use := kernelUse{d, occupancy.Kernel{VGPRs: int(k.VGPRs), SGPRs: int(max(k.SGPRs, 0)), LDS: int(max(k.LDS, 0))}, l.action.Block}
	known, ok := of.computed.Load(use)
	if !ok {
		var m numbers
		m.computedOccupancy(d, use.kernel, l.action)
		if known = m; of.kept.Add(1) <= recentLaunches { // kernels are few, launches many
			of.computed.Store(use, known)
		}
	}
	*n = append(*n, known.(numbers)...)
}

// mayDerive tells a row of which metrics may be derived that names lack.
func (of *counters) mayDerive(l *counterLaunch, k *amd.Kernel, cells []string, names []string) bool {
	if d := of.known[l.device]; d != nil && k.VGPRs >= 0 &&
		(!slices.Contains(names, "KernelOccupancy") || d.SGPRs > 0 && !slices.Contains(names, "WavesLimitedBySGPR")) {
		return true
	}
	return k.Time > 0 && of.fetch >= 0 && of.write >= 0 && max(of.fetch, of.write) < len(cells) && cells[of.fetch] != "" && cells[of.write] != "" &&
		!slices.Contains(names, "dram__bytes.sum.per_second")
}

// A kernelUse is what the occupancy of a launch depends on.
type kernelUse struct {
	device *occupancy.Device
	kernel occupancy.Kernel
	block  [3]uint64
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

func (n *numbers) values() operands {
	v := operands{of: make(map[string]float64, 16)}
	for i := range *n {
		m := &(*n)[i]
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
func (n *numbers) counters(v *operands, d *occupancy.Device) {
	add := func(name string, value float64) {
		if !v.has(name) {
			n.real(name, value)
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
	n.memory(v, add)
}

// memory adds the traffic to video memory in Kbyte: requests of 32 and 64 bytes.
func (n *numbers) memory(v *operands, add func(string, float64)) {
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
func (n *numbers) computedOccupancy(d *occupancy.Device, k occupancy.Kernel, a *profile.Action) {
	if !d.HasAGPRs() {
		k.AGPRs = 0
	}
	if group := float64(a.Block[0]) * float64(a.Block[1]) * float64(a.Block[2]); group <= float64(d.MaxGroup) {
		k.Group = int(group)
	}
	l, err := d.Limits(k)
	if err != nil {
		return
	}
	n.real("KernelOccupancy", float64(l.Percent()))
	n.whole("MaxWavesPerComputeUnit", int64(l.MaxWaves))
	n.whole("WavesPerWorkGroup", int64(l.Group))
	n.whole("WavesLimitedByVGPR", int64(l.Waves[occupancy.VGPR]))
	if d.SGPRs > 0 {
		n.whole("WavesLimitedBySGPR", int64(l.Waves[occupancy.SGPR]))
	}
	n.whole("WavesLimitedByLDS", int64(l.Waves[occupancy.LDS]))
	n.whole("WavesLimitedByWorkgroup", int64(l.Waves[occupancy.Group]))
	n.text("OccupancyComputedFor", d.Name)
}
