package torchmem

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/klauspost/compress/gzip"
)

// Limits of what a packed file may grow to.
const (
	freeUnpacked = 1 << 30
	mostRatio    = 250
)

const windowSize = 1 << 20

// parser reads a pickle.
type parser struct {
	ctx  context.Context
	name string
	src  io.Reader
	left int64 // bytes that may still come, as far as is known
	b    []byte
	i, n int
	base int64
	last error
	at   int64 // offset of the opcode at hand
	err  error

	stack    []value
	marks    []int
	memo     Column[uint32]
	farMemo  map[uint64]value
	memoNext uint64
	one      [2]value

	wide         []wide
	floats       []float64
	texts        map[string]uint32
	tuples       [][]value
	pools        map[[2]value]int
	tupleStacks  map[value]uint32
	lists        Column[uint32] // of objects
	dicts        Column[uint32]
	generic      []list
	pairs        [][]value
	frames       map[[3]uint64]uint32
	frameDicts   []value // a dict of each frame
	lines        []uint32
	scratch      []byte
	byHash       map[uint64][]uint32
	seed         maphash.Seed
	spelled      map[uint64]spelling // stacks by the hash of how they were spelled
	spelledBytes int
	actions      map[uint32]Action // by text
	fields       fields
	histories    []history
	blocks       []block
	segments     []Segment
	taken        struct{ events, blocks, segments, traces int }

	snap Snapshot
}

// Read reads a snapshot of the given size in bytes: a pickle, plain or gzip, or
// the HTML page of _memory_viz.py that holds one. name stands in messages.
func Read(ctx context.Context, in io.ReaderAt, size int64, name string) (*Snapshot, error) {
	p := newParser(ctx, name)
	p.src, p.left = io.NewSectionReader(in, 0, size), size
	head := make([]byte, min(size, 64<<10))
	if n, err := in.ReadAt(head, 0); n < len(head) {
		return nil, &FormatError{File: name, Want: "the file", Found: err.Error(), Err: ErrTruncated}
	}
	switch {
	case size == 0:
		return nil, &FormatError{File: name, Want: "a pickle", Found: "an empty file", Err: ErrTruncated}
	case bytes.HasPrefix(head, []byte("PK\x03\x04")):
		return nil, &FormatError{File: name, Want: "a pickle of torch.cuda.memory", Found: "a zip, as of torch.save", Err: ErrNotSnapshot}
	case isProse(head):
		return nil, &FormatError{File: name, Want: "a pickle", Found: fmt.Sprintf("text that begins with %q", head[:min(len(head), 16)]), Err: ErrNotSnapshot}
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		z, err := gzip.NewReader(bufio.NewReader(p.src))
		if err != nil {
			return nil, &FormatError{File: name, Want: "gzip", Found: err.Error(), Err: ErrCorrupt}
		}
		p.src, p.left, p.snap.Packed = z, max(freeUnpacked, mostRatio*size), "gzip"
	case bytes.HasPrefix(bytes.TrimLeft(head, " \t\r\n"), []byte("<")):
		at, err := pagePickle(in, size)
		if err != nil {
			return nil, &FormatError{File: name, Want: "a pickle", Found: "HTML without local_files", Err: ErrNotSnapshot}
		}
		page := bufio.NewReader(io.NewSectionReader(in, at, size-at))
		p.src, p.snap.Packed = base64.NewDecoder(base64.StdEncoding, &quotedText{src: page}), "HTML"
	}
	return p.read()
}

// isProse tells texts from pickles, of which the oldest are texts, too: those of lists and
// dicts begin with a bracket, and all have short first lines without blanks.
func isProse(head []byte) bool {
	line, _, _ := bytes.Cut(head[:min(len(head), 64)], []byte("\n"))
	printable := !bytes.ContainsFunc(line, func(r rune) bool { return r < ' ' && r != '\t' || r >= 0x7f })
	return printable && len(line) > 4 && bytes.IndexByte([]byte("(]}<c"), line[0]) < 0 && bytes.IndexByte(line, ' ') > 0
}

func newParser(ctx context.Context, name string) *parser {
	p := &parser{ctx: ctx, name: name, b: make([]byte, windowSize), farMemo: map[uint64]value{}, texts: map[string]uint32{}, pools: map[[2]value]int{}, tupleStacks: map[value]uint32{},
		frames: map[[3]uint64]uint32{}, byHash: map[uint64][]uint32{}, spelled: map[uint64]spelling{}, seed: maphash.MakeSeed()}
	p.snap.File = name
	p.snap.stacks = []uint32{0}
	p.snap.Events.Time.Absent, p.snap.Events.Free.Absent = -1, -1
	p.internKeys()
	return p
}

func (p *parser) read() (*Snapshot, error) {
	top, ok := p.run()
	if p.ctx.Err() != nil {
		return nil, p.ctx.Err()
	}
	if !ok {
		return nil, p.err
	}
	p.snap.Bytes = p.base + int64(p.i)
	p.trailing()
	if p.assemble(top); p.err != nil {
		return nil, p.err
	}
	return &p.snap, nil
}

// trailing tells of what follows STOP. Zeros do in HTML exports.
func (p *parser) trailing() {
	if p.i == p.n {
		p.more(1)
	}
	if rest := bytes.TrimLeft(p.b[p.i:p.n], "\x00\n"); len(rest) > 0 {
		p.snap.Problems = append(p.snap.Problems, &FormatError{File: p.name, Offset: p.base + int64(p.i), Want: "the end of the file behind STOP",
			Found: "more, which is not read", Err: ErrCorrupt})
	}
}

// more reads on, so that at least need bytes are in hand if there are so many.
func (p *parser) more(need int) {
	copy(p.b, p.b[p.i:p.n])
	p.base += int64(p.i)
	p.n -= p.i
	p.i = 0
	for need > len(p.b) {
		p.b = append(p.b, make([]byte, len(p.b))...)
	}
	for p.n < len(p.b) && p.last == nil {
		k, err := p.src.Read(p.b[p.n:])
		p.n += k
		if p.left -= int64(k); p.left < 0 && err == nil {
			err = fmt.Errorf("the file unpacks to more than %d times its size: %w", mostRatio, ErrTooLarge)
		}
		p.last = err
	}
}

func (p *parser) cut() bool { return !errors.Is(p.last, io.EOF) }

func (p *parser) cancelled() bool { return p.ctx.Err() != nil }

// byte, fixed and big8 read operands; opcodes find 16 bytes in hand, or the end.
func (p *parser) byte() byte {
	if p.i >= p.n {
		p.short(1)
		return 0
	}
	c := p.b[p.i]
	p.i++
	return c
}

func (p *parser) fixed(n int) (v uint64) {
	if p.n-p.i < n {
		p.short(uint64(n))
		return 0
	}
	b := p.b[p.i:]
	p.i += n
	switch n {
	case 2:
		return uint64(binary.LittleEndian.Uint16(b))
	case 4:
		return uint64(binary.LittleEndian.Uint32(b))
	}
	return binary.LittleEndian.Uint64(b)
}

func (p *parser) big8() uint64 {
	if p.n-p.i < 8 {
		p.short(8)
		return 0
	}
	p.i += 8
	return binary.BigEndian.Uint64(p.b[p.i-8:])
}

func (p *parser) short(n uint64) {
	p.fail(fmt.Sprintf("%d bytes", n), fmt.Sprintf("the end of the file after %d", p.n-p.i), ErrTruncated)
	p.i = p.n
}

// bytes are the next n; they are good until the next operand is read. No more is
// kept than has come.
func (p *parser) bytes(n uint64) []byte {
	if n > mostText {
		found := fmt.Sprintf("%d bytes announced", n)
		if p.snap.Packed == "" {
			found += fmt.Sprintf(", %d there", p.left+int64(p.n-p.i))
		}
		p.fail(fmt.Sprintf("at most %d bytes", mostText), found, ErrTooLarge)
		return nil
	}
	for uint64(p.n-p.i) < n && p.last == nil {
		p.more(min(int(n), 2*len(p.b)))
	}
	if uint64(p.n-p.i) < n {
		p.short(n)
		return nil
	}
	p.i += int(n)
	return p.b[p.i-int(n) : p.i]
}

// line reads an operand of protocol 0.
func (p *parser) line() []byte {
	for k := 0; ; {
		if end := bytes.IndexByte(p.b[p.i+k:p.n], '\n'); end >= 0 {
			out := p.b[p.i : p.i+k+end]
			p.i += k + end + 1
			return bytes.TrimSuffix(out, []byte("\r"))
		}
		if k = p.n - p.i; p.last != nil || k > mostText {
			p.short(1)
			return nil
		}
		p.more(k + 1)
	}
}

func (p *parser) text(n uint64) {
	b := p.bytes(n)
	if p.err == nil {
		p.push(p.intern(b))
	}
}

// intern keeps a text once. Bytes that are no UTF-8 become U+FFFD.
func (p *parser) intern(b []byte) value {
	id, ok := p.texts[string(b)]
	if !ok {
		s := string(b)
		id = uint32(len(p.snap.Texts))
		p.texts[s] = id
		if !utf8.ValidString(s) {
			s = strings.ToValidUTF8(s, "\uFFFD")
		}
		p.snap.Texts = append(p.snap.Texts, s)
	}
	return p.numbered(kindText, int(id))
}

// pagePickle finds where the base64 text of the first of local_files begins.
func pagePickle(in io.ReaderAt, size int64) (int64, error) {
	r := bufio.NewReaderSize(io.NewSectionReader(in, 0, size), 64<<10)
	at, files := int64(0), false
	for {
		line, err := r.ReadSlice('"')
		at += int64(len(line))
		switch {
		case files && bytes.HasSuffix(line, []byte(`base64"`)):
			rest, err := r.ReadSlice('"')
			return at + int64(len(rest)), err
		case bytes.Contains(line, []byte("local_files")):
			files = true
		}
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return 0, err
		}
	}
}

// quotedText yields what comes before the next quote.
type quotedText struct{ src *bufio.Reader }

func (q *quotedText) Read(to []byte) (int, error) {
	head, err := q.src.Peek(min(len(to), q.src.Size()))
	if len(head) == 0 {
		return 0, err
	}
	if k := bytes.IndexByte(head, '"'); k >= 0 {
		head = head[:k]
	}
	if len(head) == 0 {
		return 0, io.EOF
	}
	return q.src.Read(to[:len(head)])
}
