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
		return &formatError{File: in.name, Offset: 0, Want: `"NVR\x00" and the size of a file header, as Nsight Compute reports start`,
			Found: fmt.Sprintf("%q", head), Err: cursor.ErrCorrupt}
	}
	f.Magic = [4]byte(head)
	sync := &syncer{in: in, budget: 1<<20 + in.size/2}
	size, err := f.fileHeaderSize(sync, head)
	if err != nil {
		return err
	}
	b, err := in.view(8, size)
	if err != nil {
		return err
	}
	d := newDecoder(in.name, 8, b)
	readMessage(d, 8, b, &f.Header)
	f.problems.join(d.problems.err())
	f.pieces = int(min(1024+in.size/128, 1<<31-1))
	f.walkBlocks(sync, 8+size)
	if len(f.Results)+len(f.Sources) > 0 || len(f.problems) == 0 && len(f.Blocks) > 0 {
		return nil
	}
	if len(f.problems) > 0 {
		return f.problems[0] // nothing to show for it
	}
	return &formatError{File: in.name, Offset: in.size, Want: "a block", Found: "the end of the input", Err: cursor.ErrTruncated}
}

// fileHeaderSize reads the size of the file header. If that cannot be right, but
// the size that all reports have leads to a block, it is that.
func (f *File) fileHeaderSize(s *syncer, head []byte) (int64, error) {
	const known = 2
	c := cursor.New(f.in.name, 4, head[4:])
	size := int64(c.U32())
	possible := size <= maxFileHeader && size <= f.in.size-8
	if size == known && possible || possible && s.sound(8+size) {
		return size, nil
	}
	err := &formatError{File: f.in.name, Offset: 4, Want: "the size of a file header",
		Found: fmt.Sprintf("%d with %d bytes left", size, f.in.size-8), Err: cursor.ErrCorrupt}
	if s.sound(8 + known) {
		f.problems.add(err)
		return known, nil
	}
	if !possible {
		return 0, err
	}
	return size, nil
}

// walkBlocks reads blocks from offset at to the end of the input.
func (f *File) walkBlocks(s *syncer, at int64) {
	for at < f.in.size {
		if f.pieces--; f.pieces < 0 {
			f.problems.addf(f.in.name, at, "blocks and entries of 128 bytes or more on average", "a flood of smaller ones")
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
	n, repaired, err := s.headerSize(at)
	if err != nil {
		return nil, err
	}
	b := &Block{Offset: at, header: span{at + 4, n}, Header: new(blockHeader)}
	raw, err := in.bytes(b.header)
	if err != nil {
		return nil, err
	}
	d := newDecoder(in.name, b.header.off, raw)
	readMessage(d, b.header.off, raw, b.Header)
	if len(d.problems) > 0 {
		b.damaged = true
		b.doubtful = !wellFormed(raw) || !wellFormedField(raw, 4)
	}
	if h := b.Header; !h.PayloadSize.Set && !h.NumSources.Set && !h.NumResults.Set && !f.entriesUpToNext(s, b) {
		return nil, &formatError{File: in.name, Offset: at + 4, Want: "a block header with counts and a payload size", Found: "none", Err: cursor.ErrCorrupt}
	}
	f.problems.join(repaired)
	f.problems.join(d.problems.err())
	f.boundPayload(s, b)
	f.walkPayload(b)
	return b, nil
}

// entriesUpToNext reports whether the bytes from b's header to the next sound
// block are entries, which then stand for a header that tells nothing.
func (f *File) entriesUpToNext(s *syncer, b *Block) bool {
	r := span{b.header.end(), f.in.size - b.header.end()}
	if next := s.next(r.off); next >= 0 {
		r.n = next - r.off
	}
	entries, end := f.listEntries(r)
	return len(entries) > 0 && end == r.end()
}

// boundPayload determines where b's payload ends. The header says so, and the
// entries must fit in; if they do not, the next block that can be found decides.
func (f *File) boundPayload(s *syncer, b *Block) {
	in, h := &f.in, b.Header
	at := b.header.end()
	size := int64(h.PayloadSize.Value)
	if h.PayloadSize.Set && (s.payloadFits(at, h) || s.sound(at+size)) {
		b.payload = span{at, size}
		return
	}
	// Blocks look like entries, a size and as many bytes, so that too high a count
	// may lead over several blocks and still to a sound one: the nearest decides.
	end, ok := s.entriesEnd(at, in.size, h)
	if !ok || !s.sound(end) {
		end = in.size
	}
	if next := s.next(at); next >= 0 {
		end = min(end, next)
	}
	b.payload = span{at, end - at}
	want, cause := fmt.Sprintf("a payload of %d bytes", size), cursor.ErrCorrupt
	if !h.PayloadSize.Set {
		want = "a payload size in the header and as many bytes"
	}
	if end == in.size {
		cause = cursor.ErrTruncated
	}
	f.problems.add(&formatError{File: in.name, Offset: at, Want: want, Found: fmt.Sprintf("%d bytes before the next block or the end", end-at), Err: cause})
}

// walkPayload finds the entries of b's payload and sorts them into sources,
// results and range results. They come in this order, as many of each as the
// header counts; if that does not fit, their content tells.
func (f *File) walkPayload(b *Block) {
	in, h := &f.in, b.Header
	entries := f.payloadEntries(b)
	total := h.entries()
	byCount := uint64(len(entries)) == total
	if !byCount {
		f.problems.addf(in.name, b.payload.off, fmt.Sprintf("%d entries, as the block header counts", total), "%d", len(entries))
	}
	sources := uint64(h.NumSources.Value)
	results := sources + uint64(h.NumResults.Value)
	for i, s := range entries {
		if f.pieces--; f.pieces < 0 {
			f.problems.addf(in.name, s.off, "blocks and entries of 128 bytes or more on average", "a flood of smaller ones")
			return
		}
		isResult := byCount && uint64(i) >= sources
		if !isResult && in.looksLikeResult(s) {
			isResult = true
			if byCount {
				f.problems.addf(in.name, s.off, "a source, as the block header counts", "a result")
			}
		}
		switch {
		case byCount && uint64(i) >= results:
			b.ranges = append(b.ranges, s)
		case isResult && s.n < minResult:
			f.problems.addf(in.name, s.off, "a result", "%d bytes", s.n)
		case isResult:
			b.results = append(b.results, s)
		default:
			b.sources = append(b.sources, s)
		}
	}
}

// payloadEntries lists the entries of b's payload.
func (f *File) payloadEntries(b *Block) []span {
	entries, end := f.listEntries(b.payload)
	if end == b.payload.end() || f.pieces < len(entries) {
		return entries
	}
	// One of the sizes is wrong. The last entry ends with the payload, and the
	// header knows how many there are.
	f.problems.addf(f.in.name, end, "the size of an entry within the payload", "one that leads beyond its %d bytes", b.payload.n)
	if n, total := uint64(len(entries)), b.Header.entries(); total > 0 && n >= total {
		entries = entries[:total-1]
		end = b.payload.off
		if total > 1 {
			end = entries[total-2].end()
		}
	}
	if rest := b.payload.end() - end - 4; rest >= minResult {
		entries = append(entries, span{end + 4, rest})
	}
	return entries
}

// listEntries walks the entries in s until their sizes lead beyond it, and
// returns the end of the last that fits.
func (f *File) listEntries(s span) (entries []span, end int64) {
	at := s.off
	for at < s.end() && len(entries) <= f.pieces {
		e, ok := f.in.entry(at, s.end())
		if !ok {
			break
		}
		entries = append(entries, e)
		at = e.end()
	}
	return entries, at
}

// looksLikeResult tells results from sources: field 2 is a number in the former,
// a text in the latter.
func (in *input) looksLikeResult(s span) bool {
	b, err := in.view(s.off, min(s.n, 32))
	if err != nil {
		return false
	}
	c := cursor.New("", 0, b)
	for want := 1; want <= 2; want++ {
		if num, wire, _ := c.Field(); num != want || wire != cursor.Varint {
			return false
		}
		c.Uvarint()
	}
	return c.Err() == nil
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
