package amd

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
)

// ErrApart is wrapped by the error about traces that are not parts of one.
var ErrApart = errors.New("not parts of one recording")

// Merge writes traces that are parts of one as one: every line as often as the part
// that has it most often. A trace tells of one process, whose threads it numbers, and
// has no place for a second: traces of different processes are refused. Calls, packets
// and ranges come in the order of their times.
func Merge(to io.Writer, parts ...*Trace) error {
	first := parts[0]
	for _, t := range parts {
		if len(t.Problems) > 0 {
			return fmt.Errorf("a damaged trace is not written: %w", t.Problems[0])
		}
		if !slices.Equal(t.Header, first.Header) {
			return fmt.Errorf("%s and %s have different headers: %w", first.Name, t.Name, ErrApart)
		}
		if !slices.EqualFunc(t.Sections, first.Sections, func(a, b *Section) bool { return a.Title == b.Title && slices.Equal(a.Lines, b.Lines) }) {
			return fmt.Errorf("%s and %s have different sections: %w", first.Name, t.Name, ErrApart)
		}
	}
	m := &merging{writer: &writer{w: bufio.NewWriterSize(to, 1<<16), crlf: first.CRLF}, parts: parts}
	for _, e := range first.Header {
		m.line(e.Key, e.Sep, e.Value)
	}
	m.threads()
	for i, s := range first.Sections {
		m.line("=====", s.Title, "=====")
		for _, l := range s.Lines {
			m.line(l)
		}
		m.section(i)
	}
	return m.finish(false)
}

// A unit is what stands for one call: its lines in three sections.
type unit struct {
	call, stamp, frame string
	timed              bool
	start              uint64
}

// merging holds the calls of all parts by thread.
type merging struct {
	*writer
	parts []*Trace
	of    map[threadKey][]unit
	order []threadKey
}

type threadKey struct {
	module string
	id     uint64
	nth    int // of the threads of this number
}

// threads joins the calls of all parts.
func (m *merging) threads() {
	m.of = map[threadKey][]unit{}
	for _, t := range m.parts {
		stamps := t.stampLines()
		for _, module := range t.Modules() {
			sources := t.frameBlocks(module)
			seen := map[uint64]int{}
			for _, th := range t.Threads(module) {
				key := threadKey{module, th.ID, seen[th.ID]}
				seen[th.ID]++
				if _, ok := m.of[key]; !ok {
					m.order = append(m.order, key)
				}
				m.of[key] = union(m.of[key], t.units(th, stamps, matching(sources, th)))
			}
		}
	}
	for _, l := range m.of {
		inTime(l)
	}
}

// inTime sorts calls by time; one without stays behind the one before it.
func inTime(l []unit) {
	at := uint64(0)
	for i := range l {
		if l[i].timed {
			at = l[i].start
		}
		l[i].start = at
	}
	slices.SortStableFunc(l, func(a, b unit) int { return cmp.Compare(a.start, b.start) })
}

// union is a with what b has more of.
func union[T comparable](a, b []T) []T {
	have := map[T]int{}
	for _, x := range a {
		have[x]++
	}
	for _, x := range b {
		if have[x]--; have[x] < 0 {
			a = append(a, x)
		}
	}
	return a
}

// stampLines writes the entries of all blocks of times as lines.
func (t *Trace) stampLines() map[*StampBlock][]string {
	out := map[*StampBlock][]string{}
	for _, s := range t.Sections {
		for _, b := range s.Stamps {
			lines := make([]string, b.len())
			for i := range lines {
				x := &writer{w: bufio.NewWriter(io.Discard)}
				x.stampText(t, b, i)
				lines[i] = string(x.b)
			}
			out[b] = lines
		}
	}
	return out
}

// units are the calls of a thread.
func (t *Trace) units(th *Thread, stamps map[*StampBlock][]string, frames *TextBlock) []unit {
	out, said := make([]unit, th.n), 0
	for i := range out {
		u := &out[i]
		u.call = th.Text(i)
		if k := th.stamp(i); k >= 0 {
			u.stamp = stamps[th.stamps][k]
			_, u.start, _, u.timed = th.Times(i)
		}
		at := i
		if frames != nil && len(frames.Lines) != th.n {
			if at = said; th.Polls(i) {
				at = -1
			}
		}
		if !th.Polls(i) {
			said++
		}
		if frames != nil && at >= 0 {
			u.frame = frames.Lines[at]
		}
	}
	return out
}

// section writes section i of all parts.
func (m *merging) section(i int) {
	s := m.parts[0].Sections[i]
	switch s.Kind {
	case APITrace:
		m.units(s.Module, func(u *unit) string { return u.call })
	case Timestamps:
		m.units(s.Module, func(u *unit) string { return u.stamp })
	case StackTrace:
		m.units(s.Module, func(u *unit) string { return u.frame })
	case KernelTimestamps:
		m.packets(i)
	case PerfMarkers:
		m.markers(i)
	}
}

// units writes the blocks of a section: of each call the line that belongs there.
func (m *merging) units(module string, line func(*unit) string) {
	for _, key := range m.order {
		if key.module != module {
			continue
		}
		var lines []string
		for i := range m.of[key] {
			if l := line(&m.of[key][i]); l != "" {
				lines = append(lines, l)
			}
		}
		if lines == nil && len(m.of[key]) > 0 {
			continue // no part has the thread here
		}
		m.block(key.id, len(lines), -1)
		for _, l := range lines {
			m.line(l)
		}
	}
}

func (m *merging) packets(i int) {
	type packet struct {
		line  string
		start uint64
	}
	var all []packet
	for _, t := range m.parts {
		var own []packet
		at := uint64(0)
		for k := range t.Sections[i].Packets {
			p := &t.Sections[i].Packets[k]
			x := &writer{w: bufio.NewWriter(io.Discard)}
			x.packetText(p)
			if p.Dispatch {
				at = p.Start
			}
			own = append(own, packet{string(x.b), at})
		}
		all = union(all, own)
	}
	slices.SortStableFunc(all, func(a, b packet) int { return cmp.Compare(a.start, b.start) })
	m.line(strconv.Itoa(len(all)))
	for _, p := range all {
		m.line(p.line)
	}
}

// A span is a range that the application marked: the lines of its ends.
type span struct {
	begin, end string
	from, to   uint64
}

func (m *merging) markers(i int) {
	all, order := map[uint64][]span{}, []uint64{}
	for _, t := range m.parts {
		for _, b := range t.Sections[i].Blocks {
			if _, ok := all[b.Thread]; !ok {
				order = append(order, b.Thread)
			}
			all[b.Thread] = union(all[b.Thread], spansOf(b))
		}
	}
	for _, thread := range order {
		lines := nested(all[thread])
		m.block(thread, len(lines), -1)
		for _, l := range lines {
			m.line(l)
		}
	}
}

// spansOf pairs the lines of a block.
func spansOf(b *TextBlock) (out []span) {
	var open []int
	for _, l := range b.Lines {
		x, ok := ParseMarker(l)
		switch {
		case !ok:
		case x.Begin:
			open = append(open, len(out))
			out = append(out, span{begin: l, from: x.Time, to: 1<<64 - 1})
		case len(open) > 0:
			s := &out[open[len(open)-1]]
			s.end, s.to = l, x.Time
			open = open[:len(open)-1]
		default: // an end alone
			out = append(out, span{end: l, from: x.Time, to: x.Time})
		}
	}
	return out
}

// nested lists the lines of ranges as they follow each other.
func nested(all []span) (lines []string) {
	slices.SortStableFunc(all, func(a, b span) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(b.to, a.to)) })
	var open []span
	closeUpTo := func(at uint64) {
		for len(open) > 0 && open[len(open)-1].to <= at {
			if s := open[len(open)-1]; s.end != "" {
				lines = append(lines, s.end)
			}
			open = open[:len(open)-1]
		}
	}
	for _, s := range all {
		closeUpTo(s.from)
		if s.begin == "" {
			lines = append(lines, s.end)
			continue
		}
		lines = append(lines, s.begin)
		open = append(open, s)
	}
	closeUpTo(1<<64 - 2)
	return lines
}
