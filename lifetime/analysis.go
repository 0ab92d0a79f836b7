package lifetime

import (
	"context"
	"errors"
	"io"

	"github.com/gpuprof/gpuprof/format/simlog"
)

// Settings say what [Analyze] computes beside the lifetimes.
type Settings struct {
	Options Options
	// Machine gives what the log does not state or states wrongly: clock, sizes,
	// frequency convention. Block and Config are filled in.
	Machine Machine
	Devices *DeviceTable // nil stands for GuideDevices
	Weights Weights
	// Capacity overrides the bytes of a whole level, all of its units together,
	// for areas and leakage.
	Capacity map[string]int64
	// Lifetimes opens the file for the lifetimes of a level; nil: they are not
	// written. Closing is the caller's.
	Lifetimes func(level string) (io.Writer, error)
	// Kernel is told of every kernel as soon as it is done; may be nil.
	Kernel func(*KernelSummary)
}

// Analysis is everything known about a run.
type Analysis struct {
	Settings
	Summary
	Kernels []KernelSummary
	Totals  []*LevelTotal // levels with at least one access, by LevelID
	// FromFiles says that the analysis was read from files: what they do not hold,
	// such as reuse and retries, is 0 here and unknown.
	FromFiles bool
}

// KernelSummary is what is kept of a kernel.
type KernelSummary struct {
	KernelRow
	Index    int
	Line     int64 // of its header
	Clock    simlog.Clock
	EndAt    int64
	Complete bool // the log holds its trailer
	Spilled  bool
	Weight   float64
	Levels   []KernelLevel
	Checks   []Check
}

// KernelLevel is what is kept of one level in one kernel: counts, times in us,
// rates in MHz.
type KernelLevel struct {
	LevelRow
	Name          string
	Units         int
	Loads, Stores int64 // loads include accesses of unknown kind
	Unknown       int64
	Retries       int64
	Lifetimes     uint64
	NeverReused   float64 // share of lifetimes
	Rewritten     int64
	Refilled      int64
	Open          int64
	Merged        int64
	Inherited     int64
	Exact         bool
}

// Analyze computes the lifetimes of a source and everything that is reported
// about them.
func Analyze(ctx context.Context, src simlog.Source, s Settings) (*Analysis, error) {
	if s.Devices == nil {
		s.Devices = GuideDevices()
	}
	c := &analyzer{a: &Analysis{Settings: s}, src: src}
	_, elements := src.(*simlog.ScaleSim)
	o, err := s.Options.withDefaults(elements)
	if err != nil {
		return nil, err
	}
	c.a.Machine.Block = o.Block
	sum, err := Run(ctx, src, o, c)
	if sum == nil {
		return nil, err
	}
	for _, w := range c.writers {
		if w != nil {
			err = errors.Join(err, w.Flush())
		}
	}
	c.a.Summary = *sum
	c.a.Machine.Config = sum.Config
	c.a.Machine.resolveClock()
	for _, t := range c.a.Totals {
		t.Write.settle()
	}
	c.a.Notes = append(c.a.Notes, c.notes()...)
	return c.a, err
}

// analyzer is the sink behind Analyze.
type analyzer struct {
	a       *Analysis
	src     simlog.Source
	kernel  int64
	writers [simlog.MaxLevels]*LifetimeWriter
	totals  [simlog.MaxLevels]*LevelTotal
}

func (c *analyzer) Begin(k *simlog.Kernel) error {
	c.kernel = k.ID
	c.a.Machine.Config = c.src.Config()
	c.a.Machine.resolveClock()
	return nil
}

func (c *analyzer) Rows(rows []Row) error {
	if c.a.Settings.Lifetimes == nil {
		return nil
	}
	for i := range rows {
		w := c.writers[rows[i].Level()]
		if w == nil {
			var err error
			if w, err = c.open(rows[i].Level()); err != nil {
				return err
			}
		}
		if err := w.Write(c.kernel, &rows[i]); err != nil {
			return err
		}
	}
	return nil
}

func (c *analyzer) open(l simlog.LevelID) (*LifetimeWriter, error) {
	f, err := c.a.Settings.Lifetimes(c.src.Levels()[l])
	if err != nil {
		return nil, err
	}
	w := NewLifetimeWriter(f, &c.a.Machine)
	c.writers[l] = w
	return w, nil
}

func (c *analyzer) End(r *KernelResult) error {
	a := c.a
	a.Machine.Config = c.src.Config()
	m := &a.Machine
	k := KernelSummary{KernelRow: m.kernelRow(r), Index: r.Kernel.Index, Line: r.Kernel.HeaderLine, Clock: r.Clock, EndAt: r.EndAt,
		Complete: r.Kernel.Complete(), Spilled: r.Spilled, Weight: a.Weights.of(r.Kernel.ID), Checks: r.reconcile()}
	for i := range r.Levels {
		l := &r.Levels[i]
		kl := KernelLevel{Name: l.Name, Units: len(l.Units), Loads: l.reads(), Stores: l.Stores, Unknown: l.Unknown,
			Retries: l.Retries, Lifetimes: l.Lifetimes.N(), NeverReused: l.neverReused(), Rewritten: l.Rewritten, Refilled: l.Refilled,
			Open: l.Open, Merged: l.Merged, Inherited: l.Inherited, Exact: l.Lifetimes.Exact()}
		switch l.Name {
		case "L1D":
			kl.LevelRow = k.L1
		case "L2":
			kl.LevelRow = k.L2
		default:
			kl.LevelRow = m.levelRow(r, l.Name)
		}
		k.Levels = append(k.Levels, kl)
		c.total(l).add(a, r, l, &kl, k.Weight)
	}
	a.Kernels = append(a.Kernels, k)
	if a.Settings.Kernel != nil {
		a.Settings.Kernel(&a.Kernels[len(a.Kernels)-1])
	}
	return nil
}

// total returns the sums of a level, and keeps the list in the order of levels.
func (c *analyzer) total(l *LevelResult) *LevelTotal {
	if c.totals[l.ID] == nil {
		c.totals[l.ID] = newLevelTotal(l.Name, c.a.Devices)
		c.a.Totals = c.a.Totals[:0]
		for _, t := range c.totals {
			if t != nil {
				c.a.Totals = append(c.a.Totals, t)
			}
		}
	}
	return c.totals[l.ID]
}

// notes are the findings that only the whole run shows.
func (c *analyzer) notes() []simlog.Note {
	var out []simlog.Note
	add := func(n int64, text string) {
		if n > 0 {
			out = append(out, simlog.Note{Count: n, Text: text})
		}
	}
	for _, t := range c.a.Totals {
		add(t.Unknown, t.Name+": accesses that the log does not call load or store; they count as loads")
		add(t.Inherited, t.Name+": blocks whose first access hits: they are older than the kernel and counted from that access on")
		add(t.Backward, t.Name+": lifetimes that would have been negative, since cycles fall; they count as 0")
	}
	for _, k := range c.a.Kernels {
		if k.Spilled {
			add(1, "kernels whose blocks exceeded the memory allowed: their lifetimes are written in another order")
			break
		}
	}
	return out
}

// Total returns the sums of a level by name, nil if it was not accessed.
func (a *Analysis) Total(name string) *LevelTotal {
	for _, t := range a.Totals {
		if t.Name == name {
			return t
		}
	}
	return nil
}

// Broken returns the checks that failed, of all kernels.
func (a *Analysis) Broken() (checked int, broken []Check) {
	for _, k := range a.Kernels {
		for _, c := range k.Checks {
			checked++
			if !c.Equal() {
				broken = append(broken, c)
			}
		}
	}
	return checked, broken
}
