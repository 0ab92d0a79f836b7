package amdgpu

import (
	"math"
	"strconv"
	"strings"
)

// A System is what a workload of rocprof-compute says about its GPU, by the names of
// its sysinfo.
type System map[string]string

// older are names that facts had in the first version.
var older = map[string]string{"max_sclk": "sclk", "max_mclk": "mclk", "cu_per_gpu": "numCU", "max_waves_per_cu": "maxWavesPerCU", "wave_size": "waveSize",
	"total_l2_chan": "L2Banks", "sqc_per_gpu": "numSQC", "se_per_gpu": "numSE", "gpu_arch": "gpu_soc"}

// Arch is the architecture, such as gfx90a, without the features that may stand behind
// it (gfx90a:sramecc+:xnack-); "" where it is not told.
func (s System) Arch() string {
	arch, _, _ := strings.Cut(s.text("gpu_arch"), ":")
	return strings.ToLower(strings.TrimSpace(arch))
}

func (s System) text(name string) string {
	if v := s[name]; v != "" {
		return v
	}
	return s[older[name]]
}

// number is a fact as a number; NaN where it is not told.
func (s System) number(name string) float64 {
	switch name {
	case "hbm": // GB/s
		if channels := s.number("num_hbm_channels"); !math.IsNaN(channels) {
			return s.number("max_mclk") / 1000 * 32 * channels
		}
		for _, n := range []string{"hbm_bw", "hbmBW"} {
			if v, err := strconv.ParseFloat(s[n], 64); err == nil {
				return v
			}
		}
		return math.NaN()
	case "num_xcd", "lds_banks_per_cu", "pipes_per_gpu":
		if s[name] == "" { // the first version, of GPUs with one die
			return map[string]float64{"num_xcd": 1, "lds_banks_per_cu": 32, "pipes_per_gpu": 4}[name]
		}
	}
	v, err := strconv.ParseFloat(s.text(name), 64)
	if err != nil {
		return math.NaN()
	}
	return v
}

// A Launch is a dispatch: its counters by name, those of a file other than pmc_perf as
// FILE.NAME, and its duration in ns.
type Launch struct {
	Counter  func(name string) (float64, bool)
	Duration float64
}

// counter is a counter as a file has it. A database has the sum of a level's cycles
// as a counter of its own name.
func (l *Launch) counter(file, counter string) float64 {
	names := []string{counter}
	if file != "" {
		names = []string{file + "." + counter, counter}
		if counter == "SQ_ACCUM_PREV_HIRES" {
			names = []string{file + "." + counter, file + "_ACCUM"}
		}
	}
	for _, n := range names {
		if v, ok := l.Counter(n); ok {
			return v
		}
	}
	return math.NaN()
}

// A Row is a metric of a panel over launches: the mean of those that have it, and
// the least and the greatest. What is not known is NaN.
type Row struct {
	Panel, Name, Unit string
	Mean, Min, Max    float64
	Peak              float64 // NaN: there is none
	Launches          int
}

// Percent is the mean in percent of the peak.
func (r *Row) Percent() float64 { return 100 * r.Mean / r.Peak }

// Units are what counts are divided by, as rocprof-compute's --normal-unit names them.
var Units = []string{"per_kernel", "per_wave", "per_cycle", "per_second"}

// per is what counts of a launch are divided by.
func (l *Launch) per(sys System, unit string) float64 {
	switch unit {
	case "per_wave":
		return l.counter("", "SQ_WAVES")
	case "per_cycle":
		return l.counter("", "GRBM_GUI_ACTIVE") / sys.number("num_xcd")
	case "per_second":
		return l.Duration / 1e9
	}
	return 1
}

// Panels computes AMD's metrics over launches. Counts are those for one of unit, which
// is one of Units.
func Panels(sys System, launches []Launch, unit string) ([]Row, error) {
	defs, err := definitions()
	if err != nil {
		return nil, err
	}
	var out []Row
	arch, active := sys.Arch(), activeCUs(sys, launches)
	for i := range defs {
		d := &defs[i]
		if !d.of(arch) {
			continue
		}
		r := Row{Panel: d.panel, Name: d.name, Unit: strings.Replace(d.unit, "per kernel", strings.ReplaceAll(unit, "_", " "), 1), Mean: math.NaN(), Min: math.NaN(), Max: math.NaN(), Peak: math.NaN()}
		if d.peak != nil {
			r.Peak = d.peak.eval(func(n string) float64 { return sys.number(strings.TrimPrefix(n, "$")) })
		}
		r.over(sys, d, launches, active.Mean, unit)
		if d.name == "SALU Utilization" {
			out = append(out, active)
		}
		out = append(out, r)
	}
	return out, nil
}

func (r *Row) over(sys System, d *definition, launches []Launch, active float64, unit string) {
	sum := 0.0
	for i := range launches {
		l := &launches[i]
		v := d.value.eval(func(n string) float64 {
			switch {
			case n == "T":
				return l.Duration
			case n == "N":
				return l.per(sys, unit)
			case n == "CUs":
				return active
			case n == "GUI": // cycles of one die, as pmc_perf has them whatever the file of the metric
				return l.counter("", "GRBM_GUI_ACTIVE") / sys.number("num_xcd")
			case n[0] == '$':
				return sys.number(n[1:])
			}
			return l.counter(d.file, n)
		})
		if math.IsNaN(v) {
			continue
		}
		if r.Launches == 0 {
			r.Min, r.Max = v, v
		}
		r.Launches++
		sum += v
		r.Min, r.Max = math.Min(r.Min, v), math.Max(r.Max, v)
	}
	if r.Launches > 0 {
		r.Mean = sum / float64(r.Launches)
	}
}

// activeCUs is how many compute units were busy, as rocprof-compute estimates it from
// their busy cycles: whole waves of compute units, then the eighth part of the rest.
func activeCUs(sys System, launches []Launch) Row {
	r := Row{Panel: "Speed of Light", Name: "Active CUs", Unit: "CUs", Mean: math.NaN(), Min: math.NaN(), Max: math.NaN(), Peak: sys.number("cu_per_gpu")}
	sum := 0.0
	for i := range launches {
		v := 4 * launches[i].counter("", "SQ_BUSY_CU_CYCLES") / (launches[i].counter("", "GRBM_GUI_ACTIVE") / sys.number("num_xcd"))
		if !math.IsNaN(v) {
			sum += v
			r.Launches++
		}
	}
	if waves := sys.number("max_waves_per_cu"); r.Launches > 0 && waves > 0 {
		busy := sum / float64(r.Launches)
		r.Mean = math.Min(math.RoundToEven(busy)/waves*8+math.Min(math.Mod(math.RoundToEven(busy), waves), 8), r.Peak)
		r.Mean = math.Trunc(r.Mean)
		r.Min, r.Max = r.Mean, r.Mean
	}
	return r
}
