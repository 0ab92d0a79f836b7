package compare

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/format/benchjson"
)

// FromBenchmarks makes a run of a file of results. Repetitions within the file
// share a process, a clock and heat: they are launches of one run, unless the
// caller knows better and has each taken for a run of its own.
func FromBenchmarks(name string, f *benchjson.File, independent bool) []*Run {
	run := benchmarkRun(name, f)
	by := map[string]*Entity{}
	type series map[string][]float64
	values := map[*Entity]series{}
	units := map[string]string{}
	skipped := map[string]int{}
	for i := range f.Results {
		r := &f.Results[i]
		key := r.Key()
		e := by[key]
		if e == nil {
			e = &Entity{Class: Benchmark, Name: key, Full: key, Base: r.Name}
			by[key] = e
			values[e] = series{}
			run.Entities = append(run.Entities, e)
		}
		e.Launches++
		if r.Primary == "" {
			e.Failed++
			skipped[r.Skipped]++
			continue
		}
		v := values[e]
		for _, x := range r.Values {
			v[x.Name] = append(v[x.Name], x.V)
			units[x.Name] = canonicalUnit(x.Unit)
		}
		if len(r.Samples) > 0 {
			v[samplesName] = append(v[samplesName], r.Samples...)
		}
		if v[BenchmarkTime] == nil {
			units[BenchmarkTime] = ""
		}
		p, _ := r.Value(r.Primary)
		v[BenchmarkTime] = append(v[BenchmarkTime], p.V)
		units[BenchmarkTime] = canonicalUnit(p.Unit)
	}
	for why, n := range skipped {
		run.Notes = append(run.Notes, fmt.Sprintf("%s without a value: %s", counted(n, "result", "results"), why))
	}
	slices.Sort(run.Notes)
	keep := run.Entities[:0]
	for _, e := range run.Entities {
		v := &Values{}
		for metric, each := range values[e] {
			if metric == samplesName {
				continue
			}
			if f.Tool == benchjson.NVBench { // a state that was run several times: the mean of means
				each = []float64{mean(each)}
			}
			v.Set(metric, units[metric], each...)
			if metric == clockTag {
				v.Set(clockRate, hertz, each...)
			}
		}
		e.Source = v
		if len(values[e]) > 0 {
			keep = append(keep, e)
		}
	}
	run.Entities = keep
	run.Coarse = f.Tool == benchjson.Triton // tables of a few digits repeat themselves
	run.Identity = identityOf(run)
	if !independent {
		return []*Run{run}
	}
	return split(run, func(e *Entity) []float64 {
		v := values[e]
		if len(v[samplesName]) > 0 {
			return v[samplesName]
		}
		return v[BenchmarkTime]
	}, units[BenchmarkTime])
}

const (
	// BenchmarkTime is the value of a result that is compared unless another is
	// asked for: a time, but for tables without a unit.
	BenchmarkTime = "value"

	samplesName = "\x00samples"
	clockTag    = "nv/cold/sm_clock_rate/mean"
)

// canonicalUnit spells a unit of a file of results as package metric does.
func canonicalUnit(u string) string {
	switch u {
	case "ns":
		return nanoseconds
	case "Hz":
		return hertz
	case "byte/second":
		return "byte_per_second"
	}
	return u
}

func mean(v []float64) float64 {
	if len(v) == 0 {
		return math.NaN()
	}
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	return sum / float64(len(v))
}

// split makes a run of each sample.
func split(run *Run, samples func(*Entity) []float64, unit string) []*Run {
	most := 0
	for _, e := range run.Entities {
		most = max(most, len(samples(e)))
	}
	var out []*Run
	for i := range most {
		r := *run
		r.Name = run.Name + "#" + strconv.Itoa(i+1)
		r.Entities, r.Identity = nil, ""
		for _, e := range run.Entities {
			if s := samples(e); i < len(s) {
				c := *e
				v := &Values{}
				v.Set(BenchmarkTime, unit, s[i])
				c.Source, c.Launches = v, 1
				r.Entities = append(r.Entities, &c)
			}
		}
		out = append(out, &r)
	}
	return out
}

// benchmarkRun is a run without entities, with what the file tells of itself.
func benchmarkRun(name string, f *benchjson.File) *Run {
	run := &Run{Name: name, Kind: Benchmarks, Began: parseTime(f.Date)}
	used := map[string]bool{}
	for i := range f.Results {
		used[f.Results[i].Device] = true
	}
	var devices []string
	for _, d := range f.Devices {
		if used[d.Name] && !slices.Contains(devices, d.Name) {
			devices = append(devices, d.Name)
			if d.Capability > 0 {
				run.know(Capability, fmt.Sprintf("%d.%d", d.Capability/100, d.Capability/10%10))
			}
			if d.SMs > 0 {
				run.know(SMs, strconv.Itoa(d.SMs))
			}
		}
	}
	slices.Sort(devices)
	run.know(GPU, strings.Join(devices, ", "))
	run.know(Host, f.Host)
	run.know(Tool, strings.TrimSpace(string(f.Tool)+" "+f.Version))
	for _, a := range f.Context {
		switch a.Name {
		case "library_build_type":
			run.know(BuildType, a.Value)
		case "command line", "executable":
			run.know(CommandLine, a.Value)
		}
	}
	return run
}

var benchmarkRates = regexp.MustCompile(`(items|bytes)_per_second$|/item_rate$|^ops$`)

// benchmarkDirection tells which way of a value of a benchmark is the better one.
// Rates of a benchmark are the program's own, work over time, and not the GPU's.
func benchmarkDirection(metric, unit string) Direction {
	switch {
	case strings.HasSuffix(metric, "stddev"), strings.HasSuffix(metric, "iqr"), strings.Contains(metric, "/stdev/"), strings.Contains(metric, "walltime"):
		return Direction{Neither, "context"}
	case benchmarkRates.MatchString(metric):
		return Direction{Higher, "rate"}
	case unit == nanoseconds:
		return Direction{Lower, "time"}
	case metric == clockTag || metric == clockRate:
		return Direction{Neither, "clock"}
	}
	return Direction{Neither, "other"}
}

// Direction tells which way of a metric of an entity is the better one.
func (e *Entity) Direction(metric, unit string) Direction {
	switch {
	case e.Class == Benchmark:
		return benchmarkDirection(metric, unit)
	case strings.HasPrefix(metric, "time.") && metric != busyTime && metric != overlapTime, metric == IdleShare:
		return Direction{Lower, "time"}
	}
	return DirectionOf(metric)
}
