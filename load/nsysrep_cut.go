package load

import (
	"context"
	"io"

	"github.com/gpuprof/gpuprof/format/nsysrep"
	"github.com/gpuprof/gpuprof/trace/schema"
)

// cutNative writes a native report of Nsight Systems with the events whose rows are
// kept. Events that are in no table are always kept.
func (f *File) cutNative(ctx context.Context, to io.Writer, rows Rows) error {
	s := f.rep
	s.ready()
	if s.err != nil {
		return s.err
	}
	c := nsysrep.Cut{Frames: plainColumns("SAMPLING_CALLCHAINS", columns(0, stackColumns))}
	var dropped [nsysrep.Kinds]map[int]bool
	for i := range s.tables {
		t := &s.tables[i]
		if !t.fromEvents() || t.stacks {
			continue
		}
		keep, err := rows(ctx, t.name)
		if err != nil {
			return err
		}
		if keep == nil {
			continue
		}
		if dropped[t.kind] == nil {
			dropped[t.kind] = map[int]bool{}
		}
		if err := s.drop(ctx, t, keep, dropped[t.kind]); err != nil {
			return err
		}
	}
	for i := range repRules {
		c.Plain[repRules[i].kind] |= plainColumns(repRules[i].name, repRules[i].cols)
	}
	for i := range repRules { // of two tables of one kind either may have a text there
		r := &repRules[i]
		c.Plain[r.kind] &^= refColumns(r.name, r.cols)
	}
	c.Keep = func(k nsysrep.Kind, n int) bool { return !dropped[k][n] }
	return s.file.Cut(to, c)
}

// drop notes which events of a table's kind are not kept, by their place.
func (s *nsysRepSource) drop(ctx context.Context, t *repTable, keep func(int64) bool, to map[int]bool) error {
	if t.keep == nil {
		for i := range t.rows {
			if !keep(int64(i) + 1) {
				to[i] = true
			}
		}
		return nil
	}
	row := int64(0)
	return s.index.Scan(ctx, nsysrep.Want{Kind: t.kind, Columns: t.need}, func(b *nsysrep.Batch) error {
		for i := range b.N {
			if !t.keep(b, i) {
				continue
			}
			if row++; !keep(row) {
				to[b.First+i] = true
			}
		}
		return nil
	})
}

// plainColumns are the columns of events of which the schema says that they hold no
// number of a text; refColumns those of which it says that they do.
func plainColumns(table string, cols []repColumn) uint64 { return columnsOf(table, cols, false) }

func refColumns(table string, cols []repColumn) uint64 { return columnsOf(table, cols, true) }

func columnsOf(table string, cols []repColumn, refer bool) (mask uint64) {
	known := schema.Lookup(table)
	for i := range cols {
		c := known.Column(cols[i].name)
		if c == nil || (c.Ref == "StringIds") != refer {
			continue
		}
		mask |= 1 << cols[i].slot
		if cols[i].or >= 0 {
			mask |= 1 << cols[i].or
		}
	}
	return mask
}
