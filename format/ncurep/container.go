package ncurep

import (
	"fmt"

	"github.com/gpuprof/gpuprof/format/internal/cursor"
)

const (
	// maxFileHeader bounds the file header; 2 bytes in every report known.
	maxFileHeader = 1 << 16
	// minResult is less than the required fields of a result take.
	minResult = 16
)

// readContainer reads the file header and walks the blocks. Only a defect that
// leaves nothing usable is returned; the others go to f.problems.
func (f *File) readContainer() error {
	in := &f.in
	head, err := in.view(0, min(in.size, 8))
	if err != nil {
		return err
	}
	if len(head) < 8 || !isMagic(head) {
		return &FormatError{File: in.name, Offset: 0, Want: `"NVR\x00" and the size of a file header, as Nsight Compute reports start`,
			Found: fmt.Sprintf("%q", head), Err: cursor.ErrCorrupt}
	}
	f.Magic = [4]byte(head)
	c := cursor.New(in.name, 4, head[4:])
	size := int64(c.U32())
	if size > maxFileHeader || size > in.size-8 {
		return &FormatError{File: in.name, Offset: 4, Want: "the size of a file header",
			Found: fmt.Sprintf("%d with %d bytes left", size, in.size-8), Err: cursor.ErrCorrupt}
	}
	b, err := in.view(8, size)
	if err != nil {
		return err
	}
	d := newDecoder(in.name, 8, b)
	readMessage(d, fileHeaderTable, 8, b, &f.Header)
	f.problems.join(d.problems.err())
	f.head = span{0, 8 + size}
	f.pieces = int(min(4096+in.size/32, 1<<31-1))
	f.walkBlocks(8 + size)
	if len(f.Results)+len(f.Sources) > 0 || len(f.problems) == 0 && len(f.Blocks) > 0 {
		return nil
	}
	if len(f.problems) > 0 {
		return f.problems[0] // nothing to show for it
	}
	return &FormatError{File: in.name, Offset: in.size, Want: "a block", Found: "the end of the input", Err: cursor.ErrTruncated}
}

// walkBlocks reads blocks from offset at to the end of the input.
func (f *File) walkBlocks(at int64) {
	s := &syncer{in: &f.in, budget: 1<<20 + f.in.size/2}
	for at < f.in.size {
		if f.pieces--; f.pieces < 0 {
			f.problems.addf(f.in.name, at, "blocks and entries of 32 bytes or more", "a flood of smaller ones")
			return
		}
		b, err := f.readBlock(s, at)
		if err == nil {
			f.addBlock(b)
			at = b.payload.end()
			continue
		}
		f.problems.add(err)
		f.doubtStrings(at, "a block was lost")
		if at = s.next(at + 1); at < 0 {
			return
		}
	}
}

// readBlock reads the block at offset at and finds its payload's entries. An
// error means that there is no block to be made out.
func (f *File) readBlock(s *syncer, at int64) (*Block, error) {
	in := &f.in
	sz, err := in.view(at, min(4, in.size-at))
	if err != nil {
		return nil, err
	}
	c := cursor.New(in.name, at, sz)
	n := int64(c.U32())
	if err := c.Err(); err != nil {
		return nil, err
	}
	if n == 0 || n > in.size-at-4 {
		return nil, &FormatError{File: in.name, Offset: at, Want: "the size of a block header",
			Found: fmt.Sprintf("%d with %d bytes left", n, in.size-at-4), Err: cursor.ErrTruncated}
	}
	b := &Block{Offset: at, header: span{at + 4, n}, Header: new(BlockHeader)}
	raw, err := in.bytes(b.header)
	if err != nil {
		return nil, err
	}
	d := newDecoder(in.name, b.header.off, raw)
	readMessage(d, blockHeaderTable, b.header.off, raw, b.Header)
	if len(d.problems) > 0 {
		b.damaged = true
		f.problems.join(d.problems)
		b.doubtful = !wellFormed(raw) || !wellFormedField(raw, 4)
	}
	if h := b.Header; !h.PayloadSize.Set && h.Session == nil && h.Strings == nil {
		return nil, &FormatError{File: in.name, Offset: at + 4, Want: "a block header with a payload size", Found: "none", Err: cursor.ErrCorrupt}
	}
	f.boundPayload(s, b)
	f.walkPayload(b)
	return b, nil
}

// boundPayload determines where b's payload ends. The header says so; if what
// follows then is no block, the entries or the next block found decide.
func (f *File) boundPayload(s *syncer, b *Block) {
	in := &f.in
	at := b.header.end()
	size := int64(b.Header.PayloadSize.Value)
	if b.Header.PayloadSize.Set && s.sound(at+size) {
		b.payload = span{at, size}
		return
	}
	if left := in.size - at; size > left && b.Header.PayloadSize.Set {
		f.problems.add(&FormatError{File: in.name, Offset: at, Want: fmt.Sprintf("a payload of %d bytes", size),
			Found: fmt.Sprintf("%d bytes before the end", left), Err: cursor.ErrTruncated})
	}
	if end, ok := s.entriesEnd(at, in.size, b.Header); ok && s.sound(end) {
		if end != at+size {
			f.problems.addf(in.name, at, fmt.Sprintf("a payload of %d bytes, as its entries take", end-at), "a size of %d", size)
		}
		b.payload = span{at, end - at}
		return
	}
	if next := s.next(at); next >= 0 {
		f.problems.addf(in.name, at, fmt.Sprintf("a payload of %d bytes, up to the next sound block", next-at), "a size of %d", size)
		b.payload = span{at, next - at}
		return
	}
	b.payload = span{at, min(size, in.size-at)}
}

// walkPayload finds the entries of b's payload.
func (f *File) walkPayload(b *Block) {
	in, h := &f.in, b.Header
	at, end := b.payload.off, b.payload.end()
	parts := []struct {
		n    uint32
		to   *[]span
		what string
		min  int64
	}{
		{h.NumSources.Value, &b.sources, "source", 1},
		{h.NumResults.Value, &b.results, "result", minResult},
		{h.NumRangeResults.Value, &b.ranges, "range result", 1},
	}
	total := uint64(h.NumSources.Value) + uint64(h.NumResults.Value) + uint64(h.NumRangeResults.Value)
	for done := uint64(0); done < total; done++ {
		part := &parts[0]
		for i := 1; part.n == 0; i++ {
			part = &parts[i]
		}
		part.n--
		s, ok := in.entry(at, end)
		if !ok || done == total-1 && s.end() != end {
			f.problems.addf(in.name, at, fmt.Sprintf("the %s that is entry %d of %d in %d bytes of payload", part.what, done+1, total, end-at), "a size of %d", s.n)
			// The payload's end is the better witness: the last entry is what is left.
			if s = (span{at + 4, end - at - 4}); done < total-1 || s.n < part.min {
				break
			}
		}
		at = s.end()
		if s.n < part.min {
			f.problems.addf(in.name, s.off, fmt.Sprintf("a %s of %d bytes or more", part.what, part.min), "%d", s.n)
			continue
		}
		if f.pieces--; f.pieces < 0 {
			f.problems.addf(in.name, at, "blocks and entries of 32 bytes or more", "a flood of smaller ones")
			break
		}
		*part.to = append(*part.to, s)
	}
	if at != end && total == 0 {
		f.problems.addf(in.name, at, "an empty payload", "%d bytes that no count accounts for", end-at)
	}
	b.tail = span{at, end - at}
}

// entry returns the span of the entry whose size is at offset at; ok is false
// if it does not fit before end.
func (in *input) entry(at, end int64) (s span, ok bool) {
	sz, err := in.view(at, min(4, end-at))
	if err != nil || len(sz) < 4 {
		return span{at, 0}, false
	}
	c := cursor.New(in.name, at, sz)
	s = span{at + 4, int64(c.U32())}
	return s, s.n <= end-s.off
}
