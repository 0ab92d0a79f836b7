package lifetime

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/lifetime"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/profile/cufilt"
	"github.com/gpuprof/gpuprof/view"
)

// The ways in which the tables about lifetimes print numbers.
var (
	inUS      = &view.NumberStyle{Divisor: 1000, Decimals: 3} // of ns
	inPercent = &view.NumberStyle{Divisor: 0.01, Decimals: 2} // of a share
	threeDec  = &view.NumberStyle{Decimals: 3}
	oneDec    = &view.NumberStyle{Decimals: 1}
)

// orNothing is a number, or nothing where it is NaN.
func orNothing(v float64) view.Value {
	if math.IsNaN(v) {
		return view.Null
	}
	return view.Float(v, "")
}

func number(name, label string, style *view.NumberStyle) view.Column {
	c := view.Column{Name: name, Label: label, Type: view.Number, Number: style}
	if strings.HasSuffix(name, "_ns") {
		c.Unit = "ns"
	}
	return c
}

// counted is a count of the analysis, nothing where its files do not hold it.
func counted(a *lifetime.Analysis, n int64) view.Value {
	if a.FromFiles {
		return view.Null
	}
	return view.Whole(n)
}

// levelLabel is the name of a level in GainSight's words.
func levelLabel(name string) string {
	if name == "L1D" {
		return "L1"
	}
	return name
}

// lifetimeSections are the sections about one run. failed says that a count
// differs from the simulator's own.
func lifetimeSections(q *page.Request, a *lifetime.Analysis) (out []view.Section, failed bool, err error) {
	within, err := withinTimes(q)
	if err != nil {
		return nil, false, err
	}
	run := view.Section{ID: "run", Title: "Run"}
	if a.Tally.Lines > 0 {
		run.AddTable(tallyTable(a.Tally))
	}
	checked, broken := a.Broken()
	switch {
	case a.FromFiles:
	case checked == 0:
		run.AddMessage(&view.Message{Type: view.OK, Source: "reconciliation", Text: "The log holds no statistics of the simulator to compare the counts with."})
	case len(broken) == 0:
		run.AddMessage(&view.Message{Type: view.OK, Source: "reconciliation", Text: fmt.Sprintf("All %d counts equal the simulator's own: accesses, misses, pending hits and retries by kernel and level.", checked)})
	}
	for i, c := range broken {
		if i == 10 {
			run.AddMessage(&view.Message{Type: view.Warning, Source: "reconciliation", Text: fmt.Sprintf("And %d more of %d counts differ.", len(broken)-i, checked)})
			break
		}
		run.AddMessage(&view.Message{Type: view.Warning, Source: "reconciliation", Text: c.String()})
	}
	if text := longest(a); text != "" {
		run.AddMessage(&view.Message{Type: view.OK, Source: "verdict", Text: text})
	}
	addNotes(&run, a.Notes)
	kernels := view.Section{ID: "kernels", Title: "Kernels"}
	kernels.AddTable(lifetimeKernels(q, a))
	levels := view.Section{ID: "levels", Title: "Memory Levels"}
	levels.AddTable(lifetimeLevels(a))
	levels.AddTable(lifetimeShares(a, within))
	if len(run.Items) > 0 {
		out = append(out, run)
	}
	out = append(out, kernels, levels, lifetimeCharts(a, guides(a, within)), lifetimeDevices(a), lifetimeDefinitions(a))
	return out, len(broken) > 0, nil
}

// longest says how long nearly all data live in each memory.
func longest(a *lifetime.Analysis) string {
	var levels []string
	for _, l := range a.Totals {
		if ns := a.Machine.NS(l.Lifetimes.Quantile(0.99)); l.Lifetimes.N() > 0 && !math.IsNaN(ns) {
			levels = append(levels, fmt.Sprintf("%s in %s", view.Words(view.Float(ns, "ns")), levelLabel(l.Name)))
		}
	}
	if len(levels) == 0 {
		return ""
	}
	return "99 % of lifetimes are not longer than " + strings.Join(levels, ", ") + ": a memory that keeps data so long need not refresh them."
}

func lifetimeKernels(q *page.Request, a *lifetime.Analysis) *view.Table {
	t := &view.Table{ID: "kernels", Layout: &view.Layout{Same: 3}, Columns: []view.Column{
		{Name: "kernel_id", Label: "Id", Type: view.Text, Align: view.AlignRight}, {Name: "kernel", Label: "Kernel", Type: view.Text, Role: view.RoleKernel, MaxWidth: 40, Break: true},
		{Name: "cycles", Label: "Cycles", Type: view.Number}, {Name: "level", Label: "Level", Type: view.Text},
		{Name: "loads", Label: "Loads", Type: view.Number}, {Name: "stores", Label: "Stores", Type: view.Number}, {Name: "retries", Label: "Retries", Type: view.Number},
		{Name: "lifetimes", Label: "Lifetimes", Type: view.Number},
		number("mean_ns", "Mean (us)", inUS), number("median_ns", "Median (us)", inUS), number("p90_ns", "90 % (us)", inUS), number("max_ns", "Max (us)", inUS),
		number("never_reused", "Never reused (%)", inPercent), number("utilization", "Used (%)", inPercent)}}
	limit := q.Count("kernels")
	for i, k := range a.Kernels {
		if limit > 0 && i == limit {
			t.Description = fmt.Sprintf("The first %d of %d kernels; --kernels 0 shows all.", limit, len(a.Kernels))
			break
		}
		name := cufilt.Filter(k.Name)
		if name == "" {
			name = "(no kernel header)"
		}
		if !k.Complete {
			name += " (cut short)"
		}
		for at, l := range k.Levels {
			lifetimes := view.Uint(l.Lifetimes, "")
			if at < len(a.Totals) && a.Totals[at].NoLifetimes {
				lifetimes = view.Null
			}
			row := []view.Value{view.Int(k.ID, ""), view.String(name), view.Whole(k.Cycles), view.String(levelLabel(l.Name)), view.Whole(l.Loads), view.Whole(l.Stores), counted(a, l.Retries),
				lifetimes, orNothing(l.MeanUS * 1000), orNothing(l.MedianUS * 1000), orNothing(l.P90US * 1000), orNothing(l.MaxUS * 1000), orNothing(l.NeverReused), orNothing(l.Utilization)}
			t.Rows = append(t.Rows, row)
		}
		if len(k.Levels) == 0 {
			t.Rows = append(t.Rows, []view.Value{view.Int(k.ID, ""), view.String(name), view.Whole(k.Cycles)})
		}
	}
	return t
}

func lifetimeLevels(a *lifetime.Analysis) *view.Table {
	t := &view.Table{ID: "levels", Columns: []view.Column{
		{Name: "level", Label: "Level", Type: view.Text}, {Name: "lifetimes", Label: "Lifetimes", Type: view.Number},
		number("mean_ns", "Mean (us)", inUS), number("median_ns", "Median (us)", inUS), number("p90_ns", "90 % (us)", inUS), number("max_ns", "Max (us)", inUS),
		number("never_reused", "Never reused (%)", inPercent),
		{Name: "rewritten", Label: "Ended by store", Type: view.Number}, {Name: "refilled", Label: "by fill", Type: view.Number}, {Name: "open", Label: "at kernel end", Type: view.Number},
		{Name: "merged", Label: "Merged misses", Type: view.Number},
		number("write_max", "Max write (MHz)", threeDec), number("write_p90", "90 % write (MHz)", threeDec), number("write_weighted", "Weighted write (MHz)", threeDec),
		{Name: "capacity", Label: "Capacity (bytes)", Type: view.Number}}}
	m := &a.Machine
	for _, l := range a.Totals {
		d := &l.Lifetimes
		row := []view.Value{view.String(levelLabel(l.Name)), view.Uint(d.N(), ""), orNothing(m.NS(d.Mean())), orNothing(m.NS(d.Quantile(0.5))), orNothing(m.NS(d.Quantile(0.9))), orNothing(m.NS(float64(d.Max()))),
			orNothing(l.NeverReused()), counted(a, l.Rewritten), counted(a, l.Refilled), counted(a, l.Open), counted(a, l.Merged), orNothing(l.Write.Max), orNothing(l.Write.P90), orNothing(l.Write.Weighted), view.Null}
		if n := a.Capacity(l); n > 0 {
			row[len(row)-1] = view.Whole(n)
		}
		if l.NoLifetimes {
			row[1], row[5] = view.Null, view.Null
		}
		if !d.Exact() {
			t.Description = "Lifetimes beyond 8 million cycles are rounded to 12 bits: there are too many different ones."
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// lifetimeShares is the question "which retention do I need?".
func lifetimeShares(a *lifetime.Analysis, within []float64) *view.Table {
	t := &view.Table{ID: "shares", Title: "Share of lifetimes shorter than a retention time (%)",
		Columns: []view.Column{{Name: "level", Label: "Level", Type: view.Text}}}
	for _, ns := range within {
		t.Columns = append(t.Columns, number(fmt.Sprintf("within_%gns", ns), timeLabel(ns), inPercent))
	}
	for _, l := range a.Totals {
		row := []view.Value{view.String(levelLabel(l.Name))}
		for _, ns := range within {
			row = append(row, orNothing(a.Machine.ShareWithin(&l.Lifetimes, ns)))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func timeLabel(ns float64) string {
	for _, u := range []struct {
		name string
		ns   float64
	}{{"s", 1e9}, {"ms", 1e6}, {"us", 1e3}} {
		if ns >= u.ns {
			return fmt.Sprintf("%g %s", ns/u.ns, u.name)
		}
	}
	return fmt.Sprintf("%g ns", ns)
}

// guides are the retention times asked for, and the least of each device.
func guides(a *lifetime.Analysis, within []float64) []view.Guide {
	var out []view.Guide
	add := func(ns float64, label string) {
		if ns > 0 && !math.IsInf(ns, 0) && !slices.ContainsFunc(out, func(g view.Guide) bool { return g.At == ns }) {
			out = append(out, view.Guide{At: ns, Label: label})
		}
	}
	for _, l := range a.Totals {
		for _, p := range a.Project(l) {
			add(p.MinRetention, p.Name)
		}
	}
	for _, ns := range within {
		add(ns, timeLabel(ns))
	}
	return out
}

func lifetimeCharts(a *lifetime.Analysis, guides []view.Guide) view.Section {
	s := view.Section{ID: "distribution", Title: "Distribution of Lifetimes"}
	for _, series := range a.Series() {
		h := view.Table{ID: "histogram_" + series.Name, Title: series.Name, Columns: []view.Column{
			{Name: "level", Label: "Level", Type: view.Text},
			inRole(view.RoleFrom, number("from_ns", "From (us)", inUS)), inRole(view.RoleTo, number("to_ns", "To (us)", inUS)),
			{Name: "lifetimes", Label: "Lifetimes", Type: view.Number, Role: view.RoleCount},
			number("share", "Share (%)", inPercent), number("cumulative", "Up to here (%)", inPercent)}}
		var all, seen uint64
		for _, b := range series.Bins {
			all += b.N
		}
		for _, b := range series.Bins {
			seen += b.N
			h.Rows = append(h.Rows, []view.Value{view.String(series.Name), view.Float(b.FromNS, "ns"), view.Float(b.ToNS, "ns"), view.Uint(b.N, ""),
				view.Float(float64(b.N)/float64(all), ""), view.Float(float64(seen)/float64(all), "")})
		}
		s.AddChart(&view.Chart{Kind: view.HistogramChart, Table: h, X: view.Axis{Label: "lifetime (ns)", Log: true, Guides: guides}, Y: view.Axis{Label: "lifetimes"}})
		c := view.Table{ID: "cdf_" + series.Name, Columns: []view.Column{{Name: "level", Type: view.Text}, {Name: "ns", Type: view.Number}, {Name: "share", Type: view.Number}, {Name: "time_share", Type: view.Number}}}
		for _, p := range series.Points {
			c.Rows = append(c.Rows, []view.Value{view.String(series.Name), view.Float(p.NS, "ns"), view.Float(p.Share, ""), view.Float(p.Time, "")})
		}
		chart := &view.Chart{Kind: view.LineChart, Table: c, X: view.Axis{Label: "lifetime (ns)", Log: true, Guides: guides}, Y: view.Axis{Label: "share of lifetimes"}}
		s.Items = append(s.Items, view.Item{Chart: chart, For: view.Programs}) // people read the histogram
	}
	return s
}

func lifetimeDevices(a *lifetime.Analysis) view.Section {
	s := view.Section{ID: "devices", Title: "What Other Memories Would Take", Description: a.Devices.Note}
	if a.Devices.Note != "" {
		s.AddMessage(&view.Message{Type: view.OK, Source: "devices", Text: a.Devices.Note})
	}
	if nodes := a.Devices.Nodes(); len(nodes) > 1 {
		s.AddMessage(&view.Message{Type: view.Warning, Source: "devices", Text: fmt.Sprintf("The devices are of different processes (%s): their areas and energies differ by the process, too, not by the device alone.", strings.Join(nodes, "; "))})
	}
	t := &view.Table{ID: "devices", Title: a.Devices.Name, Columns: []view.Column{
		{Name: "level", Label: "Level", Type: view.Text}, {Name: "device", Label: "Device", Type: view.Text},
		number("retention_min_ns", "Retention (us)", inUS), number("retention_max_ns", "to (us)", inUS),
		number("refreshes", "Refreshes", oneDec), number("within", "Need none (%)", inPercent), number("within_time", "of capacity (%)", inPercent),
		number("area", "Area ("+a.Devices.AreaUnit+")", oneDec), number("area_ratio", "Area, of reference", threeDec),
		number("read_pj", "Read (pJ)", oneDec), number("write_pj", "Write (pJ)", oneDec), number("refresh_pj", "Refresh (pJ)", oneDec), number("leakage_pj", "Leakage (pJ)", oneDec),
		number("energy_pj", "Energy (pJ)", oneDec), number("energy_ratio", "Energy, of reference", threeDec)}}
	for _, l := range a.Totals {
		for _, p := range a.Project(l) {
			finite := func(v float64) view.Value {
				if math.IsInf(v, 0) {
					return view.Missing("static")
				}
				return orNothing(v)
			}
			t.Rows = append(t.Rows, []view.Value{view.String(levelLabel(l.Name)), view.String(p.Name), finite(p.MinRetention), finite(p.MaxRetention), orNothing(p.Refreshes),
				orNothing(p.WithinShare), orNothing(p.WithinTime), orNothing(p.Area), orNothing(p.AreaRatio), orNothing(p.Read), orNothing(p.Write), orNothing(p.Refresh), orNothing(p.Leakage), orNothing(p.Energy), orNothing(p.EnergyRatio)})
			if p.TooFast > 0 {
				s.AddMessage(&view.Message{Type: view.Warning, Source: p.Device, Text: fmt.Sprintf("%s: %d kernels write faster than the table of this device goes; no refreshes are projected.", levelLabel(l.Name), p.TooFast)})
			}
		}
	}
	hideEmpty(t)
	s.AddTable(t)
	c := &view.Table{ID: "composition", Title: "Least area without any refresh, if data could be placed by lifetime", Columns: []view.Column{
		{Name: "level", Label: "Level", Type: view.Text}, {Name: "device", Label: "Device", Type: view.Text},
		number("lifetimes", "Lifetimes (%)", inPercent), number("capacity", "Capacity (%)", inPercent), number("area_ratio", "Area of the level, of reference", threeDec)}}
	for _, l := range a.Totals {
		comp, _ := a.Compose(l) // no shares where there is none
		for _, sh := range comp.Shares {
			c.Rows = append(c.Rows, []view.Value{view.String(levelLabel(l.Name)), view.String(sh.Name), orNothing(sh.Lifetimes), orNothing(sh.Capacity), orNothing(comp.AreaRatio)})
		}
	}
	if len(c.Rows) > 0 {
		s.AddTable(c)
	}
	from := &view.Table{ID: "sources", Title: "Where the numbers of the devices are from", Layout: &view.Layout{Ragged: true}, Columns: []view.Column{
		{Name: "device", Label: "Device", Type: view.Text}, {Name: "node", Label: "Process", Type: view.Text}, {Name: "source", Label: "Source", Type: view.Text, MaxWidth: 110}}}
	for _, d := range a.Devices.Devices {
		node, source := d.Node, d.Source
		if node == "" {
			node = "not told"
		}
		if source == "" {
			source = "the table names none"
		}
		from.Rows = append(from.Rows, []view.Value{view.String(d.Name), view.String(node), view.String(source)})
	}
	s.AddTable(from)
	return s
}

func inRole(r view.Role, c view.Column) view.Column {
	c.Role = r
	return c
}

// hideEmpty leaves columns that say nothing in any row to programs.
func hideEmpty(t *view.Table) {
	for i := range t.Columns {
		if !slices.ContainsFunc(t.Rows, func(r []view.Value) bool { return i < len(r) && r[i].Kind() != view.KindNull }) {
			t.Columns[i].For = view.Programs
		}
	}
}

func lifetimeDefinitions(a *lifetime.Analysis) view.Section {
	s := view.Section{ID: "definitions", Title: "Definitions"}
	t := &view.Table{ID: "definitions", Layout: &view.Layout{Ragged: true}, Columns: []view.Column{{Name: "definition", Label: "What the numbers mean", Type: view.Text, MaxWidth: 110}}}
	for _, d := range a.Definitions() {
		t.Rows = append(t.Rows, []view.Value{view.String(d)})
	}
	s.AddTable(t)
	return s
}
