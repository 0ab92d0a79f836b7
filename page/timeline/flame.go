package timeline

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/flame"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/view"
)

// Flame is the page flame.
var Flame = &page.Page{
	Name:  "flame",
	Short: "Show what ran inside what: call stacks and NVTX ranges",
	Long: `Left heavy: equal stacks are one, the heaviest first. Time order: one thread as it
ran. Sandwich: all functions, and of the one that --name names its callers, upside
down, and what it calls. NVTX ranges take part where they are push/pop ranges; the
numbers that PyTorch gives to operations (seq, op_id) are left out of their names. The
text format leaves out what is less than a half percent; --pixels makes it finer.`,
	Example: "gpuprof flame report.sqlite\ngpuprof flame --by samples --order sandwich --name main report.nsys-rep",
	Group:   page.GroupRead, Args: "FILE", MinArgs: 1, MaxArgs: 1,
	Needs: load.Timeline, First: map[string][]string{"pixels": {"1000"}},
	Options: slices.Concat([]page.Option{
		{Name: "by", Remote: true, Kind: page.Choice, Values: []string{"auto", "pytorch", "ops", "device", "memory", "nvtx", "samples", "cuda", "osrt"}, Default: "auto",
			Help: "what runs inside what: Python and operators of PyTorch (pytorch; ops without Python; device: kernels below what launched them), what lived in memory at the peak by stack, NVTX ranges, or the functions on the stacks of samples, of calls of CUDA or of the OS runtime; auto: the first that there is"},
		{Name: "order", Remote: true, Kind: page.Choice, Values: []string{"left", "time", "sandwich"}, Default: "left", Help: "left heavy, in the order of time, or by function"},
		{Name: "name", Remote: true, Kind: page.Text, Arg: "NAME", Help: "the function or range in the middle of the sandwich; default: the heaviest"},
		{Name: "thread", Remote: true, Kind: page.Text, Arg: "PID[:TID]", Help: "only this process or thread; in the order of time, default: the busiest thread"},
		{Name: "pixels", Remote: true, Kind: page.Count, Arg: "N", Default: "200", Help: "what is narrower than so many parts of the whole becomes one"},
		{Name: "window", Remote: true, Kind: page.Text, Arg: "FROM,TO", Help: "only this part of the picture, in its unit from its left edge"},
	}, page.TimeOptions[:1], slices.DeleteFunc(slices.Clone(page.TraceOptions), func(o page.Option) bool { return o.Name == "thread" })),
	Build: buildFlame,
}

func buildFlame(ctx context.Context, q *page.Request) (*view.Document, error) {
	f := q.Files[0]
	if f.Trace == nil {
		return nil, fmt.Errorf("%s: this page is about a timeline; %s has none", f.Name, f.Kind())
	}
	tr, err := page.SelectTrace(ctx, q, f)
	if err != nil {
		return nil, err
	}
	filter, err := flameFilter(ctx, q, f)
	if err != nil {
		return nil, err
	}
	v := flame.View{Pixels: q.Count("pixels")}
	if s := q.Text("window"); s != "" {
		if v.From, v.To, err = parseWindow(s); err != nil {
			return nil, page.Usagef("--window: %v", err)
		}
	}
	kinds, p, by, err := flameProfile(ctx, q, tr, filter)
	if err != nil {
		return nil, err
	}
	doc := &view.Document{Title: "flame"}
	if p == nil || len(p.Node) == 0 {
		doc.Sections = []view.Section{{ID: "flame", Items: []view.Item{{Message: &view.Message{Type: view.OK, Title: "No stacks",
			Text: "The timeline holds " + flameMissing(q.Text("by")) + "."}}}}}
		flameOdd(&doc.Sections[0], p)
		return doc, nil
	}
	s := view.Section{ID: "flame", Title: flameTitles[by], Properties: []view.Property{
		{Name: "by", Value: view.String(string(by))}, {Name: "kinds", Value: view.String(strings.Join(kinds, ","))},
		{Name: "order", Value: view.String(q.Text("order"))}, {Name: "unit", Value: view.String(p.Unit)}, {Name: "weight", Value: view.Int(p.Weight(), p.Unit)}}}
	flameOdd(&s, p)
	switch q.Text("order") {
	case "time":
		threads := p.Threads()
		s.AddChart(flameChart("time", fmt.Sprintf("Thread %d of process %d as it ran", threads[0].ID.TID(), threads[0].ID.PID()), "ns", 0, p.TimeOrder(threads[0].ID, v)))
	case "sandwich":
		functions := p.Functions()
		name := q.Text("name")
		if name == "" {
			name = functions[0].Name
		}
		s.Properties = append(s.Properties, view.Property{Name: "name", Value: view.String(name)})
		callees, callers := p.Callees(name), p.Callers(name)
		if len(callees.Parent) == 0 {
			return nil, page.Usagef("--name: nothing is called %q", name)
		}
		s.AddChart(flameChart("callers", "What calls "+name, p.Unit, p.Weight(), callers.LeftHeavy(v)))
		s.AddChart(flameChart("callees", "What "+name+" calls", p.Unit, p.Weight(), callees.LeftHeavy(v)))
		s.AddTable(functionsTable(p, functions))
	default:
		s.AddChart(flameChart("left", "Left heavy", p.Unit, p.Weight(), p.LeftHeavy(v)))
	}
	doc.Sections = []view.Section{s, threadsSection(p)}
	return doc, nil
}

var flameTitles = map[flame.Kind]string{flame.PyTorch: "Python, operators and calls of PyTorch", flame.Ops: "Operators and calls of PyTorch",
	flame.Device: "Work of the GPU by what launched it", flame.Memory: "What lived in memory at the peak", flame.NVTX: "NVTX ranges", flame.Samples: "Call stacks of samples",
	flame.CUDA: "Call stacks of CUDA calls", flame.OSRT: "Call stacks of OS runtime calls"}

// flameOdd says what is not in the picture, or not as the file has it.
func flameOdd(s *view.Section, p *flame.Profile) {
	if p == nil {
		return
	}
	if p.Unsound > 0 {
		s.AddMessage(&view.Message{Type: view.Warning, Source: "flame", Text: fmt.Sprintf("%d rows end before they start or have times more than 73 years from zero: they are left out.", p.Unsound)})
	}
	if p.Open > 0 {
		s.AddMessage(&view.Message{Type: view.OK, Source: "flame", Text: fmt.Sprintf("%d ranges have no end: they last until the last end of any event.", p.Open)})
	}
}

// flameMissing says what a timeline would need to hold for a kind of picture.
func flameMissing(by string) string {
	switch by {
	case "auto":
		return "no operators, no push/pop ranges of NVTX and no call stacks"
	case "pytorch", "ops":
		return "no operators of PyTorch"
	case "device":
		return "no operators of PyTorch, or no work of a GPU that they launched"
	case "memory":
		return "no allocations with their stacks"
	case "nvtx":
		return "no push/pop ranges of NVTX"
	}
	return "no call stacks of the kind " + by
}

// flameProfile reads the profile of --by, and tells which kinds there may be.
func flameProfile(ctx context.Context, q *page.Request, tr *trace.Trace, filter flame.Filter) (kinds []string, found *flame.Profile, by flame.Kind, err error) {
	for _, k := range flame.Kinds {
		if !flame.Has(tr, k) {
			continue
		}
		if want := q.Text("by"); want == string(k) || want == "auto" && found == nil {
			p, err := flame.Read(ctx, tr, k, filter)
			if err != nil {
				return nil, nil, "", err
			}
			if p == nil || len(p.Start) == 0 {
				continue
			}
			found, by = p, k
		}
		kinds = append(kinds, string(k))
	}
	return kinds, found, by, nil
}

func flameFilter(ctx context.Context, q *page.Request, f *load.File) (flame.Filter, error) {
	var out flame.Filter
	span, err := page.TimeFilter(ctx, q, f)
	if err != nil {
		return out, err
	}
	if span != nil {
		out.Start, out.End = span.Start, span.End
	}
	if s := q.Text("thread"); s != "" {
		pid, tid, _ := strings.Cut(s, ":")
		if out.PID, err = strconv.ParseInt(pid, 10, 64); err == nil && tid != "" {
			out.TID, err = strconv.ParseInt(tid, 10, 64)
		}
		if err != nil {
			return out, page.Usagef("--thread: %q is not PID or PID:TID", s)
		}
	}
	return out, nil
}

func parseWindow(s string) (from, to int64, err error) {
	a, b, ok := strings.Cut(s, ",")
	if from, err = strconv.ParseInt(a, 10, 64); err == nil {
		to, err = strconv.ParseInt(b, 10, 64)
	}
	if !ok || err != nil || from < 0 || to <= from {
		return 0, 0, fmt.Errorf("%q: expected FROM,TO, whole numbers, FROM below TO", s)
	}
	return from, to, nil
}

// plainNumber leaves numbers in the unit that the heading names.
var plainNumber = &view.NumberStyle{}

// flameChart has a row for each box. People read names, indented by depth; where
// a box stands is for programs.
func flameChart(id, title, unit string, whole int64, boxes []flame.Box) *view.Chart {
	share := &view.NumberStyle{Decimals: 1}
	weighed := view.EveryoneIf(whole != 0)
	t := view.Table{ID: id, Title: title, Layout: &view.Layout{Ragged: true}, Columns: []view.Column{
		{Name: "share", Label: "Total (%)", Unit: "%", Type: view.Number, Number: share, For: weighed},
		{Name: "total", Label: "Total (" + unit + ")", Unit: unit, Type: view.Number, Number: plainNumber},
		{Name: "self", Label: "Self (" + unit + ")", Unit: unit, Type: view.Number, Number: plainNumber, For: weighed},
		{Name: "count", Label: "Events", Type: view.Number}, {Name: "name", Label: "Name", Type: view.Text},
		{Name: "depth", Type: view.Number, For: view.Programs}, {Name: "x", Unit: unit, Type: view.Number, For: view.Programs},
		{Name: "width", Unit: unit, Type: view.Number, For: view.Programs}, {Name: "merged", Type: view.Number, For: view.Programs}, {Name: "frame", Type: view.Text, For: view.Programs}}}
	for _, b := range boxes {
		name := strings.Repeat("  ", min(b.Depth, 40)) + b.Name
		if b.Merged > 1 {
			name += fmt.Sprintf(" and %d more", b.Merged-1)
		}
		part := view.Null
		if whole > 0 {
			part = view.Float(100*float64(b.Total)/float64(whole), "%")
		}
		t.Rows = append(t.Rows, []view.Value{part, view.Int(b.Total, unit), view.Int(b.Self, unit), view.Int(b.Count, ""), view.String(name),
			view.Int(int64(b.Depth), ""), view.Int(b.X, unit), view.Int(b.Width, unit), view.Int(int64(b.Merged), ""), view.String(b.Name)})
	}
	return &view.Chart{Kind: view.FlameChart, Table: t, X: view.Axis{Label: unit}}
}

// maxFunctions bounds the list of functions.
const maxFunctions = 2000

func functionsTable(p *flame.Profile, all []flame.Function) *view.Table {
	t := &view.Table{ID: "functions", Title: "Functions", Layout: &view.Layout{Ragged: true}, Columns: []view.Column{
		{Name: "self", Label: "Self (" + p.Unit + ")", Unit: p.Unit, Type: view.Number, Number: plainNumber},
		{Name: "total", Label: "Total (" + p.Unit + ")", Unit: p.Unit, Type: view.Number, Number: plainNumber},
		{Name: "count", Label: "Events", Type: view.Number, Role: view.RoleCount}, {Name: "frame", Label: "Name", Type: view.Text, Role: view.RoleFunction}}}
	for _, f := range all[:min(len(all), maxFunctions)] {
		if f.Count > 0 {
			t.Rows = append(t.Rows, []view.Value{view.Int(f.Self, p.Unit), view.Int(f.Total, p.Unit), view.Int(f.Count, ""), view.String(f.Name)})
		}
	}
	return t
}

func threadsSection(p *flame.Profile) view.Section {
	t := &view.Table{ID: "threads", Columns: []view.Column{
		{Name: "process", Label: "Process", Type: view.Text, Role: view.RoleProcess}, {Name: "thread", Label: "Thread", Type: view.Text, Role: view.RoleThread},
		{Name: "events", Label: "Events", Type: view.Number, Role: view.RoleCount}}}
	for _, th := range p.Threads() {
		t.Rows = append(t.Rows, []view.Value{view.Int(th.ID.PID(), ""), view.Int(th.ID.TID(), ""), view.Int(int64(th.Events), "")})
	}
	return view.Section{ID: "threads", Title: "Threads", Items: []view.Item{{Table: t}}}
}
