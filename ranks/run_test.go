package ranks

import (
	"math"
	"strings"
	"testing"
)

// TestFileNames reads numbers of ranks from names of files, and does not where
// there are none.
func TestFileNames(t *testing.T) {
	for _, c := range []struct {
		name             string
		rank, node, slot int64
	}{
		{"rank_3.nsys-rep", 3, -1, -1}, {"/x/run-rank12.sqlite", 12, -1, -1}, {"profile.rank7.nsys-rep", 7, -1, -1}, {"out.5.nsys-rep", 5, -1, -1},
		{"node1_gpu2.nsys-rep", -1, 1, 2}, {"h100_2gpu_1s.sqlite", -1, -1, -1}, {"mfu_2gpu_before.sqlite", -1, -1, -1}, {"report3.sqlite", -1, -1, -1},
		{"frank3.sqlite", -1, -1, -1}, {"node1_2gpu.sqlite", -1, -1, -1}, {`C:\runs\rank-4.sqlite`, 4, -1, -1},
	} {
		claim, ok, node, slot := fileClaim(c.name)
		if !ok {
			claim.Rank = -1
		}
		if claim.Rank != c.rank || node != c.node || slot != c.slot {
			t.Errorf("%s: rank %d, node %d, GPU %d; want %d, %d, %d", c.name, claim.Rank, node, slot, c.rank, c.node, c.slot)
		}
	}
}

func partial(file string, claims ...Claim) *Partial {
	return &Partial{Identity: Identity{File: file, Claims: claims, Node: -1, Slot: -1, UTC: 1_780_000_000_000_000_000}}
}

// TestNumbers gives numbers by precedence, and refuses what contradicts itself.
func TestNumbers(t *testing.T) {
	file := FromFile
	for _, c := range []struct {
		what     string
		partials []*Partial
		o        *Options
		want     []int64
		err      string
	}{
		{"environment", []*Partial{partial("a", Claim{FromEnvironment, 1, 2}), partial("b", Claim{FromEnvironment, 0, 2})}, nil, []int64{1, 0}, ""},
		{"disagreeing sources", []*Partial{partial("a", Claim{FromEnvironment, 1, 2}, Claim{FromFile, 0, -1})}, nil, nil, "rank 1 by environment"},
		{"one source asked for", []*Partial{partial("a", Claim{FromEnvironment, 1, 2}, Claim{FromFile, 0, -1})}, &Options{From: &file}, []int64{0}, ""},
		{"a number twice", []*Partial{partial("a", Claim{FromEnvironment, 1, 2}), partial("b", Claim{FromEnvironment, 1, 2})}, nil, nil, "claimed twice"},
		{"a list", []*Partial{partial("a", Claim{FromEnvironment, 1, 2}), partial("b", Claim{FromEnvironment, 1, 2})}, &Options{List: map[string]int64{"a": 0, "b": 1}}, []int64{0, 1}, ""},
		{"none", []*Partial{partial("b"), partial("a")}, nil, []int64{1, 0}, ""},
		{"an absurd number", []*Partial{partial("a", Claim{FromEnvironment, math.MaxInt64, 2})}, nil, []int64{0}, ""},
	} {
		run, err := Analyze(c.partials, c.o)
		if (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: %v, want %q", c.what, err, c.err)
			continue
		}
		if err != nil {
			continue
		}
		for i, p := range c.partials {
			for _, r := range run.Ranks {
				if r.Partial == p && r.Number != c.want[i] {
					t.Errorf("%s: %s is rank %d, want %d", c.what, p.File, r.Number, c.want[i])
				}
			}
		}
	}
}

// TestDifferentRuns refuses what seems to be of several runs, unless forced or
// proven otherwise.
func TestDifferentRuns(t *testing.T) {
	pair := func(change func(*Partial)) []*Partial {
		a, b := partial("a", Claim{FromEnvironment, 0, 2}), partial("b", Claim{FromEnvironment, 1, 2})
		a.Executable, b.Executable = "python3", "python3"
		a.Job, b.Job = "17", "17"
		change(b)
		return []*Partial{a, b}
	}
	for what, change := range map[string]func(*Partial){
		"jobs":       func(p *Partial) { p.Job = "18" },
		"ranks":      func(p *Partial) { p.Claims[0].Size = 4 },
		"programs":   func(p *Partial) { p.Executable = "other" },
		"recordings": func(p *Partial) { p.UTC += 3600e9 },
	} {
		list := pair(change)
		if _, err := Analyze(list, nil); err == nil || !strings.Contains(err.Error(), "different runs") {
			t.Errorf("%s: %v", what, err)
		}
		if _, err := Analyze(list, &Options{Force: true}); err != nil {
			t.Errorf("%s, forced: %v", what, err)
		}
		for _, p := range list {
			p.Channels = []Channel{{Communicator: 99}}
		}
		if _, err := Analyze(list, nil); err != nil {
			t.Errorf("%s, one communicator: %v", what, err)
		}
	}
	if _, err := Analyze(pair(func(*Partial) {}), nil); err != nil {
		t.Error(err)
	}
}

// TestLists prints numbers of ranks.
func TestLists(t *testing.T) {
	for want, in := range map[string][]int64{"": nil, "3": {3}, "3, 4": {3, 4}, "0-3, 7": {0, 1, 2, 3, 7}, "1, 3, 5": {1, 3, 5}} {
		if got := List(in); got != want {
			t.Errorf("%v: %q, want %q", in, got, want)
		}
	}
}
