package torch

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/format/torchmem"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/memory"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/torch"
	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/view"
)

// Memory is the page memory.
var Memory = &page.Page{
	Name:  "memory",
	Short: "Show what filled the memory of a GPU: snapshots of PyTorch's allocator, and traces",
	Long: `Of a snapshot (torch.cuda.memory._dump_snapshot): for each GPU the peak and what lived
then, by stack; how much is reserved, and how much of that is of no use; what ran out of
memory. --at shows what lived after another event, -1 for the start.

Sizes over time are those that the program asked for; the allocator rounds them up, and
tells by how much at the end only. What lived before the trace began is known by its
block or by its free. A trace with profile_memory tells the peak of each device and what
lived then, by operator and line of Python, and by phase: forward, backward, optimizer.`,
	Example: "gpuprof memory snapshot.pickle\ngpuprof memory --at 1200 --frames 12 snapshot.pickle\ngpuprof memory trace.pt.trace.json.gz",
	Group:   page.GroupRead, Args: "FILE...", MinArgs: 1, MaxArgs: -1,
	Needs: load.Memory,
	Options: []page.Option{
		{Name: "at", Remote: true, Kind: page.Text, Arg: "EVENT", Help: "what lived after this event of each GPU; default: at the peak"},
		{Name: "device", Remote: true, Kind: page.List, Arg: "N,...", Help: "only these GPUs"},
		{Name: "frames", Remote: true, Kind: page.Count, Arg: "N", Default: "3", Help: "lines of a stack that are shown; 0: all"},
		{Name: "internals", Remote: true, Kind: page.Flag, Help: "also lines of the allocator, the unwinder and the interpreter"},
		{Name: "rows", Remote: true, Kind: page.Count, Arg: "N", Default: "20", Help: "stacks that are shown; 0: all"},
	},
	Build: buildMemory,
}

func buildMemory(ctx context.Context, q *page.Request) (*view.Document, error) {
	d := &view.Document{Title: "memory"}
	var err error
	d.Sections, err = each(q, func(f *load.File) ([]view.Section, error) {
		if f.Memory != nil {
			return snapshotSections(q, f.Memory)
		}
		if f.Trace == nil || !f.Trace.Has(trace.TableMemory) {
			return nil, fmt.Errorf("%s: this page is about memory snapshots of PyTorch and traces with profile_memory=True; this is %s without", f.Name, f.Kind())
		}
		return traceMemory(ctx, q, f.Trace)
	})
	return d, err
}

func bytesColumn(name, label string) view.Column {
	return view.Column{Name: name, Label: label + " (bytes)", Unit: "byte", Type: view.Number, Number: &view.NumberStyle{}}
}

func snapshotSections(q *page.Request, s *torchmem.Snapshot) ([]view.Section, error) {
	var out []view.Section
	for _, d := range memory.Devices(s) {
		if list := q.List("device"); len(list) > 0 && !slices.Contains(list, strconv.Itoa(d.Device)) {
			continue
		}
		use, at, when := d.AtPeak, d.Allocated.PeakEvent, fmt.Sprintf("at the peak (event %d)", d.Allocated.PeakEvent)
		if at < 0 {
			when = "at the peak, which is the start"
		}
		if text := q.Text("at"); text != "" {
			n, err := strconv.Atoi(text)
			if err != nil || n < -1 || n >= max(d.Events, 1) {
				return nil, page.Usagef("--at: %q is no event of GPU %d, which has %d, from 0; -1 is the start", text, d.Device, d.Events)
			}
			use, at, when = memory.LiveAt(s, d.Device, n), n, fmt.Sprintf("after event %d", n)
			if n < 0 {
				when = "at the start"
			}
		}
		sec := view.Section{ID: fmt.Sprintf("gpu%d", d.Device), Title: fmt.Sprintf("Memory of GPU %d", d.Device)}
		sec.Items = append(sec.Items, mostHeld(d))
		sec.AddTable(amounts(d))
		sec.AddTable(liveTable(q, s, use, "What lived "+when))
		if uses := memory.CategoriesAt(s, d.Device, at); uses != nil {
			sec.AddTable(categoryTable(s, uses))
		}
		sec.AddTable(endTable(d))
		sec.AddTable(groupTable(d))
		sec.AddTable(eventTable(d))
		for _, o := range d.OOMs {
			free := "which the snapshot does not tell"
			if o.DeviceFree >= 0 {
				free = fmt.Sprintf("%d bytes", o.DeviceFree)
			}
			sec.Items = append(sec.Items, view.Item{Message: &view.Message{Type: view.Warning, Title: "Out of memory",
				Text: fmt.Sprintf("Event %d asked for %d bytes; free on the device were, by the driver, %s.", o.Event, o.Size, free)}})
		}
		var odd []string
		for _, t := range slices.Concat(d.Odd, d.Inconsistent) {
			odd = append(odd, fmt.Sprintf("%s: %d times", t.What, t.Count))
		}
		if len(odd) > 0 {
			sec.Items = append(sec.Items, message("Does not fit together", strings.Join(odd, "; ")+"."))
		}
		out = append(out, sec)
	}
	if len(out) == 0 {
		why := "The snapshot has no segments and no events."
		if list := q.List("device"); len(list) > 0 {
			why = "The snapshot has nothing of GPU " + strings.Join(list, ", ") + "."
		}
		out = append(out, view.Section{ID: "memory", Title: "Memory", Items: []view.Item{message("Nothing", why)}})
	}
	return out, nil
}

func amounts(d *memory.Device) *view.Table {
	t := &view.Table{ID: "amounts", Columns: []view.Column{text("what", "What"), bytesColumn("start", "Start"), bytesColumn("peak", "Peak"), bytesColumn("end", "End"),
		count("event", "Peak event"), {Name: "time", Label: "Peak time (µs since 1970)", Type: view.Number, Number: &view.NumberStyle{}}}}
	for _, x := range []struct {
		name string
		c    memory.Curve
	}{{"allocated, as asked for", d.Allocated}, {"reserved", d.Reserved}} {
		event, at := view.Null, view.Null
		if x.c.PeakEvent >= 0 {
			event = view.Int(int64(x.c.PeakEvent), "")
		}
		if x.c.PeakTime >= 0 {
			at = view.Int(x.c.PeakTime, "")
		}
		t.Rows = append(t.Rows, []view.Value{view.String(x.name), view.Int(x.c.Start, "byte"), view.Int(x.c.Peak, "byte"), view.Int(x.c.End, "byte"), event, at})
	}
	return t
}

func liveTable(q *page.Request, s *torchmem.Snapshot, use []memory.Use, title string) *view.Table {
	t := &view.Table{ID: "live", Title: title, Layout: &view.Layout{Ragged: true}, Columns: []view.Column{share("share", "Share"), bytesColumn("bytes", "Allocated"), count("allocations", "Allocations"),
		{Name: "stack", Label: "Stack, innermost first", Type: view.Text}}}
	whole := int64(0)
	for _, u := range use {
		whole += u.Bytes
	}
	for _, u := range first(use, q.Count("rows")) {
		t.Rows = append(t.Rows, []view.Value{percent(u.Bytes, whole), view.Int(u.Bytes, "byte"), view.Int(int64(u.Allocations), ""), view.String(stackText(s, u.Stack, q.Count("frames"), q.Flag("internals")))})
	}
	return t
}

// categoryTable shows what lived by the category that the profiler gave it.
func categoryTable(s *torchmem.Snapshot, uses []memory.Use) *view.Table {
	t := &view.Table{ID: "categories", Title: "The same by category", Columns: []view.Column{share("share", "Share"), bytesColumn("bytes", "Allocated"), count("allocations", "Allocations"), text("category", "Category")}}
	whole := int64(0)
	for _, u := range uses {
		whole += u.Bytes
	}
	for _, u := range uses {
		name := "(allocated before the trace)"
		if u.Stack != memory.Before {
			name = s.Texts[u.Stack]
		}
		t.Rows = append(t.Rows, []view.Value{percent(u.Bytes, whole), view.Int(u.Bytes, "byte"), view.Int(int64(u.Allocations), ""), view.String(name)})
	}
	return t
}

// hidden are parts of functions and files that PyTorch's viewer leaves out of
// stacks.
var hidden = struct{ names, files []string }{
	names: []string{"unwind::unwind", "CapturedTraceback::gather", "gather_with_cpp", "_start", "__libc_start_main", "PyEval_", "PyObject_", "PyFunction_",
		"CUDACachingAllocator", "_PyEval", "_PyObject", "_PyFunction", "_PyVectorcall", "method_vectorcall", "cfunction_"},
	files: []string{"core/boxing", "/Register", "/Redispatch", "pythonrun.c", "Modules/main.c", "Objects/call.c", "Objects/methodobject.c", "pycore_ceval.h", "ceval.c", "cpython/abstract.h"},
}

func internal(f *torchmem.Frame) bool {
	in := func(s string) func(string) bool { return func(part string) bool { return strings.Contains(s, part) } }
	return slices.ContainsFunc(hidden.names, in(f.Name)) || slices.ContainsFunc(hidden.files, in(f.File))
}

func stackText(s *torchmem.Snapshot, stack, frames int, internals bool) string {
	if stack == memory.Before {
		return "(allocated before the trace, known by its free)"
	}
	var out []string
	more := 0
	for _, f := range s.Stack(uint32(stack)) {
		if !internals && internal(&f) {
			continue
		}
		if frames > 0 && len(out) == frames {
			more++
			continue
		}
		out = append(out, frameText(&f))
	}
	if more > 0 {
		out = append(out, fmt.Sprintf("and %d more", more))
	}
	if len(out) == 0 {
		return "(no stack was recorded)"
	}
	return strings.Join(out, " ← ")
}

func frameText(f *torchmem.Frame) string {
	if f.File == "" || f.File == "??" {
		return f.Name
	}
	file := f.File
	if i := strings.LastIndexByte(file, '/'); i >= 0 {
		file = file[i+1:]
	}
	return fmt.Sprintf("%s:%d %s", file, f.Line, f.Name)
}

func endTable(d *memory.Device) *view.Table {
	e := &d.End
	t := &view.Table{ID: "end", Title: "At the end", Columns: []view.Column{text("what", "What"), bytesColumn("bytes", "Amount"), share("share", "Of reserved"), text("meaning", "Meaning")}}
	for _, x := range []struct {
		name    string
		n       int64
		meaning string
	}{{"reserved", e.Reserved, fmt.Sprintf("%d segments", e.Segments)}, {"active", e.Active, fmt.Sprintf("%d blocks, rounded", e.Blocks+e.PendingBlocks)}, {"asked for", e.Requested, "of the active blocks"},
		{"lost to rounding", e.Rounding(), "active less asked for"}, {"waiting for a stream", e.Pending, "freed by the program, still in use"}, {"inactive", e.Inactive, fmt.Sprintf("%d blocks, external fragmentation", e.FreeBlocks)},
		{"largest inactive block", e.LargestFree, "the largest allocation that fits without asking the device"}, {"whole segments without use", e.WholeFree, "empty_cache() gives them back"},
		{"inactive beside active", e.Split, "empty_cache() does not give it back"}} {
		t.Rows = append(t.Rows, []view.Value{view.String(x.name), view.Int(x.n, "byte"), percent(x.n, e.Reserved), view.String(x.meaning)})
	}
	return t
}

func groupTable(d *memory.Device) *view.Table {
	t := &view.Table{ID: "groups", Title: "Pools: blocks serve only their own", Columns: []view.Column{text("type", "Type"), text("stream", "Stream"), text("pool", "Pool"), text("expandable", "Expandable"),
		count("segments", "Segments"), bytesColumn("reserved", "Reserved"), bytesColumn("active", "Active"), bytesColumn("requested", "Asked for"), bytesColumn("inactive", "Inactive")}}
	for _, g := range d.End.Groups {
		t.Rows = append(t.Rows, []view.Value{view.String(g.Type), view.String(g.Stream), view.String(g.Pool), view.String(strconv.FormatBool(g.Expandable)), view.Int(int64(g.Segments), ""),
			view.Int(g.Reserved, "byte"), view.Int(g.Active, "byte"), view.Int(g.Requested, "byte"), view.Int(g.Inactive, "byte")})
	}
	return t
}

func eventTable(d *memory.Device) *view.Table {
	t := &view.Table{ID: "events", Title: "Events", Columns: []view.Column{text("action", "Action"), count("count", "Count"), bytesColumn("bytes", "Sum")}}
	for _, a := range d.Actions {
		t.Rows = append(t.Rows, []view.Value{view.String(a.What), view.Int(int64(a.Count), ""), view.Int(a.Bytes, "byte")})
	}
	return t
}

// traceMemory tells the peak of each device of a trace, and what lived then.
func traceMemory(ctx context.Context, q *page.Request, tr *trace.Trace) ([]view.Section, error) {
	tl, err := torch.Read(ctx, tr, true)
	if err != nil {
		return nil, err
	}
	devices, err := tl.Memory(ctx)
	if err != nil {
		return nil, err
	}
	t := &view.Table{ID: "memory", Layout: timed(), Columns: []view.Column{text("device", "Device"), bytesColumn("peak", "Peak allocated"), ns("at", "Peak time"), bytesColumn("reserved", "Peak reserved"),
		count("events", "Events"), count("allocations", "Allocations"), bytesColumn("taken", "Taken"), bytesColumn("given", "Given back")}}
	sec := view.Section{ID: "memory", Title: "Memory", Description: "Peaks are those of the recording; times are from its start."}
	sec.AddTable(t)
	counted := false
	for _, u := range devices {
		name := "the host"
		if u.Type != 0 {
			name = fmt.Sprintf("GPU %d", u.Device)
		}
		reserved := view.Int(u.Reserved, "byte")
		if u.Counted {
			reserved, counted = view.Null, true
		}
		t.Rows = append(t.Rows, []view.Value{view.String(strings.TrimPrefix(name, "the ")), view.Int(u.Peak, "byte"), view.Int(u.PeakAt, "ns"), reserved, view.Int(int64(u.Events), ""), view.Int(int64(u.Allocations), ""),
			view.Int(u.Taken, "byte"), view.Int(u.Given, "byte")})
		if u.Known() {
			sec.AddTable(heldTable(q, u, name))
		}
	}
	if counted {
		sec.Items = append(sec.Items, message("Peaks are counted", "The trace does not say how much was in use, only what was taken and given back: peaks count from 0 at its start."))
	}
	return []view.Section{sec}, nil
}

// heldTable shows what lived on a device at its peak, by phase, operator and line.
func heldTable(q *page.Request, u *torch.MemoryUse, name string) *view.Table {
	t := &view.Table{ID: "live", Title: "What lived at the peak of " + name, Layout: &view.Layout{Ragged: true}, Columns: []view.Column{share("share", "Share"), bytesColumn("bytes", "Allocated"),
		count("allocations", "Allocations"), text("phase", "Phase (our rule)"), function("operator", "Operator"), function("line", "Line of Python")}}
	row := func(h torch.Holding) {
		t.Rows = append(t.Rows, []view.Value{percent(h.Bytes, u.Peak), view.Int(h.Bytes, "byte"), view.Int(int64(h.Allocations), ""), view.String(string(h.Phase)), view.String(h.Operator), view.String(h.Line)})
	}
	for _, h := range first(u.AtPeak, q.Count("rows")) {
		row(h)
	}
	if u.Before != 0 {
		t.Rows = append(t.Rows, []view.Value{percent(u.Before, u.Peak), view.Int(u.Before, "byte"), view.Null, view.String("before"), view.String("(not explained by allocations of the trace)"), view.Null})
	}
	return t
}
