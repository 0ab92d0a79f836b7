package ranks_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/gpuprof/gpuprof/internal/ranksgen"
	"github.com/gpuprof/gpuprof/ranks"
)

func partials(t testing.TB, made *ranksgen.Run) (all []*ranks.Partial) {
	t.Helper()
	for _, tr := range made.Traces() {
		list, err := ranks.Map(context.Background(), tr, nil)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, list...)
	}
	return all
}

func analyze(t testing.TB, s ranksgen.Setup) (*ranksgen.Run, *ranks.Run) {
	t.Helper()
	made := ranksgen.Make(s)
	run, err := ranks.Analyze(partials(t, made), nil)
	if err != nil {
		t.Fatal(err)
	}
	return made, run
}

// named lists what a run accuses, in words.
func named(run *ranks.Run) (out []string) {
	for _, f := range run.Chronic {
		out = append(out, fmt.Sprintf("rank %d since %d, %v", f.Rank.Number, f.Since, f.Cause))
	}
	for _, f := range run.Single {
		out = append(out, fmt.Sprintf("rank %d in step %d, %v", f.Rank.Number, f.Step, f.Cause))
	}
	for _, s := range run.Slow {
		out = append(out, "slow "+ranks.List(s.Group.Ranks))
	}
	return out
}

// TestInnocent looks for false names in runs in which nothing is wrong.
func TestInnocent(t *testing.T) {
	seeds := 100
	if testing.Short() {
		seeds = 20
	}
	accused := 0
	for seed := range uint64(seeds) {
		s := ranksgen.Default(seed)
		if seed%4 == 3 {
			s.Ranks, s.PerHost, s.Steps = 16, 8, 4
		}
		if _, run := analyze(t, s); len(named(run)) > 0 {
			accused++
			t.Logf("seed %d: %v", seed, named(run))
		}
	}
	if accused > seeds/100 {
		t.Errorf("%d of %d runs in which nothing is wrong have names", accused, seeds)
	}
}

// TestGuilty plants a straggler, a stall and a slow communicator, and wants these
// three names and no other.
func TestGuilty(t *testing.T) {
	wrong, seeds := 0, 40
	for seed := range uint64(seeds) {
		s := ranksgen.Default(1000 + seed)
		s.Straggler, s.Factor = int(seed%8), 1.08+0.02*float64(seed%5)
		s.StallRank, s.StallStep, s.Stall = int((seed+3)%8), 1+int(seed%5), 4e6
		s.SlowTensor, s.SlowFactor = int(seed%4), 1.8
		s.OneKernel = seed%5 == 4
		s.Names, s.Payloads = seed%4 < 2, seed%2 == 0
		if s.OneKernel {
			s.Factor = 1.5
		}
		if seed%3 == 2 {
			s.GPUBias = 20e3
		}
		cause := "device"
		if s.OneKernel {
			cause = "one kernel"
		}
		slow := ranks.List([]int64{int64(2 * s.SlowTensor), int64(2*s.SlowTensor + 1)})
		want := []string{fmt.Sprintf("rank %d since 0, %s", s.Straggler, cause), fmt.Sprintf("rank %d in step %d, host", s.StallRank, s.StallStep-1), "slow " + slow}
		_, run := analyze(t, s)
		got := slices.Compact(named(run))
		if !slices.Equal(got, want) {
			wrong++
			t.Logf("seed %d: %v, want %v", seed, got, want)
		}
	}
	if wrong > 0 {
		t.Errorf("%d of %d runs", wrong, seeds)
	}
}

// TestSince plants a straggler that is one from a later step on.
func TestSince(t *testing.T) {
	for seed := range uint64(10) {
		s := ranksgen.Default(2000 + seed)
		s.Steps, s.Straggler, s.Factor, s.From = 10, 3, 1.15, 6
		if _, run := analyze(t, s); !slices.Equal(named(run), []string{"rank 3 since 6, device"}) {
			t.Errorf("seed %d: %v", seed, named(run))
		}
	}
}

// TestAligned compares fitted clocks with those of the maker.
func TestAligned(t *testing.T) {
	covered, all := 0, 0
	for seed := range uint64(20) {
		s := ranksgen.Default(3000 + seed)
		limit := 3000.0
		switch seed % 4 {
		case 1:
			s.ClockOffset, s.ClockPPM = 8e8, 50
		case 2:
			s.GPUBias = 2e4
		case 3:
			s.Ranks, s.Tensor, s.PerHost, s.Steps = 64, 8, 8, 3
			limit = 8000
		}
		made, run := analyze(t, s)
		base := &made.Clocks[run.Clock.Reference]
		for _, r := range run.Ranks {
			c, worst := &made.Clocks[r.Number], 0.0
			for i := range 11 {
				moment := 8e6 + 2e6*float64(i)
				worst = max(worst, math.Abs(float64(r.At(c.Local(moment))-base.Local(moment))))
			}
			if worst > limit {
				t.Errorf("seed %d: rank %d is off by %.0f ns", seed, r.Number, worst)
			}
			if all++; worst <= float64(r.Error) {
				covered++
			}
		}
	}
	if float64(covered) < 0.95*float64(all) {
		t.Errorf("stated errors cover %d of %d ranks", covered, all)
	}
}

// TestUnevenRecordings leaves out the first step of a rank, the last of another,
// and a third rank.
func TestUnevenRecordings(t *testing.T) {
	for seed := range uint64(12) {
		s := ranksgen.Default(4000 + seed)
		s.Late, s.Short, s.Missing = int(seed%8), int((seed+3)%8), int((seed+5)%8)
		made, run := analyze(t, s)
		if !slices.Equal(run.Missing, []int64{int64(s.Missing)}) {
			t.Errorf("seed %d: missing %v, want %d", seed, run.Missing, s.Missing)
		}
		if run.Problems != nil {
			t.Errorf("seed %d: %v", seed, run.Problems)
		}
		for _, r := range run.Ranks {
			want := int64(0)
			if r.Number == int64(s.Late) {
				want = 1
			}
			if r.StepShift != want {
				t.Errorf("seed %d: steps of rank %d are shifted by %d, want %d", seed, r.Number, r.StepShift, want)
			}
		}
		for _, g := range run.Groups {
			g.Each(func(c *ranks.Collective) {
				checkSame(t, made, c)
			})
		}
		if len(named(run)) > 0 {
			t.Errorf("seed %d: %v", seed, named(run))
		}
	}
}

// checkSame compares the ends of a matched collective on the true clock.
func checkSame(t *testing.T, made *ranksgen.Run, c *ranks.Collective) {
	t.Helper()
	var first float64
	for k, call := range c.Calls {
		clock := &made.Clocks[c.Ranks[k].Number]
		at := (float64(call.End)-clock.Bias)/clock.Rate + clock.Start
		if k == 0 {
			first = at
		}
		if math.Abs(at-first) > 50_000 {
			t.Fatalf("a false match: rank %d ends %.0f ns from rank %d", c.Ranks[k].Number, at-first, c.Ranks[0].Number)
		}
	}
}

// TestGroups infers groups of runs without payloads: at 8 ranks all are right, of
// more they are right or unknown.
func TestGroups(t *testing.T) {
	for seed := range uint64(16) {
		s := ranksgen.Default(5000 + seed)
		s.Payloads, s.Names = false, seed%2 == 0
		whole := true // all groups must be found
		switch seed % 4 {
		case 1:
			s.Tensor = 4
		case 2, 3:
			s.Ranks, s.Tensor, s.PerHost, s.Steps, whole = 64, 8, 8, 3+3*int(seed%3), false
		}
		made, run := analyze(t, s)
		want := map[string]bool{}
		for id, l := range made.Groups() {
			if id >= 100 {
				want[ranks.List(l)] = true
			}
		}
		got := map[string]bool{}
		for _, g := range run.Groups {
			if got[ranks.List(g.Ranks)] = true; !want[ranks.List(g.Ranks)] {
				t.Errorf("seed %d: ranks %v are no group", seed, g.Ranks)
			}
		}
		if whole && len(got) != len(want) {
			t.Errorf("seed %d: %d groups, want %d", seed, len(got), len(want))
		}
		if len(named(run)) > 0 {
			t.Errorf("seed %d: %v", seed, named(run))
		}
		t.Logf("seed %d: %d of %d groups, %d collectives of unknown ones", seed, len(got), len(want), run.Unknown)
	}
}

// TestLostTime asks for whom time was lost: for a rank whose host was late once, or
// that is slow all the time, through the tensor group that was late with it.
func TestLostTime(t *testing.T) {
	for seed := range uint64(12) {
		s := ranksgen.Default(6000 + seed)
		guilty := int64(seed % 8)
		if seed%2 == 0 {
			s.Straggler, s.Factor = int(guilty), 1.3
		} else {
			s.StallRank, s.StallStep, s.Stall = int(guilty), 3, 8e6
		}
		_, run := analyze(t, s)
		sum := int64(0)
		for _, r := range run.Ranks {
			if sum += r.Caused; r.Number == guilty && float64(r.Caused) < 0.6*float64(run.LostTime) {
				t.Errorf("seed %d: of %d ns lost, %d were for rank %d", seed, run.LostTime, r.Caused, guilty)
			}
		}
		for _, g := range run.Groups {
			sum += g.Caused
		}
		if sum > run.LostTime || float64(sum) < 0.98*float64(run.LostTime) { // what a rank waited because of itself is nobody else's
			t.Errorf("seed %d: %d ns are told, of %d", seed, sum, run.LostTime)
		}
	}
}

// TestIncomplete leaves a rank out: the others of its groups waited for those that
// are there at least, never longer than they truly did.
func TestIncomplete(t *testing.T) {
	s := ranksgen.Default(6100)
	s.Straggler, s.Factor = 3, 1.3
	_, whole := analyze(t, s)
	s.Missing = 5
	_, run := analyze(t, s)
	waited := map[int64]int64{}
	for _, r := range whole.Ranks {
		waited[r.Number] = r.Wait
	}
	for _, r := range run.Ranks {
		if r.Wait <= 0 && r.Number != 3 && r.Number != 4 || r.Wait > waited[r.Number]+10*r.Error*r.Waited {
			t.Errorf("rank %d waited %d ns at least, where all reports say %d", r.Number, r.Wait, waited[r.Number])
		}
	}
	partly := int64(0)
	for _, g := range run.Groups {
		for _, k := range g.Kinds {
			if k.Partly > 0 && k.Last >= 0 {
				t.Errorf("%v lacks a member, and rank %d came last", g.Ranks, k.Last)
			}
			partly += k.AtLeast
		}
	}
	if partly == 0 {
		t.Error("no waits of incomplete collectives")
	}
}
