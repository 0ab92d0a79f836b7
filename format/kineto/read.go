package kineto

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
)

// Limits of what a packed file may grow to.
const (
	freeUnpacked = 1 << 30 // any file may
	mostRatio    = 250     // a larger one may be so many times its size; traces are 20 to 100
)

// parser reads a text into a trace.
type parser struct {
	window
	ctx       context.Context
	t         *Trace
	f         fields
	head      []byte
	array     bool // the array form
	seen      bool // traceEvents was met
	closedAll bool
	instead   string // what was found in the place of traceEvents

	located bool // places are kept
	places  []Place
	table   Table // that the event at hand was added to
	began   int   // the place where the slice began that ended with it; -1

	skipped  int // events left out
	dropped  int // args left out for want of room
	unpaired int // ends without a beginning
	untold   int // problems past the limit

	counts      map[uint64]int
	tracks      map[string]uint32
	labels      map[labelKey]bool
	lanes       map[lane][]open
	collectives map[Collective]uint32
	scratch     []byte
	join        []byte
	lastCat     struct {
		name string
		text Text
	}
	lastCount struct {
		key uint64
		at  int
	}
	lastTrack struct {
		pid, tid []byte
		kinds    [2]uint8
		at       uint32
	}
}

// Read reads a trace of the given size in bytes, plain or gzip whatever its name
// says; name stands in messages. What cannot be read is left out and listed in
// [Trace.Problems]; an error means that there is no trace at all.
func Read(ctx context.Context, in io.ReaderAt, size int64, name string) (*Trace, error) {
	return newParser(ctx, name).readAll(in, size)
}

func (p *parser) readAll(in io.ReaderAt, size int64) (*Trace, error) {
	var magic [2]byte
	_, _ = in.ReadAt(magic[:], 0)
	p.t.Packed = magic == [2]byte{0x1f, 0x8b}
	p.window = *newWindow(io.NewSectionReader(in, 0, size), windowSize)
	if p.t.Packed {
		u, err := unpack(p.src, max(freeUnpacked, mostRatio*size))
		if err != nil {
			return nil, &formatError{File: p.t.File, Want: "gzip", Found: err.Error(), Err: errCorrupt}
		}
		defer u.stop()
		p.src = u
	}
	return p.read()
}

func newParser(ctx context.Context, name string) *parser {
	p := &parser{ctx: ctx}
	p.t = newTrace(name)
	p.reset()
	return p
}

func newTrace(name string) *Trace {
	t := &Trace{File: name, Texts: newTexts(), Rank: -1, World: -1}
	t.setAbsent()
	return t
}

// reset forgets what the parser knows of a trace.
func (p *parser) reset() {
	p.collectives = map[Collective]uint32{}
	p.counts, p.tracks, p.labels, p.lanes = map[uint64]int{}, map[string]uint32{}, map[labelKey]bool{}, map[lane][]open{}
	p.lastCat.name, p.lastCat.text = "\xff", 0
	p.lastCount.at = 0
	p.lastTrack.kinds = [2]uint8{255, 255}
	p.places, p.table, p.began = p.places[:0], NoTable, -1
}

// restart drops the events read so far.
func (p *parser) restart() {
	old := p.t
	p.t = newTrace(old.File)
	p.t.Packed, p.t.Meta, p.t.Problems, p.t.Base, p.t.HasBase = old.Packed, old.Meta, old.Problems, old.Base, old.HasBase
	p.reset()
}

func (p *parser) read() (*Trace, error) {
	p.more()
	p.head = bytes.Clone(p.b[:min(p.n, 8<<10)])
	p.array = bytes.HasPrefix(bytes.TrimLeft(p.head, " \t\r\n\xef\xbb\xbf"), []byte("["))
	if err := p.document(); err != nil {
		return nil, err
	}
	if err := p.ctx.Err(); err != nil {
		return nil, err
	}
	if p.closedAll && p.cut() { // all events are there
		found := p.last.Error()
		if errors.Is(p.last, gzip.ErrHeader) {
			found = "something else behind it, which is left out"
		}
		p.tell(p.n, "a sound end of the gzip file", found, errCorrupt)
	}
	t := p.t
	t.Bytes = p.base + int64(p.n)
	if t.Events == 0 && p.skipped > 0 {
		if what := Neighbour(p.head); what != "" {
			return nil, p.not(what)
		}
	}
	if t.Events > 0 && p.array && noPhases(t.Counts) {
		what := Neighbour(p.head)
		if what == "" {
			what = "an array of objects that are no events"
		}
		return nil, p.not(what)
	}
	p.settle()
	p.summary()
	return t, nil
}

// noPhases reports whether no event had a phase.
func noPhases(counts []Count) bool {
	for _, c := range counts {
		if c.Phase != '?' {
			return false
		}
	}
	return true
}

// summary tells of what was counted rather than told one by one.
func (p *parser) summary() {
	note := func(want, format string, args ...any) {
		p.t.Problems = append(p.t.Problems, &formatError{File: p.t.File, Offset: p.t.Bytes, Want: want, Found: fmt.Sprintf(format, args...), Err: errCorrupt})
	}
	if left := p.unfinished(); left > 0 {
		note("an end of every slice", "%d that began and did not end, which are left out", left)
	}
	if p.skipped > 1 {
		note("sound events", "%d that were left out", p.skipped)
	}
	if p.dropped > 0 {
		note(fmt.Sprintf("at most %d bytes of args without a column", mostExtraBytes), "more: those of %d events are left out", p.dropped)
	}
	if p.untold > 0 {
		note("a sound file", "%d further faults", p.untold)
	}
}

func (p *parser) unfinished() (n int) {
	for _, l := range p.lanes {
		n += len(l)
	}
	return n
}

func (p *parser) cancelled() bool { return p.ctx.Err() != nil }

// An unpacker unpacks gzip ahead of its reader, on a goroutine of its own.
type unpacker struct {
	blocks, free chan []byte
	quit         chan struct{}
	now          []byte
	whole        []byte
	err          error // set before blocks is closed
}

// The blocks that go from the unpacking to the reading goroutine.
const (
	blockSize  = 256 << 10
	blocksKept = 4
)

// unpack begins to unpack; most is how many bytes may come of it.
func unpack(src io.Reader, most int64) (*unpacker, error) {
	z, err := gzip.NewReader(bufio.NewReaderSize(src, 64<<10))
	if err != nil {
		return nil, err
	}
	u := &unpacker{blocks: make(chan []byte, blocksKept), free: make(chan []byte, blocksKept), quit: make(chan struct{})}
	for range blocksKept {
		u.free <- make([]byte, blockSize)
	}
	go u.run(z, most)
	return u, nil
}

func (u *unpacker) run(z io.Reader, most int64) {
	defer close(u.blocks)
	for {
		var b []byte
		select {
		case b = <-u.free:
		case <-u.quit:
			return
		}
		n, err := fill(z, b)
		if most -= int64(n); most < 0 && err == nil {
			err = fmt.Errorf("the file unpacks to more than %d times its size: %w", mostRatio, errTooLarge)
		}
		u.err = err
		select {
		case u.blocks <- b[:n]:
		case <-u.quit:
			return
		}
		if err != nil {
			return
		}
	}
}

// fill reads until b is full or there is no more; unlike io.ReadFull it keeps
// the reader's own words for a file that ends too early.
func fill(z io.Reader, b []byte) (n int, err error) {
	for n < len(b) && err == nil {
		var k int
		k, err = z.Read(b[n:])
		n += k
	}
	return n, err
}

// Read hands out what was unpacked.
func (u *unpacker) Read(to []byte) (int, error) {
	if len(u.now) == 0 {
		if u.whole != nil {
			u.free <- u.whole[:blockSize]
			u.whole = nil
		}
		b, ok := <-u.blocks
		if !ok {
			return 0, u.failure()
		}
		u.now, u.whole = b, b[:cap(b)]
	}
	n := copy(to, u.now)
	u.now = u.now[n:]
	return n, nil
}

func (u *unpacker) failure() error {
	if u.err == nil {
		return io.EOF
	}
	return u.err
}

func (u *unpacker) stop() { close(u.quit) }
