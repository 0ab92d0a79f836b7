package kineto

// An open is a slice that has begun and not ended.
type open struct {
	r    row
	kind kind
	at   int // its place
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

// begin opens a slice.
func (p *parser) begin(r *row, ph byte, k kind) {
	l := p.lane(r, ph)
	if len(p.lanes[l]) >= mostOpen {
		p.unpaired++
		return
	}
	if k != kindAnnotation {
		k = kindOther // the args of work are those of its end at the earliest
	}
	r.extra = p.extra(&noArgs)
	p.lanes[l] = append(p.lanes[l], open{r: *r, kind: k, at: len(p.places)})
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

// closed adds a slice whose end is known.
func (p *parser) closed(o *open) {
	p.f.args.reset()
	p.f.other = span{}
	p.table, p.began = tableOf(o.kind), o.at
	if o.kind == kindAnnotation {
		extra := o.r.extra
		p.addOp(&p.t.Annotations, &o.r)
		if extra != 0 {
			p.t.Annotations.Extra.Set(p.t.Annotations.Rows()-1, extra)
		}
		return
	}
	p.slices(&p.t.Others, &o.r)
}
