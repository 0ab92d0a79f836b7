package source

import (
	"context"

	"github.com/gpuprof/gpuprof/format/sass"
	"github.com/gpuprof/gpuprof/format/sass/flow"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/source"
	"github.com/gpuprof/gpuprof/view"
)

// A functionPair is a function of two files, taken apart; one of them may lack it.
type functionPair struct {
	title    string
	old, new *flow.Program
	changes  []source.Change
}

// buildDiff compares the functions of two files by name and architecture.
func buildDiff(ctx context.Context, q *page.Request) (*view.Document, error) {
	if len(q.Files) != 2 {
		return nil, page.Usagef("--diff: expected two files, an old and a new one, found %d", len(q.Files))
	}
	pairs, err := pairFunctions(ctx, q)
	if err != nil {
		return nil, err
	}
	d := &view.Document{Title: "sass"}
	if len(pairs) == 0 {
		q.Notef("no function to show")
		return d, nil
	}
	s := view.Section{ID: "functions", Title: "Functions"}
	t := &view.Table{ID: "functions", Columns: []view.Column{{Name: "function", Label: "Function", Type: view.Text, Role: view.RoleKernel},
		counter("old", "Old"), counter("new", "New"), counter("removed", "Removed"), counter("added", "Added")}}
	for i := range pairs {
		p := &pairs[i]
		removed, added := p.count(nil)
		t.Rows = append(t.Rows, []view.Value{view.String(p.title), length(p.old), length(p.new), view.Uint(removed, ""), view.Uint(added, "")})
	}
	s.AddTable(t)
	d.Sections = append(d.Sections, s)
	for i := range pairs {
		p := &pairs[i]
		if len(p.changes) == 0 || p.old == nil || p.new == nil {
			continue
		}
		s := view.Section{ID: p.title, Title: p.title}
		s.AddTable(p.classTable())
		s.AddTable(p.changeTable())
		d.Sections = append(d.Sections, s)
	}
	return d, nil
}

func counter(name, label string) view.Column {
	return view.Column{Name: name, Label: label, Type: view.Number, Role: view.RoleCount}
}

// length is the number of instructions of a program, missing if there is none.
func length(p *flow.Program) view.Value {
	if p == nil {
		return view.Missing("-")
	}
	return view.Uint(uint64(len(p.Instructions)), "")
}

// pairFunctions are the functions of both files, those of the old one first. Of
// several with one name those of the same place among them belong together.
func pairFunctions(ctx context.Context, q *page.Request) ([]functionPair, error) {
	dis := source.NewDisassembler("")
	var pairs []functionPair
	place := map[string][]int{} // of pairs that still lack their new side
	for side, f := range q.Files {
		fns, err := functionsOf(ctx, q, f)
		if err != nil {
			return nil, err
		}
		for i := range fns {
			fn := &fns[i]
			p := flow.Of(dis.Decoder(fn.arch), fn.Text, fn.Address)
			if side == 0 {
				place[fn.title] = append(place[fn.title], len(pairs))
				pairs = append(pairs, functionPair{title: fn.title, old: p})
				continue
			}
			if at := place[fn.title]; len(at) > 0 {
				pairs[at[0]].new = p
				place[fn.title] = at[1:]
			} else {
				pairs = append(pairs, functionPair{title: fn.title, new: p})
			}
		}
	}
	for i := range pairs {
		q.Progress(i, len(pairs))
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if p := &pairs[i]; p.old != nil && p.new != nil {
			p.changes = source.DiffPrograms(p.old, p.new)
		}
	}
	return pairs, nil
}

// of is the instruction that a change is about.
func (p *functionPair) of(c source.Change) (*flow.Program, *sass.Instruction) {
	from := p.old
	if c.Added {
		from = p.new
	}
	return from, &from.Instructions[c.Index]
}

// count counts the changes of the instructions that are taken; nil takes all. Of a
// function that one side lacks all are.
func (p *functionPair) count(takes func(*sass.Instruction) bool) (removed, added uint64) {
	switch {
	case p.old == nil:
		return 0, uint64(len(p.new.Instructions))
	case p.new == nil:
		return uint64(len(p.old.Instructions)), 0
	}
	for _, c := range p.changes {
		_, in := p.of(c)
		switch {
		case takes != nil && !takes(in):
		case c.Added:
			added++
		default:
			removed++
		}
	}
	return removed, added
}

// classTable counts instructions and changes by class.
func (p *functionPair) classTable() *view.Table {
	t := &view.Table{ID: "classes", Title: "By Class", Columns: []view.Column{{Name: "class", Label: "Class", Type: view.Text},
		counter("old", "Old"), counter("new", "New"), counter("removed", "Removed"), counter("added", "Added")}}
	add := func(name string, is func(*sass.Instruction) bool) {
		n := func(q *flow.Program) (n uint64) {
			for i := range q.Instructions {
				if is(&q.Instructions[i]) {
					n++
				}
			}
			return n
		}
		if o, w := n(p.old), n(p.new); o+w > 0 {
			removed, added := p.count(is)
			t.Rows = append(t.Rows, []view.Value{view.String(name), view.Uint(o, ""), view.Uint(w, ""), view.Uint(removed, ""), view.Uint(added, "")})
		}
	}
	for _, c := range sass.Classes() {
		add(c.String(), func(in *sass.Instruction) bool { return in.Known() && in.Class() == c })
	}
	add("unknown", func(in *sass.Instruction) bool { return !in.Known() })
	return t
}

// changeTable has a line for each instruction that one side lacks.
func (p *functionPair) changeTable() *view.Table {
	t := &view.Table{ID: "changes", Title: "Instructions", Columns: []view.Column{
		{Name: "change", Label: "±", Type: view.Text},
		{Name: "address", Label: "Address", Type: view.Number, Role: view.RoleAddress},
		{Name: "class", Label: "Class", Type: view.Text},
		{Name: "instruction", Label: "Instruction", Type: view.Text, Role: view.RoleCode, MaxWidth: 70}}}
	for _, c := range p.changes {
		from, in := p.of(c)
		sign, class := "-", "unknown"
		if c.Added {
			sign = "+"
		}
		if in.Known() {
			class = in.Class().String()
		}
		t.Rows = append(t.Rows, []view.Value{view.String(sign), view.Hex(from.Address(c.Index) - from.Base), view.String(class),
			view.String(source.Plain(from.Text(c.Index, sass.Nvdisasm)))})
	}
	return t
}
