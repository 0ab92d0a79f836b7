package torch

import (
	"context"
	"fmt"

	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/torch"
	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/view"
)

// Ops is the page ops.
var Ops = &page.Page{
	Name:  "ops",
	Short: "Show what operators of PyTorch cost, on the host and on the GPU",
	Long: `A row for each operator, by name, by shape, by module or by line of Python. Host self
is the time of the operator without operators and Python inside it; device self is the
time of the kernels, copies and memory sets that it launched itself, device total also
of those inside it. Work that no operator launched has the name of its call.

--kernels adds the kernels of each operator. --by shape and a trace with record_shapes
tell which sizes cost the time; --by module and line need with_stack.

--backward sets the time of the nodes of autograd beside that of the operators which
made them, by their sequence numbers; operators around those count them, too.

Of several files, or a folder of them, as of the ranks of a job, it shows first what the
operators take in each: the least, the median and the most, and where that is.`,
	Example: "gpuprof ops trace.pt.trace.json.gz\ngpuprof ops --by module --rows 20 trace.pt.trace.json.gz\ngpuprof ops --kernels --format csv trace.pt.trace.json.gz",
	Group:   page.GroupRead, Args: "FILE...", MinArgs: 1, MaxArgs: -1,
	Needs: load.Operators,
	Options: []page.Option{
		{Name: "by", Remote: true, Kind: page.Choice, Values: []string{"name", "shape", "module", "line"}, Default: "name", Help: "what operators are added up by"},
		{Name: "kernels", Remote: true, Kind: page.Flag, Help: "also the kernels, by the operator that launched them"},
		{Name: "backward", Remote: true, Kind: page.Flag, Help: "also what operators cost backward, beside forward"},
		{Name: "rows", Remote: true, Kind: page.Count, Arg: "N", Default: "0", Help: "only the first N rows; 0: all"},
	},
	Build: buildOps,
}

// each builds the sections of each file; those of several are set below its name.
func each(q *page.Request, build func(f *load.File) ([]view.Section, error)) ([]view.Section, error) {
	var out []view.Section
	names := fileNames(q.Files)
	for _, f := range q.Files {
		s, err := build(f)
		if err != nil {
			return nil, err
		}
		if len(q.Files) > 1 {
			tell(s, names[f])
			s = []view.Section{{ID: f.Name, Title: f.Name, Sections: s}}
		}
		out = append(out, s...)
	}
	return out, nil
}

// timeline joins the timeline of a file.
func timeline(ctx context.Context, f *load.File, python bool) (*torch.Timeline, error) {
	if f.Trace == nil {
		return nil, fmt.Errorf("%s: this page is about a timeline; %s has none", f.Name, f.Kind())
	}
	return torch.Read(ctx, f.Trace, python)
}

// operators is timeline for pages that need operators.
func operators(ctx context.Context, f *load.File, python bool) (*torch.Timeline, error) {
	if f.Trace != nil && !f.Trace.Has(trace.TableOps) && !f.Trace.Has(trace.TablePython) {
		return nil, fmt.Errorf("%s: this page is about operators of PyTorch; the file has none", f.Name)
	}
	return timeline(ctx, f, python)
}

// ns is a column of times; tables that have some are of layouts timed or ragged, by
// which people read them in the unit that suits the column.
func ns(name, label string) view.Column {
	return view.Column{Name: name, Label: label, Unit: "ns", Type: view.Number}
}

// timed is the layout of tables with times, ragged that of those which end in names.
func timed() *view.Layout { return &view.Layout{Times: true} }

func ragged() *view.Layout { return &view.Layout{Times: true, Ragged: true} }

func share(name, label string) view.Column {
	return view.Column{Name: name, Label: label + " (%)", Unit: "%", Type: view.Number, Role: view.RoleShare, Number: &view.NumberStyle{Decimals: 1}}
}

func count(name, label string) view.Column {
	return view.Column{Name: name, Label: label, Type: view.Number}
}

func text(name, label string) view.Column {
	return view.Column{Name: name, Label: label, Type: view.Text}
}

// function is a column of names, of which a narrow terminal shows the ends.
func function(name, label string) view.Column {
	return view.Column{Name: name, Label: label, Type: view.Text, Role: view.RoleFunction}
}

// Where work ran.
var (
	onDevice = view.Column{Name: "device", Label: "GPU", Type: view.Number, Role: view.RoleDevice}
	onStream = view.Column{Name: "stream", Label: "Stream", Type: view.Number, Role: view.RoleStream}
)

func named(c view.Column, role view.Role) view.Column {
	c.Role = role
	return c
}

func percent(part, whole int64) view.Value {
	if whole == 0 {
		return view.Null
	}
	return view.Float(100*float64(part)/float64(whole), "%")
}

func first[T any](list []T, n int) []T {
	if n > 0 && n < len(list) {
		return list[:n]
	}
	return list
}

// bare is what people read where work has no operator.
const bare = "(not known)"

func orBare(s string) view.Value {
	if s == "" {
		return view.String(bare)
	}
	return view.String(s)
}

func buildOps(ctx context.Context, q *page.Request) (*view.Document, error) {
	by := torch.By(q.Text("by"))
	python := by == torch.ByModule || by == torch.ByLine
	d := &view.Document{Title: "ops"}
	side := &operatorsBeside{by: by}
	var err error
	d.Sections, err = each(q, func(f *load.File) ([]view.Section, error) {
		t, err := operators(ctx, f, true)
		if err != nil {
			return nil, err
		}
		ops, err := t.Operators(ctx, by)
		if err != nil {
			return nil, err
		}
		side.add(f, ops)
		s := view.Section{ID: "ops", Title: opsTitles[by]}
		if python && !f.Trace.Has(trace.TablePython) {
			s.Items = append(s.Items, message("No Python", noPython(f.Trace, by)))
		}
		if by == torch.ByShape && !hasShapes(f.Trace) {
			s.Items = append(s.Items, message("No shapes", "The trace has no shapes: they are recorded with record_shapes=True."))
		}
		if it, ok := costliest(ops); ok {
			s.Items = append(s.Items, it)
		}
		if len(ops) > 0 {
			s.AddTable(opsTable(ops, by, q.Count("rows")))
		}
		if t.Unlinked > 0 {
			s.Items = append(s.Items, message("Work without a call", fmt.Sprintf("%d of %d pieces of GPU work have no call in the file; they count under %q.", t.Unlinked, len(t.Work.Start), bare)))
		}
		out := []view.Section{s}
		if q.Flag("kernels") {
			out = append(out, kernelSection(t, q.Count("rows")))
		}
		if q.Flag("backward") {
			s, err := backwardSection(ctx, t, by, q.Count("rows"))
			if err != nil {
				return nil, err
			}
			out = append(out, s)
		}
		return out, nil
	})
	side.put(q, d)
	return d, err
}

// noPython says what lines and modules are told by in a trace without calls of Python.
func noPython(tr *trace.Trace, by torch.By) string {
	switch {
	case by == torch.ByLine && tr.HasColumn(trace.TableOps, "callStackId"):
		return "The trace has no calls of Python: lines are those of the call stacks of operators, and their time is that of operators."
	case by == torch.ByModule && tr.HasColumn(trace.TableOps, "modulesId"):
		return "The trace has no calls of Python: modules are those that operators tell, and their time is that of operators."
	}
	return "The trace has no calls of Python: they are recorded with with_stack=True."
}

func hasShapes(tr *trace.Trace) bool { return tr.HasColumn(trace.TableOps, "dimsId") }

func message(title, text string) view.Item {
	return view.Item{Message: &view.Message{Type: view.OK, Title: title, Text: text}}
}

var opsTitles = map[torch.By]string{torch.ByName: "Operators", torch.ByShape: "Operators by shape", torch.ByModule: "Modules", torch.ByLine: "Lines of Python"}

func opsTable(ops []torch.Operator, by torch.By, rows int) *view.Table {
	t := &view.Table{ID: "operators", Layout: ragged(), Columns: []view.Column{share("device_share", "Device"), ns("device_self", "Device self"),
		ns("device_total", "Device total"), ns("host_self", "Host self"), ns("host_total", "Host total"), count("calls", "Calls"), count("work", "Work"), function("name", "Name")}}
	t.Columns = append(t.Columns, shapeColumns(by)...)
	whole := int64(0)
	for i := range ops {
		whole += ops[i].DeviceSelf
	}
	if whole == 0 { // people would read nothing there
		for i := range 3 {
			t.Columns[i].For = view.Data
		}
	}
	for _, o := range first(ops, rows) {
		r := []view.Value{percent(o.DeviceSelf, whole), view.Int(o.DeviceSelf, "ns"), view.Int(o.DeviceTotal, "ns"), view.Int(o.HostSelf, "ns"), view.Int(o.HostTotal, "ns"),
			view.Int(int64(o.Calls), ""), view.Int(int64(o.Kernels), ""), orBare(o.Name)}
		if by == torch.ByShape {
			r = append(r, view.String(o.Shapes), view.String(o.Types))
		}
		t.Rows = append(t.Rows, r)
	}
	return t
}

func kernelSection(t *torch.Timeline, rows int) view.Section {
	table := &view.Table{ID: "kernels", Layout: ragged(), Columns: []view.Column{share("share", "Time"), ns("total", "Total"), count("count", "Count"),
		ns("mean", "Avg"), ns("min", "Min"), ns("max", "Max"), function("operator", "Operator"), named(text("kernel", "Kernel"), view.RoleKernel)}}
	uses := t.Kernels()
	whole := int64(0)
	for i := range uses {
		whole += uses[i].Total
	}
	for _, u := range first(uses, rows) {
		table.Rows = append(table.Rows, []view.Value{percent(u.Total, whole), view.Int(u.Total, "ns"), view.Int(int64(u.Count), ""), view.Float(float64(u.Total)/float64(u.Count), "ns"),
			view.Int(u.Min, "ns"), view.Int(u.Max, "ns"), orBare(u.Operator), view.String(u.Kernel)})
	}
	s := view.Section{ID: "kernels", Title: "Kernels by operator"}
	if len(uses) == 0 {
		s.Items = append(s.Items, message("No GPU work", "The trace has no kernels, copies or memory sets."))
		return s
	}
	s.AddTable(table)
	return s
}

// shapeColumns are those that operators have by shape.
func shapeColumns(by torch.By) []view.Column {
	if by != torch.ByShape {
		return nil
	}
	return []view.Column{text("shapes", "Shapes"), text("types", "Types")}
}

func backwardSection(ctx context.Context, t *torch.Timeline, by torch.By, rows int) (view.Section, error) {
	s := view.Section{ID: "backward", Title: "Forward and backward"}
	list, lost, err := t.Gradients(ctx, by)
	if err != nil {
		return s, err
	}
	if len(list) == 0 {
		s.Items = append(s.Items, message("Nothing backward", "The trace has no nodes of autograd that tell by a sequence number which operator made them: nothing was trained, forward was not recorded, or PyTorch is of the first half of 2021 or older."))
		return s, nil
	}
	table := &view.Table{ID: "backward", Layout: ragged(), Columns: []view.Column{ns("forward", "Device forward"), ns("backward", "Device backward"),
		{Name: "ratio", Label: "Ratio", Type: view.Number, Number: &view.NumberStyle{Decimals: 2}}, ns("host_forward", "Host forward"), ns("host_backward", "Host backward"),
		count("calls", "Calls"), count("nodes", "Nodes"), function("name", "Name")}}
	table.Columns = append(table.Columns, shapeColumns(by)...)
	for _, g := range first(list, rows) {
		ratio := view.Null
		if g.Forward > 0 {
			ratio = view.Float(float64(g.Backward)/float64(g.Forward), "")
		}
		r := []view.Value{view.Int(g.Forward, "ns"), view.Int(g.Backward, "ns"), ratio, view.Int(g.ForwardOnHost, "ns"), view.Int(g.BackwardOnHost, "ns"),
			view.Int(int64(g.Calls), ""), view.Int(int64(g.Nodes), ""), view.String(g.Name)}
		if by == torch.ByShape {
			r = append(r, view.String(g.Shapes), view.String(g.Types))
		}
		table.Rows = append(table.Rows, r)
	}
	s.AddTable(table)
	if lost > 0 {
		s.Items = append(s.Items, message("Nodes without an operator", fmt.Sprintf("The operators that made %d nodes of autograd are not in the file; their time is not in this table.", lost)))
	}
	return s, nil
}
