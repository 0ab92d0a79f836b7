package source

import (
	"fmt"
	"strings"

	"github.com/gpuprof/gpuprof/format/sass"
	"github.com/gpuprof/gpuprof/format/sass/flow"
	"github.com/gpuprof/gpuprof/source"
	"github.com/gpuprof/gpuprof/view"
)

// instructionColumns tell what follows from the instructions alone. They are null
// for instructions that are not known.
func (b *sourceBuilder) instructionColumns(s *source.Listing) []sourceColumn {
	column := func(name, label string, t view.Type, role view.Role, value func(p *flow.Program, i int) view.Value) sourceColumn {
		return sourceColumn{view.Column{Name: name, Label: label, Type: t, Role: role}, func(_ *rowGroup, r *sourceRow) view.Value {
			p, i := b.sass.Program(s.Code, r.pc)
			if p == nil || i >= len(p.Instructions) {
				return view.Null
			}
			return value(p, i)
		}}
	}
	return []sourceColumn{
		column("class", "Class", view.Text, "", func(p *flow.Program, i int) view.Value {
			if !p.Instructions[i].Known() {
				return view.Null
			}
			return view.String(p.Instructions[i].Class().String())
		}),
		column("meaning", "Meaning", view.Text, "", func(p *flow.Program, i int) view.Value {
			o, ok := sass.Lookup(p.Instructions[i].Mnemonic)
			if !ok {
				return view.Null
			}
			return view.String(o.Meaning)
		}),
		column("control", "Control", view.Text, "", func(p *flow.Program, i int) view.Value {
			return view.String(p.Instructions[i].Control.String())
		}),
		{view.Column{Name: "targets", Label: "Leads To", Type: view.Text, Role: view.RoleTarget}, func(_ *rowGroup, r *sourceRow) view.Value {
			p, i := b.sass.Program(s.Code, r.pc)
			if p == nil || i >= len(p.Instructions) {
				return view.Null
			}
			return view.String(targets(p, i, r.pc))
		}},
		column("live", "Live Registers", view.Number, view.RoleLive, func(p *flow.Program, i int) view.Value {
			return view.Uint(uint64(p.Live(i)), "")
		}),
		column("marks", "Marks", view.Text, view.RoleMarks, func(p *flow.Program, i int) view.Value {
			return view.String(marks(p, i))
		}),
		column("waits", "Waits For", view.Text, "", func(p *flow.Program, i int) view.Value {
			return view.String(addresses(p, p.Waits(i)))
		}),
	}
}

// targets are the addresses that the instruction at pc leads to, where the listing has
// them: a kernel may have been loaded to another address than its binary tells.
func targets(p *flow.Program, i int, pc uint64) string {
	var out []string
	for _, k := range p.Targets(i) {
		out = append(out, fmt.Sprintf("%#x", pc+uint64(k-i)*sass.Size))
	}
	return strings.Join(out, " ")
}

// marks say what is special about an instruction: that it is predicated, that it runs
// once for the warp, that it looks like a spill.
func marks(p *flow.Program, i int) string {
	in := &p.Instructions[i]
	var out []string
	if !in.Guard.Always() {
		out = append(out, "predicated")
	}
	if in.OnUniformPath() {
		out = append(out, "uniform")
	}
	if p.Spill(i) {
		out = append(out, "spill")
	}
	return strings.Join(out, " ")
}
