package file

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/profile/metric"
	"github.com/gpuprof/gpuprof/section"
	"github.com/gpuprof/gpuprof/view"
)

// Session is the page session.
var Session = &page.Page{
	Name:  "session",
	Short: "Show how and where a profile was made",
	Long: `Command line and settings, the machines, versions of the tools, the processes, and
the attributes of the GPUs.`,
	Example: "gpuprof session report.ncu-rep",
	Group:   page.GroupRead, Args: "FILE...", MinArgs: 1, MaxArgs: -1,
	Needs: load.Launches | load.Timeline,
	Options: []page.Option{
		{Name: "all-attributes", Remote: true, Kind: page.Flag, Help: "show every device attribute, not only the main ones"},
		page.CompatOption,
	},
	Build: buildSession,
}

// sessionWidth is the width at which the page breaks long values.
const sessionWidth = 120

func buildSession(ctx context.Context, q *page.Request) (*view.Document, error) {
	d := &view.Document{Title: "session"}
	for _, f := range q.Files {
		if f.Report == nil && f.Trace == nil {
			return nil, fmt.Errorf("%s: expected a report or a timeline, found %s, which tells nothing of its session", f.Name, f.Kind())
		}
		var s []view.Section
		if f.Report != nil {
			s = reportSession(q, f)
		}
		if f.Trace != nil {
			t, err := timelineSession(ctx, q, f)
			if err != nil {
				return nil, err
			}
			s = append(s, t...)
			s = slices.DeleteFunc(s, func(s view.Section) bool { return len(s.Items[0].Table.Rows) == 0 })
		}
		d.Sections = append(d.Sections, fileSections(q, f, s)...)
	}
	return d, nil
}

// reportSession are the tables for a report of kernel launches, empty ones, too.
func reportSession(q *page.Request, f *load.File) []view.Section {
	r := f.Report
	return []view.Section{
		{ID: "launch", Title: "Launch Settings", Items: []view.Item{{Table: attributeTable(q, "launch", "Launch Attribute", r.Session.Launch)}}},
		{ID: "info", Title: "Session Info", Items: []view.Item{{Table: attributeTable(q, "info", "Session Attribute", r.Session.Info)}}},
		{ID: "processes", Title: "Processes", Items: []view.Item{{Table: processTable(r.Processes)}}},
		{ID: "devices", Title: "Device Attributes", Items: []view.Item{{Table: deviceTable(q, f)}}},
	}
}

// fileSections puts the sections of one file of several under its name.
func fileSections(q *page.Request, f *load.File, s []view.Section) []view.Section {
	if len(q.Files) > 1 {
		return []view.Section{{ID: f.Name, Title: f.Name, Sections: s}}
	}
	return s
}

func attributeTable(q *page.Request, id, heading string, attrs []profile.Attribute) *view.Table {
	t := &view.Table{ID: id, Layout: &view.Layout{Frame: view.FrameOpen, Verbatim: q.Compat2024()}, Columns: []view.Column{
		{Name: "attribute", Label: heading, Type: view.Text},
		{Name: "value", Label: "Value", Type: view.Text, MaxWidth: sessionWidth, Break: true}}}
	for _, a := range attrs {
		v := a.Value
		if !q.Compat2024() {
			v = firstLine(v)
		}
		t.Rows = append(t.Rows, []view.Value{view.String(a.Name), view.String(v)})
	}
	return t
}

func processTable(ps []profile.Process) *view.Table {
	t := &view.Table{ID: "processes", Layout: &view.Layout{Frame: view.FrameOpen}, Columns: []view.Column{
		{Name: "id", Label: "Process Id", Type: view.Text, Role: view.RoleProcess},
		{Name: "name", Label: "Process Name", Type: view.Text, MaxWidth: sessionWidth, Break: true}}}
	for _, p := range ps {
		t.Rows = append(t.Rows, []view.Value{view.Uint(uint64(p.ID), ""), view.String(p.Name)})
	}
	return t
}

// mainAttributes are the device attributes that the page shows, in its order.
var mainAttributes = []string{"confidential_computing_mode", "multiprocessor_count", "display_name",
	"compute_capability_major", "compute_capability_minor", "total_memory"}

func deviceTable(q *page.Request, f *load.File) *view.Table {
	t := &view.Table{ID: "devices", Layout: &view.Layout{Frame: view.FrameOpen}, Columns: []view.Column{
		{Name: "attribute", Label: "Device Attribute", Type: view.Text}}}
	index := map[string]int{}
	row := func(name string) []view.Value {
		i, ok := index[name]
		if !ok {
			i = len(t.Rows)
			index[name] = i
			t.Rows = append(t.Rows, []view.Value{view.String(name)})
		}
		return t.Rows[i]
	}
	for k, d := range f.Report.Devices {
		t.Columns = append(t.Columns, view.Column{Name: fmt.Sprintf("device_%d", d.ID), Label: fmt.Sprintf("Device %d", d.ID), Align: view.AlignLeft})
		have := map[string]metric.Value{}
		var names []string
		for _, a := range d.Attributes {
			n := strings.TrimPrefix(a.Name, "device__attribute_")
			if _, dup := have[n]; !dup {
				names = append(names, n)
			}
			have[n] = a.Value
		}
		if !q.Flag("all-attributes") {
			names = mainAttributes
		}
		for _, n := range names {
			v, ok := have[n]
			if !ok {
				continue
			}
			r := row(n)
			for len(r) < k+1 {
				r = append(r, view.String(""))
			}
			t.Rows[index[n]] = append(r, section.Cell(v, ""))
		}
	}
	return t
}
