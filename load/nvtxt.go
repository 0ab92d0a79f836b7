package load

import (
	"context"
	"slices"

	"github.com/gpuprof/gpuprof/annotate"
	"github.com/gpuprof/gpuprof/format/nvtxt"
	"github.com/gpuprof/gpuprof/trace"
)

// AnnotationOptions say how annotation files become rows of a timeline.
type AnnotationOptions struct {
	Target annotate.Target // machine of their processes
	// Native gives ranges the event types that the NVTX API has (59, 60) rather
	// than those of text files (70, 71), for readers that know only the former.
	Native bool
	// Session replaces what the trace says of its window; nil leaves it.
	Session *annotate.Window
}

func openNvtxt(f *File) error {
	n, err := annotate.Load(f.opening, f.in, f.Size, f.Name, annotate.LoadOptions{})
	if err != nil {
		return err
	}
	for _, d := range n.Diagnostics.Messages() {
		if d.Severity < nvtxt.Note {
			f.problems = append(f.problems, d.Error())
		}
	}
	f.Trace, _ = NewAnnotations([]*annotate.File{n}, AnnotationOptions{})
	return nil
}

// NewAnnotations returns a timeline that has nothing but the annotations of
// files. Its window holds theirs. Notes tell which categories of which file have
// another number there, for an earlier file has the same number.
func NewAnnotations(files []*annotate.File, opt AnnotationOptions) (tr *trace.Trace, notes []string) {
	if opt.Session == nil {
		opt.Session = &annotate.Window{}
		for i, f := range files {
			if i == 0 {
				*opt.Session = f.Session
			}
			opt.Session.Start, opt.Session.End = min(opt.Session.Start, f.Session.Start), max(opt.Session.End, f.Session.End)
		}
	}
	name := ""
	if len(files) > 0 {
		name = files[0].Path
	}
	names := &ids{}
	names.id("")
	own := annotate.NewCategories()
	for _, f := range files {
		own.Separate(f, opt.Target)
	}
	tr = trace.New(name, annotationTables(files, opt, own, names, 0))
	tr.Tool = "NVTXT"
	return tr, own.Notes
}

// Annotate returns a timeline that has the annotations of files, too, and notes
// as [NewAnnotations] does.
func Annotate(ctx context.Context, tr *trace.Trace, files []*annotate.File, opt AnnotationOptions) (_ *trace.Trace, notes []string, err error) {
	own := annotate.NewCategories()
	if err := own.Trace(ctx, tr); err != nil {
		return nil, nil, err
	}
	for _, f := range files {
		own.Separate(f, opt.Target)
	}
	t, err := tr.Table(ctx, "StringIds", "id")
	if err != nil {
		return nil, nil, err
	}
	first := int64(0) // ids of our own come after those of the trace
	if t != nil {
		for _, id := range t.Ints("id") {
			first = max(first, id+1)
		}
	}
	var replace []string
	if opt.Session != nil {
		replace = append(replace, "ANALYSIS_DETAILS")
	}
	return tr.Append(annotationTables(files, opt, own, &ids{}, first), replace...), own.Notes, nil
}

// An annotation is a row of NVTX_EVENTS: event n of a file, or a name.
type annotation struct {
	file *annotate.File
	n    int
	name *annotatedName
}

// An annotatedName is a row that names a category, a thread or a file.
type annotatedName struct {
	typ    int64
	global uint64
	event  nvtxt.Event
}

// annotationTables lays files out in the tables of the Nsight Systems schema.
// Texts that get a number are numbered from first on.
func annotationTables(files []*annotate.File, opt AnnotationOptions, own *annotate.Categories, names *ids, first int64) *memory {
	m := &memory{}
	var events []annotation
	for _, f := range files {
		name := func(typ int64, global uint64, e nvtxt.Event) {
			e.Start, e.Open = f.Session.Start, true
			events = append(events, annotation{name: &annotatedName{typ, global, e}})
		}
		if f.DisplayName != f.Path && !opt.Native {
			name(int64(nvtxt.TypeFile), opt.Target.GlobalProcess(0), nvtxt.Event{Text: f.DisplayName, Color: f.DisplayColor, HasColor: f.HasDisplayColor})
		}
		for _, c := range f.Categories {
			name(trace.NvtxCategory, opt.Target.GlobalProcess(c.Process),
				nvtxt.Event{Text: c.Name, Category: own.ID(f, opt.Target, c.Process, c.Category), HasCategory: true})
		}
		for _, t := range f.Threads {
			name(trace.NvtxThread, opt.Target.GlobalThread(t.Process, t.Thread), nvtxt.Event{Text: t.Name})
		}
		events = slices.Grow(events, f.Events.Len())
		for _, i := range f.Events.ByStart() {
			events = append(events, annotation{file: f, n: i})
		}
	}
	addAnnotations(m, events, opt, own)
	addNames(m, files, opt, names, first)
	if s := opt.Session; s != nil {
		fixed := func(name string, v int64) memoryColumn {
			return memoryColumn{name: name, whole: func(int) int64 { return v }}
		}
		m.add("ANALYSIS_DETAILS", 1, fixed("globalVid", int64(opt.Target.GlobalProcess(0))), fixed("duration", s.End-s.Start),
			fixed("startTime", s.Start), fixed("stopTime", s.End))
	}
	return m
}

func addAnnotations(m *memory, events []annotation, opt AnnotationOptions, own *annotate.Categories) {
	at := func(i int) (a *annotation, e nvtxt.Event) {
		if a = &events[i]; a.name != nil {
			return a, a.name.event
		}
		e = a.file.Events.At(a.n)
		e.Category = own.ID(a.file, opt.Target, e.Process, e.Category)
		return a, e
	}
	of := func(name string, get func(e *nvtxt.Event) int64, has func(e *nvtxt.Event) bool) memoryColumn {
		c := memoryColumn{name: name, whole: func(i int) int64 { _, e := at(i); return get(&e) }}
		if has != nil {
			c.null = func(i int) bool { _, e := at(i); return !has(&e) }
		}
		return c
	}
	m.add(trace.TableNvtx, len(events),
		of("start", func(e *nvtxt.Event) int64 { return e.Start }, nil),
		of("end", func(e *nvtxt.Event) int64 { return e.End }, func(e *nvtxt.Event) bool { return !e.Open && e.Type != nvtxt.TypeMarker }),
		memoryColumn{name: "eventType", whole: func(i int) int64 {
			a, e := at(i)
			switch {
			case a.name != nil:
				return a.name.typ
			case opt.Native || e.Type == nvtxt.TypeMarker:
				return int64(e.Type.Native())
			}
			return int64(e.Type)
		}},
		of("rangeId", func(e *nvtxt.Event) int64 { return e.ID }, func(e *nvtxt.Event) bool { return e.HasID }),
		of("category", func(e *nvtxt.Event) int64 { return int64(e.Category) }, func(e *nvtxt.Event) bool { return e.HasCategory }),
		of("color", func(e *nvtxt.Event) int64 { return int64(e.Color) }, func(e *nvtxt.Event) bool { return e.HasColor }),
		memoryColumn{name: "text", text: func(i int) string { _, e := at(i); return e.Text }},
		memoryColumn{name: "globalTid", whole: func(i int) int64 {
			a, e := at(i)
			if a.name != nil {
				return int64(a.name.global)
			}
			return int64(opt.Target.GlobalThread(e.Process, e.Thread))
		}},
		of("domainId", func(*nvtxt.Event) int64 { return 0 }, nil),
		of("int64Value", func(e *nvtxt.Event) int64 { return e.Payload.Int() }, func(e *nvtxt.Event) bool { return e.Payload.Kind == nvtxt.IntPayload }),
		memoryColumn{name: "doubleValue", real: func(i int) float64 { _, e := at(i); return e.Payload.Float() },
			null: func(i int) bool { _, e := at(i); return e.Payload.Kind != nvtxt.FloatPayload }})
}

// addNames adds the names of threads and processes. Of several names for one of
// them the last in the file counts.
func addNames(m *memory, files []*annotate.File, opt AnnotationOptions, names *ids, first int64) {
	type named struct {
		id   uint64
		pid  uint32
		text string
	}
	var threads, processes []named
	put := func(to *[]named, n named) {
		*to = append(*to, n)
	}
	for _, f := range files {
		for _, t := range f.Threads {
			put(&threads, named{opt.Target.GlobalThread(t.Process, t.Thread), t.Process, t.Name})
		}
		for _, p := range f.Processes {
			put(&processes, named{opt.Target.GlobalProcess(p.Process), p.Process, p.Name})
		}
	}
	last := func(list []named) []named {
		seen := map[uint64]bool{}
		var out []named
		for _, n := range slices.Backward(list) {
			if !seen[n.id] {
				seen[n.id] = true
				out = append(out, n)
			}
		}
		slices.Reverse(out)
		return out
	}
	threads, processes = last(threads), last(processes)
	ids := make([]int64, len(threads))
	for i, t := range threads {
		ids[i] = first + names.id(t.text)
	}
	m.add("ThreadNames", len(threads), memoryColumn{name: "nameId", whole: func(i int) int64 { return ids[i] }},
		memoryColumn{name: "priority", whole: func(int) int64 { return 0 }, null: func(int) bool { return true }},
		memoryColumn{name: "globalTid", whole: func(i int) int64 { return int64(threads[i].id) }})
	m.add("PROCESSES", len(processes), memoryColumn{name: "globalPid", whole: func(i int) int64 { return int64(processes[i].id) }},
		memoryColumn{name: "pid", whole: func(i int) int64 { return int64(processes[i].pid) }},
		memoryColumn{name: "name", text: func(i int) string { return processes[i].text }})
	m.add("StringIds", len(names.list), memoryColumn{name: "id", whole: func(i int) int64 { return first + int64(i) }},
		memoryColumn{name: "value", text: func(i int) string { return names.list[i] }})
}
