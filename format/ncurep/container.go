package ncurep

import (
	"fmt"

	"github.com/gpuprof/gpuprof/format/internal/cursor"
)

// maxFileHeader bounds the file header; 2 bytes in every report known.
const maxFileHeader = 1 << 16

// readContainer reads the file header and walks the blocks. Only a defect that
// leaves nothing usable is returned; the others go to f.problems.
func (f *File) readContainer() error {
	n := min(f.in.size, 8)
	head, err := f.in.view(0, n)
	if err != nil {
		return err
	}
	if len(head) < 8 || !isMagic(head) {
		return &FormatError{File: f.in.name, Offset: 0, Want: `the magic "NVR\x00" of an Nsight Compute report`,
			Found: fmt.Sprintf("%q", head), Err: cursor.ErrCorrupt}
	}
	f.Magic = [4]byte(head)
	c := cursor.New(f.in.name, 4, head[4:])
	size := int64(c.U32())
	if size > maxFileHeader || size > f.in.size-8 {
		return &FormatError{File: f.in.name, Offset: 4, Want: "the size of a file header",
			Found: fmt.Sprintf("%d with %d bytes left", size, f.in.size-8), Err: cursor.ErrCorrupt}
	}
	b, err := f.in.view(8, size)
	if err != nil {
		return err
	}
	d := newDecoder(f.in.name, 8, b)
	readMessage(d, fileHeaderTable, 8, b, &f.Header)
	f.problems = append(f.problems, d.problems...)
	f.walkBlocks(8 + size)
	if len(f.Blocks) == 0 {
		if len(f.problems) > 0 {
			return f.problems[0]
		}
		return &FormatError{File: f.in.name, Offset: f.in.size, Want: "a block", Found: "the end of the input", Err: cursor.ErrTruncated}
	}
	return nil
}

// walkBlocks reads blocks from offset at to the end of the input.
func (f *File) walkBlocks(at int64) {
	for at < f.in.size {
		b, err := f.readBlock(at)
		if err != nil {
			f.problems.add(err)
			next := f.resync(at + 1)
			if next < 0 {
				return
			}
			at = next
			continue
		}
		f.addBlock(b)
		at = b.payload.end()
	}
}

// readBlock reads the block header at offset at and finds the payload's
// entries. An error means that there is no telling where the block ends.
func (f *File) readBlock(at int64) (*Block, error) {
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
	if n > in.size-at-4 {
		return nil, &FormatError{File: in.name, Offset: at, Want: fmt.Sprintf("a block header of %d bytes", n),
			Found: fmt.Sprintf("%d bytes before the end", in.size-at-4), Err: cursor.ErrTruncated}
	}
	b := &Block{Offset: at, header: span{at + 4, n}, Header: new(BlockHeader)}
	raw, err := in.bytes(b.header)
	if err != nil {
		return nil, err
	}
	d := newDecoder(in.name, b.header.off, raw)
	readMessage(d, blockHeaderTable, b.header.off, raw, b.Header)
	if h := b.Header; len(d.problems) > 0 && !h.PayloadSize.Set && !h.Session.present() {
		return nil, d.problems[0]
	}
	f.problems = append(f.problems, d.problems...)
	f.walkPayload(b)
	return b, nil
}

func (s *Session) present() bool { return s != nil }

// walkPayload finds the entries of b's payload.
func (f *File) walkPayload(b *Block) {
	in, h := &f.in, b.Header
	at := b.header.end()
	size := int64(h.PayloadSize.Value)
	if size > in.size-at {
		f.problems.add(&FormatError{File: in.name, Offset: at, Want: fmt.Sprintf("a payload of %d bytes", size),
			Found: fmt.Sprintf("%d bytes before the end", in.size-at), Err: cursor.ErrTruncated})
		size = in.size - at
	}
	b.payload = span{at, size}
	end := b.payload.end()
	for _, part := range []struct {
		n    uint32
		to   *[]span
		what string
	}{
		{h.NumSources.Value, &b.sources, "source"},
		{h.NumResults.Value, &b.results, "result"},
		{h.NumRangeResults.Value, &b.ranges, "range result"},
	} {
		for i := uint32(0); i < part.n; i++ {
			s, err := in.entry(at, end)
			if err != nil {
				f.problems.addf(in.name, at, fmt.Sprintf("%s %d of %d of the block", part.what, i+1, part.n), "%v", err)
				b.tail = span{at, end - at}
				return
			}
			*part.to = append(*part.to, s)
			at = s.end()
		}
	}
	if b.tail = (span{at, end - at}); at != end {
		f.problems.addf(in.name, at, "the end of the block's payload", "%d more bytes", end-at)
	}
}

// entry reads the size at offset at and returns the span of the entry.
func (in *input) entry(at, end int64) (span, error) {
	if end-at < 4 {
		return span{}, fmt.Errorf("%d bytes of payload left", end-at)
	}
	sz, err := in.view(at, 4)
	if err != nil {
		return span{}, err
	}
	c := cursor.New(in.name, at, sz)
	s := span{at + 4, int64(c.U32())}
	if s.n > end-s.off {
		return span{}, fmt.Errorf("a size of %d bytes with %d left", s.n, end-s.off)
	}
	return s, nil
}

// resync looks for the next sound block from offset at on and returns its
// offset, or -1.
func (f *File) resync(at int64) int64 { return -1 }
