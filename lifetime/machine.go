package lifetime

import (
	"fmt"
	"math"

	"github.com/gpuprof/gpuprof/format/simlog"
)

// seedClockMHz is the clock that the numbers of GainSight's guide were made with:
// every time in it is a number of cycles at 2235 MHz. It is a guess for any log
// that does not state its clock.
const seedClockMHz = 2235

// seedL2Slices is the number by which the guide's L2 frequencies are divided. That
// it is a number of L2 slices is a guess; that it is 32 follows from the numbers.
const seedL2Slices = 32

// Convention says what a read or write frequency is a frequency of.
type Convention uint8

// The conventions.
const (
	// Seed is that of GainSight's guide: the L1 that was logged (one SM), and one
	// of 32 slices of the L2. The totals add these two, so they are no rate of
	// any real thing.
	Seed Convention = iota
	// PerUnit divides by the number of units and slices that the log shows: one
	// SM's L1, one slice of the L2 that was simulated.
	PerUnit
	// Logged divides by nothing: all accesses that were logged.
	Logged
)

var conventions = [...]string{"seed", "per-unit", "logged"}

// String returns the name of the command line's value.
func (c Convention) String() string { return conventions[min(int(c), len(conventions)-1)] }

// ParseConvention is the inverse of String.
func ParseConvention(s string) (Convention, error) {
	for i, name := range conventions {
		if s == name {
			return Convention(i), nil
		}
	}
	return 0, fmt.Errorf("frequency convention %q is none of seed, per-unit, logged", s)
}

// Machine is what turns cycles and blocks into times, rates and shares.
type Machine struct {
	ClockMHz   float64
	ClockFrom  string // where the clock comes from, for display
	Block      uint64 // bytes, 1 where addresses count elements
	Convention Convention
	L2Slices   int              // divisor of L2 frequencies under Seed; 0 stands for SeedL2Slices
	Sizes      map[string]int64 // bytes of one unit of a level; overrides what the log says
	Config     simlog.Config
}

// resolveClock takes the clock of the log's times where it states times, else the one
// that is asked for, else the one that the log states, else that of the guide.
func (m *Machine) resolveClock() {
	switch {
	case m.Config.Timed: // another clock would change the times that the log states
		m.ClockMHz, m.ClockFrom = m.Config.ClockMHz, "by which the times that the log states are counted in cycles"
	case m.ClockMHz > 0:
		if m.ClockFrom == "" {
			m.ClockFrom = "given"
		}
	case m.Config.ClockMHz > 0:
		m.ClockMHz, m.ClockFrom = m.Config.ClockMHz, "stated by the log"
	default:
		m.ClockMHz, m.ClockFrom = seedClockMHz, "assumed: the clock of the guide's examples, as none is stated"
	}
}

// period is the length of a cycle in ns. The guide's digits come out only if times
// are computed as cycles times this rounded value.
func (m *Machine) period() float64 { return 1000 / m.ClockMHz }

// NS turns cycles into nanoseconds.
func (m *Machine) NS(cycles float64) float64 { return cycles * m.period() }

// US turns cycles into microseconds.
func (m *Machine) US(cycles float64) float64 { return cycles * m.period() / 1000 }

// gHz turns a number of accesses in a kernel of so many cycles into a frequency;
// 0 where the kernel has no length.
func (m *Machine) gHz(accesses float64, cycles int64) float64 {
	if cycles <= 0 {
		return 0
	}
	return accesses / (float64(cycles) * m.period())
}

// MHz is GHz in MHz.
func (m *Machine) MHz(accesses float64, cycles int64) float64 {
	return m.gHz(accesses, cycles) * 1000
}

// share is what the accesses of a level are divided by under the convention.
func (m *Machine) share(l *LevelResult) float64 {
	switch {
	case m.Convention == Logged:
		return 1
	case l.ID == simlog.L2 && m.Convention == Seed:
		if m.L2Slices > 0 {
			return float64(m.L2Slices)
		}
		return seedL2Slices
	case l.ID == simlog.L2 && m.Config.L2Slices > 0:
		return float64(m.Config.L2Slices)
	case m.Convention == PerUnit:
		return float64(max(len(l.Units), 1))
	}
	return 1
}

// Size returns the bytes of one unit of a level during a kernel: what the user
// says, else what the log says; 0 where neither does.
func (m *Machine) Size(l *LevelResult, k *simlog.Kernel) int64 {
	return m.size(l.Name, k.L1Bytes)
}

func (m *Machine) size(level string, l1 int64) int64 {
	if n := m.Sizes[level]; n > 0 {
		return n
	}
	switch level {
	case "L1D":
		if l1 > 0 {
			return l1
		}
		return m.Config.L1Bytes
	case "L2":
		return m.Config.L2Bytes
	}
	return m.Config.Levels[level]
}

// utilization is the share of a level's memory that was accessed, NaN where its
// size is unknown.
func (m *Machine) utilization(l *LevelResult, k *simlog.Kernel) float64 {
	size := m.Size(l, k) * int64(max(len(l.Units), 1))
	if size == 0 {
		return math.NaN()
	}
	return float64(l.Unique) * float64(m.Block) / float64(size)
}
