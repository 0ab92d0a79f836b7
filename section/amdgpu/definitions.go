package amdgpu

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// A definition is a metric of rocprof-compute, under AMD's name: how it follows from
// the counters of a dispatch, and the peak that it is compared with. The formulas are
// those that rocprof-compute 3.3.0 applies; docs/derived-metrics.md has them.
type definition struct {
	panel, name, unit string
	archs             []string // without gfx: 90a, 942; empty: all
	file              string   // whose counters are meant; "": pmc_perf
	value, peak       expression
}

// families are the architectures that a word in a definition stands for.
var families = map[string][]string{"all": nil, "908": {"908"}, "90a": {"90a"}, "94x": {"940", "941", "942"}, "950": {"950"}}

// Architectures are the names of the GPUs that there are formulas for.
func Architectures() []string {
	var out []string
	for _, of := range families {
		for _, a := range of {
			out = append(out, "gfx"+a)
		}
	}
	slices.Sort(out)
	return out
}

// Knows reports whether there are formulas for an architecture.
func Knows(arch string) bool { return slices.Contains(Architectures(), arch) }

// The definitions: panel; metric; unit; architectures; file; value of a dispatch; peak.
// N is what counts are divided by (--normal-unit).
const definitionText = `
Speed of Light; VALU FLOPs; Gflop/s; 90a 94x 950; ; 64 * (SQ_INSTS_VALU_ADD_F16 + SQ_INSTS_VALU_MUL_F16 + SQ_INSTS_VALU_TRANS_F16 + 2 * SQ_INSTS_VALU_FMA_F16 + SQ_INSTS_VALU_ADD_F32 + SQ_INSTS_VALU_MUL_F32 + SQ_INSTS_VALU_TRANS_F32 + 2 * SQ_INSTS_VALU_FMA_F32 + SQ_INSTS_VALU_ADD_F64 + SQ_INSTS_VALU_MUL_F64 + SQ_INSTS_VALU_TRANS_F64 + 2 * SQ_INSTS_VALU_FMA_F64) / T; $max_sclk * $cu_per_gpu * 0.128
Speed of Light; VALU IOPs; Giop/s; 90a 94x 950; ; 64 * (SQ_INSTS_VALU_INT32 + SQ_INSTS_VALU_INT64) / T; $max_sclk * $cu_per_gpu * 0.128
Speed of Light; MFMA FLOPs (F8); Gflop/s; 94x; ; 512 * SQ_INSTS_VALU_MFMA_MOPS_F8 / T; $max_sclk * $cu_per_gpu * 4.096
Speed of Light; MFMA FLOPs (F8); Gflop/s; 950; ; 512 * SQ_INSTS_VALU_MFMA_MOPS_F8 / T; $max_sclk * $cu_per_gpu * 8.192
Speed of Light; MFMA FLOPs (BF16); Gflop/s; 90a; ; 512 * SQ_INSTS_VALU_MFMA_MOPS_BF16 / T; $max_sclk * $cu_per_gpu * 1.024
Speed of Light; MFMA FLOPs (BF16); Gflop/s; 94x; ; 512 * SQ_INSTS_VALU_MFMA_MOPS_BF16 / T; $max_sclk * $cu_per_gpu * 2.048
Speed of Light; MFMA FLOPs (BF16); Gflop/s; 950; ; 512 * SQ_INSTS_VALU_MFMA_MOPS_BF16 / T; $max_sclk * $cu_per_gpu * 4.096
Speed of Light; MFMA FLOPs (F16); Gflop/s; 90a; ; 512 * SQ_INSTS_VALU_MFMA_MOPS_F16 / T; $max_sclk * $cu_per_gpu * 1.024
Speed of Light; MFMA FLOPs (F16); Gflop/s; 94x; ; 512 * SQ_INSTS_VALU_MFMA_MOPS_F16 / T; $max_sclk * $cu_per_gpu * 2.048
Speed of Light; MFMA FLOPs (F16); Gflop/s; 950; ; 512 * SQ_INSTS_VALU_MFMA_MOPS_F16 / T; $max_sclk * $cu_per_gpu * 4.096
Speed of Light; MFMA FLOPs (F6F4); Gflop/s; 950; ; 512 * SQ_INSTS_VALU_MFMA_MOPS_F6F4 / T; $max_sclk * $cu_per_gpu * 16.384
Speed of Light; MFMA FLOPs (F32); Gflop/s; 90a 94x 950; ; 512 * SQ_INSTS_VALU_MFMA_MOPS_F32 / T; $max_sclk * $cu_per_gpu * 0.256
Speed of Light; MFMA FLOPs (F64); Gflop/s; 90a 94x; ; 512 * SQ_INSTS_VALU_MFMA_MOPS_F64 / T; $max_sclk * $cu_per_gpu * 0.256
Speed of Light; MFMA FLOPs (F64); Gflop/s; 950; ; 512 * SQ_INSTS_VALU_MFMA_MOPS_F64 / T; $max_sclk * $cu_per_gpu * 0.128
Speed of Light; MFMA IOPs (Int8); Giop/s; 90a; ; 512 * SQ_INSTS_VALU_MFMA_MOPS_I8 / T; $max_sclk * $cu_per_gpu * 1.024
Speed of Light; MFMA IOPs (Int8); Giop/s; 94x; ; 512 * SQ_INSTS_VALU_MFMA_MOPS_I8 / T; $max_sclk * $cu_per_gpu * 4.096
Speed of Light; MFMA IOPs (Int8); Giop/s; 950; ; 512 * SQ_INSTS_VALU_MFMA_MOPS_I8 / T; $max_sclk * $cu_per_gpu * 8.192
Speed of Light; SALU Utilization; %; all; ; 100 * SQ_ACTIVE_INST_SCA / (GUI * $cu_per_gpu); 100
Speed of Light; VALU Utilization; %; all; ; 100 * SQ_ACTIVE_INST_VALU / (GUI * $cu_per_gpu); 100
Speed of Light; MFMA Utilization; %; 90a 94x 950; ; 25 * SQ_VALU_MFMA_BUSY_CYCLES / (GUI * $cu_per_gpu); 100
Speed of Light; VMEM Utilization; %; 90a 94x 950; ; 100 * (SQ_ACTIVE_INST_FLAT + SQ_ACTIVE_INST_VMEM) / (GUI * $cu_per_gpu); 100
Speed of Light; Branch Utilization; %; 90a 94x 950; ; 100 * SQ_ACTIVE_INST_MISC / (GUI * $cu_per_gpu); 100
Speed of Light; VALU Active Threads; Threads; all; ; SQ_THREAD_CYCLES_VALU /? SQ_ACTIVE_INST_VALU; 64
Speed of Light; IPC; Instr/cycle; all; ; SQ_INSTS / SQ_BUSY_CU_CYCLES; 5
Speed of Light; Wavefront Occupancy; Wavefronts; all; SQ_LEVEL_WAVES; SQ_ACCUM_PREV_HIRES / GUI; $max_waves_per_cu * $cu_per_gpu
Speed of Light; Theoretical LDS Bandwidth; GB/s; all; ; (SQ_LDS_IDX_ACTIVE - SQ_LDS_BANK_CONFLICT) * 4 * $lds_banks_per_cu / T; $max_sclk * $cu_per_gpu * 0.128
Speed of Light; LDS Bank Conflicts/Access; Conflicts/access; all; ; SQ_LDS_BANK_CONFLICT /? (SQ_LDS_IDX_ACTIVE - SQ_LDS_BANK_CONFLICT); 32
Speed of Light; vL1D Cache Hit Rate; %; all; ; 100 - 100 * (TCP_TCC_READ_REQ_sum + TCP_TCC_WRITE_REQ_sum + TCP_TCC_ATOMIC_WITH_RET_REQ_sum + TCP_TCC_ATOMIC_WITHOUT_RET_REQ_sum) /? TCP_TOTAL_CACHE_ACCESSES_sum; 100
Speed of Light; vL1D Cache BW; GB/s; 908 90a; ; 64 * TCP_TOTAL_CACHE_ACCESSES_sum / T; $max_sclk * 0.064 * $cu_per_gpu
Speed of Light; vL1D Cache BW; GB/s; 94x 950; ; 128 * TCP_TOTAL_CACHE_ACCESSES_sum / T; $max_sclk * 0.128 * $cu_per_gpu
Speed of Light; L2 Cache Hit Rate; %; all; ; 100 * TCC_HIT_sum /? (TCC_HIT_sum + TCC_MISS_sum); 100
Speed of Light; L2 Cache BW; GB/s; 908; ; 64 * TCC_REQ_sum / T; $max_sclk * 0.064 * $total_l2_chan
Speed of Light; L2 Cache BW; GB/s; 90a; ; 128 * TCC_REQ_sum / T; $max_sclk * 0.064 * $total_l2_chan
Speed of Light; L2 Cache BW; GB/s; 94x 950; ; 128 * TCC_REQ_sum / T; $max_sclk * 0.128 * $total_l2_chan
Speed of Light; L2-Fabric Read BW; GB/s; 908; ; (32 * TCC_EA0_RDREQ_32B_sum + 64 * (TCC_EA0_RDREQ_sum - TCC_EA0_RDREQ_32B_sum)) / T; $hbm
Speed of Light; L2-Fabric Read BW; GB/s; 90a; ; (32 * TCC_EA_RDREQ_32B_sum + 64 * (TCC_EA_RDREQ_sum - TCC_EA_RDREQ_32B_sum)) / T; $hbm
Speed of Light; L2-Fabric Read BW; GB/s; 94x 950; ; (128 * TCC_BUBBLE_sum + 64 * (TCC_EA0_RDREQ_sum - TCC_BUBBLE_sum - TCC_EA0_RDREQ_32B_sum) + 32 * TCC_EA0_RDREQ_32B_sum) / T; $hbm
Speed of Light; L2-Fabric Write BW; GB/s; 90a; ; (64 * TCC_EA_WRREQ_64B_sum + 32 * (TCC_EA_WRREQ_sum - TCC_EA_WRREQ_64B_sum)) / T; $hbm
Speed of Light; L2-Fabric Write BW; GB/s; 908 94x 950; ; (64 * TCC_EA0_WRREQ_64B_sum + 32 * (TCC_EA0_WRREQ_sum - TCC_EA0_WRREQ_64B_sum)) / T; $hbm
Speed of Light; L2-Fabric Read Latency; Cycles; 90a; ; TCC_EA_RDREQ_LEVEL_sum /? TCC_EA_RDREQ_sum;
Speed of Light; L2-Fabric Read Latency; Cycles; 908 94x 950; ; TCC_EA0_RDREQ_LEVEL_sum /? TCC_EA0_RDREQ_sum;
Speed of Light; L2-Fabric Write Latency; Cycles; 90a; ; TCC_EA_WRREQ_LEVEL_sum /? TCC_EA_WRREQ_sum;
Speed of Light; L2-Fabric Write Latency; Cycles; 908 94x 950; ; TCC_EA0_WRREQ_LEVEL_sum /? TCC_EA0_WRREQ_sum;
Speed of Light; sL1D Cache Hit Rate; %; all; ; 100 * SQC_DCACHE_HITS /? (SQC_DCACHE_HITS + SQC_DCACHE_MISSES); 100
Speed of Light; sL1D Cache BW; GB/s; all; ; 64 * SQC_DCACHE_REQ / T; $max_sclk * 0.064 * $sqc_per_gpu
Speed of Light; L1I Hit Rate; %; all; ; 100 * SQC_ICACHE_HITS / (SQC_ICACHE_HITS + SQC_ICACHE_MISSES); 100
Speed of Light; L1I BW; GB/s; all; ; 64 * SQC_ICACHE_REQ / T; $max_sclk * 0.064 * $sqc_per_gpu
Speed of Light; L1I Fetch Latency; Cycles; all; SQ_IFETCH_LEVEL; SQ_ACCUM_PREV_HIRES / SQ_IFETCH;
Wavefront; Grid Size; Work Items; all; ; launch__thread_count;
Wavefront; Workgroup Size; Work Items; all; ; launch__block_size;
Wavefront; Total Wavefronts; Wavefronts; 908 90a 94x; ; SPI_CSN_WAVE;
Wavefront; Total Wavefronts; Wavefronts; 950; ; SPI_CS0_WAVE + SPI_CS1_WAVE + SPI_CS2_WAVE + SPI_CS3_WAVE;
Wavefront; Saved Wavefronts; Wavefronts; all; ; SQ_WAVES_SAVED;
Wavefront; Restored Wavefronts; Wavefronts; all; ; SQ_WAVES_RESTORED;
Wavefront; VGPRs; Registers; all; ; VGPRs;
Wavefront; AGPRs; Registers; all; ; AccumVGPRs;
Wavefront; SGPRs; Registers; all; ; SGPRs;
Wavefront; LDS Allocation; Bytes; all; ; LocalMemSize;
Wavefront; Scratch Allocation; Bytes/Workitem; all; ; ScratchSize;
Wavefront; Kernel Time; ns; all; ; T;
Wavefront; Kernel Time (Cycles); Cycle; all; ; GUI;
Wavefront; Instructions per wavefront; Instr/wavefront; all; ; SQ_INSTS / SQ_WAVES;
Wavefront; Wave Cycles; Cycles per kernel; all; ; 4 * SQ_WAVE_CYCLES / N;
Wavefront; Dependency Wait Cycles; Cycles per kernel; all; ; 4 * SQ_WAIT_ANY / N;
Wavefront; Issue Wait Cycles; Cycles per kernel; all; ; 4 * SQ_WAIT_INST_ANY / N;
Wavefront; Active Cycles; Cycles per kernel; all; ; 4 * SQ_ACTIVE_INST_ANY / N;
Wavefront; Wavefront Occupancy; Wavefronts; all; SQ_LEVEL_WAVES; SQ_ACCUM_PREV_HIRES / GUI;
Occupancy; Accelerator Utilization; %; all; ; 100 * GUI / ( GRBM_COUNT / $num_xcd ); 100
Occupancy; Scheduler-Pipe Utilization; %; 908 90a 94x; ; 100 * SPI_CSN_BUSY / (GUI * $pipes_per_gpu * $se_per_gpu); 100
Occupancy; Scheduler-Pipe Utilization; %; 950; ; 100 * (SPI_CS0_BUSY + SPI_CS1_BUSY + SPI_CS2_BUSY + SPI_CS3_BUSY) / (GUI * $pipes_per_gpu * $se_per_gpu); 100
Occupancy; Scheduler-Pipe Wave Utilization; %; 950; ; 100 * SPI_CSC_WAVE_CNT_BUSY / (GUI * $pipes_per_gpu * $se_per_gpu); 100
Occupancy; Schedule-Pipe Wave Occupancy; Wave; 950; ; SPI_CSQ_P0_OCCUPANCY + SPI_CSQ_P1_OCCUPANCY + SPI_CSQ_P2_OCCUPANCY + SPI_CSQ_P3_OCCUPANCY;
Occupancy; Workgroup Manager Utilization; %; all; ; 100 * ( GRBM_SPI_BUSY / $num_xcd ) / GUI; 100
Occupancy; Shader Engine Utilization; %; all; ; 100 * SQ_BUSY_CYCLES / (GUI * $se_per_gpu); 100
Occupancy; SIMD Utilization; %; all; ; 100 * SQ_BUSY_CU_CYCLES / (GUI * $cu_per_gpu); 100
Occupancy; Dispatched Workgroups; Workgroups; 908 90a 94x; ; SPI_CSN_NUM_THREADGROUPS;
Occupancy; Dispatched Wavefronts; Wavefronts; 908 90a 94x; ; SPI_CSN_WAVE;
Occupancy; VGPR Writes; Cycles/wave; 908 90a 94x; ; 4 * SPI_VWC_CSC_WR /? SPI_CSN_WAVE;
Occupancy; SGPR Writes; Cycles/wave; 908 90a 94x; ; SPI_SWC_CSC_WR /? SPI_CSN_WAVE;
Occupancy; Dispatched Workgroups; Workgroups; 950; ; SPI_CS0_NUM_THREADGROUPS + SPI_CS1_NUM_THREADGROUPS + SPI_CS2_NUM_THREADGROUPS + SPI_CS3_NUM_THREADGROUPS;
Occupancy; Dispatched Wavefronts; Wavefronts; 950; ; SPI_CS0_WAVE + SPI_CS1_WAVE + SPI_CS2_WAVE + SPI_CS3_WAVE;
Occupancy; VGPR Writes; Cycles/wave; 950; ; (SPI_VWC0_VDATA_VALID_WR + SPI_VWC1_VDATA_VALID_WR) /? (SPI_CS0_WAVE + SPI_CS1_WAVE + SPI_CS2_WAVE + SPI_CS3_WAVE);
Occupancy; SGPR Writes; Cycles/wave; 950; ; SPI_SWC_CSC_WR /? (SPI_CS0_WAVE + SPI_CS1_WAVE + SPI_CS2_WAVE + SPI_CS3_WAVE);
Occupancy; Not-scheduled Rate (Workgroup Manager); %; all; ; 100 * SPI_RA_REQ_NO_ALLOC_CSN /? (( GRBM_SPI_BUSY / $num_xcd ) * $se_per_gpu);
Occupancy; Not-scheduled Rate (Scheduler-Pipe); %; all; ; 100 * SPI_RA_REQ_NO_ALLOC /? (( GRBM_SPI_BUSY / $num_xcd ) * $se_per_gpu);
Occupancy; Scheduler-Pipe Stall Rate; %; all; ; 100 * SPI_RA_RES_STALL_CSN /? (( GRBM_SPI_BUSY / $num_xcd ) * $se_per_gpu);
Occupancy; Scratch Stall Rate; %; all; ; 100 * SPI_RA_TMP_STALL_CSN /? (( GRBM_SPI_BUSY / $num_xcd ) * $se_per_gpu);
Occupancy; Scheduler-Pipe FIFO Full Rate; %; 950; ; 100 * (SPI_CS0_CRAWLER_STALL + SPI_CS1_CRAWLER_STALL + SPI_CS2_CRAWLER_STALL + SPI_CS3_CRAWLER_STALL) /? (( GRBM_SPI_BUSY / $num_xcd ) * $se_per_gpu);
Occupancy; Insufficient SIMD Waveslots; %; all; ; 100 * SPI_RA_WAVE_SIMD_FULL_CSN / (GUI * $cu_per_gpu);
Occupancy; Insufficient SIMD VGPRs; %; all; ; 100 * SPI_RA_VGPR_SIMD_FULL_CSN / (GUI * $cu_per_gpu);
Occupancy; Insufficient SIMD SGPRs; %; all; ; 100 * SPI_RA_SGPR_SIMD_FULL_CSN / (GUI * $cu_per_gpu);
Occupancy; Insufficient CU LDS; %; all; ; 400 * SPI_RA_LDS_CU_FULL_CSN / (GUI * $cu_per_gpu);
Occupancy; Insufficient CU Barriers; %; all; ; 400 * SPI_RA_BAR_CU_FULL_CSN / (GUI * $cu_per_gpu);
Occupancy; Reached CU Workgroup Limit; %; all; ; 400 * SPI_RA_TGLIM_CU_FULL_CSN / (GUI * $cu_per_gpu);
Occupancy; Reached CU Wavefront Limit; %; all; ; 400 * SPI_RA_WVLIM_STALL_CSN / (GUI * $cu_per_gpu);
`

// definitions parses the table once; it is sound, as a test makes sure.
var definitions = sync.OnceValues(func() ([]definition, error) {
	var out []definition
	for line := range strings.Lines(definitionText + memoryText) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		cells := strings.Split(line, ";")
		if len(cells) != 7 {
			return nil, fmt.Errorf("%d cells in %q", len(cells), line)
		}
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		d := definition{panel: cells[0], name: cells[1], unit: cells[2], file: cells[4]}
		for _, family := range strings.Fields(cells[3]) {
			archs, ok := families[family]
			if !ok {
				return nil, fmt.Errorf("no architecture %q", family)
			}
			d.archs = append(d.archs, archs...)
		}
		var err error
		if d.value, err = parseExpression(cells[5]); err != nil {
			return nil, err
		}
		if cells[6] != "" {
			if d.peak, err = parseExpression(cells[6]); err != nil {
				return nil, err
			}
		}
		out = append(out, d)
	}
	return out, nil
})

// of reports whether the metric is defined for an architecture, gfx90a.
func (d *definition) of(arch string) bool {
	return len(d.archs) == 0 || slices.Contains(d.archs, strings.TrimPrefix(arch, "gfx"))
}
