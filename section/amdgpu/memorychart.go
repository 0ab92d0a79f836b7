package amdgpu

// memoryText are the definitions of the memory chart, which goes from the instructions of
// the compute units by the caches to memory. rocprof-compute rounds its values to whole
// numbers and multiplies the latency of the scalar cache by 100, which these do not; a
// latency of instruction fetches that it takes from a counter of another level is left
// out: Speed of Light has the right one.
const memoryText = `
Memory Chart; Wavefront Occupancy; Wavefronts/CU; all; SQ_LEVEL_WAVES; SQ_ACCUM_PREV_HIRES / GUI / CUs;
Memory Chart; Wave Life; Cycles; all; ; 4 * SQ_WAVE_CYCLES /0 SQ_WAVES;
Memory Chart; SALU; per kernel; all; ; SQ_INSTS_SALU / N;
Memory Chart; SMEM; per kernel; all; ; SQ_INSTS_SMEM / N;
Memory Chart; VALU; per kernel; all; ; SQ_INSTS_VALU / N;
Memory Chart; MFMA; per kernel; 90a 94x 950; ; SQ_INSTS_MFMA / N;
Memory Chart; VMEM; per kernel; all; ; SQ_INSTS_VMEM / N;
Memory Chart; LDS; per kernel; all; ; SQ_INSTS_LDS / N;
Memory Chart; GWS; per kernel; all; ; SQ_INSTS_GDS / N;
Memory Chart; BR; per kernel; all; ; SQ_INSTS_BRANCH / N;
Memory Chart; Active CUs; CUs; all; ; CUs;
Memory Chart; Num CUs; CUs; all; ; $cu_per_gpu;
Memory Chart; VGPR; Registers; all; ; VGPRs;
Memory Chart; SGPR; Registers; all; ; SGPRs;
Memory Chart; LDS Allocation; Bytes; all; ; LocalMemSize;
Memory Chart; Scratch Allocation; Bytes/Workitem; all; ; ScratchSize;
Memory Chart; Wavefronts; Wavefronts; 908 90a 94x; ; SPI_CSN_WAVE;
Memory Chart; Wavefronts; Wavefronts; 950; ; SPI_CS0_WAVE + SPI_CS1_WAVE + SPI_CS2_WAVE + SPI_CS3_WAVE;
Memory Chart; Workgroups; Workgroups; 908 90a 94x; ; SPI_CSN_NUM_THREADGROUPS;
Memory Chart; Workgroups; Workgroups; 950; ; SPI_CS0_NUM_THREADGROUPS + SPI_CS1_NUM_THREADGROUPS + SPI_CS2_NUM_THREADGROUPS + SPI_CS3_NUM_THREADGROUPS;
Memory Chart; LDS Req; per kernel; all; ; SQ_INSTS_LDS / N;
Memory Chart; LDS Util; %; all; ; 100 * SQ_LDS_IDX_ACTIVE / (GUI * $cu_per_gpu);
Memory Chart; LDS Latency; Cycles; all; SQ_INST_LEVEL_LDS; SQ_ACCUM_PREV_HIRES /? SQ_INSTS_LDS;
Memory Chart; VL1 Rd; per kernel; all; ; TCP_TOTAL_READ_sum / N;
Memory Chart; VL1 Wr; per kernel; all; ; TCP_TOTAL_WRITE_sum / N;
Memory Chart; VL1 Atomic; per kernel; all; ; (TCP_TOTAL_ATOMIC_WITH_RET_sum + TCP_TOTAL_ATOMIC_WITHOUT_RET_sum) / N;
Memory Chart; VL1 Hit; %; all; ; 100 - 100 * (TCP_TCC_READ_REQ_sum + TCP_TCC_WRITE_REQ_sum + TCP_TCC_ATOMIC_WITH_RET_REQ_sum + TCP_TCC_ATOMIC_WITHOUT_RET_REQ_sum) /? TCP_TOTAL_CACHE_ACCESSES_sum;
Memory Chart; VL1 Lat; Cycles; all; ; TCP_TCP_LATENCY_sum /? TCP_TA_TCP_STATE_READ_sum;
Memory Chart; VL1 Coalesce; %; all; ; 1600 * TA_TOTAL_WAVEFRONTS_sum / TCP_TOTAL_ACCESSES_sum;
Memory Chart; VL1 Stall; %; all; ; 100 * TCP_TCR_TCP_STALL_CYCLES_sum /? TCP_GATE_EN1_sum;
Memory Chart; VL1_L2 Rd; per kernel; all; ; TCP_TCC_READ_REQ_sum / N;
Memory Chart; VL1_L2 Wr; per kernel; all; ; TCP_TCC_WRITE_REQ_sum / N;
Memory Chart; VL1_L2 Atomic; per kernel; all; ; (TCP_TCC_ATOMIC_WITH_RET_REQ_sum + TCP_TCC_ATOMIC_WITHOUT_RET_REQ_sum) / N;
Memory Chart; sL1D Rd; per kernel; all; ; SQC_DCACHE_REQ / N;
Memory Chart; sL1D Hit; %; all; ; 100 * SQC_DCACHE_HITS /? SQC_DCACHE_REQ;
Memory Chart; sL1D Lat; Cycles; all; SQC_DCACHE_INFLIGHT_LEVEL; SQ_ACCUM_PREV_HIRES /? SQC_DCACHE_REQ;
Memory Chart; sL1D_L2 Rd; per kernel; all; ; SQC_TC_DATA_READ_REQ / N;
Memory Chart; sL1D_L2 Wr; per kernel; all; ; SQC_TC_DATA_WRITE_REQ / N;
Memory Chart; sL1D_L2 Atomic; per kernel; all; ; SQC_TC_DATA_ATOMIC_REQ / N;
Memory Chart; IL1 Fetch; per kernel; all; ; SQC_ICACHE_REQ / N;
Memory Chart; IL1 Hit; %; all; ; 100 * SQC_ICACHE_HITS / SQC_ICACHE_REQ;
Memory Chart; IL1_L2 Rd; per kernel; all; ; SQC_TC_INST_REQ / N;
Memory Chart; L2 Rd; per kernel; all; ; TCC_READ_sum / N;
Memory Chart; L2 Wr; per kernel; all; ; TCC_WRITE_sum / N;
Memory Chart; L2 Atomic; per kernel; all; ; TCC_ATOMIC_sum / N;
Memory Chart; L2 Hit; %; all; ; 100 * TCC_HIT_sum /0 (TCC_HIT_sum + TCC_MISS_sum);
Memory Chart; L2 Rd Lat; Cycles; 908 90a 950; ; TCP_TCC_READ_REQ_LATENCY_sum /? (TCP_TCC_READ_REQ_sum + TCP_TCC_ATOMIC_WITH_RET_REQ_sum);
Memory Chart; L2 Wr Lat; Cycles; 908 90a 950; ; TCP_TCC_WRITE_REQ_LATENCY_sum /? (TCP_TCC_WRITE_REQ_sum + TCP_TCC_ATOMIC_WITHOUT_RET_REQ_sum);
Memory Chart; Fabric_L2 Rd; per kernel; 90a; ; TCC_EA_RDREQ_sum / N;
Memory Chart; Fabric_L2 Wr; per kernel; 90a; ; TCC_EA_WRREQ_sum / N;
Memory Chart; Fabric_L2 Atomic; per kernel; 90a; ; TCC_EA_ATOMIC_sum / N;
Memory Chart; Fabric Rd Lat; Cycles; 90a; ; TCC_EA_RDREQ_LEVEL_sum /0 TCC_EA_RDREQ_sum;
Memory Chart; Fabric Wr Lat; Cycles; 90a; ; TCC_EA_WRREQ_LEVEL_sum /0 TCC_EA_WRREQ_sum;
Memory Chart; Fabric Atomic Lat; Cycles; 90a; ; TCC_EA_ATOMIC_LEVEL_sum /0 TCC_EA_ATOMIC_sum;
Memory Chart; HBM Rd; per kernel; 90a; ; TCC_EA_RDREQ_DRAM_sum / N;
Memory Chart; HBM Wr; per kernel; 90a; ; TCC_EA_WRREQ_DRAM_sum / N;
Memory Chart; Fabric_L2 Rd; per kernel; 908 94x 950; ; TCC_EA0_RDREQ_sum / N;
Memory Chart; Fabric_L2 Wr; per kernel; 908 94x 950; ; TCC_EA0_WRREQ_sum / N;
Memory Chart; Fabric_L2 Atomic; per kernel; 908 94x 950; ; TCC_EA0_ATOMIC_sum / N;
Memory Chart; Fabric Rd Lat; Cycles; 908 94x 950; ; TCC_EA0_RDREQ_LEVEL_sum /0 TCC_EA0_RDREQ_sum;
Memory Chart; Fabric Wr Lat; Cycles; 908 94x 950; ; TCC_EA0_WRREQ_LEVEL_sum /0 TCC_EA0_WRREQ_sum;
Memory Chart; Fabric Atomic Lat; Cycles; 908 94x 950; ; TCC_EA0_ATOMIC_LEVEL_sum /0 TCC_EA0_ATOMIC_sum;
Memory Chart; HBM Rd; per kernel; 908 94x 950; ; TCC_EA0_RDREQ_DRAM_sum / N;
Memory Chart; HBM Wr; per kernel; 908 94x 950; ; TCC_EA0_WRREQ_DRAM_sum / N;
`
