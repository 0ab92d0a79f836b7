package loggen

import "strconv"

// The wording of the L1D load line is documented by GainSight; those of stores
// and of the L2 are variations on it, since no document shows them.

func (g *generator) l1Line(cycle int64, store bool, sm, bank int, addr uint64, status byte) {
	b := append(g.buf, "GPGPU-Sim Cycle "...)
	b = strconv.AppendInt(b, cycle, 10)
	b = append(b, verb(store)...)
	b = append(b, "L1D cache at SM "...)
	b = strconv.AppendInt(b, int64(sm), 10)
	b = append(b, " bank "...)
	b = strconv.AppendInt(b, int64(bank), 10)
	b = append(b, " addr "...)
	b = strconv.AppendUint(b, addr, 16)
	g.buf = append(b, " status "...)
	g.buf = append(g.buf, '0'+status, '\n')
	g.flush()
}

func (g *generator) l2Line(cycle int64, store bool, slice int, addr uint64, status byte) {
	b := append(g.buf, "GPGPU-Sim Cycle "...)
	b = strconv.AppendInt(b, cycle, 10)
	if g.Probe {
		b = append(b, ": MEMORY_SUBPARTITION_UNIT -  "...)
		b = strconv.AppendInt(b, int64(slice), 10)
		b = append(b, " - Probing L2 cache Address="...)
		b = strconv.AppendUint(b, addr, 16)
		b = append(b, ", status="...)
	} else {
		b = append(b, verb(store)...)
		b = append(b, "L2 cache at partition "...)
		b = strconv.AppendInt(b, int64(slice), 10)
		b = append(b, " addr "...)
		b = strconv.AppendUint(b, addr, 16)
		b = append(b, " status "...)
	}
	g.buf = append(b, '0'+status, '\n')
	g.flush()
}

func verb(store bool) string {
	if store {
		return ": Store instr from "
	}
	return ": Load instr from "
}

func (g *generator) text(parts ...string) {
	for _, p := range parts {
		g.buf = append(g.buf, p...)
	}
	g.buf = append(g.buf, '\n')
	g.flush()
}

func (g *generator) field(name string, v int64) { g.text(name, " = ", strconv.FormatInt(v, 10)) }

func (g *generator) header(id int64, p *pattern) {
	n := strconv.FormatInt(id, 10)
	g.text("Processing kernel traces/kernel-", n, ".traceg")
	g.text("-kernel name = ", p.name)
	g.text("-kernel id = ", n)
	g.text("-grid dim = (128,1,1)")
	g.text("-block dim = (256,1,1)")
	g.text("-shmem = 0")
	g.text("-nregs = 40")
	g.text("-cuda stream id = 0")
	g.text("Header info loaded for kernel command : traces/kernel-", n, ".traceg")
	g.text("launching kernel name: ", p.name, " uid: ", n, " cuda_stream_id: 0")
	g.text("GPGPU-Sim: Reconfigure L1 cache to ", strconv.FormatInt(p.l1KB, 10), "KB")
}

func (g *generator) trailer(k KernelTruth) {
	g.total += k.Cycles
	g.sumL1.add(k.L1)
	g.sumL2.add(k.L2)
	g.text("kernel_name = ", k.Name, " ")
	g.field("kernel_launch_uid", k.ID)
	g.field("gpu_sim_cycle", k.Cycles)
	g.field("gpu_sim_insn", k.Cycles*100)
	g.text("gpu_ipc =     100.0000")
	g.field("gpu_tot_sim_cycle", g.total)
	g.field("gpu_tot_sim_insn", g.total*100)
	g.text("gpu_occupancy = -nan% ")
	g.text("")
	g.text("\tL1D_cache_core[0]: ", counts(g.sumL1))
	g.field("L2_total_cache_accesses", g.sumL2.Accesses)
	g.field("L2_total_cache_misses", g.sumL2.Misses)
	g.field("L2_total_cache_pending_hits", g.sumL2.PendingHits)
	g.field("L2_total_cache_reservation_fails", g.sumL2.ReservationFails)
	sec := strconv.FormatInt(g.total/1000, 10)
	g.text("gpgpu_simulation_time = 0 days, 0 hrs, 0 min, ", sec, " sec (", sec, " sec)")
}

func counts(c CacheTruth) string {
	return "Access = " + strconv.FormatInt(c.Accesses, 10) + ", Miss = " + strconv.FormatInt(c.Misses, 10) +
		", Miss_rate = 0.500, Pending_hits = " + strconv.FormatInt(c.PendingHits, 10) +
		", Reservation_fails = " + strconv.FormatInt(c.ReservationFails, 10)
}
