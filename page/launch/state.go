package launch

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/section"
	"github.com/gpuprof/gpuprof/view"
)

// stateItems show where a launch came from: the call stack of the host and the
// NVTX ranges that were open. Text lists them in the layout of ncu.
func stateItems(q *page.Request, l page.Launch) []view.Item {
	return append(stackItems(q, l), nvtxItems(q, l)...)
}

func stackItems(q *page.Request, l page.Launch) []view.Item {
	var items []view.Item
	stack, err := l.CallStack()
	q.Damage(err)
	if len(stack) > 0 {
		items = append(items, view.Item{Table: stackTable(stack)})
	}
	return items
}

// nvtxItems show the NVTX ranges that were open.
func nvtxItems(q *page.Request, l page.Launch) []view.Item {
	s, err := l.NvtxState()
	q.Damage(err)
	if !s.HasRanges() {
		return nil
	}
	t := nvtxTable(s)
	t.Layout = &view.Layout{Lines: nvtxLines(s)}
	return []view.Item{{Table: t}}
}

// nvtxSection is the section whose place in the page the ranges take where it is
// chosen; else they stand above all sections, as in ncu.
const nvtxSection = "Nvtx"

func (d *details) ownsNvtx() bool {
	return slices.ContainsFunc(d.Chosen, func(f section.Found) bool { return f.Identifier == nvtxSection })
}

// nvtxSectionItems are the ranges as the table of a section.
func nvtxSectionItems(l page.Launch) []view.Item {
	s, err := l.NvtxState()
	if err != nil || !s.HasRanges() {
		return nil
	}
	t := nvtxTable(s)
	for i := range t.Columns {
		t.Columns[i].Label = strings.ToUpper(t.Columns[i].Name[:1]) + t.Columns[i].Name[1:]
	}
	t.Layout = &view.Layout{Frame: view.FrameFull, Heading: "Table Name : " + t.Title}
	return []view.Item{{Table: t}}
}

func stackTable(frames []profile.Frame) *view.Table {
	t := &view.Table{ID: "call_stack", Title: "CPU Call Stack", Layout: &view.Layout{Lines: stackLines(frames)}, Columns: []view.Column{
		{Name: "frame", Type: view.Number}, {Name: "address", Type: view.Number, Role: view.RoleAddress}, {Name: "function", Type: view.Text, Role: view.RoleFunction},
		{Name: "file", Type: view.Text, Role: view.RoleFile}, {Name: "line", Type: view.Number, Role: view.RoleLine}, {Name: "module", Type: view.Text}}}
	for i, f := range frames {
		line := view.Null
		if f.Line != 0 {
			line = view.Uint(uint64(f.Line), "")
		}
		t.Rows = append(t.Rows, []view.Value{view.Uint(uint64(i), ""), view.Hex(f.Address), view.String(f.Function),
			view.String(f.File), line, view.String(f.Module)})
	}
	return t
}

func stackLines(frames []profile.Frame) []string {
	lines := []string{"", "  CPU Call Stack:"}
	for i, f := range frames {
		head := fmt.Sprintf("    #%d ", i)
		lines = append(lines, fmt.Sprintf("%s0x%x in %s", head, f.Address, f.Function))
		pad := fmt.Sprintf("%*s", len(head), "")
		if f.File != "" {
			lines = append(lines, fmt.Sprintf("%sat %s:%d", pad, f.File, f.Line))
		}
		if f.Module != "" {
			lines = append(lines, pad+"of "+f.Module)
		}
		lines = append(lines, "")
	}
	return append(lines, "")
}

func nvtxTable(s *profile.NvtxState) *view.Table {
	t := &view.Table{ID: "nvtx", Title: "NVTX Ranges", Columns: []view.Column{
		{Name: "domain", Type: view.Text}, {Name: "kind", Type: view.Text}, {Name: "level", Type: view.Number},
		{Name: "name", Type: view.Text, Role: view.RoleNVTX}, {Name: "category", Type: view.Number}, {Name: "color", Type: view.Number},
		{Name: "message", Type: view.Text}, {Name: "payload", Type: view.Any}}}
	add := func(d *profile.NvtxDomain, kind string, level view.Value, r *profile.NvtxRange) {
		color := view.Null
		if r.HasColor {
			color = view.Hex(uint64(r.Color))
		}
		p := section.Cell(r.Payload, "")
		if r.PayKind == profile.NvtxPayloadInt64 || r.PayKind == profile.NvtxPayloadInt32 {
			p = view.Int(r.Signed, "")
		}
		t.Rows = append(t.Rows, []view.Value{view.String(d.Name), view.String(kind), level, view.String(r.Name),
			view.Uint(uint64(r.Category), ""), color, view.String(r.Message), p})
	}
	for i := range s.Domains {
		d := &s.Domains[i]
		for k := range d.PushPop {
			add(d, "push/pop", view.Uint(uint64(k), ""), &d.PushPop[k])
		}
		for k := range d.StartEnd {
			add(d, "start/end", view.Null, &d.StartEnd[k])
		}
	}
	return t
}

func nvtxLines(s *profile.NvtxState) []string {
	var lines []string
	list := func(title string, ranges func(*profile.NvtxDomain) []profile.NvtxRange, id func(i int, r *profile.NvtxRange) uint64) {
		first := true
		for i := range s.Domains {
			d := &s.Domains[i]
			rs := ranges(d)
			if len(rs) == 0 {
				continue
			}
			if first {
				lines = append(lines, "  "+title)
				first = false
			}
			lines = append(lines, "   "+d.Name)
			for k := range rs {
				lines = append(lines, fmt.Sprintf("      <%d,%s>", id(k, &rs[k]), rs[k].Name))
				lines = append(lines, attributeLines(&rs[k])...)
			}
		}
	}
	list(fmt.Sprintf("NVTX Push/Pop Stack for Thread %d:", s.ThreadID),
		func(d *profile.NvtxDomain) []profile.NvtxRange { return d.PushPop },
		func(i int, _ *profile.NvtxRange) uint64 { return uint64(i) })
	list("NVTX Start/End Ranges:",
		func(d *profile.NvtxDomain) []profile.NvtxRange { return d.StartEnd },
		func(_ int, r *profile.NvtxRange) uint64 { return r.ID })
	return lines
}

func attributeLines(r *profile.NvtxRange) []string {
	var lines []string
	if kind, value := payload(*r); kind != "none" {
		lines = append(lines, fmt.Sprintf("        %s: %s", kind, value))
	}
	if r.HasColor {
		lines = append(lines, fmt.Sprintf("        RGB: 0x%08x", r.Color))
	}
	if w := messageWord(*r); w != "" {
		lines = append(lines, fmt.Sprintf("        %s: %s", w, r.Message))
	}
	return lines
}
