package lifetime

import (
	"errors"
	"io/fs"
	"math"
	"os"
	"runtime"
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/internal/spelling"
	"github.com/gpuprof/gpuprof/lifetime"
	"github.com/gpuprof/gpuprof/page"
)

// lifetimeOptions say what a lifetime is and what is computed from it.
var lifetimeOptions = append([]page.Option{
	{Name: "end", Remote: true, Kind: page.Choice, Values: []string{"kernel", "last-read"}, Default: "kernel",
		Help: "data live until they are replaced or the kernel ends, or until their last read"},
	{Name: "no-write-allocate", Kind: page.Flag, Help: "stores that miss do not bring their block in"},
	{Name: "block", Kind: page.Count, Arg: "BYTES", Help: "size of a block, a power of two; default 32, and one element for SCALE-Sim"},
	{Name: "merge-window", Kind: page.Text, Arg: "CYCLES", Help: "a miss so long after a fill, with no hit between, waits for that fill; default 2000, -1: every miss is a fill"},
	{Name: "memory", Kind: page.Count, Arg: "MIB", Help: "memory for the blocks of one kernel; what exceeds it goes through temporary files; default 96"},
	{Name: "jobs", Short: "j", Kind: page.Count, Arg: "N", Help: "compute on so many cores; default: all"},
}, lifetimeReportOptions...)

// lifetimeReportOptions are those that make sense for files of lifetimes too.
var lifetimeReportOptions = []page.Option{
	{Name: "clock", Kind: page.Text, Arg: "MHZ", Help: "core clock; default: what the log states, else 2235, the clock of GainSight's examples"},
	{Name: "frequency", Kind: page.Choice, Values: []string{"seed", "per-unit", "logged"}, Default: "seed",
		Help: "what frequencies are of: as in GainSight's guide (the logged L1, L2 accesses divided by --l2-slices), of one SM and one slice, or of all that was logged"},
	{Name: "l2-slices", Kind: page.Count, Arg: "N", Help: "what L2 frequencies are divided by with --frequency seed; default 32"},
	{Name: "size", Kind: page.List, Arg: "LEVEL=BYTES", Help: "size of one unit of a level, such as L2=52428800; default: what the log states"},
	{Name: "capacity", Kind: page.List, Arg: "LEVEL=BYTES", Help: "size of a whole level, for areas and leakage; default: unit size times SMs"},
	{Name: "devices", Kind: page.Text, Arg: "published|seed|FILE", Default: "published", Help: "memory devices: those with published figures, those of GainSight's guide (areas only), or a table (JSON, YAML or GainSight's own form; docs/lifetimes.md)"},
	{Name: "what-if", Kind: page.List, Arg: "KEY", Help: "compare only these devices of the table with its reference"},
	{Name: "within", Remote: true, Kind: page.List, Arg: "TIME", Help: "show the share of lifetimes shorter than this, such as 500ns or 2us; default 100ns,1us,10us,100us"},
	{Name: "sample", Kind: page.Text, Arg: "FILE", Help: "a cluster file (CSV): how many kernels each simulated one stands for"},
	{Name: "kernels", Kind: page.Count, Arg: "N", Default: "20", Help: "show at most so many kernels; 0: all"},
}

func lifetimeJobs(q *page.Request) int {
	if q.Given("jobs") && q.Count("jobs") > 0 {
		return q.Count("jobs")
	}
	return runtime.GOMAXPROCS(0)
}

// lifetimeSettings reads the options.
func lifetimeSettings(q *page.Request) (s lifetime.Settings, err error) {
	s.Options.Jobs = lifetimeJobs(q)
	s.Options.NoWriteAllocate = q.Flag("no-write-allocate")
	s.Options.Block = uint64(q.Count("block"))
	s.Options.TableBytes = int64(q.Count("memory")) << 20
	if q.Option("end") != nil {
		if s.Options.End, err = lifetime.ParseEnd(q.Text("end")); err != nil {
			return s, page.Usagef("--end: %v", err)
		}
	}
	if v := q.Text("merge-window"); v != "" {
		if s.Options.MergeWindow, err = strconv.ParseInt(v, 10, 64); err != nil {
			return s, page.Usagef("--merge-window: %q is not a whole number", v)
		}
		if s.Options.MergeWindow == 0 {
			s.Options.MergeWindow = -1 // no cycle at all
		}
	}
	m := &s.Machine
	if v := q.Text("clock"); v != "" {
		if m.ClockMHz, err = strconv.ParseFloat(strings.TrimSuffix(v, "MHz"), 64); err != nil || !(m.ClockMHz > 0) || math.IsInf(m.ClockMHz, 1) {
			return s, page.Usagef("--clock: %q is not a number of MHz above 0", v)
		}
	}
	if m.Convention, err = lifetime.ParseConvention(q.Text("frequency")); err != nil {
		return s, page.Usagef("--frequency: %v", err)
	}
	m.L2Slices = q.Count("l2-slices")
	if m.Sizes, err = levelBytes(q, "size"); err != nil {
		return s, err
	}
	if s.Capacity, err = levelBytes(q, "capacity"); err != nil {
		return s, err
	}
	if s.Devices, err = deviceTableOf(q); err != nil {
		return s, err
	}
	if name := q.Text("sample"); name != "" {
		f, err := os.Open(name)
		if err != nil {
			return s, err
		}
		defer f.Close()
		if s.Weights, err = lifetime.ReadWeights(f, name); err != nil {
			return s, err
		}
	}
	return s, nil
}

// levelBytes reads "LEVEL=BYTES".
func levelBytes(q *page.Request, name string) (map[string]int64, error) {
	out := map[string]int64{}
	for _, v := range q.List(name) {
		level, number, ok := strings.Cut(v, "=")
		n, err := strconv.ParseInt(number, 10, 64)
		if !ok || err != nil || n <= 0 {
			return nil, page.Usagef("--%s: %q is not LEVEL=BYTES", name, v)
		}
		if strings.EqualFold(level, "L1") {
			level = "L1D"
		}
		out[level] = n
	}
	return out, nil
}

// deviceTableOf reads --devices and leaves only the devices of --what-if, beside
// the reference.
func deviceTableOf(q *page.Request) (*lifetime.DeviceTable, error) {
	t := lifetime.PublishedDevices()
	switch name := q.Text("devices"); name {
	case "", "published":
	case "seed":
		t = lifetime.GuideDevices()
	default:
		f, err := os.Open(name)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, page.Usagef("--devices: expected published, seed or the file of a table, found no file %q%s", name, spelling.Nearest(name, []string{"published", "seed"}))
		}
		if err != nil {
			return nil, err
		}
		defer f.Close()
		if t, err = lifetime.ReadDevices(f, name); err != nil {
			return nil, err
		}
	}
	keys := q.List("what-if")
	if len(keys) == 0 {
		return t, nil
	}
	want := map[string]bool{t.Reference: true}
	for _, k := range keys {
		if t.Find(k) == nil {
			var have []string
			for _, d := range t.Devices {
				have = append(have, d.Key)
			}
			return nil, page.Usagef("--what-if: there is no device %q in the table, but %s", k, strings.Join(have, ", "))
		}
		want[k] = true
	}
	var left []lifetime.Device
	for _, d := range t.Devices {
		if want[d.Key] {
			left = append(left, d)
		}
	}
	t.Devices = left
	return t, nil
}

// withinTimes reads --within as numbers of ns.
func withinTimes(q *page.Request) ([]float64, error) {
	given := q.List("within")
	if len(given) == 0 {
		given = []string{"100ns", "1us", "10us", "100us"}
	}
	var out []float64
	for _, v := range given {
		number, scale := v, 0.0
		for _, u := range []struct {
			suffix string
			ns     float64
		}{{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}} {
			if n, ok := strings.CutSuffix(v, u.suffix); ok {
				number, scale = n, u.ns
				break
			}
		}
		f, err := strconv.ParseFloat(number, 64)
		if err != nil || scale == 0 || !(f > 0) || math.IsInf(f, 1) {
			return nil, page.Usagef("--within: %q is not a time such as 500ns or 2us", v)
		}
		out = append(out, f*scale)
	}
	return out, nil
}
