package file

import (
	"context"
	"fmt"
	"sort"
	"strings"

	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/view"
)

// Info is the page info.
var Info = &page.Page{
	Name:  "info",
	Short: "Tell what a file is and what it holds",
	Long: `Format, tool, device, kernels, sizes. Reads little of the file, so it is quick on
any size.`,
	Example: "gpuprof info *.ncu-rep",
	Group:   page.GroupInfo, Args: "FILE...", MinArgs: 1, MaxArgs: -1,
	Title: "About", Needs: load.Profile, Outline: true,
	Options: []page.Option{page.CompatOption},
	Build:   buildInfo,
}

func buildInfo(ctx context.Context, q *page.Request) (*view.Document, error) {
	d := &view.Document{Title: "info"}
	for _, f := range q.Files {
		s := view.Section{ID: f.Name, Title: f.Name}
		about, content := fileTable(f), contentTable(f)
		if f.Trace != nil {
			if err := timelineInfo(ctx, f, about, content); err != nil {
				return nil, err
			}
		}
		s.AddTable(about)
		if len(content.Rows) > 0 {
			s.AddTable(content)
		}
		if f.Report != nil {
			s.AddTable(kernelTable(f))
		}
		d.Sections = append(d.Sections, s)
	}
	return d, nil
}

func fileTable(f *load.File) *view.Table {
	t := &view.Table{ID: "file", Columns: []view.Column{
		{Name: "property", Label: "Property", Type: view.Text},
		{Name: "value", Label: "Value", Align: view.AlignLeft, MaxWidth: 100}}}
	add := func(name string, v view.Value) {
		if v.Kind() != view.KindString || v.Text() != "" {
			t.Rows = append(t.Rows, []view.Value{view.String(name), v})
		}
	}
	add("Format", view.String(f.Format))
	add("Container", view.String(f.Container()))
	add("File Size (bytes)", view.Uint(uint64(f.Size), ""))
	add("Note", view.String(f.Remark()))
	if f.AMD != nil {
		for _, h := range amdHeader(f.AMD) {
			add(h.Name, view.String(firstLine(h.Value)))
		}
	}
	for _, a := range f.Annotations() {
		text := fmt.Sprintf("%s: event calls: %d", a.Path, a.Imported)
		if a.Outside > 0 {
			text += fmt.Sprintf("; events outside the session, left out: %d", a.Outside)
		}
		add("Annotations", view.String(text))
	}
	r := f.Report
	if r == nil {
		return t
	}
	add("Tool", view.String(r.Tool))
	for _, a := range r.Session.Info {
		add(a.Name, view.String(firstLine(a.Value)))
	}
	var devices []string
	for _, d := range r.Devices {
		devices = append(devices, d.Name)
	}
	for _, name := range counted(devices) {
		add("Device", view.String(name))
	}
	for _, p := range r.Processes {
		add("Process", view.String(p.Heading()))
	}
	for _, a := range r.Session.Launch {
		add(a.Name, view.String(firstLine(a.Value)))
	}
	return t
}

// counted says a name that is repeated once, with how many have it.
func counted(names []string) []string {
	var out []string
	count := map[string]int{}
	for _, n := range names {
		if count[n]++; count[n] == 1 {
			out = append(out, n)
		}
	}
	for i, n := range out {
		if count[n] > 1 {
			out[i] = fmt.Sprintf("%s (%d of them)", n, count[n])
		}
	}
	return out
}

// firstLine cuts a value at its first line break: tools before 2021 took all of
// /proc/cpuinfo for the name of the processor.
func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return s
}

func contentTable(f *load.File) *view.Table {
	t := &view.Table{ID: "contents", Columns: []view.Column{
		{Name: "content", Label: "Content", Type: view.Text}, {Name: "count", Label: "Count", Type: view.Number},
		{Name: "bytes", Label: "Bytes", Type: view.Number}, {Name: "note", Label: "Note", Type: view.Text}}}
	for _, c := range f.Contents() {
		size := view.Null
		if c.Bytes >= 0 {
			size = view.Uint(uint64(c.Bytes), "")
		}
		t.Rows = append(t.Rows, []view.Value{view.String(c.What), view.Uint(uint64(c.Count), ""), size, view.String(c.Note)})
	}
	return t
}

// kernelTable counts the launches of each kernel, most launched first.
func kernelTable(f *load.File) *view.Table {
	t := &view.Table{ID: "kernels", Columns: []view.Column{
		{Name: "launches", Label: "Launches", Type: view.Number},
		{Name: "kernel", Label: "Kernel", Type: view.Text, MaxWidth: 100}}}
	count := map[string]int{}
	var names []string
	for _, a := range f.Report.Actions() {
		n := a.FullName()
		if count[n] == 0 {
			names = append(names, n)
		}
		count[n]++
	}
	sort.SliceStable(names, func(i, k int) bool { return count[names[i]] > count[names[k]] })
	for _, n := range names {
		t.Rows = append(t.Rows, []view.Value{view.Uint(uint64(count[n]), ""), view.String(n)})
	}
	return t
}
