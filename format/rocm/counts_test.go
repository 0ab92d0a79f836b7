package rocm

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/internal/corpustest"
)

// unread are the files of the corpus that are no profiles, each with what it is.
var unread = map[string]string{
	"log.txt":                    "log of the profiler",
	"list-avail.txt":             "counters that a GPU has",
	"tests_trace_cmp_levels.txt": "settings of a test",
	"decode_clean_tps.json":      "result of llama-bench",
	"decode_graph.json":          "graph of a model",
}

// oracleCounts are what a reader in Python counted in a file: for a name, how many
// and the sum.
type oracleCounts struct {
	Kind     string
	Rows     json.RawMessage
	Times    json.RawMessage       `json:"time_ns_by_name"`
	Micros   map[string][2]float64 `json:"dur_us_by_name"`
	Counters map[string][2]float64
	Totals   map[string][2]float64
	Fraction int `json:"rows_with_fractional_times"`
	ATT      map[string]float64
	Sums     map[string]float64 `json:"sums_by_position"`
	Samples  map[string]int     `json:"samples_by_instruction"`
	Calls    map[string][2]float64
	Kernels  map[string][2]float64
	Ops      map[string][2]float64
	GPUs     map[string]int     `json:"kernels_by_gpu"`
	Caused   map[string]float64 `json:"kernels_caused_by"`
	Args     int                `json:"args"`
	Messages int                `json:"markers_with_message"`
}

// counted are the sums of what a session holds, by name.
type counted map[string][2]float64

func (c counted) add(name string, v float64) {
	x := c[name]
	x[0]++
	x[1] += v
	c[name] = x
}

func kernelsOf(s *Session) counted {
	c := counted{}
	for i := range s.Dispatches {
		c.add(s.Dispatches[i].Kernel, s.Dispatches[i].Duration())
	}
	return c
}

func callsOf(s *Session) counted {
	c := counted{}
	for _, x := range s.Calls {
		c.add(x.Name, float64(x.End-x.Start))
	}
	return c
}

// namesOf are kernels, calls, ranges, copies and allocations.
func namesOf(s *Session) counted {
	c := kernelsOf(s)
	for name, x := range callsOf(s) {
		c[name] = x
	}
	for _, x := range s.Ranges {
		c.add(x.Text, float64(x.End-x.Start))
	}
	for _, x := range s.Copies {
		c.add(x.Direction, float64(x.End-x.Start))
	}
	for _, x := range s.Allocations {
		name := "MEMORY_ALLOCATION_" + x.Operation
		if x.Level == "SCRATCH" {
			name = "SCRATCH_MEMORY_" + x.Operation
		}
		c.add(name, float64(x.End-x.Start))
	}
	return c
}

func near(a, b, within float64) bool {
	return math.Abs(a-b) <= within*math.Max(1, math.Max(math.Abs(a), math.Abs(b)))
}

func compareCounts(t *testing.T, what string, want map[string][2]float64, got counted, within float64) {
	t.Helper()
	for name, w := range want {
		if g := got[strings.Trim(name, `"`)]; g[0] != w[0] || !near(g[1], w[1], within) {
			t.Errorf("%s: %q is %v, want %v", what, name, g, w)
		}
	}
}

// TestCounts opens every file of the corpus and compares its sums with what a reader
// in Python counted. A file that is no profile is on the list.
func TestCounts(t *testing.T) {
	dir := corpustest.Dir(t)
	corpus := filepath.Join(dir, "corpus", "rocm")
	b, err := os.ReadFile(filepath.Join(dir, "oracle", "rocm", "counts.json"))
	if err != nil {
		t.Skip(err)
	}
	counts := map[string]oracleCounts{}
	if err := json.Unmarshal(b, &counts); err != nil {
		t.Fatal(err)
	}
	opened, compared := 0, 0
	err = filepath.WalkDir(corpus, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == "MANIFEST.tsv" {
			return err
		}
		name, err := filepath.Rel(corpus, path)
		if err != nil {
			return err
		}
		if unread[strings.TrimSuffix(d.Name(), ".gz")] != "" {
			return nil
		}
		opened++
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		st, err := f.Stat()
		if err != nil {
			return err
		}
		s, err := Open(t.Context(), f, st.Size(), path)
		if err != nil {
			t.Error(err)
			return nil
		}
		for _, p := range s.Problems {
			t.Errorf("%s: %v", name, p)
		}
		if want, ok := counts[name]; ok {
			compared++
			compareSession(t, name, s, want)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if opened < 280 || compared < 260 {
		t.Errorf("%d files opened, %d compared", opened, compared)
	}
}

func compareSession(t *testing.T, name string, s *Session, want oracleCounts) {
	t.Helper()
	var flat map[string][2]float64
	if want.Times != nil && json.Unmarshal(want.Times, &flat) != nil {
		var byTable map[string]map[string][2]float64
		if err := json.Unmarshal(want.Times, &byTable); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, x := range byTable {
			compareCounts(t, name, x, namesOf(s), 1e-12)
		}
	}
	if strings.HasSuffix(name, "_rocpd/pmc_perf.csv.gz") { // a row for each pass: the count has the last, rocprof-compute and we the median
		if k := kernelsOf(s)["vecCopy(double*, double*, double*, int, int)"]; k != [2]float64{3, 22073} {
			t.Errorf("%s: %v, want what rocprof-compute prints, 22073 ns", name, k)
		}
		flat = nil
	}
	compareCounts(t, name, flat, namesOf(s), 1e-12)
	micros := counted{}
	for n, x := range namesOf(s) {
		micros[n] = [2]float64{x[0], x[1] / 1000}
	}
	for n, w := range want.Micros { // each cut to whole microseconds
		if g := micros[n]; g[0] != w[0] || math.Abs(g[1]-w[1]) > 2*w[0] {
			t.Errorf("%s: %q is %v us, want %v", name, n, g, w)
		}
	}
	c := counted{}
	for _, x := range s.Counters {
		c.add(x.Name, x.Value)
	}
	compareCounts(t, name, want.Counters, c, 1e-12)
	totals := counted{}
	for _, x := range s.Totals {
		totals[x.Name] = [2]float64{float64(x.Calls), x.Sum}
	}
	compareCounts(t, name, want.Totals, totals, 1e-12)
	compareCounts(t, name, want.Calls, callsOf(s), 1e-12)
	compareCounts(t, name, want.Kernels, kernelsOf(s), 1e-12)
	fractional := 0
	for i := range s.Dispatches {
		if s.Dispatches[i].Time != 0 {
			fractional++
		}
	}
	if want.Fraction > 0 && fractional != want.Fraction && !strings.Contains(name, "/vcopy/MI300") { // whose times are powers of ten
		t.Errorf("%s: %d rows of fractional times, want %d", name, fractional, want.Fraction)
	}
	compareInstructions(t, name, s, want)
	compareCauses(t, name, s, want)
}

func compareInstructions(t *testing.T, name string, s *Session, want oracleCounts) {
	t.Helper()
	var hits, latency, stall, idle, issued, stalled float64
	for _, x := range s.Code {
		hits, latency, stall, idle = hits+float64(x.Hits), latency+float64(x.Latency), stall+float64(x.Stall), idle+float64(x.Idle)
		issued, stalled = issued+float64(x.Issued), stalled+float64(x.Stalled)
	}
	if w := want.ATT; w != nil && (hits != w["hitcount"] || latency != w["latency"] || stall != w["stall"] || idle != w["idle"]) {
		t.Errorf("%s: %v %v %v %v, want %v", name, hits, latency, stall, idle, w)
	}
	if w := want.Sums; w != nil && (hits != w["6"] || latency != w["7"] || stall != w["8"] || idle != w["9"] || issued != w["10"] || stalled != w["11"]) {
		t.Errorf("%s: %v %v %v %v %v %v, want %v", name, hits, latency, stall, idle, issued, stalled, w)
	}
	samples := map[string]int{}
	for _, x := range s.Samples {
		samples[x.Instruction]++
	}
	for i, n := range want.Samples {
		if samples[i] != n {
			t.Errorf("%s: %d samples of %q, want %d", name, samples[i], i, n)
		}
	}
}

// compareCauses joins dispatches with the calls that caused them.
func compareCauses(t *testing.T, name string, s *Session, want oracleCounts) {
	t.Helper()
	if want.Caused == nil {
		return
	}
	calls := map[[2]uint64]string{}
	args := 0
	for _, c := range s.Calls {
		calls[[2]uint64{uint64(c.Process), c.Correlation}] = c.Name
		if c.Args != "" {
			args += strings.Count(c.Args, ", ") + 1
		}
	}
	caused := map[string]float64{}
	for _, d := range s.Dispatches {
		caused[calls[[2]uint64{uint64(d.Process), d.Correlation}]]++
	}
	for call, n := range want.Caused {
		if caused[call] != n {
			t.Errorf("%s: %s caused %v kernels, want %v", name, call, caused[call], n)
		}
	}
	if args < want.Args {
		t.Errorf("%s: %d arguments, want %d", name, args, want.Args)
	}
}
