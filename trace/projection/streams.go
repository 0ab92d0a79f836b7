package projection

import (
	"cmp"
	"context"
	"slices"

	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/trace/interval"
)

// A Stream is where work of a GPU runs.
type Stream struct {
	Process                 trace.GlobalID
	Device, Context, Stream int64
}

// A Span is what a range looked like on a stream.
type Span struct {
	Range      int32 // in trace.Ranges
	Stream     int32 // in the list of streams
	Ops        int32 // operations of the range on the stream
	Start, End int64 // ns, of the first and the last of them
}

// Tables are those that [OntoStreams] reads, for who has no further use of them.
var Tables = []string{trace.TableNvtx, trace.TableRuntime, trace.TableKernel, trace.TableMemcpy, trace.TableMemset}

// OntoStreams projects each range onto each stream that worked for it. Spans come
// by start, longer ones first. Operations whose times make no sense (see
// package interval) take no part. The trace may have no calls, no work or no
// ranges; then there are no spans.
func OntoStreams(ctx context.Context, tr *trace.Trace, r *trace.Ranges) ([]Span, []Stream, error) {
	if r == nil || r.Len() == 0 {
		return nil, nil, nil
	}
	calls, err := tr.Table(ctx, trace.TableRuntime, "start", "end", "globalTid", "correlationId")
	if err != nil || calls == nil || calls.Rows == 0 {
		return nil, nil, err
	}
	work, err := tr.Activities(ctx, "deviceId", "contextId", "streamId")
	if err != nil || len(work) == 0 {
		return nil, nil, err
	}
	o := caused(calls, work)
	p := &projector{first: make([]int32, r.Len())}
	Sweep(calls, r, func(row int) bool { return o.first[row] != 0 }, func(rng, row int32) {
		if rng < 0 {
			return
		}
		for k := o.first[row]; k != 0; k = o.ops[k-1].next {
			p.add(rng, &o.ops[k-1])
		}
	})
	slices.SortFunc(p.spans, func(a, b Span) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End), cmp.Compare(a.Range, b.Range), cmp.Compare(a.Stream, b.Stream))
	})
	return p.spans, o.streams, ctx.Err()
}

// An operation is work of a GPU.
type operation struct {
	start, end int64
	stream     int32
	next       int32 // of the same call, plus one; 0: none
}

// operations are those that calls caused.
type operations struct {
	ops     []operation
	first   []int32 // of each call, plus one; 0: none
	streams []Stream
}

func caused(calls *trace.Table, work []*trace.Table) *operations {
	o := &operations{first: make([]int32, calls.Rows)}
	number := map[Stream]int32{}
	find := trace.NewIndex(calls.Ints("globalTid"), calls.Ints("correlationId"))
	for _, t := range work {
		start, end, pid, corr := t.Ints("start"), t.Ints("end"), t.Ints("globalPid"), t.Ints("correlationId")
		device, context, stream := t.Ints("deviceId"), t.Ints("contextId"), t.Ints("streamId")
		o.ops = slices.Grow(o.ops, t.Rows)
		lately, n := Stream{Device: -1}, int32(-1)
		for i := range start {
			if !interval.Sound(start[i], end[i]) {
				continue
			}
			for r := find.Find(pid[i], corr[i]); r >= 0; r = find.Next(r) {
				s := Stream{trace.GlobalID(pid[i]).Process(), device[i], context[i], stream[i]}
				if n < 0 || s != lately {
					var known bool
					if n, known = number[s]; !known {
						n = int32(len(o.streams))
						o.streams = append(o.streams, s)
						number[s] = n
					}
					lately = s
				}
				o.ops = append(o.ops, operation{start[i], end[i], n, o.first[r]})
				o.first[r] = int32(len(o.ops))
			}
		}
	}
	return o
}

// A projector adds operations to the spans of their range. The spans of a range,
// one for each stream, are a chain, as few have many; those of a long one are in
// far, so that a file of a stream for each operation takes no longer.
type projector struct {
	spans []Span
	first []int32 // span of each range, plus one; 0: none
	next  []int32 // span of the same range, plus one
	far   map[[2]int32]int32
}

// nearby is how many spans of a chain are looked at.
const nearby = 8

func (p *projector) add(rng int32, op *operation) {
	k := p.first[rng]
	for n := 0; k != 0 && p.spans[k-1].Stream != op.stream; n++ {
		if k = p.next[k-1]; n == nearby {
			k = p.far[[2]int32{rng, op.stream}]
			break
		}
	}
	if k != 0 {
		s := &p.spans[k-1]
		s.Start, s.End, s.Ops = min(s.Start, op.start), max(s.End, op.end), s.Ops+1
		return
	}
	p.spans = append(p.spans, Span{Range: rng, Stream: op.stream, Ops: 1, Start: op.start, End: op.end})
	p.next = append(p.next, p.first[rng])
	p.first[rng] = int32(len(p.spans))
	before := p.next[len(p.next)-1]
	if before == 0 {
		return // most ranges have one, which needs no map
	}
	if p.far == nil {
		p.far = map[[2]int32]int32{}
	}
	p.far[[2]int32{rng, p.spans[before-1].Stream}] = before
	p.far[[2]int32{rng, op.stream}] = p.first[rng]
}
