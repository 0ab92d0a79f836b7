package timeline

import (
	"context"

	"github.com/gpuprof/gpuprof/trace"
)

// A NameID is the number of a name of slices. Kernels of one short name and
// different full names have different numbers.
type NameID uint32

// A slice's name: short as rows show it, full with template arguments and
// parameters. Of most slices they are the same.
type sliceName struct{ short, full trace.Sym }

// namer numbers names.
type namer struct {
	names  []sliceName
	number map[sliceName]NameID
	plain  []NameID // by Sym, of names that are as long as they are full; one more than the number, 0: not yet numbered
	last   sliceName
	lastID NameID
	recent [64]named // names that rows had lately
}

// A named is a pair of numbers of StringIds and the name that they are.
type named struct {
	short, full int64
	id          NameID
	ok          bool
}

// lately is the place for the name of a pair, which may have that of another.
func (n *namer) lately(short, full int64) *named {
	return &n.recent[(uint64(short)*0x9e3779b97f4a7c15^uint64(full)*0xff51afd7ed558ccd)>>58]
}

func (n *namer) of(v sliceName) NameID {
	if v == n.last && len(n.names) > 0 { // runs of one kernel are common
		return n.lastID
	}
	id, ok := n.number[v]
	if !ok {
		id = NameID(len(n.names))
		n.names = append(n.names, v)
		n.number[v] = id
	}
	n.last, n.lastID = v, id
	return id
}

func (n *namer) ofSym(y trace.Sym) NameID {
	for int(y) >= len(n.plain) {
		n.plain = append(n.plain, make([]NameID, len(n.plain)+1024)...)
	}
	if n.plain[y] == 0 {
		n.plain[y] = n.of(sliceName{y, y}) + 1
	}
	return n.plain[y] - 1
}

func (n *namer) ofSyms(ys []trace.Sym) []NameID {
	out := make([]NameID, len(ys))
	for i, y := range ys {
		out[i] = n.ofSym(y)
	}
	return out
}

// names are the names of the rows of a source.
func (b *builder) names(ctx context.Context, s source, t *trace.Table) []NameID {
	out := make([]NameID, t.Rows)
	column := s.Name
	if column != "" && t.Col(column) == nil {
		column = s.Spare
	}
	if other := b.tr.OtherNames(ctx, s.SliceTable, t); other != nil {
		for i := range out {
			out[i] = b.namer.ofSym(other(i))
		}
		return out
	}
	switch {
	case column != "" && column != s.Spare && t.Col(s.Spare) != nil:
		full := t.Ints(s.Spare)
		for i, id := range t.Ints(column) {
			m := b.namer.lately(id, full[i])
			if !m.ok || m.short != id || m.full != full[i] {
				*m = named{id, full[i], b.nameOf(id, full[i]), true}
			}
			out[i] = m.id
		}
	case column != "":
		for i, id := range t.Ints(column) {
			m := b.namer.lately(id, id)
			if !m.ok || m.short != id || m.full != id {
				y, _ := b.tr.Name(id)
				*m = named{id, id, b.namer.ofSym(y), true}
			}
			out[i] = m.id
		}
	case s.Table == trace.TableMemcpy:
		known := map[int64]NameID{}
		for i, k := range t.Ints("copyKind") {
			y, ok := known[k]
			if !ok {
				y = b.namer.ofSym(b.tr.Strings.Intern(b.words.Copied + b.tr.Label(ctx, "ENUM_CUDA_MEMCPY_OPER", k) + "]"))
				known[k] = y
			}
			out[i] = y
		}
	default:
		y := b.namer.ofSym(b.tr.Strings.Intern(s.Fixed))
		for i := range out {
			out[i] = y
		}
	}
	return out
}

// nameOf is the name of a short and a full one of StringIds.
func (b *builder) nameOf(short, full int64) NameID {
	var v sliceName
	v.short, _ = b.tr.Name(short)
	v.full, _ = b.tr.Name(full)
	if v.short == 0 {
		v.short = v.full
	}
	return b.namer.of(v)
}

// Text is a name as rows show it.
func (x *Index) Text(y NameID) string { return x.tr.Strings.Text(x.names[y].short) }

// FullText is a name with template arguments and parameters, where the file has
// them, else Text.
func (x *Index) FullText(y NameID) string {
	if f := x.names[y].full; f != 0 {
		return x.tr.Strings.Text(f)
	}
	return x.Text(y)
}
