package torch

import (
	"context"
	"fmt"
	"strings"

	"github.com/gpuprof/gpuprof/compare"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/torch"
	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/view"
)

// Breakdown is the page breakdown.
var Breakdown = &page.Page{
	Name:  "breakdown",
	Short: "Show where the time of each GPU went: computing, communicating, copying, idle",
	Long: `For each GPU, from its first work to its last: how long it was busy, computed,
communicated and copied, how much of communication and copies nothing hid, and how
long it was idle. What streams waited for while they were idle: the host, which had not
launched the next kernel yet, and in which operator it then was; or the hardware. How
kernels were launched: delays, queues, short kernels. Which kernels follow each other
again and again, so that a CUDA graph or a fused kernel would join them.

--compat hta and tracelens count as those programs do. They differ from the default:
hta takes memory sets and synchronizations for memory and hipMemcpy for communication;
tracelens takes memory sets for computation; both leave out work whose call is not in
the file.

Of several files, or a folder of them, as of the ranks of a job, it sets the GPUs side by
side first.`,
	Example: "gpuprof breakdown trace.pt.trace.json.gz\ngpuprof breakdown --compat tracelens --format csv rank*.json.gz",
	Group:   page.GroupRead, Args: "FILE...", MinArgs: 1, MaxArgs: -1,
	Needs: load.Timeline,
	Options: []page.Option{
		{Name: "compat", Remote: true, Kind: page.Choice, Values: []string{"own", "hta", "tracelens"}, Default: "own", Help: "count as this program does"},
		{Name: "gap", Remote: true, Kind: page.Count, Arg: "NS", Default: "1000", Help: "a gap below so many ns, before a kernel that was launched in time, waited for the hardware; HTA has 30"},
		{Name: "sequence", Remote: true, Kind: page.Count, Arg: "N", Default: "3", Help: "how many kernels a sequence has; 0: look for none"},
		{Name: "rows", Remote: true, Kind: page.Count, Arg: "N", Default: "10", Help: "rows of causes and sequences; 0: all"},
	},
	Build: buildBreakdown,
}

// mostSequences bounds the sequences where the user asks for all.
const mostSequences = 1000

func buildBreakdown(ctx context.Context, q *page.Request) (*view.Document, error) {
	d := &view.Document{Title: "breakdown"}
	convention, by := torch.Convention(q.Text("compat")), ""
	if q.Text("compat") != "own" {
		by = ", by the definitions of " + string(convention)
	}
	side := &breakdowns{}
	var err error
	d.Sections, err = each(q, func(f *load.File) ([]view.Section, error) {
		t, err := timeline(ctx, f, false)
		if err != nil {
			return nil, err
		}
		if len(t.Work.Start) == 0 {
			return []view.Section{{ID: "breakdown", Title: "Time of GPUs", Items: []view.Item{message("No GPU work", noWork(ctx, f))}}}, nil
		}
		s := view.Section{ID: "breakdown", Title: "Time of GPUs", Description: "From the first work to the last" + by + "."}
		parts := t.Breakdown(convention)
		side.add(f, parts)
		s.Items = append(s.Items, whereTimeWent(parts))
		s.AddTable(breakdownTable(convention, parts, ofProcess(t)))
		left := 0
		for _, b := range parts {
			left += b.Left
		}
		if left > 0 {
			s.Items = append(s.Items, message("Work left out", fmt.Sprintf("%d pieces of GPU work have no call in the file and are left out here.", left)))
		}
		out := []view.Section{s, idleSection(t, int64(q.Count("gap")), q.Count("rows")), launchSection(t)}
		if n := q.Count("sequence"); n > 1 && n <= 64 {
			most := q.Count("rows")
			if most == 0 {
				most = mostSequences
			}
			out = append(out, sequenceSection(t.Sequences(n, most)))
		}
		return out, nil
	})
	side.put(q, d)
	return d, err
}

// copies says what each convention takes for copies.
var copies = map[torch.Convention]string{"own": "copies and memory sets", "hta": "copies, memory sets, synchronizations", "tracelens": "copies"}

// ofProcess is the column of the process that counts a GPU so, for people where there
// are several.
func ofProcess(t *torch.Timeline) view.Column {
	several := false
	for _, p := range t.Work.Process {
		several = several || p != t.Work.Process[0]
	}
	return view.Column{Name: "pid", Label: "Process", Type: view.Number, Role: view.RoleProcess, For: view.EveryoneIf(several)}
}

func breakdownTable(c torch.Convention, parts []torch.Breakdown, process view.Column) *view.Table {
	t := &view.Table{ID: "breakdown", Layout: timed(), Columns: []view.Column{process, onDevice, text("part", "Time"), ns("time", "Time"), share("share", "Share"), text("meaning", "Meaning")}}
	for _, b := range parts {
		for _, p := range []struct {
			name    string
			ns      int64
			meaning string
		}{{"total", b.Total, "first work to last"}, {"busy", b.Busy, "some work ran"}, {"compute", b.Compute, "kernels that compute"},
			{"communication", b.Comm, "kernels that communicate"}, {"exposed communication", b.ExposedComm, "beside which nothing was computed"},
			{"copies", b.Copies, copies[c]}, {"exposed copies", b.ExposedCopy, "beside which nothing was computed or communicated"},
			{"idle", b.Idle, "no work"}} {
			t.Rows = append(t.Rows, []view.Value{view.Int(b.Process.PID(), ""), view.Int(b.Device, ""), view.String(p.name), view.Int(p.ns, "ns"), percent(p.ns, b.Total), view.String(p.meaning)})
		}
	}
	return t
}

func idleSection(t *torch.Timeline, bound int64, rows int) view.Section {
	s := view.Section{ID: "idle", Title: "What idle streams waited for"}
	table := &view.Table{ID: "idle", Layout: timed(), Columns: []view.Column{ofProcess(t), onDevice, onStream, ns("host", "Host"), count("host_gaps", "Gaps"),
		ns("kernel", "Hardware"), count("kernel_gaps", "Gaps"), ns("other", "Other"), count("other_gaps", "Gaps")}}
	causes := &view.Table{ID: "causes", Title: "Where the host was when the GPU waited for it", Layout: ragged(),
		Columns: []view.Column{ofProcess(t), onDevice, onStream, ns("time", "Idle"), count("gaps", "Gaps"), text("operator", "Operator that launched next")}}
	for _, x := range t.Idle(bound) {
		table.Rows = append(table.Rows, []view.Value{view.Int(x.Process.PID(), ""), view.Int(x.Device, ""), view.Int(x.Stream, ""), view.Int(x.Host, "ns"), view.Int(int64(x.HostGaps), ""),
			view.Int(x.Kernel, "ns"), view.Int(int64(x.KernelGaps), ""), view.Int(x.Other, "ns"), view.Int(int64(x.OtherGaps), "")})
		for _, c := range first(x.Causes, rows) {
			causes.Rows = append(causes.Rows, []view.Value{view.Int(x.Process.PID(), ""), view.Int(x.Device, ""), view.Int(x.Stream, ""), view.Int(c.Time, "ns"), view.Int(int64(c.Gaps), ""), orBare(c.Name)})
		}
	}
	s.AddTable(table)
	if len(causes.Rows) > 0 {
		s.AddTable(causes)
	}
	return s
}

func launchSection(t *torch.Timeline) view.Section {
	l := t.Launches()
	s := view.Section{ID: "launches", Title: "Launches of kernels"}
	us := func(name, label string) view.Column { // one unit for all: each row has times of another size
		return view.Column{Name: name, Label: label + " (us)", Unit: "ns", Type: view.Number, Number: &view.NumberStyle{Divisor: 1e3, Decimals: 3}}
	}
	table := &view.Table{ID: "launches", Columns: []view.Column{text("what", "What"), count("count", "Count"),
		us("mean", "Avg"), us("min", "Min"), us("quarter", "25 %"), us("median", "Median"), us("quarter3", "75 %"), us("max", "Max")}}
	for _, x := range []struct {
		name string
		d    torch.Distribution
	}{{"call", l.Call}, {"kernel", l.Kernel}, {"delay after the call", l.Delay}} {
		table.Rows = append(table.Rows, append([]view.Value{view.String(x.name)}, distribution(&x.d, "ns")...))
	}
	s.AddTable(table)
	if len(l.Queue) > 0 {
		queue := &view.Table{ID: "queues", Title: "Work launched and not begun", Columns: []view.Column{ofProcess(t), onDevice, onStream, count("count", "Moments"),
			{Name: "mean", Label: "Avg", Type: view.Number, Number: &view.NumberStyle{Decimals: 2}}, count("min", "Min"), count("quarter", "25 %"), count("median", "Median"), count("quarter3", "75 %"), count("max", "Max")}}
		for _, x := range l.Queue {
			queue.Rows = append(queue.Rows, append([]view.Value{view.Int(x.Process.PID(), ""), view.Int(x.Device, ""), view.Int(x.Stream, "")}, distribution(&x.Length, "")...))
		}
		s.AddTable(queue)
	}
	facts := &view.Table{ID: "facts", Layout: timed(), Columns: []view.Column{text("fact", "Kernels"), count("count", "Count"), ns("time", "Time")}}
	facts.Rows = [][]view.Value{{view.String("that take less than 10 µs"), view.Int(int64(l.Short), ""), view.Int(l.ShortTime, "ns")},
		{view.String("that take less time than their call"), view.Int(int64(l.ShortCall), ""), view.Null},
		{view.String("launched in graphs"), view.Int(int64(l.InGraphs), ""), view.Null}, {view.String("calls that launched a graph"), view.Int(int64(l.Graphs), ""), view.Null},
		{view.String("GPU work without a call in the file"), view.Int(int64(t.Unlinked), ""), view.Null}}
	s.AddTable(facts)
	return s
}

func distribution(d *torch.Distribution, unit string) []view.Value {
	if d.Count == 0 {
		return []view.Value{view.Int(0, "")}
	}
	return []view.Value{view.Int(int64(d.Count), ""), view.Float(d.Mean(), unit), view.Int(d.Min, unit), view.Int(d.Quarter, unit), view.Int(d.Median, unit), view.Int(d.Quarter3, unit), view.Int(d.Max, unit)}
}

func sequenceSection(list []torch.Sequence) view.Section {
	s := view.Section{ID: "sequences", Title: "Kernels that follow each other again and again",
		Description: "A graph saves the gaps between them, a fused kernel also what they write and read again. Sequences may overlap."}
	t := &view.Table{ID: "sequences", Layout: ragged(), Columns: []view.Column{count("count", "Times"), ns("gaps", "Gaps"), ns("time", "Kernels"), text("short", "Short"),
		{Name: "names", Label: "In this order", Type: view.Text, For: view.People}, {Name: "kernels", Label: "In this order, in full", Type: view.Text, For: view.Data}}}
	for _, x := range list {
		short := ""
		if x.Short {
			short = "yes"
		}
		names := make([]string, len(x.Kernels)) // in full they take thousands of characters
		for i, k := range x.Kernels {
			names[i] = compare.ShortName(k)
		}
		t.Rows = append(t.Rows, []view.Value{view.Int(int64(x.Count), ""), view.Int(x.Gaps, "ns"), view.Int(x.Time, "ns"), view.String(short), view.String(strings.Join(names, " → ")), view.String(strings.Join(x.Kernels, " → "))})
	}
	if len(t.Rows) == 0 {
		s.Items = append(s.Items, message("None", "No sequence came twice."))
		return s
	}
	s.AddTable(t)
	return s
}

// noWork says that there is no work of a GPU, and what stands in its place: accelerators
// of other kinds have categories of their own.
func noWork(ctx context.Context, f *load.File) string {
	const none = "The timeline has no kernels, copies or memory sets."
	t, err := f.Trace.Table(ctx, trace.TableOther, "categoryId")
	if err != nil || t == nil || t.Rows == 0 || t.Col("categoryId") == nil {
		return none
	}
	counts := map[string]int{}
	for _, id := range t.Ints("categoryId") {
		counts[f.Trace.NameText(id)]++
	}
	most := ""
	for name, n := range counts {
		if name != "" && name != "Trace" && (n > counts[most] || n == counts[most] && name < most) {
			most = name
		}
	}
	if most == "" {
		return none
	}
	return fmt.Sprintf("%s It has slices of other categories, most of them (%d) %q: 'gpuprof query' reads them in PYTORCH_OTHER.", none, counts[most], most)
}
