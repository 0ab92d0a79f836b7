package simlog

import (
	"errors"
	"fmt"
	"io"
)

// Finding is one answer of [Validate].
type Finding uint8

// The findings.
const (
	Present  Finding = iota // every kernel or access has it
	Partial                 // some have it
	Inferred                // absent, and something else stands for it
	Missing                 // absent
)

// String returns "present", "partial", "inferred" or "missing".
func (f Finding) String() string {
	return [...]string{"present", "partial", "inferred", "missing"}[min(f, Missing)]
}

// Check is one of the facts that a backend's log is asked for.
type Check struct {
	Group    string // "kernel", "machine" or "access"
	Fact     string
	Required bool // lifetimes cannot be had without it
	Finding  Finding
	Have, Of int64  // kernels or accesses that have it, of how many
	Advice   string // what it is needed for, and what happens without it
}

// Validation says what a log holds of what GainSight's guide asks a backend for.
type Validation struct {
	Checks []Check
	Levels []string // levels with at least one access
	Tally  Tally
	Notes  []Note
}

// OK reports whether nothing that is required is missing.
func (v *Validation) OK() bool {
	for _, c := range v.Checks {
		if c.Required && c.Finding == Missing {
			return false
		}
	}
	return true
}

// survey counts what the checks ask for.
type survey struct {
	kernels, named, ended, headed, sized int64
	accesses, knownOp, knownStatus       int64
	retries, sizes, backward             int64
	last                                 int64
	level                                [MaxLevels]int64
	duplicates                           int64
	ids                                  map[int64]bool
}

func (s *survey) batch(b *Batch) {
	for _, e := range b.Events {
		if e.Kind == KernelEnd {
			s.kernel(e.Kernel)
		}
	}
	ev := 0
	for i, info := range b.Info {
		for ev < len(b.Events) && b.Events[ev].At <= i {
			s.last = -1 << 63 // another kernel: cycles may start again
			ev++
		}
		s.accesses++
		s.level[info.Level()]++
		if info.Op() != OpUnknown {
			s.knownOp++
		}
		if info.Status() != StatusUnknown {
			s.knownStatus++
		}
		if info.Status() == ReservationFail {
			s.retries++
		}
		if b.Cycle[i] < s.last {
			s.backward++
		}
		s.last = max(s.last, b.Cycle[i])
	}
	s.sizes += int64(len(b.Size))
}

func (s *survey) kernel(k *Kernel) {
	s.kernels++
	if k.Name != "" {
		s.named++
	}
	if k.Complete() && (k.Cycles > 0 || k.EndKnown) {
		s.ended++
	}
	if k.HeaderLine > 0 || k.EndKnown {
		s.headed++
	}
	if k.L1Bytes > 0 {
		s.sized++
	}
	if s.ids[k.ID] {
		s.duplicates++
	} else if len(s.ids) < 1<<20 {
		s.ids[k.ID] = true
	}
}

// Validate reads a source to its end and tells what is there of what a backend's
// log should hold, in the words of GainSight's guide.
func Validate(src Source) (*Validation, error) {
	s := survey{ids: map[int64]bool{}, last: -1 << 63}
	var broken error
	for {
		b, err := src.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			broken = err
			break
		}
		s.batch(b)
	}
	v := &Validation{Tally: src.Tally(), Notes: src.Notes()}
	names := src.Levels()
	for id, n := range s.level {
		if n > 0 && id < len(names) {
			v.Levels = append(v.Levels, names[id])
		}
	}
	v.Checks = append(s.kernelChecks(), s.machineChecks(src.Config(), v.Levels)...)
	v.Checks = append(v.Checks, s.accessChecks(v.Tally, v.Levels)...)
	return v, broken
}

func share(have, of int64, without Finding) Finding {
	switch {
	case have == 0:
		return without
	case have < of:
		return Partial
	}
	return Present
}

func (s *survey) kernelChecks() []Check {
	return []Check{
		{Group: "kernel", Fact: "id", Finding: share(s.headed, s.kernels, Inferred), Have: s.headed, Of: s.kernels,
			Advice: "a header or a kernel column; without it all accesses are one kernel"},
		{Group: "kernel", Fact: "unique id", Finding: share(s.kernels-s.duplicates, s.kernels, Missing), Have: s.kernels - s.duplicates, Of: s.kernels,
			Advice: "kernels with the same id are kept apart, but reports cannot name them apart"},
		{Group: "kernel", Fact: "name", Finding: share(s.named, s.kernels, Missing), Have: s.named, Of: s.kernels,
			Advice: "only for display"},
		{Group: "kernel", Fact: "execution time", Finding: share(s.ended, s.kernels, Inferred), Have: s.ended, Of: s.kernels,
			Advice: "gpu_sim_cycle, or a row with op end; lifetimes that are open at the kernel's end are closed there, without it at the last access"},
	}
}

func (s *survey) machineChecks(c Config, levels []string) []Check {
	clock := Check{Group: "machine", Fact: "clock", Finding: Missing,
		Advice: "turns cycles into time; it can be given with the analysis instead"}
	if c.ClockMHz > 0 {
		clock.Finding = Present
	}
	checks := []Check{clock}
	for _, l := range levels {
		f := Missing
		switch {
		case l == "L1D" && s.sized > 0:
			f = share(s.sized, s.kernels, Missing)
		case l == "L1D" && c.L1Bytes > 0, l == "L2" && c.L2Bytes > 0, c.Levels[l] > 0:
			f = Present
		}
		checks = append(checks, Check{Group: "machine", Fact: "size of " + l, Finding: f,
			Advice: "for utilisation and area; it can be given with the analysis instead"})
	}
	return checks
}

func (s *survey) accessChecks(t Tally, levels []string) []Check {
	checks := []Check{
		{Group: "access", Fact: "timestamp, address, level", Required: true, Finding: share(s.accesses, s.accesses+t.Malformed, Missing),
			Have: s.accesses, Of: s.accesses + t.Malformed, Advice: "lines that begin like an access and are not understood are left out"},
		{Group: "access", Fact: "timestamps in order", Finding: share(s.accesses-s.backward, s.accesses, Missing), Have: s.accesses - s.backward, Of: s.accesses,
			Advice: "an access before its predecessor shortens lifetimes"},
		{Group: "access", Fact: "type (load or store)", Finding: share(s.knownOp, s.accesses, Missing), Have: s.knownOp, Of: s.accesses,
			Advice: "without it every access is taken for a load, and rewritten data seems to live on"},
		{Group: "access", Fact: "size", Finding: share(s.sizes, s.accesses, Inferred), Have: s.sizes, Of: s.accesses,
			Advice: "one block (32 bytes on NVIDIA GPUs) is assumed"},
		{Group: "access", Fact: "cache state", Finding: share(s.knownStatus, s.accesses, Missing), Have: s.knownStatus, Of: s.accesses,
			Advice: "without misses a block that is evicted and filled again seems to live on"},
	}
	if s.retries > 0 {
		checks = append(checks, Check{Group: "access", Fact: "retries marked", Finding: Present, Have: s.retries, Of: s.accesses,
			Advice: fmt.Sprintf("%s lines are the same access tried again; they never count", ReservationFail)})
	}
	if s.accesses == 0 {
		checks[0].Finding = Missing
	}
	return checks
}
