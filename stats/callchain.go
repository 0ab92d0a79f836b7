package stats

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/view"
)

// callchainArgs choose the events whose stacks are counted.
var callchainArgs = []Arg{
	{Name: "samples", Help: "stacks of samples of the CPU"},
	{Name: "cuda", Help: "stacks of calls of CUDA"},
	{Name: "osrt", Help: "stacks of calls of the OS runtime"},
	{Name: "syscalls", Help: "stacks of system calls"},
	{Name: "rows", Value: true, Default: "1000", Help: "show so many rows, the heaviest first; -1 for all"},
}

var callchainFuncSum = &Report{
	Name: "callchain_func_sum", Title: "Functions on Call Stacks", Args: callchainArgs,
	Short: "functions by the samples or calls that they were on the stack of, on top and anywhere; a report of gpuprof's own",
	Build: func(ctx context.Context, q *Request) (*view.Table, error) {
		s, f, err := q.stacks(ctx)
		if err != nil {
			return nil, err
		}
		f = s.ByFrame(f)
		var order []int
		for i, n := range f.Total {
			if n > 0 {
				order = append(order, i)
			}
		}
		symbol := func(i int) string { return q.Trace.Strings.Text(s.Frames[i].Symbol) }
		slices.SortFunc(order, func(a, b int) int {
			return cmp.Or(cmp.Compare(f.SelfWeight[b], f.SelfWeight[a]), cmp.Compare(f.TotalWeight[b], f.TotalWeight[a]), cmp.Compare(symbol(a), symbol(b)))
		})
		t := table(percent("Self"), percent("Total"), count("Self Count"), count("Total Count"), weight(s, "Self Weight"), weight(s, "Total Weight"),
			text("Function"), text("Module"))
		for _, i := range order {
			t.Rows = append(t.Rows, []view.Value{share(f.SelfWeight[i], f.Weight), share(f.TotalWeight[i], f.Weight),
				view.Int(f.Self[i], ""), view.Int(f.Total[i], ""), view.Int(f.SelfWeight[i], weightUnit(s)), view.Int(f.TotalWeight[i], weightUnit(s)),
				view.String(frameName(q.Trace, s.Frames[i])), view.String(q.Trace.Strings.Text(s.Frames[i].Module))})
		}
		return q.firstRows(t), nil
	},
}

var callchainStackSum = &Report{
	Name: "callchain_stack_sum", Title: "Call Stacks", Args: callchainArgs,
	Short: "call stacks by the samples or calls that have them, functions between semicolons, the outermost first; a report of gpuprof's own",
	Build: func(ctx context.Context, q *Request) (*view.Table, error) {
		s, f, err := q.stacks(ctx)
		if err != nil {
			return nil, err
		}
		var order []int32
		for n, c := range f.Self {
			if c > 0 {
				order = append(order, int32(n))
			}
		}
		slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(f.SelfWeight[b], f.SelfWeight[a]) })
		t := table(percent("Share"), count("Count"), weight(s, "Weight"), count("Depth"), text("Stack"))
		var frames []trace.Frame
		var names []string
		if rows := q.integer("rows", defaultStacks); rows >= 0 && int64(len(order)) > rows {
			order = order[:rows]
		}
		for _, n := range order {
			frames, names = s.Stack(n, frames), names[:0]
			for _, fr := range frames {
				// The semicolon stands between functions and in few of their names.
				names = append(names, strings.ReplaceAll(frameName(q.Trace, fr), ";", ":"))
			}
			t.Rows = append(t.Rows, []view.Value{share(f.SelfWeight[n], f.Weight), view.Int(f.Self[n], ""), view.Int(f.SelfWeight[n], weightUnit(s)),
				view.Int(int64(len(frames)), ""), view.String(strings.Join(names, ";"))})
		}
		return t, nil
	},
}

const defaultStacks = 1000

// stacks reads the stacks asked for, or of the first kind that the trace has,
// and adds them up.
func (q *Request) stacks(ctx context.Context) (*trace.Stacks, *trace.StackFold, error) {
	var asked []trace.StackKind
	var need []string
	for _, k := range trace.StackKinds {
		if q.flag(k.String()) {
			asked = append(asked, k)
		}
	}
	if asked == nil {
		asked = trace.StackKinds
	}
	for _, k := range asked {
		chains, events := k.Tables()
		need = append(need, chains+" with "+events)
		s, err := q.Trace.Stacks(ctx, k)
		if err != nil {
			return nil, nil, err
		}
		if s == nil || s.Len() == 0 {
			continue
		}
		var filter trace.StackFilter
		if q.Filter != nil {
			filter.Start, filter.End = q.Filter.Start, q.Filter.End
			if filter.End < 1<<63-1 {
				filter.End++ // the last nanosecond belongs to a span of reports
			}
		}
		f := s.Fold(filter)
		if f.Events == 0 {
			return nil, nil, skipf("the trace has no %s with call stacks%s", k, q.Filter.suffix())
		}
		return s, f, nil
	}
	return nil, nil, skipf("the trace has no call stacks: tables %s", strings.Join(need, ", "))
}

// frameName is the name of a function as people know it. Without a symbol it is
// an address, which says little without its module.
func frameName(tr *trace.Trace, f trace.Frame) string {
	name := tr.Strings.Text(f.Symbol)
	if f.Unresolved {
		module := tr.Strings.Text(f.Module)
		return name + " in " + module[strings.LastIndexByte(module, '/')+1:]
	}
	return name
}

func share(part, whole int64) view.Value {
	if whole == 0 {
		return view.Null
	}
	return view.Float(100*float64(part)/float64(whole), "%")
}

// weight is a column of weights of stacks.
func weight(s *trace.Stacks, label string) view.Column {
	if s.Unit() == "ns" {
		return nanoseconds(label)
	}
	c := count(label + " (" + s.Unit() + "s)")
	c.Name, c.Unit = name(label), s.Unit()
	return c
}

func weightUnit(s *trace.Stacks) string {
	if s.Unit() == "ns" {
		return ns
	}
	return s.Unit()
}

// firstRows cuts a table to the number of rows asked for.
func (q *Request) firstRows(t *view.Table) *view.Table {
	if rows := q.integer("rows", defaultStacks); rows >= 0 && int64(len(t.Rows)) > rows {
		t.Rows = t.Rows[:rows]
	}
	return t
}
