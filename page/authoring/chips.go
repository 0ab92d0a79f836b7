package authoring

import (
	"context"
	"strings"

	"github.com/gpuprof/gpuprof/internal/spelling"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/section"
	"github.com/gpuprof/gpuprof/view"
)

// chips are the GPUs by the names of their chips, with the compute capability times
// ten. Names and capabilities are public; which of them ncu profiles is its business.
var chips = []struct {
	name string
	arch int
}{
	{"ad102", 89}, {"ad103", 89}, {"ad104", 89}, {"ad106", 89}, {"ad107", 89},
	{"ga100", 80}, {"ga102", 86}, {"ga103", 86}, {"ga104", 86}, {"ga106", 86}, {"ga107", 86}, {"ga10b", 87},
	{"gb100", 100}, {"gb202", 120}, {"gb203", 120}, {"gb205", 120}, {"gb206", 120}, {"gb207", 120}, {"gh100", 90},
	{"gm107", 50}, {"gm200", 52}, {"gm204", 52}, {"gm206", 52}, {"gm20b", 53},
	{"gp100", 60}, {"gp102", 61}, {"gp104", 61}, {"gp106", 61}, {"gp107", 61}, {"gp108", 61}, {"gp10b", 62},
	{"gv100", 70}, {"gv11b", 72},
	{"tu102", 75}, {"tu104", 75}, {"tu106", 75}, {"tu116", 75}, {"tu117", 75},
}

// Chips is the page chips.
var Chips = &page.Page{
	Name:    "chips",
	Short:   "List the chips by name",
	Example: "gpuprof chips\ngpuprof metrics --chips ga102",
	Group:   page.GroupSections, MaxArgs: 0,
	Build: func(context.Context, *page.Request) (*view.Document, error) {
		t := &view.Table{ID: "chips", Columns: []view.Column{{Name: "chip", Label: "Chip", Type: view.Text}, {Name: "cc", Label: "Compute Capability", Type: view.Number}}}
		for _, c := range chips {
			t.Rows = append(t.Rows, []view.Value{view.String(c.name), view.Float(float64(c.arch)/10, "")})
		}
		t.Columns[1].Number = &view.NumberStyle{Decimals: 1}
		s := view.Section{ID: "chips", Items: []view.Item{{Table: t}}}
		return &view.Document{Title: "chips", Sections: []view.Section{s}}, nil
	},
}

// chipsAsked are the targets of --chips; without it that of compute capability 8.0.
func chipsAsked(q *page.Request) ([]section.Target, error) {
	asked := q.List("chips")
	if len(asked) == 0 {
		return []section.Target{{Arch: 80}}, nil
	}
	var out []section.Target
	var names []string
	for _, c := range chips {
		names = append(names, c.name)
	}
next:
	for _, a := range asked {
		for _, c := range chips {
			if strings.EqualFold(a, c.name) {
				out = append(out, section.Target{Arch: c.arch})
				continue next
			}
		}
		return nil, page.Usagef("--chips: there is no chip %q%s; there are %s", a, spelling.Nearest(a, names), strings.Join(names, ", "))
	}
	return out, nil
}
