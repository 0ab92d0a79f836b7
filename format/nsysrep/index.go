package nsysrep

import (
	"context"
	"fmt"
	"sync"
)

// Unknown is what the package does not know: a field of events of a type, or
// all there is to events of a type, with Field 0; Family is the field that holds
// the event. Or calls of a class, or a field of a message inside of events of a
// kind.
type Unknown struct {
	Type, Family, Field int
	Class               int
	Inside              bool
	Kind                Kind
}

// A Domain is an NVTX domain as the program made it.
type Domain struct {
	GlobalTid, ID int64
	Name          string
}

// An Index tells how many events of each kind the frames hold. [Index.Scan]
// reads them.
type Index struct {
	Unknown  map[Unknown]int
	Domains  []Domain
	Problems []error // frames, or what lies behind a place in them, that were left out

	file   *File
	frames []frameIndex
	nested [Kinds][2]sync.Once // unknown fields inside are counted by the first scan
	mu     sync.Mutex
}

// A frameIndex counts the events of a frame.
type frameIndex struct {
	count [Kinds]count
	page  *page // nil: to be read again; without msg: only to be unpacked
}

type count struct{ events, stacks, frames int32 }

// A page is an unpacked frame with its events by kind: those of kind k are at
// at[start[k]:start[k+1]], offsets of their payloads in msg.
type page struct {
	msg   []byte
	start [Kinds + 1]int32
	at    []payload
}

type payload struct{ at, size uint32 }

// Index reads all frames, in parallel, and counts their events. Of what it finds
// up to keep bytes are kept for scans: the places of events, which take about an
// eighth of the frames, and as many unpacked frames as there is room for.
func (f *File) Index(ctx context.Context, keep int64) (*Index, error) {
	x := &Index{Unknown: map[Unknown]int{}, file: f, frames: make([]frameIndex, len(f.Frames))}
	whole := make([]bool, len(f.Frames))
	for i, fr := range f.Frames {
		if keep -= int64(fr.Size) / 8; keep < 0 {
			break
		}
		x.frames[i].page = &page{}
	}
	for i, fr := range f.Frames {
		if keep -= int64(fr.Size); keep < 0 {
			break
		}
		whole[i] = true
	}
	err := inOrder(ctx, len(f.Frames), func() *walker { return &walker{} }, func(w *walker, i int) *walked {
		out := &walked{unknown: map[Unknown]int{}}
		p := x.frames[i].page
		if p == nil {
			p = &w.page
		}
		if !whole[i] {
			p.msg = w.page.msg
		}
		out.err = f.index(f.Frames[i], p, w, out)
		if !whole[i] {
			w.page.msg = p.msg
			if p != &w.page {
				p.msg = nil
			}
		}
		return out
	}, func(i int, out *walked) error {
		x.frames[i].count = out.count
		for k, n := range out.unknown {
			x.Unknown[k] += n
		}
		x.Domains = append(x.Domains, out.domains...)
		if out.err != nil {
			x.Problems = append(x.Problems, out.err)
		}
		return nil
	})
	return x, err
}

// Count returns how many events of a kind there are, how many of them have a
// stack, and how many frames the stacks have together.
func (x *Index) Count(k Kind) (events, stacks, frames int) {
	for i := range x.frames {
		c := &x.frames[i].count[k]
		events, stacks, frames = events+int(c.events), stacks+int(c.stacks), frames+int(c.frames)
	}
	return events, stacks, frames
}

const (
	// maxEvents bounds the events of a frame, and so what one with empty events
	// can cost; tools write up to 7000. maxStack does so for the frames of stacks.
	maxEvents = 1 << 16
	maxStack  = 1 << 20
)

// A walker is what a worker keeps from frame to frame.
type walker struct {
	packed []byte
	page   page
	kinds  []Kind
	order  []payload
}

// walked is what was found in a frame.
type walked struct {
	count   [Kinds]count
	unknown map[Unknown]int
	domains []Domain
	err     error
}

// index unpacks a frame into p and sorts its events by kind.
func (f *File) index(fr Frame, p *page, w *walker, out *walked) error {
	buf := p.msg[:0]
	msg, err := f.unpack(fr, &w.packed, &buf)
	p.msg, p.start, p.at = msg, [Kinds + 1]int32{}, p.at[:0]
	if err != nil {
		p.msg = nil
		return err
	}
	w.kinds, w.order = w.kinds[:0], w.order[:0]
	events := 0
	for at := 0; at < len(msg); {
		tag, n := uvarint(msg[at:])
		size, k := uint64(0), 0
		if tag == 1<<3|2 {
			size, k = uvarint(msg[at+n:])
		}
		if n == 0 || tag == 1<<3|2 && (k == 0 || size > uint64(len(msg)-at-n-k)) {
			err = f.fail(fr.Offset, "events that fill the frame", fmt.Sprintf("%x at byte %d of it; the rest is left out", msg[at:min(len(msg), at+8)], at))
			break
		}
		if tag != 1<<3|2 {
			if n = fieldSize(msg[at:]); n == 0 {
				err = f.fail(fr.Offset, "a field", fmt.Sprintf("%x at byte %d of the frame; the rest is left out", msg[at:min(len(msg), at+8)], at))
				break
			}
			out.unknown[Unknown{Field: int(tag >> 3)}]++
			at += n
			continue
		}
		if events++; events > maxEvents {
			err = f.fail(fr.Offset, fmt.Sprintf("at most %d events in a frame", maxEvents), "more: the rest is left out")
			break
		}
		at += n + k
		w.event(msg, at, int(size), out)
		at += int(size)
	}
	p.sort(w)
	return err
}

// sort puts the events of a frame in the order of their kinds.
func (p *page) sort(w *walker) {
	for _, k := range w.kinds {
		p.start[k+1]++
	}
	for k := range Kinds {
		p.start[k+1] += p.start[k]
	}
	if cap(p.at) < len(w.kinds) {
		p.at = make([]payload, len(w.kinds))
	}
	p.at = p.at[:len(w.kinds)]
	next := p.start
	for i, k := range w.kinds {
		p.at[next[k]] = w.order[i]
		next[k]++
	}
}

// events are the payloads of a kind.
func (p *page) events(k Kind) []payload { return p.at[p.start[k]:p.start[k+1]] }
