package torchmem

import (
	"fmt"
	"strings"
)

// assemble makes the snapshot of what the pickle made.
func (p *parser) assemble(top value) {
	p.at = p.snap.Bytes
	switch {
	case top.kind() == kindList && p.ofSegments(top):
		p.snap.ListOnly = true
		p.takeSegments(top)
		return
	case top.kind() == kindDict && p.dict(top).tag() == objGeneric:
		p.takeKeys(p.pairs[p.dict(top).row()])
		return
	}
	p.notSnapshot(top.kind().String())
}

func (p *parser) notSnapshot(found string) {
	p.fail("a snapshot: a dict with segments and device_traces, or a list of segments", found, ErrNotSnapshot)
}

// ofSegments reports whether the first value of a list is a segment.
func (p *parser) ofSegments(v value) bool {
	o := p.list(v)
	return o.tag() == objGeneric && p.resolve(p.generic[o.row()][0].first).tag() == objSegment
}

func (p *parser) takeKeys(pairs []value) {
	var f fields
	f.collect(pairs)
	if !f.any(keySegments, keyTraces, keyOldTraces) {
		p.notSnapshot("a dict without segments")
		return
	}
	if f.any(keySegments) {
		p.takeSegments(f.at[keySegments])
	}
	for _, k := range []int{keyTraces, keyOldTraces} {
		if f.any(k) {
			p.each(f.at[k], keyNames[k], p.takeTrace)
		}
	}
	if f.any(keyAnnotations) {
		p.each(f.at[keyAnnotations], keyNames[keyAnnotations], func(v value) { p.resolve(v) })
	}
	if v := f.at[keySettings]; f.any(keySettings) && v.kind() == kindDict && p.dict(v).tag() == objGeneric {
		items := p.pairs[p.dict(v).row()]
		for i := 0; i+1 < len(items); i += 2 {
			p.snap.Settings = append(p.snap.Settings, Setting{p.show(items[i], 0), p.show(items[i+1], 0)})
		}
	}
	for i := 0; i < len(pairs); i += 2 {
		if k := pairs[i]; k.kind() == kindText && k.n() >= keyCount {
			p.snap.Keys = append(p.snap.Keys, p.snap.Texts[k.n()])
		}
	}
}

func (p *parser) takeSegments(list value) {
	var order []Segment
	p.each(list, "segments", func(v value) {
		o := p.resolve(v)
		if o.tag() != objSegment {
			p.corrupt("a segment with blocks", "%s", v.kind())
			return
		}
		s := &p.segments[o.row()]
		for range len(s.Blocks) + 1 {
			p.take(&p.taken.segments, len(p.segments)+len(p.blocks), "segments and blocks")
		}
		order = append(order, *s)
	})
	p.snap.Segments = order
}

func (p *parser) takeTrace(v value) {
	if p.err != nil {
		return
	}
	var t Trace
	p.take(&p.taken.traces, 0, "traces")
	p.each(v, "device_traces", func(v value) {
		o := p.resolve(v)
		if o.tag() != objEvent {
			p.corrupt("an event with action", "%s", v.kind())
			return
		}
		p.take(&p.taken.events, p.snap.Events.Action.Len(), "events")
		t.add(o.row())
	})
	p.snap.Traces = append(p.snap.Traces, t)
}

// show writes a value of the settings.
func (p *parser) show(v value, depth int) string {
	switch v.kind() {
	case kindText:
		return p.snap.Texts[v.n()]
	case kindBool:
		return fmt.Sprint(v.n() != 0)
	case kindFloat:
		return fmt.Sprint(p.floats[v.n()])
	case kindInt, kindWide:
		n, ok := p.signed(v)
		if !ok {
			bits, _ := p.bits(v)
			return fmt.Sprint(bits)
		}
		return fmt.Sprint(n)
	case kindDict:
		o := p.dict(v)
		if o.tag() != objGeneric || depth > 0 {
			return "{}"
		}
		var out []string
		items := p.pairs[o.row()]
		for i := 0; i+1 < len(items); i += 2 {
			out = append(out, p.show(items[i], 1)+": "+p.show(items[i+1], 1))
		}
		return "{" + strings.Join(out, ", ") + "}"
	}
	return v.kind().String()
}
