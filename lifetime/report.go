package lifetime

import (
	"fmt"
	"io"
	"time"

	"github.com/gpuprof/gpuprof/format/simlog"
)

// WriteReport writes the JSON report of GainSight's front end: all keys of the
// guide's example under their names and in their order, and everything that the
// guide does not show under one key of our own, "gpuprof".
func (a *Analysis) WriteReport(w io.Writer, name string, at time.Time) error {
	o := object{{"Name", text(name)}, {"Date", text(at.Format("2006-01-02"))}, {"Time", text(at.Format("15-04-05"))}}
	levels := a.reportLevels()
	for _, t := range levels {
		o = append(o, field{levelName(t.Name) + " Lifetime Count", whole(t.Lifetimes.N())})
	}
	for _, t := range levels {
		o = append(o, field{levelName(t.Name) + " Write Frequency", t.Write.report()})
	}
	for _, t := range levels {
		var r object
		for _, p := range a.Project(t) {
			if d := a.Devices.Find(p.Device); !d.Static() {
				r = append(r, field{p.Name, float(p.Refreshes)})
			}
		}
		o = append(o, field{levelName(t.Name) + " Refreshes", r})
	}
	for _, t := range levels {
		var r object
		for _, p := range a.Project(t) {
			if a.Devices.Find(p.Device).AreaPerBit != nil {
				r = append(r, field{p.Device, float(p.Area)})
			}
		}
		o = append(o, field{levelName(t.Name) + " Area", r})
	}
	o = append(o, field{"gpuprof", a.extras()})
	return writeJSON(w, o)
}

// reportLevels are the levels of the report: L1 and L2 always, for a GPU, and in
// any case what was accessed.
func (a *Analysis) reportLevels() []*LevelTotal {
	gpu := len(a.Totals) == 0 || a.Total("L1D") != nil || a.Total("L2") != nil
	var out []*LevelTotal
	if gpu {
		for _, name := range []string{"L1D", "L2"} {
			t := a.Total(name)
			if t == nil {
				t = newLevelTotal(name, a.Devices)
				t.Write.settle()
			}
			out = append(out, t)
		}
	}
	for _, t := range a.Totals {
		if !gpu || t.Name != "L1D" && t.Name != "L2" {
			out = append(out, t)
		}
	}
	return out
}

// levelName is GainSight's name of a level.
func levelName(name string) string {
	if name == "L1D" {
		return "L1"
	}
	return name
}

func (f *Frequency) report() object {
	if len(f.values) == 0 {
		return object{{"max", float(f.P90)}, {"maxidx", float(f.P90)}, {"90%-tile", float(f.P90)}, {"weighted", float(f.P90)}} // NaN: null
	}
	return object{{"max", float(f.Max)}, {"maxidx", whole(f.MaxIndex)}, {"90%-tile", float(f.P90)}, {"weighted", float(f.Weighted)}}
}

// Definitions says in words what the numbers mean, guesses included. It is printed
// with every report.
func (a *Analysis) Definitions() []string {
	o := a.Used
	m := &a.Machine
	start := "a lifetime starts at a store or, with write allocation, at a fill: the first access to a block, or a miss on a block that has arrived"
	if o.NoWriteAllocate {
		start = "a lifetime starts at a store that hits or at a fill; a store that misses ends what the block held"
	}
	end := "it ends at the next fill or store of the block, or at the kernel's end"
	if o.End == AtLastRead {
		end = "it ends at the last read before the next fill or store of the block, or before the kernel's end"
	}
	merge := fmt.Sprintf("a miss within %d cycles after a fill, with no hit between, waits for that fill and starts nothing (simulators print such accesses as MISS)", o.MergeWindow)
	if o.MergeWindow < 0 {
		merge = "every miss is a fill"
	}
	freq := map[Convention]string{
		Seed:    fmt.Sprintf("frequencies follow GainSight's guide: L1 accesses as logged (usually one SM), L2 accesses divided by %d (a number of slices: guess); their sum is no rate of any real memory", seedSlices(m)),
		PerUnit: "frequencies are those of one SM's L1 and one L2 slice, averaged over those in the log",
		Logged:  "frequencies are those of all accesses in the log",
	}[m.Convention]
	defs := []string{
		start,
		end,
		merge,
		"RESERVATION_FAIL lines are the same access tried again and count for nothing",
		fmt.Sprintf("blocks of %d bytes, each unit (SM) apart", m.Block),
	}
	if a.FromFiles {
		defs = []string{"lifetimes, frequencies and utilisation are as the files state them; by which rules they were made the files do not say"}
	}
	return append(defs,
		fmt.Sprintf("clock %g MHz, %s", m.ClockMHz, m.ClockFrom),
		freq,
		"weighted write frequency: mean over kernels, weighted by their cycles (guess)",
		"refreshes: for each lifetime the whole number of retention times that fit into it (guess), at the retention for the kernel's write frequency",
		"energies: accesses, refreshes and bits times the device's energies (ours; GainSight shows no formula)",
	)
}

func seedSlices(m *Machine) int {
	if m.L2Slices > 0 {
		return m.L2Slices
	}
	return seedL2Slices
}

// extras is everything that the guide's report does not hold.
func (a *Analysis) extras() object {
	defs := list{}
	for _, d := range a.Definitions() {
		defs = append(defs, text(d))
	}
	notes := list{}
	for _, n := range a.Notes {
		notes = append(notes, text(n.String()))
	}
	checked, broken := a.Broken()
	bad := list{}
	for i, c := range broken {
		if i == 20 {
			bad = append(bad, text(fmt.Sprintf("and %d more", len(broken)-i)))
			break
		}
		bad = append(bad, text(c.String()))
	}
	levels := object{}
	for _, t := range a.Totals {
		levels = append(levels, field{levelName(t.Name), a.levelExtras(t)})
	}
	return object{
		{"definitions", defs},
		{"devices", text(a.Devices.Name)},
		{"devices note", text(a.Devices.Note)},
		{"clock_mhz", float(a.Machine.ClockMHz)},
		{"kernels", whole(len(a.Kernels))},
		{"accesses", whole(a.Tally.Accesses)},
		{"levels", levels},
		{"reconciled counts", whole(checked)},
		{"counts that differ from the simulator's", bad},
		{"notes", notes},
	}
}

func (a *Analysis) levelExtras(t *LevelTotal) object {
	d, m := &t.Lifetimes, &a.Machine
	within := object{}
	for _, ns := range []float64{100, 1000, 10000, 100000} {
		within = append(within, field{fmt.Sprintf("below %g us", ns/1000), float(m.ShareWithin(d, ns))})
	}
	o := object{
		{"loads", whole(t.Loads)}, {"stores", whole(t.Stores)}, {"retries", whole(t.Retries)},
		{"lifetimes", whole(d.N())}, {"unique blocks", whole(t.Unique)},
		{"mean_us", float(m.US(d.Mean()))}, {"median_us", float(m.US(d.Quantile(0.5)))}, {"90%-tile_us", float(m.US(d.Quantile(0.9)))}, {"max_us", float(m.US(float64(d.Max())))},
		{"exact", truth(d.Exact())},
		{"never reused share", float(t.NeverReused())},
		{"shares", within},
		{"ended by store", whole(t.Rewritten)}, {"ended by fill", whole(t.Refilled)}, {"open at kernel end", whole(t.Open)},
		{"merged misses", whole(t.Merged)}, {"older than kernel", whole(t.Inherited)},
		{"capacity_bytes", whole(a.Capacity(t))},
	}
	devices := object{}
	for _, p := range a.Project(t) {
		devices = append(devices, field{p.Device, p.report()})
	}
	o = append(o, field{"devices", devices})
	if c, ok := a.Compose(t); ok {
		shares := object{}
		for _, s := range c.Shares {
			shares = append(shares, field{s.Device, object{{"lifetimes", float(s.Lifetimes)}, {"capacity", float(s.Capacity)}}})
		}
		o = append(o, field{"composition", object{{"shares", shares}, {"area ratio", float(c.AreaRatio)}}})
	}
	return o
}

func (p *Projection) report() object {
	return object{
		{"name", text(p.Name)},
		{"retention_ns", list{float(p.MinRetention), float(p.MaxRetention)}},
		{"refreshes", float(p.Refreshes)}, {"share without refresh", float(p.WithinShare)}, {"capacity without refresh", float(p.WithinTime)},
		{"kernels written too fast", whole(p.TooFast)},
		{"area", float(p.Area)}, {"area ratio", float(p.AreaRatio)},
		{"read_pj", float(p.Read)}, {"write_pj", float(p.Write)}, {"refresh_pj", float(p.Refresh)}, {"leakage_pj", float(p.Leakage)},
		{"energy_pj", float(p.Energy)}, {"energy ratio", float(p.EnergyRatio)},
	}
}

// note adds a finding of our own.
func (a *Analysis) note(text string) {
	a.Notes = append(a.Notes, simlog.Note{Count: 1, Text: text})
}
