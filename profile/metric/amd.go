package metric

import "strings"

// amdInfo returns what is known of a counter of an AMD GPU by its name: those
// that AMD's profilers derive, as the tables of GPUPerfAPI's manual give them
// (gpuopen.com/manuals/gpu_performance_api_manual), and by their form those that
// the hardware counts (rocm.docs.amd.com, "performance counters and metrics").
// Their names are in capitals, those of NVIDIA's metrics are not.
func amdInfo(name string) (Info, bool) {
	if name == "" || name[0] < 'A' || name[0] > 'Z' {
		return Info{}, false
	}
	switch name {
	case "ALUBusy", "ALUPacking", "ALUStalledByLDS", "CacheHit", "FetchUnitBusy", "FetchUnitStalled", "GPUBusy", "KernelOccupancy", "L0CacheHit",
		"L1CacheHit", "L2CacheHit", "LDSBankConflict", "MemUnitBusy", "MemUnitStalled", "PathUtilization", "SALUBusy", "VALUBusy", "VALUUtilization",
		"WriteUnitStalled":
		return Info{Unit: Unit{Numerator: "%"}, Type: typeRatio}, true
	case "CompletePath", "FETCH_SIZE", "FastPath", "FetchSize", "WRITE_SIZE", "WriteSize":
		return Info{Unit: Unit{Numerator: "Kbyte"}, Type: typeCounter}, true
	case "LocalMemSize", "MaxLDS", "ScratchSize":
		return Info{Unit: Unit{Numerator: "byte"}}, true
	}
	block, words, ok := strings.Cut(name, "_")
	if !ok || !amdBlocks[block] {
		return Info{}, false
	}
	info := Info{Type: typeCounter}
	words = strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(words, "_sum"), "_max"), "_min")
	switch {
	case strings.HasSuffix(words, "_CYCLES"), strings.HasSuffix(words, "_BUSY"), strings.HasSuffix(words, "_STALL"), strings.HasPrefix(words, "WAIT_"),
		strings.HasPrefix(words, "INST_CYCLES_"), strings.HasPrefix(words, "ACTIVE_INST_"), block == "GRBM":
		info.Unit = Unit{Numerator: "cycle"}
	}
	return info, true
}

// amdBlocks are the parts of an AMD GPU that count.
var amdBlocks = map[string]bool{"GRBM": true, "SQ": true, "SQC": true, "SPI": true, "CPC": true, "CPF": true, "TA": true, "TD": true, "TCP": true, "TCA": true,
	"TCC": true, "GL1C": true, "GL2C": true, "GCEA": true}

// amdDescriptions say in our words what the counters of AMD's profilers mean, and
// what their files tell of a launch.
var amdDescriptions = map[string]string{
	"ALUBusy":                    "share of the time in which ALU instructions are executed",
	"ALUFetchRatio":              "ALU instructions for each fetch; few mean that fetches limit",
	"ALUInsts":                   "ALU instructions of a work-item",
	"ALUPacking":                 "how full the instruction words of the VLIW units are",
	"ALUStalledByLDS":            "share of the time in which the ALU waits for local memory",
	"AccumVGPRs":                 "accumulation registers of a work-item",
	"CacheHit":                   "share of memory instructions that find their data in the level 2 cache",
	"CallIndex":                  "the API call that launched the kernel",
	"CompletePath":               "data written on the slow path, which atomics and small types take",
	"ComputeUnits":               "compute units of the device",
	"DeviceGfxIpVer":             "generation of the graphics core",
	"DeviceName":                 "the device",
	"ExecutionOrder":             "place of the launch among all",
	"FCStacks":                   "stack for control flow, in entries",
	"FETCH_SIZE":                 "data fetched from video memory",
	"FastPath":                   "data written on the fast path",
	"FetchInsts":                 "fetches from video memory of a work-item",
	"FetchSize":                  "data fetched from video memory",
	"FetchUnitBusy":              "share of the time in which the fetch unit works or waits",
	"FetchUnitStalled":           "share of the time in which the fetch unit waits",
	"FlatLDSInsts":               "flat instructions of a work-item that go to local memory",
	"FlatVMemInsts":              "flat instructions of a work-item that go to video memory",
	"GDSInsts":                   "instructions of a work-item that go to global data share",
	"GPUBusy":                    "share of the time in which the GPU works",
	"KernelOccupancy":            "share of the most wavefronts that a compute unit can hold of this kernel",
	"L2CacheHit":                 "share of requests to the level 2 cache that find their data there",
	"LDSBankConflict":            "share of the time in which local memory is held up by bank conflicts",
	"LDSFetchInsts":              "reads from local memory of a work-item",
	"LDSInsts":                   "instructions of a work-item that go to local memory",
	"LDSWriteInsts":              "writes to local memory of a work-item",
	"LocalMemSize":               "local memory of a work-group",
	"MaxLDS":                     "most local memory of a work-group",
	"MaxSGPRs":                   "most scalar registers",
	"MaxVGPRs":                   "most vector registers",
	"MaxWavesPerComputeUnit":     "most wavefronts on a compute unit",
	"MaxWorkGroupPerComputeUnit": "most work-groups on a compute unit",
	"MemUnitBusy":                "share of the time in which the memory unit works or waits",
	"MemUnitStalled":             "share of the time in which the memory unit waits",
	"OccupancyComputedFor":       "the device whose pools the occupancy was computed from; a file that measured it has none",
	"PathUtilization":            "share of the data written that takes the fast path",
	"SALUBusy":                   "share of the time in which scalar ALU instructions are executed",
	"SALUInsts":                  "scalar ALU instructions of a wavefront",
	"SFetchInsts":                "scalar fetches of a wavefront",
	"SGPRs":                      "scalar registers of a wavefront",
	"ScratchRegs":                "vector registers of a work-item that are kept in memory",
	"ScratchSize":                "memory of a work-item for what does not fit its registers",
	"SimdsPerCU":                 "SIMDs of a compute unit",
	"ThreadID":                   "the thread that launched the kernel",
	"VALUBusy":                   "share of the time in which vector ALU instructions are executed",
	"VALUInsts":                  "vector ALU instructions of a work-item",
	"VALUUtilization":            "share of the lanes of a wavefront that take part in vector ALU instructions",
	"VFetchInsts":                "vector fetches from video memory of a work-item",
	"VGPRs":                      "vector registers of a work-item",
	"VWriteInsts":                "vector writes to video memory of a work-item",
	"WRITE_SIZE":                 "data written to video memory",
	"WavefrontSize":              "work-items in a wavefront",
	"Wavefronts":                 "wavefronts launched",
	"WavesLimitedByLDS":          "wavefronts that local memory has room for",
	"WavesLimitedBySGPR":         "wavefronts that scalar registers have room for",
	"WavesLimitedByVGPR":         "wavefronts that vector registers have room for",
	"WavesLimitedByWorkgroup":    "wavefronts that slots for work-groups have room for",
	"WavesPerWorkGroup":          "wavefronts of a work-group",
	"WriteInsts":                 "writes to video memory of a work-item",
	"WriteSize":                  "data written to video memory",
	"WriteUnitStalled":           "share of the time in which the write unit waits",
}
