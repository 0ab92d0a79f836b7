package lifetime

import (
	"fmt"
	"io"
	"math"
	"slices"
)

// FromCSV builds an analysis from files: a kernel table and, for each level whose
// lifetime file is at hand, its lifetimes. The files may be GainSight's own. What
// they do not hold is unknown in the result: number of accesses (frequencies are
// there), reuse, reconciliation; refreshes where no lifetime file is given.
//
// Machine.ClockMHz must be the clock that the files were made with, which they do
// not state.
func FromCSV(s Settings, table io.Reader, name string, lifetimes map[string]io.Reader) (*Analysis, error) {
	if s.Devices == nil {
		s.Devices = GuideDevices()
	}
	rows, broken := ReadKernelCSV(table, name)
	switch {
	case broken != nil && len(rows) == 0:
		return nil, broken
	case len(rows) == 0:
		return nil, fmt.Errorf("%s: expected a row for each kernel behind the names of columns, found none", name)
	}
	o, err := s.Options.withDefaults(false)
	if err != nil {
		return nil, err
	}
	s.Machine.Block = o.Block
	s.Machine.resolveClock()
	a := &Analysis{Settings: s, Summary: Summary{Used: o, Levels: []string{"L1D", "L2"}}, FromFiles: true}
	if broken != nil {
		a.note(broken.Error())
	}
	at := map[int64]int{} // kernel id -> row
	var totals []*LevelTotal
	for _, name := range a.Levels {
		_, file := lifetimes[name]
		if file || slices.ContainsFunc(rows, func(r KernelRow) bool { return r.level(name).Unique > 0 }) {
			totals = append(totals, newLevelTotal(name, s.Devices))
		}
	}
	for i, row := range rows {
		k := KernelSummary{KernelRow: row, Index: i, Complete: true, Weight: s.Weights.of(row.ID)}
		for _, t := range totals {
			k.Levels = append(k.Levels, t.addRow(a, &k))
		}
		if _, dup := at[row.ID]; !dup {
			at[row.ID] = i
		}
		a.Kernels = append(a.Kernels, k)
	}
	for i, t := range totals {
		t.Write.settle()
		a.Totals = append(a.Totals, t)
		if r, ok := lifetimes[t.Name]; !ok {
			a.note("no lifetime file for " + levelName(t.Name) + ": its lifetimes and refreshes are unknown")
			t.NoLifetimes = true
			for u := range t.Uses {
				t.Uses[u].Known = 0
			}
		} else if err := a.readLifetimes(r, lifetimeFile(name, t.Name), i, at); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// level returns the part of the row about a level.
func (k *KernelRow) level(name string) *LevelRow {
	if name == "L2" {
		return &k.L2
	}
	return &k.L1
}

// addRow takes a kernel as the table describes it.
func (t *LevelTotal) addRow(a *Analysis, k *KernelSummary) KernelLevel {
	kl := KernelLevel{LevelRow: *k.level(t.Name), Name: t.Name, NeverReused: math.NaN(), Exact: true}
	by := 1.0
	if t.Name == "L2" && a.Machine.Convention == Seed {
		by = float64(seedSlices(&a.Machine))
	}
	us := a.Machine.US(float64(k.Cycles))
	kl.Loads, kl.Stores = int64(math.Round(zero(kl.ReadMHz)*by*us)), int64(math.Round(zero(kl.WriteMHz)*by*us))
	t.Loads += kl.Loads
	t.Stores += kl.Stores
	t.Unique += kl.Unique
	t.WeightedLoads += k.Weight * float64(kl.Loads)
	t.WeightedStores += k.Weight * float64(kl.Stores)
	t.WeightedNS += k.Weight * us * 1000
	t.sizes = append(t.sizes, kl.Size)
	t.Units = 1
	t.Write.add(zero(kl.WriteMHz), len(a.Kernels), k.Weight*float64(k.Cycles))
	for i := range t.Uses {
		t.Uses[i].add(&a.Machine, new(Distribution), zero(kl.WriteMHz), k.Weight)
	}
	return kl
}

// readLifetimes adds a lifetime file to the sums of level number i. Its lines come
// kernel by kernel, so that one kernel's lifetimes are held at a time.
func (a *Analysis) readLifetimes(r io.Reader, name string, i int, at map[int64]int) error {
	t := a.Totals[i]
	var d Distribution
	current := int64(math.MinInt64)
	flush := func() {
		if d.N() == 0 {
			return
		}
		t.Lifetimes.Merge(&d)
		row, known := at[current]
		if !known {
			a.note(fmt.Sprintf("%s: kernel %d has %d lifetimes but is not in the kernel table", levelName(t.Name), current, d.N()))
			return
		}
		k := &a.Kernels[row]
		k.Levels[i].Lifetimes += d.N()
		for u := range t.Uses {
			t.Uses[u].lifetimes(&a.Machine, &d, zero(k.Levels[i].WriteMHz), k.Weight)
		}
	}
	err := ReadLifetimes(r, name, func(kernel, cycles int64) {
		if kernel != current {
			flush()
			d.Reset()
			current = kernel
		}
		d.Add(cycles)
	})
	flush()
	return err
}

func zero(v float64) float64 {
	if math.IsNaN(v) {
		return 0
	}
	return v
}
