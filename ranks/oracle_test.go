package ranks_test

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/gpuprof/gpuprof/internal/corpustest"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/ranks"
	"github.com/gpuprof/gpuprof/steps"
)

// A truth is what a generator of distributed runs says of one.
type truth struct {
	Ranks   int
	Files   map[string][]int
	Planted struct {
		Straggler     int
		StragglerFrom int     `json:"straggler_from_step"`
		Factor        float64 `json:"straggler_factor"`
		StallRank     int     `json:"stall_rank"`
		StallStep     int     `json:"stall_step"`
		StallNs       int64   `json:"stall_ns"`
		SlowComm      string  `json:"slow_communicator"`
	}
	Absent map[string]int
	Comms  map[string]struct {
		ID    uint64
		Ranks []int64
	} `json:"communicators"`
	Clocks map[string]struct {
		Offset float64 `json:"rank0_local_of_local_0"`
		Rate   float64
	}
	Table []struct {
		Rank, Step int
		Start, End int64
		Alone      int64 `json:"comm_alone"`
	} `json:"step_table"`
	Collectives []struct {
		Comm     string
		Seq      int
		Call     string
		Wait     map[string]int64
		Transfer *int64
		Skew     *int64
		Bus      *float64 `json:"busbw_GBps"`
		Bytes    int64
		Last     *int64 `json:"last_rank"`
		Seen     []int  `json:"ranks_seen"`
	}
}

func readTruth(t testing.TB, name string) (w truth) {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &w); err != nil {
		t.Fatal(err)
	}
	return w
}

func mapFile(t testing.TB, path string) []*ranks.Partial {
	t.Helper()
	f, err := load.Open(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	list, err := ranks.Map(context.Background(), f.Trace, nil)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func runOf(t testing.TB, dir string, o *ranks.Options) *ranks.Run {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.sqlite"))
	if err != nil {
		t.Fatal(err)
	}
	var all []*ranks.Partial
	for _, n := range names {
		all = append(all, mapFile(t, n)...)
	}
	run, err := ranks.Analyze(all, o)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// TestPlanted asks for everything that was planted in generated runs, and for
// nothing else.
func TestPlanted(t *testing.T) {
	for _, name := range corpustest.Files(t, "oracle/ranks/*/truth.json") {
		t.Run(filepath.Base(filepath.Dir(name)), func(t *testing.T) {
			want, run := readTruth(t, name), runOf(t, filepath.Dir(name), nil)
			checkNumbers(t, want, run)
			checkClocks(t, want, run)
			checkGroups(t, want, run)
			checkFindings(t, want, run)
			checkCollectives(t, want, run)
		})
	}
}

func checkNumbers(t *testing.T, want truth, run *ranks.Run) {
	t.Helper()
	if run.Size != int64(want.Ranks) {
		t.Errorf("%d ranks, want %d", run.Size, want.Ranks)
	}
	for _, r := range run.Ranks {
		if list := want.Files[r.File]; !slices.Contains(list, int(r.Number)) {
			t.Errorf("rank %d is said to be of %s, which has %v", r.Number, r.File, list)
		}
	}
	starts := map[[2]int64]int64{}
	for _, w := range want.Table {
		starts[[2]int64{int64(w.Rank), w.Start}] = int64(w.Step)
	}
	for _, r := range run.Ranks {
		for _, s := range r.Steps {
			if n, ok := starts[[2]int64{r.Number, s.Start}]; !ok || n != s.Number+r.StepShift {
				t.Errorf("rank %d, step %d from %d: the truth has step %d there (%v)", r.Number, s.Number+r.StepShift, s.Start, n, ok)
			}
		}
	}
	missing := []int64{}
	if m, ok := want.Absent["missing"]; ok {
		missing = append(missing, int64(m))
	}
	if !slices.Equal(run.Missing, missing) {
		t.Errorf("missing %v, want %v", run.Missing, missing)
	}
}

func checkClocks(t *testing.T, want truth, run *ranks.Run) {
	t.Helper()
	most, covered := 0.0, 0
	for _, r := range run.Ranks {
		c := want.Clocks[strconv.FormatInt(r.Number, 10)]
		worst := 0.0
		for i := range 11 {
			at := r.Span.Start + (r.Span.End-r.Span.Start)/10*int64(i)
			worst = max(worst, math.Abs(float64(r.At(at))-c.Offset-c.Rate*float64(at)))
		}
		if most = max(most, worst); worst <= float64(r.Error) {
			covered++
		}
	}
	limit := 3000.0
	if len(run.Ranks) > 16 {
		limit = 8000
	}
	if most > limit {
		t.Errorf("aligned times are off by up to %.0f ns, want %.0f at most", most, limit)
	}
	if float64(covered) < 0.95*float64(len(run.Ranks)) {
		t.Errorf("stated errors cover the truth for %d of %d ranks", covered, len(run.Ranks))
	}
	t.Logf("clocks: off by up to %.0f ns, stated %d, agree within %d (before %d), %d collectives", most, run.Ranks[len(run.Ranks)-1].Error, run.Clock.Agree, run.Clock.Before, run.Clock.Collectives)
}

func checkGroups(t *testing.T, want truth, run *ranks.Run) {
	t.Helper()
	seen := map[int64]bool{}
	for _, r := range run.Ranks {
		seen[r.Number] = true
	}
	var known [][]int64
	for _, c := range want.Comms {
		var l []int64
		for _, r := range c.Ranks {
			if seen[r] {
				l = append(l, r)
			}
		}
		known = append(known, l)
	}
	of := map[string]int{}
	for _, g := range run.Groups {
		if !slices.ContainsFunc(known, func(l []int64) bool { return slices.Equal(l, g.Ranks) }) {
			t.Errorf("group %v (%v) is none", g.Ranks, g.Class)
		}
		of[ranks.List(g.Ranks)]++
	}
	for name, c := range want.Comms {
		if len(c.Ranks) == len(run.Ranks) || len(run.Missing) > 0 {
			continue
		}
		if of[ranks.List(c.Ranks)] == 0 {
			t.Errorf("%s, %v, is not found", name, c.Ranks)
		}
	}
	t.Logf("%d groups, inferred %v, %d collectives of unknown ones", len(run.Groups), run.Inferred, run.Unknown)
}

func checkFindings(t *testing.T, want truth, run *ranks.Run) {
	t.Helper()
	p := want.Planted
	for _, f := range run.Chronic {
		t.Logf("chronic: rank %d, %d ns (%.1f %%), since %d, %v ×%.3f %s, gain %d", f.Rank.Number, f.Excess, 100*f.Share, f.Since, f.Cause, f.Ratio, f.Kernel, f.Gain)
		if f.Rank.Number != int64(p.Straggler) {
			t.Errorf("rank %d is no straggler", f.Rank.Number)
		} else if f.Cause != ranks.Device || math.Abs(f.Ratio-p.Factor) > 0.02 {
			t.Errorf("rank %d: %v ×%.3f, want its device ×%.2f", f.Rank.Number, f.Cause, f.Ratio, p.Factor)
		}
	}
	if len(run.Chronic) == 0 {
		t.Errorf("straggler %d is not named", p.Straggler)
	}
	for _, f := range run.Single {
		t.Logf("single: rank %d, step %d, %d ns, %v, gap %d, at the end %v", f.Rank.Number, f.Step, f.Excess, f.Cause, f.Gap.End-f.Gap.Start, f.Next)
		if f.Rank.Number != int64(p.StallRank) || f.Step != int64(p.StallStep) && f.Step != int64(p.StallStep)-1 {
			t.Errorf("rank %d was not late in step %d", f.Rank.Number, f.Step)
		} else if f.Cause != ranks.Host {
			t.Errorf("rank %d was late by %v, want its host", f.Rank.Number, f.Cause)
		}
	}
	if len(run.Single) == 0 {
		t.Errorf("the stall of rank %d before step %d is not named", p.StallRank, p.StallStep)
	}
	slow := want.Comms[p.SlowComm].Ranks
	for _, s := range run.Slow {
		t.Logf("slow: ranks %v, %v of %d bytes: %d ns, others %d", s.Group.Ranks, s.Class, s.Bytes, s.Stay, s.Others)
		if !slices.Equal(s.Group.Ranks, slow) {
			t.Errorf("ranks %v are no slow communicator", s.Group.Ranks)
		}
	}
	if len(run.Slow) == 0 {
		t.Errorf("slow communicator %s of ranks %v is not named", p.SlowComm, slow)
	}
}

// checkCollectives compares waits, transfers and arrivals of every collective with
// the truth, to what the clocks are stated to be off.
func checkCollectives(t *testing.T, want truth, run *ranks.Run) {
	t.Helper()
	type key struct {
		id  uint64
		seq int
	}
	at := map[key]int{}
	for i, c := range want.Collectives {
		at[key{want.Comms[c.Comm].ID, c.Seq}] = i
	}
	waits, lasts := 0, 0
	for _, g := range run.Groups {
		if g.ID == 0 || len(g.Ranks) < 2 { // of a rank alone nobody knows which were its first
			continue
		}
		row := 0
		g.Each(func(c *ranks.Collective) {
			if c.Calls[0].Class == steps.SendRecv {
				return
			}
			i, ok := at[key{g.ID, row}]
			row++
			if !ok {
				t.Fatalf("%v has a collective %d that the truth lacks", g.Ranks, row-1)
			}
			w := &want.Collectives[i]
			if len(c.Calls) != len(w.Seen) {
				t.Errorf("%s %d: %d members, want %d", w.Comm, w.Seq, len(c.Calls), len(w.Seen))
			}
			arrival, ok := c.Arrival()
			if !ok && w.Last != nil {
				t.Errorf("%s %d: nobody came, want rank %d to come last", w.Comm, w.Seq, *w.Last)
			}
			if !ok || w.Last == nil {
				return
			}
			second, last, off := int64(math.MinInt64), int64(-1), int64(0)
			for k, r := range c.Ranks {
				wait := arrival - r.At(c.Calls[k].Start)
				if d := wait - w.Wait[strconv.FormatInt(r.Number, 10)]; max(d, -d) > 2*r.Error+2000 {
					t.Errorf("%s %d: rank %d waits %d ns, want %d", w.Comm, w.Seq, r.Number, wait, w.Wait[strconv.FormatInt(r.Number, 10)])
				}
				if waits++; wait == 0 && last < 0 {
					last = r.Number
				} else {
					second = max(second, r.At(c.Calls[k].Start))
				}
				off = max(off, r.Error)
			}
			if arrival-second > 2*off {
				if lasts++; last != *w.Last {
					t.Errorf("%s %d: rank %d came last, want %d", w.Comm, w.Seq, last, *w.Last)
				}
			}
		})
	}
	t.Logf("%d waits, %d of which one rank came last", waits, lasts)
}
