// Package ranksgen makes reports of distributed runs that never were, with the
// truth about them: who was slow and why, which communicator, how the clocks lie.
// The same Setup gives the same run.
//
// A run trains a model of a few layers on ranks in tensor groups (neighbours in
// number) and data groups (across them). A step copies a batch in, runs the layers
// forward with an AllGather of the tensor group behind each, backward with a
// ReduceScatter behind each and an AllReduce of the data group beside the
// computation, then the optimizer, and copies the loss out, for which the host
// waits. Kernels take times that vary; ends of collectives are a little late by
// themselves, some of them much. All of it is played on one true clock, then
// written down on the clocks of the ranks.
package ranksgen

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// A Setup says what run there shall be. A Straggler, StallRank, SlowTensor or
// Missing of -1 is none.
type Setup struct {
	Seed                  uint64
	Ranks, Tensor, Steps  int
	PerHost, Layers       int
	Payloads              bool // NVTX ranges of calls carry communicator and bytes
	Names                 bool // there are NVTX ranges, of calls and of steps
	OneFile               bool
	Straggler             int
	Factor                float64 // by which all its compute kernels take longer
	From                  int     // from this step on
	OneKernel             bool    // only its attention kernels do
	StallRank, StallStep  int
	Stall                 float64 // ns for which its host is late
	SlowTensor            int     // a tensor group
	SlowFactor            float64
	Late, Short           int // ranks whose first, last step is not recorded; -1: none
	Missing               int
	ClockOffset, ClockPPM float64 // ns and 1e-6 by which hosts' clocks are off at most
	GPUBias               float64 // ns by which times of each GPU are off at most
}

// Default is a run of 8 ranks in which nothing is wrong.
func Default(seed uint64) Setup {
	return Setup{Seed: seed, Ranks: 8, Tensor: 2, Steps: 6, PerHost: 4, Layers: 4, Payloads: true, Names: true, Straggler: -1, Factor: 1, StallRank: -1,
		SlowTensor: -1, SlowFactor: 1, Late: -1, Short: -1, Missing: -1, ClockOffset: 2e6, ClockPPM: 8}
}

// A Clock is how the clock of a rank reads: local = (true - Start)·Rate + Bias.
type Clock struct {
	Host  int
	Start float64 // true time at which the recording began, ns
	Rate  float64
	Bias  float64 // of device times
	UTC   int64   // what the host believes Start to be
	Boot  int64
}

// Local is a true time on the clock of the device.
func (c *Clock) Local(t float64) int64 { return int64(math.Round((t-c.Start)*c.Rate + c.Bias)) }

// host is a true time on the clock of the host.
func (c *Clock) host(t float64) int64 { return int64(math.Round((t - c.Start) * c.Rate)) }

// A Run is a made run.
type Run struct {
	Setup
	Clocks []Clock
	events [][]event // by rank, in the order of launches
	ranges [][]mark
}

// An event is a piece of device work with its launch, on the true clock.
type event struct {
	start, end, launch float64
	stream             int64
	name               string // of a kernel; "" for a copy
	copyKind           int64
	bytes              int64
	group              uint64 // communicator
	schema             int64  // of the call
	call               string
	step               int
}

// A mark is a range of a step.
type mark struct {
	start, end float64
	step       int
}

// Streams and durations. Times are ns.
const (
	computeStream, tensorStream, dataStream, copyStream = 7, 21, 25, 13
	launchTime                                          = 5000
	gemmTime, attentionTime                             = 180e3, 120e3
	attentionBackTime, gemmBackTime                     = 255e3, 235e3
	optimizerTime                                       = 300e3
	tensorTime, scatterTime, dataTime                   = 12e3, 9.5e3, 450e3
)

// maker plays the run.
type maker struct {
	*Run
	r                   *rand.Rand
	compute, data, host []float64 // when each is free next
	step                int
}

// Make plays a run.
func Make(s Setup) *Run {
	run := &Run{Setup: s, events: make([][]event, s.Ranks), ranges: make([][]mark, s.Ranks)}
	m := &maker{Run: run, r: rand.New(rand.NewPCG(s.Seed, 17)), compute: make([]float64, s.Ranks), data: make([]float64, s.Ranks), host: make([]float64, s.Ranks)}
	m.clocks()
	for r := range m.host {
		m.host[r] = 5e6 + 1e6*m.r.Float64()
	}
	m.step = -1
	for range 2 { // barriers
		var all []int
		for r := range s.Ranks {
			all = append(all, r)
			m.compute[r] = max(m.compute[r], m.host[r])
		}
		m.collective(all, m.data, dataStream, "AllReduce_Sum_bf16", "ncclAllReduce", 16777221, 1, 4096, 12e3)
		for r := range s.Ranks {
			m.compute[r] = m.data[r]
			m.host[r] = m.data[r] + 2e4*m.r.Float64()
		}
	}
	for m.step = range s.Steps {
		m.oneStep()
	}
	return run
}

func (m *maker) clocks() {
	hosts := (m.Ranks + m.PerHost - 1) / m.PerHost
	type host struct{ off, rate, boot float64 }
	var list []host
	for range hosts {
		list = append(list, host{m.ClockOffset * (2*m.r.Float64() - 1), 1 + 1e-6*m.ClockPPM*(2*m.r.Float64()-1), 1e14 + 9e14*m.r.Float64()})
	}
	for r := range m.Ranks {
		h := list[r/m.PerHost]
		c := Clock{Host: r / m.PerHost, Start: 3e6 * m.r.Float64(), Rate: h.rate, Bias: m.GPUBias * (2*m.r.Float64() - 1)}
		if m.OneFile {
			c.Start, c.Rate = 1e6, 1
		}
		c.UTC = 1_780_000_000_000_000_000 + int64(c.Start+h.off)
		c.Boot = int64(h.boot + c.Start*c.Rate)
		m.Clocks = append(m.Clocks, c)
	}
}

// launch lets the host of a rank launch something.
func (m *maker) launch(r int) float64 {
	t := m.host[r]
	m.host[r] += launchTime * (0.8 + 0.4*m.r.Float64())
	return t
}

func (m *maker) kernel(r int, name string, usual float64) {
	f := 1 + 0.01*m.r.NormFloat64()
	if r == m.Straggler && m.step >= m.From && (!m.OneKernel || name == "flash_fwd_kernel") {
		f *= m.Factor
	}
	l := m.launch(r)
	e := event{launch: l, start: max(m.compute[r], l+4000), stream: computeStream, name: name, step: m.step}
	e.end = e.start + usual*f
	m.compute[r] = e.end
	m.events[r] = append(m.events[r], e)
}

func (m *maker) copy(r int, kind, bytes int64, usual float64) {
	l := m.launch(r)
	e := event{launch: l, start: max(m.compute[r], l+4000), stream: copyStream, copyKind: kind, bytes: bytes, step: m.step}
	e.end = e.start + usual*(1+0.03*m.r.Float64())
	m.compute[r] = e.end
	m.events[r] = append(m.events[r], e)
}

// collective plays one: it begins on each rank when its inputs are there, in free,
// and ends when all came and the data went round.
func (m *maker) collective(ranks []int, free []float64, stream int64, kernel, call string, schema int64, group uint64, bytes int64, usual float64) {
	arrival := 0.0
	starts := make([]float64, len(ranks))
	launches := make([]float64, len(ranks))
	for k, r := range ranks {
		launches[k] = m.launch(r)
		starts[k] = max(free[r], m.compute[r], launches[k]+4000)
		arrival = max(arrival, starts[k])
	}
	end := arrival + usual*(1+0.05*m.r.NormFloat64())
	for k, r := range ranks {
		late := math.Abs(600 * m.r.NormFloat64())
		if m.r.Float64() < 0.08 {
			late += 12e3 * m.r.Float64()
		}
		e := event{launch: launches[k], start: starts[k], end: max(end, starts[k]+3000) + late, stream: stream, name: "ncclDevKernel_" + kernel + "_RING_LL",
			group: group, schema: schema, call: call, bytes: bytes, step: m.step}
		free[r] = e.end
		m.events[r] = append(m.events[r], e)
	}
}

func (m *maker) oneStep() {
	begin := make([]float64, m.Ranks)
	for r := range m.Ranks {
		if r == m.StallRank && m.step == m.StallStep {
			m.host[r] += m.Stall
		}
		begin[r] = m.host[r]
		m.copy(r, 1, 2<<20, 9e4)
	}
	for range m.Layers {
		for r := range m.Ranks {
			m.kernel(r, "gemm_bf16_128x128_nn", gemmTime)
			m.kernel(r, "flash_fwd_kernel", attentionTime)
		}
		m.tensor("AllGather", "ncclAllGather", 16777220, 1<<20, tensorTime)
	}
	for range m.Layers {
		for r := range m.Ranks {
			m.kernel(r, "flash_bwd_kernel", attentionBackTime)
			m.kernel(r, "gemm_bf16_128x128_nt", gemmBackTime)
		}
		m.tensor("ReduceScatter_Sum_bf16", "ncclReduceScatter", 16777223, 1<<19, scatterTime)
		for d := range m.Tensor {
			var group []int
			for r := d; r < m.Ranks; r += m.Tensor {
				group = append(group, r)
			}
			m.collective(group, m.data, dataStream, "AllReduce_Sum_bf16", "ncclAllReduce", 16777221, uint64(200+d), 16<<20, dataTime)
		}
	}
	for r := range m.Ranks {
		m.compute[r] = max(m.compute[r], m.data[r])
		m.kernel(r, "adamw_multi_tensor_apply", optimizerTime)
		m.copy(r, 2, 4, 6e3)
		m.ranges[r] = append(m.ranges[r], mark{begin[r] - 1000, m.host[r], m.step})
		m.host[r] = max(m.host[r], m.compute[r]) + 2000
	}
}

func (m *maker) tensor(kernel, call string, schema, bytes int64, usual float64) {
	for g := 0; g*m.Tensor < m.Ranks; g++ {
		var group []int
		for r := g * m.Tensor; r < (g+1)*m.Tensor; r++ {
			group = append(group, r)
		}
		f := 1.0
		if g == m.SlowTensor {
			f = m.SlowFactor
		}
		m.collective(group, m.compute, tensorStream, kernel, call, schema, uint64(100+g), bytes, usual*f)
	}
}

// Groups are the ranks of each communicator by its number.
func (run *Run) Groups() map[uint64][]int64 {
	out := map[uint64][]int64{}
	for r, l := range run.events {
		seen := map[uint64]bool{}
		for _, e := range l {
			if e.group != 0 && !seen[e.group] {
				seen[e.group] = true
				out[e.group] = append(out[e.group], int64(r))
			}
		}
	}
	return out
}

// File is the name of the report of a rank.
func (run *Run) File(rank int) string {
	if run.OneFile {
		return "report.sqlite"
	}
	return fmt.Sprintf("rank_%d.sqlite", rank)
}
