package ranks

import (
	"encoding/binary"
	"fmt"

	"github.com/gpuprof/gpuprof/steps"
)

// What a partial has most of, calls and spans, stays packed: a thousand ranks with
// ten thousand collectives each lie in memory as they lie in files. It is checked
// once, when it is read, and gone over from the front as often as needed.

// callColumns are the columns of packed calls.
const callColumns = 7

// packCalls writes calls column by column: starts as differences, lengths, and the
// rest as differences.
func packCalls(calls []Call) []byte {
	var p packer
	column := func(of func(c *Call) int64) {
		var before int64
		for i := range calls {
			v := of(&calls[i])
			p.int(v - before)
			before = v
		}
	}
	column(func(c *Call) int64 { return c.Start })
	for i := range calls {
		p.int(calls[i].End - calls[i].Start)
	}
	column(func(c *Call) int64 { return int64(c.Class) })
	column(func(c *Call) int64 { return int64(c.Calls) })
	column(func(c *Call) int64 { return c.Bytes })
	column(func(c *Call) int64 { return int64(c.Size) })
	column(func(c *Call) int64 { return int64(c.Step) })
	return p.b
}

// index finds where the columns begin, and refuses what is no list of calls of a
// partial with so many steps.
func (c *Channel) index(steps int) error {
	u := newUnpacker(c.packed)
	if c.Count < 0 || c.Count > len(c.packed)/callColumns {
		return fmt.Errorf("channel: expected %d collectives, found %d bytes", c.Count, len(c.packed))
	}
	for k := range c.column {
		c.column[k] = len(c.packed) - len(u.b)
		var v int64
		for range c.Count {
			switch d := u.int(); k {
			case 1:
				v = d
			default:
				v += d
			}
			switch {
			case k == 0 && (v <= -1<<62 || v >= 1<<62):
				u.fail("expected a time, found %d", v)
			case k == 1 && (v < 0 || v >= 1<<62):
				u.fail("expected a duration, found %d", v)
			case k == callColumns-1 && (v < -1 || v >= int64(steps)):
				u.fail("expected a step below %d, found %d", steps, v)
			}
			if u.err != nil {
				return u.err
			}
		}
	}
	if len(u.b) > 0 {
		u.fail("expected the end, found %d bytes", len(u.b))
	}
	return u.err
}

// A callReader goes over the calls of a channel.
type callReader struct {
	packed []byte
	column [callColumns]int
	left   int
	class  int64
	Call
}

func (c *Channel) reader() callReader {
	return callReader{packed: c.packed, column: c.column, left: c.Count}
}

// delta reads the next number of a column, of which index knows that it is there.
func (r *callReader) delta(k int) int64 {
	at := r.column[k]
	if v := r.packed[at]; v < 0x80 {
		r.column[k] = at + 1
		return int64(v>>1) ^ -int64(v&1)
	}
	v, n := binary.Varint(r.packed[at:])
	r.column[k] = at + n
	return v
}

// next goes to the next call, the first at first.
func (r *callReader) next() bool {
	if r.left == 0 {
		return false
	}
	r.left--
	r.Start += r.delta(0)
	r.End = r.Start + r.delta(1)
	r.class += r.delta(2)
	r.Class = steps.Class(min(uint64(r.class), uint64(steps.Classes)))
	r.Calls += int32(r.delta(3))
	r.Bytes += r.delta(4)
	r.Size += int32(r.delta(5))
	r.Step += int32(r.delta(6))
	return true
}

// batch is how many calls are read ahead: of a thousand members one after the other,
// each has its bytes to itself for as long.
const batch = 16

// A callBatch goes over the calls of a channel.
type callBatch struct {
	*Call // the present one, until next
	callReader
	ahead [batch]Call
	i, n  int // of ahead
}

func (r *callBatch) next() bool {
	if r.i++; r.i >= r.n {
		r.i, r.n = 0, 0
		for r.n < batch && r.callReader.next() {
			r.ahead[r.n] = r.callReader.Call
			r.n++
		}
		if r.n == 0 {
			return false
		}
	}
	r.Call = &r.ahead[r.i]
	return true
}

// Calls are the collectives of the channel, by start.
func (c *Channel) Calls() []Call { return c.appendTo(make([]Call, 0, c.Count)) }

func (c *Channel) appendTo(list []Call) []Call {
	for r := c.reader(); r.next(); {
		list = append(list, r.Call)
	}
	return list
}

// A spanList is a packed union of spans: distance from the end before, length.
type spanList struct {
	packed []byte
	count  int
}

func packSpans(list []steps.Span) spanList {
	var p packer
	var before int64
	for _, s := range list {
		p.int(s.Start - before)
		p.int(s.End - s.Start)
		before = s.End
	}
	return spanList{p.b, len(list)}
}

// spans reads a list of spans and checks it.
func (u *unpacker) spans() spanList {
	l := spanList{u.b, u.count("spans")}
	l.packed = u.b
	var at int64
	for range l.count {
		start := at + u.int()
		end := start + u.duration()
		if start <= -1<<62 || end >= 1<<62 || end < start {
			u.fail("expected a time within 2^62 ns of zero, found %d", start)
		}
		at = end
	}
	if u.err != nil {
		return spanList{}
	}
	l.packed = l.packed[:len(l.packed)-len(u.b)]
	return l
}

// A spanReader goes over a list of spans.
type spanReader struct {
	steps.Span
	list  spanList
	at    int // in packed
	left  int
	asked int64 // last start of within
	ok    bool
}

func (l spanList) reader() *spanReader { return &spanReader{list: l, left: l.count} }

func (r *spanReader) next() bool {
	if r.ok = r.left > 0; !r.ok {
		return false
	}
	r.left--
	gap, n := binary.Varint(r.list.packed[r.at:])
	length, m := binary.Varint(r.list.packed[r.at+n:])
	r.at += n + m
	r.Start = r.End + gap
	r.End = r.Start + length
	return true
}

// within is how long the spans run inside one. It is fast where it is asked about
// spans in the order of their starts.
func (r *spanReader) within(in steps.Span) (sum int64) {
	if in.Start < r.asked || !r.ok && r.left == r.list.count {
		*r = *r.list.reader()
		r.next()
	}
	r.asked = in.Start
	for r.ok && r.End <= in.Start {
		r.next()
	}
	for look := *r; look.ok && look.Start < in.End; look.next() {
		sum += min(look.End, in.End) - max(look.Start, in.Start)
	}
	return sum
}
