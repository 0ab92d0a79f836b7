package ranks

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/ranks"
	"github.com/gpuprof/gpuprof/steps"
	"github.com/gpuprof/gpuprof/view"
)

// about is the table of how ranks, clocks, groups and steps were found.
func about(run *ranks.Run) *view.Table {
	t := &view.Table{ID: "about", Columns: []view.Column{
		{Name: "what", Label: "What", Type: view.Text}, {Name: "how", Label: "How it was found, and how sure", Type: view.Text, MaxWidth: 100}}}
	add := func(name, text string) {
		t.Rows = append(t.Rows, []view.Value{view.String(name), view.String(text)})
	}
	add("Ranks", fmt.Sprintf("%d of %d, from %s; numbers from %s", len(run.Ranks), run.Size, count(reports(run), "report"), numbering(run)))
	add("Steps", stepsFound(run))
	add("Clocks", clocks(run))
	add("Groups", groups(run))
	if run.Wall > 0 && run.LostTime > 0 {
		add("Lost time", lost(run))
	}
	add("Limits", fmt.Sprintf("of ours: %s", ranks.Limits()))
	return t
}

// reports is how many reports the ranks are of, whether read or merged before.
func reports(run *ranks.Run) int {
	type report struct {
		file, host string
		utc        int64
	}
	all := map[report]bool{}
	for _, r := range run.Ranks {
		all[report{r.File, r.Host, r.UTC}] = true
	}
	return len(all)
}

// leastShare is how many times its part a rank must have caused to be told.
const leastShare = 1.5

// lost tells how much time was waited away, and for whom.
func lost(run *ranks.Run) string {
	s := fmt.Sprintf("%s of all ranks' time is exposed waiting for others, %s together", percent(float64(run.LostTime)/float64(run.Wall)), nanoseconds(run.LostTime))
	type cause struct {
		name string
		lost int64
	}
	var list []cause
	for _, r := range run.Ranks {
		list = append(list, cause{fmt.Sprintf("rank %d", r.Number), r.Caused})
	}
	for _, g := range run.Groups {
		list = append(list, cause{"transfers among " + g.Label(run), g.Caused})
	}
	slices.SortStableFunc(list, func(a, b cause) int { return -cmp.Compare(a.lost, b.lost) })
	var due []string
	for _, c := range list[:min(len(list), 3)] {
		if share := float64(c.lost) / float64(run.LostTime); share >= leastShare/float64(len(run.Ranks)) {
			due = append(due, fmt.Sprintf("%s (%s)", c.name, percent(share)))
		}
	}
	partly := 0
	for _, g := range run.Groups {
		for _, k := range g.Kinds {
			partly += k.Partly
		}
	}
	if len(due) > 0 {
		s += "; waited for " + strings.Join(due, ", ") + ", which came last or had kept those that did (an estimate)"
	} else {
		s += "; for nobody in particular"
	}
	if partly > 0 {
		s += fmt.Sprintf("; in %s reports lack, so it is that at least", count(partly, "collective"))
	}
	return s
}

// numbering tells the sources of numbers, with how many ranks have theirs from it.
func numbering(run *ranks.Run) string {
	from := map[ranks.Source]int{}
	for _, r := range run.Ranks {
		from[r.Source]++
	}
	var out []string
	for s := range ranks.FromOrder + 1 {
		switch n := from[s]; {
		case n == len(run.Ranks):
			out = append(out, s.Words())
		case n > 0:
			out = append(out, fmt.Sprintf("%s (%d)", s.Words(), n))
		}
	}
	return strings.Join(out, ", ")
}

func stepsFound(run *ranks.Run) string {
	have := map[string]int{}
	var order []string
	for _, r := range run.Ranks {
		if have[r.StepText]++; have[r.StepText] == 1 {
			order = append(order, r.StepText)
		}
	}
	slices.SortStableFunc(order, func(a, b string) int { return -cmp.Compare(have[a], have[b]) })
	s := order[0]
	if len(order) > 1 {
		s = fmt.Sprintf("%s (%s); others differ: %s (%d)", s, count(have[order[0]], "rank"), order[1], have[order[1]])
	}
	return s
}

func clocks(run *ranks.Run) string {
	c := &run.Clock
	if c.Agree < 0 {
		return c.Method
	}
	s := fmt.Sprintf("%s: they agree within %s (%d collectives), on the clock of rank %d", c.Method, nanoseconds(c.Agree), c.Collectives, c.Reference)
	if c.Before >= 0 {
		s += "; by the hosts' clocks nine of ten agreed within " + nanoseconds(c.Before)
	}
	if len(c.Unaligned) > 0 {
		s += "; not aligned, for they share no collective with the others: " + ranks.List(c.Unaligned)
	}
	return s
}

func groups(run *ranks.Run) string {
	if len(run.Groups) == 0 {
		if run.Unknown > 0 {
			return fmt.Sprintf("unknown: %d collectives, of which reports do not tell the communicator; so no waits are known", run.Unknown)
		}
		return "none: no collectives"
	}
	s := count(len(run.Groups), "communicator") + ", as the reports tell"
	if run.Inferred {
		s = count(len(run.Groups), "group") + ", inferred from collectives that end together"
		if run.Size == 2 {
			s = "two ranks, so every collective is of both"
		}
	}
	if run.Unknown > 0 {
		s += fmt.Sprintf("; %d collectives are of unknown ones", run.Unknown)
	}
	return s
}

func number(name, label string) view.Column {
	return view.Column{Name: name, Label: label, Type: view.Number}
}

func duration(name, label string) view.Column {
	return view.Column{Name: name, Label: label, Unit: "ns", Type: view.Number}
}

func share(name, label string) view.Column {
	return view.Column{Name: name, Label: label, Unit: "%", Type: view.Number, Number: &view.NumberStyle{Decimals: 1}}
}

func ns(v int64) view.Value { return view.Int(v, "ns") }

func stepTable(run *ranks.Run) *view.Table {
	t := &view.Table{ID: "steps", Layout: &view.Layout{Frame: view.FrameOpen, Times: true}, Columns: []view.Column{number("step", "Step"), number("ranks", "Ranks"), duration("wall", "Wall"), duration("wall_min", "Min"), duration("wall_max", "Max"),
		duration("compute", "Compute"), duration("communication", "Comm"), duration("exposed", "Exposed Comm"), duration("copies", "Copies"), duration("idle", "Idle"), duration("self", "Self"),
		share("imbalance", "Imbalance (%)"), number("slowest", "Slowest Rank"), duration("excess", "By"), duration("lost", "Lost"), {Name: "note", Label: "Note", Type: view.Text}}}
	for _, s := range run.Steps {
		note := ""
		if s.Edge {
			note = "unusually long: left out of medians"
		}
		t.Rows = append(t.Rows, []view.Value{view.Int(s.Number, ""), view.Int(int64(s.Ranks), ""), ns(s.Wall), ns(s.WallMin), ns(s.WallMax), ns(s.Compute), ns(s.Communication), ns(s.Exposed), ns(s.Copies),
			ns(s.Idle), ns(s.Self), view.Float(100*s.Imbalance, "%"), view.Int(s.Slowest, ""), ns(s.Excess), ns(s.Lost), view.String(note)})
	}
	return t
}

// rankTable is that of ranks by their score. Ranks of reports without steps are
// shown over their whole recording.
func rankTable(run *ranks.Run, operand map[*ranks.Rank]int) *view.Table {
	t := &view.Table{ID: "ranks", Link: &view.Link{To: view.ToSpan, Cell: "rank", At: []string{"at", "at_duration", "operand"}}, Layout: &view.Layout{Frame: view.FrameOpen, Times: true}, Columns: []view.Column{number("rank", "Rank"), {Name: "host", Label: "Host", Type: view.Text}, number("gpu", "GPU"), duration("more", "Self, Over Median"),
		duration("wall", "Wall"), duration("compute", "Compute"), duration("exposed", "Exposed Comm"), duration("copies", "Copies"), duration("idle", "Idle"), duration("self", "Self"),
		duration("wait", "Wait"), duration("lost", "Lost"), duration("caused", "Others Lost"), number("steps", "Steps"), duration("offset", "Clock Offset"), duration("error", "Clock Error"), {Name: "file", Label: "File", Type: view.Text},
		number("pid", "PID"), {Name: "source", Label: "Number From", Type: view.Text, For: view.Programs}, {Name: "gpu_name", Type: view.Text, For: view.Programs},
		{Name: "operand", Type: view.Number, For: view.Programs}, {Name: "at", Unit: "ns", Type: view.Number, For: view.Programs}, {Name: "at_duration", Unit: "ns", Type: view.Number, For: view.Programs}}}
	list := slices.Clone(run.Ranks)
	slices.SortStableFunc(list, func(a, b *ranks.Rank) int {
		return cmp.Or(-cmp.Compare(a.Score, b.Score), cmp.Compare(a.Number, b.Number))
	})
	for _, r := range list {
		off := ns(r.Error)
		if r.Error < 0 {
			off = view.Missing("unknown")
		}
		p := &r.Typical
		t.Rows = append(t.Rows, []view.Value{view.Int(r.Number, ""), view.String(r.Host), view.Int(r.Device, ""), ns(r.Score), ns(p.Wall), ns(p.Compute), ns(p.Exposed), ns(p.Copies), ns(p.Idle), ns(p.Self),
			ns(p.Waits), ns(p.Lost), ns(r.Caused), view.Int(int64(p.Steps), ""), ns(r.Offset), off, view.String(r.File), view.Int(r.Process, ""), view.String(r.Source.String()), view.String(r.GPU),
			view.Int(int64(operand[r]), ""), ns(r.Worst().Start), ns(r.Worst().End - r.Worst().Start)})
	}
	return t
}

func collectiveTable(run *ranks.Run) *view.Table {
	t := &view.Table{ID: "collectives", Layout: &view.Layout{Frame: view.FrameOpen, Times: true}, Columns: []view.Column{{Name: "communicator", Label: "Communicator", Type: view.Text}, number("size", "Size"), number("hosts", "Hosts"),
		{Name: "call", Label: "Call", Type: view.Text}, {Name: "bytes", Label: "Bytes", Unit: "byte", Type: view.Number, Number: &view.NumberStyle{}}, number("count", "Count"), number("calls", "Calls"), number("partly", "Incomplete"), duration("stay", "Shortest Stay"),
		duration("transfer", "Transfer"), {Name: "algbw", Label: "AlgBW (GB/s)", Type: view.Number, Number: &view.NumberStyle{Decimals: 2}}, {Name: "busbw", Label: "BusBW (GB/s)", Type: view.Number, Number: &view.NumberStyle{Decimals: 2}},
		duration("wait", "Mean Wait"), duration("wait_at_least", "Incomplete: Wait At Least"), duration("skew", "Skew"), number("last", "Last Most Often"), number("last_of", "Times Last"), number("together", "Together"), number("negative", "Clock Doubts"),
		{Name: "id", Label: "ID", Type: view.Text, For: view.Programs}}}
	for _, g := range run.Groups {
		id := view.Null
		if g.ID != 0 {
			id = view.Hex(g.ID)
		}
		for _, k := range g.Kinds {
			row := []view.Value{view.String(g.Label(run)), view.Int(g.Size, ""), view.Int(int64(g.Nodes), ""), view.String(k.Class.String()), view.Int(k.Bytes, "byte"), view.Int(int64(k.Count), ""), view.Int(k.Calls, ""),
				view.Int(int64(k.Partly), ""), ns(k.Stay), ns(k.Transfer), view.Float(k.AlgBW, ""), view.Float(k.BusBW, ""), ns(k.Wait), ns(k.AtLeast), ns(k.Skew), view.Int(k.Last, ""), view.Int(int64(k.LastOf), ""),
				view.Int(int64(k.Together), ""), view.Int(int64(k.Negative), ""), id}
			if k.Bytes == 0 {
				row[4], row[10], row[11] = view.Missing("unknown"), view.Null, view.Null
			}
			if k.Count == 0 {
				for _, i := range []int{6, 8, 9, 10, 11, 12, 14, 16, 17, 18} {
					row[i] = view.Null
				}
			}
			if !k.Class.Synchronises() {
				for _, i := range []int{9, 12, 13, 14, 16, 17, 18} {
					row[i] = view.Null
				}
			}
			if k.AtLeast == 0 {
				row[13] = view.Null
			}
			if k.Last < 0 {
				row[15] = view.Null
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

// rankStepTable has every step of every rank, on the rank's own clock and on the
// common one.
func rankStepTable(run *ranks.Run, operand map[*ranks.Rank]int) *view.Table {
	t := &view.Table{ID: "rank_steps", Link: &view.Link{To: view.ToSpan, Cell: "step", At: []string{"start", "wall", "operand"}}, Layout: &view.Layout{Frame: view.FrameOpen, Times: true}, Columns: append([]view.Column{number("rank", "Rank"), number("step", "Step"), duration("start", "Start"), duration("end", "End"),
		duration("common_start", "Common Start"), {Name: "operand", Type: view.Number, For: view.Programs}}, steps.Columns()...)}
	for _, r := range run.Ranks {
		for i := range r.Steps {
			s := &r.Steps[i]
			t.Rows = append(t.Rows, append([]view.Value{view.Int(r.Number, ""), view.Int(s.Number+r.StepShift, ""), ns(s.Start), ns(s.End), ns(r.At(s.Start)), view.Int(int64(operand[r]), "")}, s.Cells()...))
		}
	}
	return t
}
