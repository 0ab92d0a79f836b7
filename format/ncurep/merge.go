package ncurep

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/gpuprof/gpuprof/format/internal/cursor"
)

// numbering gives the names of metrics other numbers on the way to what is written.
type numbering struct {
	ids   []uint32 // by number in the file; drop: nothing that is written has the name
	block int      // whose string table has all names; -1: that of another file
	list  []string
}

const dropped = ^uint32(0)

// DropUnusedStrings drops the names that no metric kept has from the string tables.
// Nothing happens in a report with defects, or one to which metrics are added.
func (e *Edit) DropUnusedStrings() { e.dropStrings = true }

// usedStrings numbers the names that are still used, in the order of the file.
func (e *Edit) usedStrings() *numbering {
	f := e.file
	if !e.dropStrings || len(e.strings) > 0 || len(f.problems) > 0 {
		return nil
	}
	used := make([]bool, len(f.Strings))
	for _, r := range f.Results {
		if e.drop[r.Index] {
			continue
		}
		re := e.results[r.Index]
		ms, err := r.Metrics()
		if err != nil || re != nil && len(re.extra) > 0 {
			return nil
		}
		for i := range ms.All {
			if m := &ms.All[i]; int(m.NameID) < len(used) && (re == nil || re.dropped == nil || !re.dropped(m)) {
				used[m.NameID] = true
			}
		}
	}
	n := &numbering{ids: make([]uint32, len(used)), block: max(0, f.firstStrings())}
	for i, u := range used {
		n.ids[i] = dropped
		if u {
			n.ids[i] = uint32(len(n.list))
			n.list = append(n.list, f.Strings[i])
		}
	}
	if len(n.list) == len(used) {
		return nil
	}
	return n
}

// firstStrings is the index of the first block with strings, or -1.
func (f *File) firstStrings() int {
	for i, b := range f.Blocks {
		if st := b.Header.Strings; st != nil && len(st.Strings) > 0 {
			return i
		}
	}
	return -1
}

// metric returns a field with a metric, tag and all, under its new number.
func (n *numbering) metric(raw []byte) []byte {
	c := cursor.New("", 0, raw)
	c.Field()
	b := c.LenBytes()
	return appendLen(nil, resultMetrics, func(out []byte) []byte {
		c := cursor.New("", 0, b)
		done := 0
		for {
			start := c.Pos()
			num, wire, ok := c.Field()
			if !ok {
				break
			}
			if num != 1 || wire != cursor.Varint {
				c.SkipField(wire)
				continue
			}
			id := c.Uvarint()
			if c.Err() == nil && id < uint64(len(n.ids)) && n.ids[id] != dropped {
				out = append(out, b[done:start]...)
				out = appendUint(out, 1, uint64(n.ids[id]))
				done = c.Pos()
			}
		}
		return append(out, b[done:]...)
	})
}

// strings puts the names into the table of block i.
func (n *numbering) strings(h *blockHeader, i int) {
	if h.Strings == nil {
		if i != n.block {
			return
		}
		h.Strings = new(stringTable)
	}
	h.Strings.Strings = nil
	if i == n.block {
		h.Strings.Strings = n.list
	}
}

// ErrMerge is wrapped by the errors about reports that cannot be merged.
var ErrMerge = errors.New("reports cannot be merged")

// A Merged is a report that is made of others: their results one behind the other,
// with one table of names. Sources that several reports have alike are there once; the
// session is that of the first.
type Merged struct {
	edits []*Edit
}

// Merge makes a report of several, which must be sound.
func Merge(files ...*File) (*Merged, error) {
	m := &Merged{}
	if len(files) == 0 {
		return nil, fmt.Errorf("none given: %w", ErrMerge)
	}
	for _, f := range files {
		if p := f.problems.err(); p != nil {
			return nil, fmt.Errorf("a damaged report is not merged: %w", p)
		}
		if f.Magic != files[0].Magic || f.Header.Version != files[0].Header.Version {
			return nil, fmt.Errorf("%s is of another version of the format than %s: %w", f.Name, files[0].Name, ErrMerge)
		}
		m.edits = append(m.edits, f.Edit())
	}
	m.unifyStrings(files)
	return m, m.unifySources(files)
}

// unifyStrings numbers the names of all reports as one list.
func (m *Merged) unifyStrings(files []*File) {
	ids := map[string]uint32{}
	var list []string
	for i, f := range files {
		n := &numbering{ids: make([]uint32, len(f.Strings)), block: -1}
		for k, s := range f.Strings {
			id, ok := ids[s]
			if !ok {
				id = uint32(len(list))
				ids[s] = id
				list = append(list, s)
			}
			n.ids[k] = id
		}
		m.edits[i].numbers = n
	}
	first := m.edits[0].numbers
	first.block, first.list = max(0, files[0].firstStrings()), list
}

// unifySources leaves out entries of sources that an earlier report has, and gives
// those whose reference an earlier report uses for another source a new one.
func (m *Merged) unifySources(files []*File) error {
	known := map[uint64][][]byte{} // entries by reference
	for i, f := range files {
		e := m.edits[i]
		e.refs, e.skip = map[uint64]uint64{}, map[span]bool{}
		mine := map[uint64][][]byte{}
		spans := map[uint64][]span{}
		var order []uint64
		for _, b := range f.Blocks {
			for k, s := range b.sources {
				raw, err := f.in.bytes(s)
				if err != nil {
					return err
				}
				ref := b.refs[k]
				if mine[ref] == nil {
					order = append(order, ref)
				}
				mine[ref], spans[ref] = append(mine[ref], raw), append(spans[ref], s)
			}
		}
		for _, ref := range order {
			to := ref
			for known[to] != nil && !alike(known[to], mine[ref]) {
				to++ // the numbers mean nothing but which is which
			}
			if known[to] != nil {
				for _, s := range spans[ref] {
					e.skip[s] = true
				}
			}
			known[to] = mine[ref]
			if to != ref {
				e.refs[ref] = to
			}
		}
	}
	return nil
}

func alike(a, b [][]byte) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !bytes.Equal(a[i], b[i]) {
			return false
		}
	}
	return true
}

// WriteTo writes the report.
func (m *Merged) WriteTo(w io.Writer) (int64, error) {
	out := &countWriter{w: w}
	first := m.edits[0].file
	out.Write(first.Magic[:])
	out.Write(appendEntry(nil, appendMessage(nil, &first.Header)))
	for i, e := range m.edits {
		e.noSession = i > 0
		if err := e.writeBlocks(out); err != nil {
			return out.n, err
		}
	}
	return out.n, out.err
}

// source returns the entry of a source under its new reference.
func (e *Edit) source(s span, ref uint64) (part, error) {
	to, ok := e.refs[ref]
	if !ok {
		return part{at: s, kind: sourcePart}, nil
	}
	raw, err := e.file.in.bytes(s)
	if err != nil {
		return part{}, err
	}
	return part{new: renumber(raw, 1, to), kind: sourcePart}, nil
}

// renumber replaces the number in a field of an entry.
func renumber(raw []byte, num int, to uint64) []byte {
	c := cursor.New("", 0, raw)
	out, done := []byte(nil), 0
	for {
		start := c.Pos()
		n, wire, ok := c.Field()
		if !ok {
			break
		}
		if n != num || wire != cursor.Varint {
			c.SkipField(wire)
			continue
		}
		if c.Uvarint(); c.Err() == nil {
			out = appendUint(append(out, raw[done:start]...), num, to)
			done = c.Pos()
		}
	}
	return append(out, raw[done:]...)
}
