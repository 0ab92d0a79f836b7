package file

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/trace/schema"
	"github.com/gpuprof/gpuprof/view"
)

// hostAttributes are the properties of the machine that info shows, under their
// names in TARGET_INFO_SYSTEM_ENV.
var hostAttributes = [][2]string{{"Hostname", "Host"}, {"OsDescription", "OS"}, {"CpuDescription", "CPU"}, {"CpuCores", "CPU Cores"},
	{"NvDriverVersion", "GPU Driver"}, {"CudaDriverVersion", "CUDA Driver"}}

// infoNames is how many GPUs or processes info names.
const infoNames = 8

// timelineInfo tells of a timeline: about has properties and their values,
// content the tables that have rows.
func timelineInfo(ctx context.Context, f *load.File, about, content *view.Table) error {
	tr := f.Trace
	add := func(name string, v view.Value) {
		if v.Kind() != view.KindString || v.Text() != "" {
			about.Rows = append(about.Rows, []view.Value{view.String(name), v})
		}
	}
	if f.Report == nil {
		add("Tool", view.String(tr.Tool))
	}
	if tr.Version != (schema.Version{}) {
		add("Schema", view.String(tr.Version.String()))
	}
	if !f.Counted() { // what follows would read all of a large file
		return nil
	}
	s, err := tr.Session(ctx)
	if err != nil {
		return err
	}
	add("Began (UTC)", view.String(s.Began))
	if s.HasWindow {
		add("Start (ns)", view.Whole(s.Start))
		add("Stop (ns)", view.Whole(s.Stop))
		add("Duration (ns)", view.Whole(s.Stop-s.Start))
	}
	for _, a := range hostAttributes {
		add(a[1], view.String(firstLine(s.Attribute(a[0]))))
	}
	var gpus []string
	for _, g := range s.GPUs {
		gpus = append(gpus, g.Name)
	}
	gpus = counted(gpus)
	for i, g := range gpus {
		if i == infoNames {
			add("GPU", view.String(fmt.Sprintf("and %d more", len(gpus)-i)))
			break
		}
		add("GPU", view.String(g))
	}
	n := 0
	for _, p := range s.Processes {
		if p.Name == "" {
			continue
		}
		if n++; n <= infoNames {
			add("Process", view.String(fmt.Sprintf("%d %s", p.ID.PID(), p.Name)))
		}
	}
	if n > infoNames {
		add("Process", view.String(fmt.Sprintf("and %d more", n-infoNames)))
	}
	return timelineTables(ctx, tr, content)
}

// timelineTables adds the tables that have rows, but for the lists of values of
// enumerations, and says how many are empty.
func timelineTables(ctx context.Context, tr *trace.Trace, content *view.Table) error {
	empty := 0
	for _, info := range tr.Tables() {
		n, err := tr.CountRows(ctx, info.Name)
		switch {
		case err != nil:
			return err
		case n == 0:
			empty++
			continue
		case strings.HasPrefix(info.Name, "ENUM_"):
			continue
		}
		content.Rows = append(content.Rows, []view.Value{view.String(info.Name), view.Whole(int64(n)), view.Null, view.String(meaningOf(tr, info.Name))})
	}
	if empty > 0 {
		content.Rows = append(content.Rows, []view.Value{view.String("tables without rows"), view.Whole(int64(empty)), view.Null, view.String("")})
	}
	return nil
}

// timelineSession are the tables of the session page for a timeline.
func timelineSession(ctx context.Context, q *page.Request, f *load.File) ([]view.Section, error) {
	tr := f.Trace
	s, err := tr.Session(ctx)
	if err != nil {
		return nil, err
	}
	attributes := func(list []trace.Attribute) []profile.Attribute {
		out := make([]profile.Attribute, len(list))
		for i, a := range list {
			out[i] = profile.Attribute{Name: a.Name, Value: a.Value}
		}
		return out
	}
	recording := []trace.Attribute{}
	for _, a := range []trace.Attribute{{Name: "Tool", Value: tr.Tool}, {Name: "Began (UTC)", Value: s.Began}} {
		if a.Value != "" {
			recording = append(recording, a)
		}
	}
	if s.HasWindow {
		recording = append(recording, trace.Attribute{Name: "Start (ns)", Value: strconv.FormatInt(s.Start, 10)},
			trace.Attribute{Name: "Stop (ns)", Value: strconv.FormatInt(s.Stop, 10)})
	}
	for _, a := range f.Annotations() {
		recording = append(recording, trace.Attribute{Name: "Annotations", Value: a.Path})
	}
	var out []view.Section
	table := func(id, title string, t *view.Table) {
		if len(t.Rows) > 0 {
			out = append(out, view.Section{ID: id, Title: title, Items: []view.Item{{Table: t}}})
		}
	}
	if f.AMD != nil {
		header := attributes(amdHeader(f.AMD))
		table("header", "Header of the File", attributeTable(q, "header", "Header", header))
	}
	table("recording", "Recording", attributeTable(q, "recording", "Recording Attribute", attributes(recording)))
	table("export", "Export", attributeTable(q, "export", "Export Attribute", attributes(s.Export)))
	table("target", "Target", attributeTable(q, "target", "Target Attribute", attributes(s.Target)))
	table("processes", "Processes", tracedProcessTable(s.Processes))
	table("gpus", "GPUs", gpuTable(s.GPUs))
	return out, nil
}

func tracedProcessTable(ps []trace.Process) *view.Table {
	t := &view.Table{ID: "processes", Layout: &view.Layout{Frame: view.FrameOpen}, Columns: []view.Column{
		{Name: "id", Label: "Process Id", Type: view.Text},
		{Name: "name", Label: "Process Name", Type: view.Text, MaxWidth: sessionWidth, Break: true},
		{Name: "threads", Label: "Named Threads", Type: view.Number}}}
	for _, p := range ps {
		t.Rows = append(t.Rows, []view.Value{view.Int(p.ID.PID(), ""), view.String(p.Name), view.Whole(int64(p.Threads))})
	}
	return t
}

// gpuTable has a row for each attribute and a column for each GPU.
func gpuTable(gpus []trace.GPU) *view.Table {
	t := &view.Table{ID: "gpus", Layout: &view.Layout{Frame: view.FrameOpen}, Columns: []view.Column{{Name: "attribute", Label: "GPU Attribute", Type: view.Text}}}
	row := map[string]int{}
	for k, g := range gpus {
		t.Columns = append(t.Columns, view.Column{Name: fmt.Sprintf("gpu_%d", k), Label: fmt.Sprintf("GPU %d", k), Align: view.AlignLeft})
		for _, a := range g.Attributes {
			i, ok := row[a.Name]
			if !ok {
				i = len(t.Rows)
				row[a.Name] = i
				t.Rows = append(t.Rows, append([]view.Value{view.String(a.Name)}, emptyCells(len(gpus))...))
			}
			t.Rows[i][k+1] = view.String(a.Value)
		}
	}
	return t
}

func emptyCells(n int) []view.Value {
	out := make([]view.Value, n)
	for i := range out {
		out[i] = view.String("")
	}
	return out
}

// amdHeader are the lines of the header of a file of CodeXL or the Radeon compute
// profiler, as they stand there: its own, never those of another file of the session.
func amdHeader(a *load.AMD) []trace.Attribute {
	var out []trace.Attribute
	for _, h := range a.Header() {
		out = append(out, trace.Attribute{Name: h.Key, Value: h.Value})
	}
	return out
}
