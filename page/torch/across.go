package torch

import (
	"cmp"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/torch"
	"github.com/gpuprof/gpuprof/view"
)

// besideTitle is the title of what stands before the sections of several files: traces
// of one run, such as those of its ranks, are read for how they differ.
const besideTitle = "All files side by side"

// beside sets the answer of several files side by side before the sections of each.
func beside(q *page.Request, d *view.Document, t *view.Table) {
	if len(q.Files) < 2 || len(t.Rows) == 0 {
		return
	}
	s := view.Section{ID: "beside", Title: besideTitle}
	s.AddTable(t)
	d.Sections = append([]view.Section{s}, d.Sections...)
}

// fileNames are the names of files without folders and without what all begin with.
func fileNames(files []*load.File) map[*load.File]string {
	names, whole := make([]string, len(files)), map[string]int{}
	for i, f := range files {
		names[i] = path.Base(filepath.ToSlash(f.Name))
		whole[names[i]]++
	}
	alike := ""
	if len(names) > 0 {
		alike = names[0]
	}
	for _, n := range names {
		for !strings.HasPrefix(n, alike) {
			alike = alike[:len(alike)-1]
		}
	}
	cut := strings.LastIndexAny(alike, "_-.~ ") + 1
	out := map[*load.File]string{}
	for i, f := range files {
		if out[f] = names[i][cut:]; whole[names[i]] > 1 || out[f] == "" {
			out[f] = f.Name
		}
	}
	return out
}

// tell adds to the tables of a file a column that names it: in csv no title does.
func tell(sections []view.Section, file string) {
	for i := range sections {
		for _, it := range sections[i].Items {
			if it.Table == nil {
				continue
			}
			it.Table.Columns = append([]view.Column{{Name: "file", Label: "File", Type: view.Text, For: view.Data}}, it.Table.Columns...)
			for k, r := range it.Table.Rows {
				it.Table.Rows[k] = append([]view.Value{view.String(file)}, r...)
			}
		}
		tell(sections[i].Sections, file)
	}
}

// breakdowns sets the GPUs of several files side by side, the one that idles longest
// first.
type breakdowns struct {
	rows []fileBreakdown
}

type fileBreakdown struct {
	torch.Breakdown
	file *load.File
}

func (b *breakdowns) add(f *load.File, parts []torch.Breakdown) {
	for _, p := range parts {
		b.rows = append(b.rows, fileBreakdown{p, f})
	}
}

func (b *breakdowns) put(q *page.Request, d *view.Document) {
	t := &view.Table{ID: "beside", Layout: ragged(), Columns: []view.Column{onDevice, ns("total", "Total"), share("compute_share", "Compute"), ns("compute", "Compute"),
		ns("exposed_communication", "Exposed communication"), ns("exposed_copies", "Exposed copies"), ns("idle", "Idle"), share("idle_share", "Idle"), function("file", "File")}}
	names := fileNames(q.Files)
	slices.SortStableFunc(b.rows, func(x, y fileBreakdown) int { return cmp.Compare(y.Idle, x.Idle) })
	for _, r := range b.rows {
		t.Rows = append(t.Rows, []view.Value{view.Int(r.Device, ""), view.Int(r.Total, "ns"), percent(r.Compute, r.Total), view.Int(r.Compute, "ns"), view.Int(r.ExposedComm, "ns"), view.Int(r.ExposedCopy, "ns"),
			view.Int(r.Idle, "ns"), percent(r.Idle, r.Total), view.String(names[r.file])})
	}
	beside(q, d, t)
}

// operatorsBeside sets what is added up by one name in several files side by side.
type operatorsBeside struct {
	by   torch.By
	of   map[operatorKey][]fileOperator
	keys []operatorKey
}

type operatorKey struct{ name, shapes, types string }

type fileOperator struct {
	device, host int64
	file         *load.File
}

func (o *operatorsBeside) add(f *load.File, ops []torch.Operator) {
	if o.of == nil {
		o.of = map[operatorKey][]fileOperator{}
	}
	for i := range ops {
		x := &ops[i]
		k := operatorKey{x.Name, x.Shapes, x.Types}
		if o.of[k] == nil {
			o.keys = append(o.keys, k)
		}
		o.of[k] = append(o.of[k], fileOperator{x.DeviceSelf, x.HostSelf, f})
	}
}

// put shows of each operator the middle and the ends of what it took in the files that
// have it; first those whose ends lie farthest apart, on GPUs, then on hosts.
func (o *operatorsBeside) put(q *page.Request, d *view.Document) {
	t := &view.Table{ID: "beside", Layout: ragged(), Columns: []view.Column{count("files", "Files"), ns("least", "Device least"), ns("median", "Device median"), ns("most", "Device most"),
		ns("host_least", "Host least"), ns("host_median", "Host median"), ns("host_most", "Host most"), function("most_in", "Most in"), function("name", "Name")}}
	t.Columns[4].For, t.Columns[6].For = view.Data, view.Data // people have no room for them
	t.Columns = append(t.Columns, shapeColumns(o.by)...)
	names := fileNames(q.Files)
	for _, k := range o.keys {
		list := o.of[k]
		slices.SortStableFunc(list, func(a, b fileOperator) int { return cmp.Compare(a.host, b.host) })
		hosts := [3]int64{list[0].host, list[len(list)/2].host, list[len(list)-1].host}
		slices.SortStableFunc(list, func(a, b fileOperator) int { return cmp.Compare(a.device, b.device) })
		last := list[len(list)-1]
		r := []view.Value{view.Int(int64(len(list)), ""), view.Int(list[0].device, "ns"), view.Int(list[len(list)/2].device, "ns"), view.Int(last.device, "ns"),
			view.Int(hosts[0], "ns"), view.Int(hosts[1], "ns"), view.Int(hosts[2], "ns"), view.String(names[last.file]), orBare(k.name)}
		if o.by == torch.ByShape {
			r = append(r, view.String(k.shapes), view.String(k.types))
		}
		t.Rows = append(t.Rows, r)
	}
	apart := func(r []view.Value, least, most int) float64 { return r[most].Float64() - r[least].Float64() }
	slices.SortStableFunc(t.Rows, func(a, b []view.Value) int {
		return cmp.Or(cmp.Compare(apart(b, 1, 3), apart(a, 1, 3)), cmp.Compare(apart(b, 4, 6), apart(a, 4, 6)))
	})
	t.Rows = first(t.Rows, q.Count("rows"))
	beside(q, d, t)
}
