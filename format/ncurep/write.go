package ncurep

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"github.com/gpuprof/gpuprof/internal/atomicfile"
)

// WriteTo writes the report as it was read; for a sound file that is the
// identity (of the decompressed content). What Open found broken between blocks
// is left out.
func (f *File) WriteTo(w io.Writer) (int64, error) { return f.Edit().WriteTo(w) }

// writeFile writes the report to the named file, which is replaced at once when
// all is written.
func (f *File) writeFile(path string) error { return writeFile(path, f) }

// WriteFile writes the changed report to the named file, which is replaced at
// once when all is written.
func (e *Edit) WriteFile(path string) error { return writeFile(path, e) }

func writeFile(path string, from io.WriterTo) error {
	return atomicfile.Write(path, func(f *atomicfile.File) error {
		_, err := from.WriteTo(f)
		return err
	})
}

// countWriter counts what it passes on and remembers the first error.
type countWriter struct {
	w   io.Writer
	n   int64
	err error
}

func (c *countWriter) Write(b []byte) (int, error) {
	if c.err != nil {
		return 0, c.err
	}
	n, err := c.w.Write(b)
	c.n += int64(n)
	c.err = err
	return n, err
}

// copySpan passes on bytes of the input.
func (c *countWriter) copySpan(in *input, s span) {
	for s.n > 0 && c.err == nil {
		n := min(s.n, 1<<20)
		var b []byte
		if b, c.err = in.view(s.off, n); c.err == nil {
			c.Write(b)
		}
		s = span{s.off + n, s.n - n}
	}
}

// WriteTo writes the changed report.
func (e *Edit) WriteTo(w io.Writer) (int64, error) {
	out := &countWriter{w: w}
	out.Write(e.file.Magic[:])
	out.Write(appendEntry(nil, appendMessage(nil, &e.file.Header)))
	if e.numbers == nil {
		e.numbers = e.usedStrings()
	}
	if err := e.writeBlocks(out); err != nil {
		return out.n, err
	}
	return out.n, out.err
}

func (e *Edit) writeBlocks(out *countWriter) error {
	used := e.usedSources()
	withStrings := e.stringBlock()
	for i, b := range e.file.Blocks {
		if err := e.writeBlock(out, b, used, i == withStrings, i); err != nil {
			return err
		}
	}
	return nil
}

// part is the content of an entry to be written: bytes of the input or new ones.
type part struct {
	at   span
	new  []byte
	kind partKind
}

// A partKind is the kind of an entry.
type partKind uint8

const (
	resultPart partKind = iota
	sourcePart
	rangePart
)

func (p part) size() int64 { return p.at.n + int64(len(p.new)) }

// writeBlock writes b as changed.
func (e *Edit) writeBlock(out *countWriter, b *Block, used map[uint64]bool, newStrings bool, index int) error {
	var parts []part
	for i, s := range b.sources {
		if e.dropSources && !used[b.refs[i]] || e.skip[s] {
			continue
		}
		p, err := e.source(s, b.refs[i])
		if err != nil {
			return err
		}
		parts = append(parts, p)
	}
	h := clone(b.Header)
	if e.noSession {
		h.Session = nil
	}
	if e.numbers != nil {
		e.numbers.strings(h, index)
	}
	numSources := len(parts)
	setCount(&h.NumSources, numSources)
	for i, s := range b.results {
		if e.drop[b.Results[i]] {
			continue
		}
		p := part{at: s}
		if re := e.changed(b.Results[i]); re != nil {
			raw, err := re.encode()
			if err != nil {
				return err
			}
			p = part{new: raw}
		}
		parts = append(parts, p)
	}
	setCount(&h.NumResults, len(parts)-numSources)
	for _, s := range b.ranges {
		parts = append(parts, part{at: s, kind: rangePart})
	}
	setCount(&h.NumRangeResults, len(b.ranges))
	if len(parts) == 0 && len(b.sources)+len(b.results) > 0 && bare(h) {
		return nil // nothing is left of it
	}
	return e.writeParts(out, b, h, parts, newStrings)
}

// changed returns the changes to a result, nil if there are none.
func (e *Edit) changed(i int) *ResultEdit {
	re, r := e.results[i], e.file.Results[i]
	ref, _ := r.sourceRef()
	to, moves := e.refs[ref]
	if re == nil && (e.numbers != nil || moves) {
		re = &ResultEdit{edit: e, result: r}
	}
	if moves {
		moved := *re
		moved.header = append(moved.header[:len(moved.header):len(moved.header)], func(h *ResultHeader) { h.Source.Reference = Some(to) })
		return &moved
	}
	return re
}

// setCount corrects a counter; a zero that was absent stays so.
func setCount(o *Opt[uint32], n int) {
	if o.Set || n > 0 {
		*o = Some(uint32(n))
	}
}

// bare reports whether a header tells nothing but counts and the process.
func bare(h *blockHeader) bool {
	return h.Session == nil && (h.Strings == nil || len(h.Strings.Strings) == 0 && len(h.Strings.Unknown) == 0) && len(h.Unknown) == 0
}

// writeParts writes header and payload.
func (e *Edit) writeParts(out *countWriter, b *Block, h *blockHeader, parts []part, newStrings bool) error {
	if err := e.texts.edit(&e.file.in, parts); err != nil {
		return err
	}
	size := int64(0)
	for _, p := range parts {
		size += 4 + p.size()
	}
	if size > math.MaxUint32 {
		return fmt.Errorf("%s: block of %d bytes: the format ends at 4 GiB", e.file.in.name, size)
	}
	e.changeHeader(h, uint32(size), newStrings)
	raw := e.texts.editHeader(h)
	if raw != nil || b.damaged || !equalMessages(h, b.Header) {
		if raw == nil {
			raw = appendMessage(nil, h)
		}
		out.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(raw))))
		out.Write(raw)
	} else {
		out.copySpan(&e.file.in, span{b.header.off - 4, b.header.n + 4})
	}
	for _, p := range parts {
		out.Write(binary.LittleEndian.AppendUint32(nil, uint32(p.size())))
		out.Write(p.new)
		out.copySpan(&e.file.in, p.at)
	}
	return out.err
}

// changeHeader applies the changes to a copy of a block header.
func (e *Edit) changeHeader(h *blockHeader, size uint32, newStrings bool) {
	if h.PayloadSize.Set || size > 0 {
		h.PayloadSize = Some(size)
	}
	if h.Session != nil {
		for _, change := range e.sessions {
			change(h.Session)
		}
	}
	if h.Process != nil {
		for _, change := range e.processes {
			change(h.Process)
		}
	}
	if newStrings {
		if h.Strings == nil {
			h.Strings = new(stringTable)
		}
		h.Strings.Strings = append(h.Strings.Strings, e.strings...)
	}
}
