package amdgpu

import "math"

// A Point is where launches lie on the roofline of a level of memory.
type Point struct {
	Level       string  // LDS, vL1D, L2, HBM
	Intensity   float64 // floating-point operations for each byte
	Performance float64 // GFLOP/s
}

// Roofline adds up the operations of launches, 64 for each vector instruction and 512
// for each unit of the matrix counters, and the bytes at each level, as
// rocprof-compute does. No points where the counters are missing.
func Roofline(launches []Launch) []Point {
	var flop, time float64
	bytes := map[string]float64{}
	for i := range launches {
		l := &launches[i]
		get := func(name string) float64 { return zero(l.counter("", name)) }
		for _, t := range []string{"F16", "F32", "F64"} {
			flop += 64 * (get("SQ_INSTS_VALU_ADD_"+t) + get("SQ_INSTS_VALU_MUL_"+t) + get("SQ_INSTS_VALU_TRANS_"+t) + 2*get("SQ_INSTS_VALU_FMA_"+t))
		}
		for _, t := range []string{"F8", "F16", "BF16", "F32", "F64"} {
			flop += 512 * get("SQ_INSTS_VALU_MFMA_MOPS_"+t)
		}
		time += l.Duration
		line := 64.0
		if !math.IsNaN(l.counter("", "TCC_BUBBLE_sum")) { // CDNA 3 and on
			line = 128
		}
		bytes["LDS"] += 4 * 32 * (get("SQ_LDS_IDX_ACTIVE") - get("SQ_LDS_BANK_CONFLICT"))
		bytes["vL1D"] += line * get("TCP_TOTAL_CACHE_ACCESSES_sum")
		bytes["L2"] += 64*(get("TCP_TCC_WRITE_REQ_sum")+get("TCP_TCC_ATOMIC_WITH_RET_REQ_sum")+get("TCP_TCC_ATOMIC_WITHOUT_RET_REQ_sum")) + line*get("TCP_TCC_READ_REQ_sum")
		bytes["HBM"] += l.fabric()
	}
	if flop == 0 || time == 0 {
		return nil
	}
	var out []Point
	for _, level := range []string{"LDS", "vL1D", "L2", "HBM"} {
		if bytes[level] > 0 {
			out = append(out, Point{level, flop / bytes[level], flop / time})
		}
	}
	return out
}

// fabric are the bytes that went to and from memory. The counters of CDNA 2 are named
// EA, those of others EA0; CDNA 3 also counts reads of 128 bytes.
func (l *Launch) fabric() float64 {
	ea := "TCC_EA0_"
	if math.IsNaN(l.counter("", "TCC_EA0_RDREQ_sum")) {
		ea = "TCC_EA_"
	}
	get := func(name string) float64 { return zero(l.counter("", name)) }
	wide, narrow := get("TCC_BUBBLE_sum"), get(ea+"RDREQ_32B_sum")
	return 128*wide + 32*narrow + 64*(get(ea+"RDREQ_sum")-wide-narrow) + 64*get(ea+"WRREQ_64B_sum") + 32*(get(ea+"WRREQ_sum")-get(ea+"WRREQ_64B_sum"))
}

func zero(v float64) float64 {
	if math.IsNaN(v) {
		return 0
	}
	return v
}
