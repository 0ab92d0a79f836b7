package examples

import (
	"fmt"
	"math/rand/v2"

	"github.com/gpuprof/gpuprof/format/ncurep"
)

// Sizes of a launch with the full set of metrics: 150 KB, as in real reports, which
// have 140 to 260.
const (
	fullMetrics      = 850
	fullSampled      = 50  // metrics with an instance for each instruction
	fullInstructions = 200 // of a kernel
)

// Many is a report of n kernels with as many metrics and instances as the full set
// has, for tests of speed: their names say nothing. Times scatter by 1 % from seed
// to seed, all else is the same.
func Many(n int, seed uint64) *ncurep.Report {
	random := rand.New(rand.NewPCG(seed, 0))
	r := &ncurep.Report{Session: session(), Process: &ncurep.Process{
		ID: uint32(4000 + seed), Hostname: ncurep.Some("127.0.0.1"), Name: ncurep.Some("/usr/local/bin/many")}}
	r.Session.CreationTime = ncurep.Some(created + 60*seed)
	models := kernels()
	r.Sources = []*ncurep.SourceData{source(models)}
	for i := range n {
		at := i % len(models)
		k := models[at]
		x := k.result(at)
		x.KernelID, x.APICallID = uint64(i+1), uint64(100+i)
		x.FunctionName = fmt.Sprintf("%s_%c%c", k.name, 'a'+i/26%26, 'a'+i%26)
		x.DemangledName = x.FunctionName + k.args
		x.MangledName = fmt.Sprintf("_Z%d%sPKfPfi", len(x.FunctionName), x.FunctionName)
		for m := range x.Metrics {
			if x.Metrics[m].Name == "gpu__time_duration.sum" {
				x.Metrics[m] = count(x.Metrics[m].Name, k.seconds()*1e9*(1+0.01*random.NormFloat64()))
			}
		}
		for m := range fullMetrics {
			x.Metrics = append(x.Metrics, number(fmt.Sprintf("unit__quantity_%d.sum", m), float64(m*i)))
		}
		for m := range fullSampled {
			s := series(fmt.Sprintf("unit__sampled_%d", m))
			for pc := range fullInstructions {
				s.Instances.Append(ncurep.Uint64Value(k.address(at)+uint64(16*pc)), ncurep.Uint64Value(uint64(m+pc)))
			}
			x.Metrics = append(x.Metrics, s)
		}
		r.Results = append(r.Results, x)
	}
	return r
}
