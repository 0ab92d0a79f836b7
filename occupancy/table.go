package occupancy

const kb = 1024

// devices are the architectures, oldest first within a vendor. Every number was
// read at the sources that stand beside it; docs/occupancy.md has their addresses
// and says which of them was compared with which.
//
//	[RCP]   the occupancy classes of AMD's Radeon Compute Profiler
//	[LLVM]  IsaInfo in AMDGPUBaseInfo.cpp and the feature sets in AMDGPU.td
//	[ISA]   AMD's instruction set architecture guides, "LDS Allocation"
//	[ROCm]  "GPU hardware specifications": register files and LDS in KiB
//	[Mesa]  ac_gpu_info.c: lds_alloc_granularity
//	[CUDA]  CUDA C++ Programming Guide, "Technical Specifications per Compute Capability"
//	[OCC]   cuda_occupancy.h of the CUDA Toolkit (to 9.0)
//	[CCCL]  libcu++, cuda/__device/arch_traits.h (6.0 to 12.1 without 7.2)
var devices = append(append([]Device{
	// [RCP]; pools as an .occupancy file gives them for Cypress.
	{Name: "EG_NI", Aliases: []string{"EGNI", "Evergreen", "Northern Islands", "NI", "Cypress", "Juniper", "Cayman", "Barts"}, model: vliw,
		Wave: 64, SIMDs: 1, MaxWaves: 24, MaxGroup: 256, Groups: 8, VGPRs: 249, VGPRGranule: 1, MaxVGPRs: 256,
		LDS: 32 * kb, LDSGranule: 1, MaxLDS: 32 * kb},
	profilerGCN("SI_CI", 512, 8, "SI", "CI", "Southern Islands", "Sea Islands", "gfx6", "gfx7", "gfx600", "gfx601", "gfx602", "gfx700",
		"gfx701", "gfx702", "gfx703", "gfx704", "gfx705", "Tahiti", "Pitcairn", "Capeverde", "Bonaire", "Hawaii", "Spectre", "Kalindi"),
	profilerGCN("VI_GFX9", 800, 16, "VI", "GFX9", "Volcanic Islands", "gfx8", "gfx801", "gfx802", "gfx803", "gfx805", "gfx810", "gfx900", "gfx902", "gfx904",
		"gfx906", "gfx909", "gfx90c", "Tonga", "Fiji", "Carrizo", "Polaris", "Ellesmere", "Baffin", "Vega", "MI25", "MI50", "MI60"),
	// Waves, registers and granules [LLVM]; register files 256+256, 512 and 512 KiB [ROCm]; LDS granule [ISA].
	cdna("CDNA1", 40, 256, 4, false, 64*kb, 512, "gfx908", "MI100"),
	cdna("CDNA2", 32, 512, 8, true, 64*kb, 512, "gfx90a", "MI200", "MI210", "MI250", "MI250X"),
	cdna("CDNA3", 32, 512, 8, true, 64*kb, 512, "gfx940", "gfx941", "gfx942", "MI300", "MI300A", "MI300X", "MI325X"),
	cdna("CDNA4", 32, 512, 8, true, 160*kb, 1280, "gfx950", "MI350X", "MI355X"),
	// Waves, registers and granules [LLVM]; files of a WGP 512 KiB, with 1536 registers 768 KiB, LDS 128 KiB [ROCm];
	// LDS granule 512 bytes on gfx101x, 1 KB from gfx103x on [Mesa], and so [ISA] for RDNA 3.5 and 4.
	rdna("RDNA1", 20, 1024, 8, 512, "gfx1010", "gfx1011", "gfx1012", "gfx1013"),
	rdna("RDNA2", 16, 1024, 16, kb, "gfx1030", "gfx1031", "gfx1032", "gfx1033", "gfx1034", "gfx1035", "gfx1036"),
	rdna("RDNA3", 16, 1536, 24, kb, "gfx1100", "gfx1101", "gfx1151"),
	rdna("RDNA3-small", 16, 1024, 16, kb, "gfx1102", "gfx1103", "gfx1150", "gfx1152", "gfx1153"),
	rdna("RDNA4", 16, 1536, 24, kb, "gfx1200", "gfx1201"),
}, waves64()...), cudaDevices()...)

// profilerGCN is an architecture that AMD's profilers know.
func profilerGCN(name string, sgprs, granule int, aliases ...string) Device {
	return Device{Name: name, Aliases: aliases, model: gcn, Wave: 64, SIMDs: 4, MaxWaves: 40, MaxGroup: 1024, Groups: 16, SingleGroups: 40,
		VGPRs: 256, VGPRGranule: 4, MaxVGPRs: 256, SGPRs: sgprs, SGPRGranule: granule, ExtraSGPRs: 2,
		LDS: 64 * kb, LDSGranule: 1, MaxLDS: 64 * kb}
}

// cdna is an architecture of the MI accelerators. From CDNA2 on, accumulation
// registers come from the same pool as the others. The count of scalar registers
// that compilers and profilers give today includes VCC, FLAT_SCRATCH and XNACK
// (code object metadata .sgpr_count), so nothing is added to it.
func cdna(name string, waves, vgprs, granule int, unified bool, lds, ldsGranule int, aliases ...string) Device {
	return Device{Name: name, Aliases: aliases, model: simd, Wave: 64, SIMDs: 4, MaxWaves: waves, MaxGroup: 1024, Groups: 16, SingleGroups: waves,
		VGPRs: vgprs, VGPRGranule: granule, MaxVGPRs: vgprs, Unified: unified, SGPRs: 800, SGPRGranule: 16,
		LDS: lds, LDSGranule: ldsGranule, MaxLDS: lds}
}

// rdna is an architecture with wavefronts of 32, in work-group processor mode:
// four SIMDs and the local memory of two compute units work together. Every
// wavefront has all scalar registers.
func rdna(name string, wavesPerSIMD, vgprs, granule, ldsGranule int, aliases ...string) Device {
	return Device{Name: name, Aliases: aliases, model: simd, Wave: 32, SIMDs: 4, MaxWaves: 4 * wavesPerSIMD, MaxGroup: 1024, Groups: 32,
		SingleGroups: 4 * wavesPerSIMD, VGPRs: vgprs, VGPRGranule: granule, MaxVGPRs: 256,
		LDS: 128 * kb, LDSGranule: ldsGranule, MaxLDS: 64 * kb}
}

// waves64 are the RDNA architectures with wavefronts of 64, which take twice the
// lanes of a register.
func waves64() []Device {
	out := []Device{
		rdna("RDNA1-wave64", 20, 512, 4, 512),
		rdna("RDNA2-wave64", 16, 512, 8, kb),
		rdna("RDNA3-wave64", 16, 768, 12, kb),
		rdna("RDNA3-small-wave64", 16, 512, 8, kb),
		rdna("RDNA4-wave64", 16, 768, 12, kb),
	}
	for i := range out {
		out[i].Wave = 64
	}
	return out
}

// cudaDevices are the compute capabilities. Blocks, warps, shared memory and
// registers are those of [CUDA], and of [OCC] and [CCCL] as far as these go; parts
// and granules of [OCC], which ends at 9.0: later ones are taken to be like it.
func cudaDevices() []Device {
	var out []Device
	for _, c := range []struct {
		cc              string
		blocks, warps   int
		shared, maxSh   int // KB: of a multiprocessor, of a block that opts in
		maxRegs, parts  int // K registers of a block; parts of a multiprocessor
		reserved, grain int // bytes of shared memory
		aliases         []string
	}{
		{"5.0", 32, 64, 64, 48, 64, 4, 0, 256, []string{"Maxwell"}}, // [CUDA 11] [OCC]
		{"5.2", 32, 64, 96, 48, 64, 4, 0, 256, nil},
		{"5.3", 32, 64, 64, 48, 32, 4, 0, 256, nil},
		{"6.0", 32, 64, 64, 48, 64, 2, 0, 256, []string{"Pascal", "P100", "GP100"}}, // [CUDA 11] [OCC] [CCCL]
		{"6.1", 32, 64, 96, 48, 64, 4, 0, 256, []string{"P4", "P40"}},
		{"6.2", 32, 64, 64, 48, 32, 4, 0, 256, nil},
		{"7.0", 32, 64, 96, 96, 64, 4, 0, 256, []string{"Volta", "V100", "GV100"}},
		{"7.2", 32, 64, 96, 96, 64, 4, 0, 256, []string{"Xavier"}}, // not in [CCCL]
		{"7.5", 16, 32, 64, 64, 64, 4, 0, 256, []string{"Turing", "T4"}},
		{"8.0", 32, 64, 164, 163, 64, 4, kb, 128, []string{"Ampere", "A100", "GA100", "A30"}},
		{"8.6", 16, 48, 100, 99, 64, 4, kb, 128, []string{"A10", "A40", "GA102"}},
		{"8.7", 16, 48, 164, 163, 64, 4, kb, 128, []string{"Orin"}},
		{"8.8", 16, 48, 100, 99, 64, 4, kb, 128, nil}, // [CCCL] only: there it is 8.6
		{"8.9", 24, 48, 100, 99, 64, 4, kb, 128, []string{"Ada", "L4", "L40", "L40S", "AD102"}},
		{"9.0", 32, 64, 228, 227, 64, 4, kb, 128, []string{"Hopper", "H100", "H200", "GH100", "GH200"}},
		{"10.0", 32, 64, 228, 227, 64, 4, kb, 128, []string{"Blackwell", "B100", "B200", "GB200"}}, // [CUDA 13] [CCCL]
		{"10.1", 24, 48, 228, 227, 64, 4, kb, 128, nil},                                            // not read: the early name of 11.0
		{"10.3", 32, 64, 228, 227, 64, 4, kb, 128, []string{"B300", "GB300"}},
		{"11.0", 24, 48, 228, 227, 64, 4, kb, 128, []string{"Thor"}},
		{"12.0", 24, 48, 100, 99, 64, 4, kb, 128, []string{"GB202", "GB203"}},
		{"12.1", 24, 48, 100, 99, 64, 4, kb, 128, []string{"GB10"}},
	} {
		out = append(out, Device{Name: "sm_" + fold(c.cc), Aliases: append([]string{"CC" + c.cc}, c.aliases...), Vendor: NVIDIA, model: nvidia,
			Wave: 32, SIMDs: c.parts, MaxWaves: c.warps, MaxGroup: 1024, Groups: c.blocks, VGPRs: 64 * kb, VGPRGranule: 256, MaxVGPRs: 255,
			MaxRegs: c.maxRegs * kb, LDS: c.shared * kb, MaxLDS: c.maxSh * kb, LDSGranule: c.grain, ReservedLDS: c.reserved})
	}
	return out
}
