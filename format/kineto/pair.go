package kineto

// An open is a slice that has begun and not ended.
type open struct {
	r    row
	kind kind
	at   int    // its place
	text []byte // of the event that began it, where its args have columns
}

// A lane is where begins and ends are paired: a thread for B and E; an id within
// a category for b and e.
type lane struct {
	track uint32
	cat   Text
	id    string
}

// mostOpen is how many slices may be open at once in a lane.
const mostOpen = 1 << 16

func (p *parser) lane(r *row, ph byte) lane {
	if ph == 'B' || ph == 'E' {
		return lane{track: r.track}
	}
	return lane{cat: r.cat, id: string(p.f.id.of(p.b))}
}

// begin opens a slice with the event that stands between two offsets of the window.
func (p *parser) begin(r *row, ph byte, k kind, start, end int) {
	l := p.lane(r, ph)
	if len(p.lanes[l]) >= mostOpen {
		p.unpaired++
		return
	}
	o := open{r: *r, kind: k, at: len(p.places)}
	if k == kindOther {
		o.r.extra = p.extra(&noArgs)
	} else {
		o.text = append(append(make([]byte, 0, end-start+1), p.b[start:end]...), 0)
	}
	p.lanes[l] = append(p.lanes[l], o)
}

// end closes the slice that was opened last in its lane.
func (p *parser) end(r *row, ph byte, at int) {
	l := p.lane(r, ph)
	stack := p.lanes[l]
	if len(stack) == 0 {
		p.unpaired++
		p.tell(at, "an end behind a beginning", "an end of a slice that did not begin", errCorrupt)
		return
	}
	o := stack[len(stack)-1]
	p.lanes[l] = stack[:len(stack)-1]
	o.r.dur = max(r.start-o.r.start, 0)
	p.closed(&o)
}

// closed adds a slice whose end is known, with the args of its beginning.
func (p *parser) closed(o *open) {
	p.table, p.began = tableOf(o.kind), o.at
	if o.kind == kindOther {
		p.f.args.reset()
		p.f.other = span{}
		p.slices(&p.t.Others, &o.r)
		return
	}
	window := p.b
	p.b = o.text
	p.f.event(p.b, len(p.b)-1, 0) // it was sound when it began the slice
	p.slice(&o.r, o.kind)
	p.b = window
}
