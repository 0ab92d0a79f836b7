package kineto

import (
	"bytes"
	"math/bits"
)

// kind is the table that a category of slices goes to.
type kind uint8

const (
	kindOther kind = iota
	kindOp
	kindAnnotation
	kindSpan
	kindPython
	kindCall
	kindKernel
	kindCopy
	kindSet
	kindSync
	kindOverhead
)

// kindOf tells the table of a category; those with capitals are of 2020 and 2021.
func kindOf(cat []byte) kind {
	switch string(cat) {
	case "cpu_op", "Operator":
		return kindOp
	case "user_annotation":
		return kindAnnotation
	case "gpu_user_annotation":
		return kindSpan
	case "python_function":
		return kindPython
	case "cuda_runtime", "cuda_driver", "Runtime", "mtia_runtime", "xpu_runtime", "xpu_driver", "glow_runtime",
		"privateuse1_runtime", "privateuse1_driver":
		return kindCall
	case "kernel", "Kernel":
		return kindKernel
	case "gpu_memcpy", "Memcpy", "memcpy":
		return kindCopy
	case "gpu_memset", "Memset", "memset":
		return kindSet
	case "cuda_sync", "cuda_event", "xpu_sync":
		return kindSync
	case "overhead":
		return kindOverhead
	}
	return kindOther
}

// mostExtraBytes is how much text of args without a column is kept.
const mostExtraBytes = 64 << 20

// A row is an event on its way into a table.
type row struct {
	start, dur int64
	name, cat  Text
	track      uint32
	extra      Text
}

// add lays the event in p.f, which stands between two offsets of the window, into its
// table.
func (p *parser) add(at, end int) {
	f, b := &p.f, p.b
	p.t.Events++
	ph := byte('?')
	if f.ph.kind == quoted && f.ph.end > f.ph.start {
		ph = b[f.ph.start]
	}
	var r row
	if f.cat.kind == quoted {
		r.cat = p.cat(f.cat.of(b))
	}
	c := p.count(r.cat, f.cat.kind != absent, ph)
	c.Events++
	if ph == 'M' {
		p.label()
		return
	}
	ok := true
	if r.start, ok = p.time(f.ts); !ok {
		p.lost(at, "a time in ts", f.ts)
		return
	}
	if text, ok := f.name.text(b); ok {
		r.name = p.name(text)
	}
	r.track = p.track(f.pid, f.tid)
	switch ph {
	case 'X':
		if r.dur, ok = p.time(f.dur); !ok && f.dur.kind != absent {
			p.tell(at, "a time in dur", quote(f.dur.of(b))+"; the event has no duration", errCorrupt)
		}
		r.dur = max(r.dur, 0)
		c.Dur += r.dur
		p.slice(&r, kindOf(f.cat.of(b)))
	case 'B', 'b':
		p.begin(&r, ph, kindOf(f.cat.of(b)), at, end)
	case 'E', 'e':
		p.end(&r, ph, at)
	case 's', 't', 'f':
		p.flow(&r, ph)
		p.table = InFlows
	case 'C':
		r.extra = p.extra(&noArgs)
		p.t.Counters.add(&r)
		p.table = InCounters
	default:
		p.instant(&r)
	}
}

// cat keeps a category; the next event most often has the same.
func (p *parser) cat(b []byte) Text {
	if string(b) == p.lastCat.name {
		return p.lastCat.text
	}
	p.lastCat.text = p.t.Texts.escaped(b)
	p.lastCat.name = p.t.Texts.Of(p.lastCat.text)
	return p.lastCat.text
}

// name keeps a name. The empty name is a name.
func (p *parser) name(b []byte) Text { return p.t.Texts.escaped(b) }

// count finds the counter of a category and phase.
func (p *parser) count(cat Text, has bool, ph byte) *Count {
	k := uint64(cat)<<8 | uint64(ph)
	if k == p.lastCount.key && p.lastCount.at != 0 {
		return &p.t.Counts[p.lastCount.at-1]
	}
	at, ok := p.counts[k]
	if !ok {
		p.t.Counts = append(p.t.Counts, Count{Category: p.t.Texts.Of(cat), Phase: ph})
		at = len(p.t.Counts)
		p.counts[k] = at
	}
	p.lastCount.key, p.lastCount.at = k, at
	return &p.t.Counts[at-1]
}

// time reads ts or dur: 0 and false if it is absent or no number.
func (p *parser) time(v span) (int64, bool) {
	if v.kind == absent || v.kind == nested {
		return 0, false
	}
	return nanoseconds(v.of(p.b))
}

// lost notes an event that has no place in time.
func (p *parser) lost(at int, want string, v span) {
	p.skipped++
	found := "none"
	if v.kind != absent {
		found = quote(v.of(p.b))
	}
	p.tell(at, want, found, errCorrupt)
}

// slice adds a slice to its table.
func (p *parser) slice(r *row, k kind) {
	t := p.t
	p.table = tableOf(k)
	switch k {
	case kindOp, kindAnnotation:
		table := &t.Ops
		if k == kindAnnotation {
			table = &t.Annotations
		}
		p.addOp(table, r)
	case kindPython:
		p.slices(&t.Python.Slices, r)
		t.Python.Index.Add(p.num(argIndex))
		t.Python.ID.Add(p.num(argPythonID))
		t.Python.Parent.Add(p.num(argPythonParent))
		t.Python.Module.Add(p.num(argPythonModule))
	case kindCall:
		r.extra = p.extra(&callArgs)
		p.slices(&t.Calls.Slices, r)
		t.Calls.Correlation.Add(p.num(argCorrelation))
		t.Calls.Cbid.Add(p.num(argCbid))
	case kindKernel:
		p.addKernel(&t.Kernels, r)
	case kindCopy, kindSet:
		table := &t.Copies
		if k == kindSet {
			table = &t.Sets
		}
		p.work(&table.Work, r)
		table.Bytes.Add(p.num(argBytes))
		table.Kind.Add(p.text(argCopyKind))
		table.From.Add(p.num(argFromDevice))
		table.To.Add(p.num(argToDevice))
	case kindSync:
		p.work(&t.Syncs.Work, r)
		t.Syncs.Kind.Add(p.text(argSyncKind))
		t.Syncs.WaitStream.Add(p.num(argWaitStream))
		t.Syncs.WaitEvent.Add(p.num(argWaitEvent))
		t.Syncs.WaitRecord.Add(p.num(argWaitRecord))
		t.Syncs.Event.Add(p.num(argEventID))
	case kindSpan:
		p.slices(&t.GPUSpans, r)
	case kindOverhead:
		p.slices(&t.Overhead, r)
	default:
		r.extra = p.extra(&noArgs)
		p.slices(&t.Others, r)
	}
}

// slices adds what every slice has.
func (p *parser) slices(s *Slices, r *row) {
	s.Start.Add(r.start)
	s.Dur.Add(r.dur)
	s.Name.Add(r.name)
	s.Track.Add(r.track)
	s.Cat.Add(r.cat)
	s.Extra.Add(r.extra)
	s.Linked.Add(p.num(argExternalID))
}

func (p *parser) addOp(t *Ops, r *row) {
	c := p.collective()
	r.extra = p.extra(&opArgs)
	p.slices(&t.Slices, r)
	t.Index.Add(p.num(argIndex))
	t.Sequence.Add(p.num(argSequence))
	t.Forward.Add(p.num(argForwardThread))
	t.Record.Add(p.num(argRecordID))
	t.Dims.Add(p.text(argDims))
	t.Types.Add(p.text(argTypes))
	t.Strides.Add(p.text(argStrides))
	t.Inputs.Add(p.text(argInputs))
	t.Stack.Add(p.text(argCallStack))
	t.Modules.Add(p.text(argModules))
	t.Collective.Add(c)
}

func (p *parser) addKernel(t *Kernels, r *row) {
	c := p.collective()
	p.work(&t.Work, r)
	t.Queued.Add(p.num(argQueued))
	t.Registers.Add(p.small(argRegisters))
	t.Shared.Add(p.num(argShared))
	t.Grid.Add(p.triple(argGrid))
	t.Block.Add(p.triple(argBlock))
	t.BlocksPerSM.Add(p.ratio(argBlocksPerSM))
	t.WarpsPerSM.Add(p.ratio(argWarpsPerSM))
	t.Occupancy.Add(p.small(argOccupancy))
	t.GraphID.Add(p.num(argGraphID))
	t.GraphNode.Add(p.num(argGraphNode))
	t.Priority.Add(p.num(argPriority))
	t.Collective.Add(c)
}

// work adds what all GPU work has: args tell the device and stream before pid and
// tid do, since tools move events to other rows.
func (p *parser) work(t *Work, r *row) {
	r.extra = p.extra(&workArgs)
	p.slices(&t.Slices, r)
	track := &p.t.Tracks[r.track]
	dev, stream, context := p.num(argDevice), p.num(argStream), p.num(argContext)
	if dev == None && stream == None {
		dev, stream, context = p.extraNumber("deviceId"), p.extraNumber("streamId"), p.extraNumber("contextId")
	}
	if dev == None {
		if dev = track.PID; track.PIDText != "" {
			dev = max(lastNumber(track.PIDText), 0)
		}
	}
	if stream == None {
		stream = track.TID
	}
	t.Device.Add(dev)
	t.Stream.Add(stream)
	t.Context.Add(context)
	t.Correlation.Add(p.num(argCorrelation))
}

// extraNumber is a whole number among the args without a column, or None.
func (p *parser) extraNumber(key string) int64 {
	for _, m := range p.f.args.extra {
		if string(m.key.of(p.b)) == key && m.value.kind != nested {
			if n, ok := integer(m.value.of(p.b)); ok {
				return n
			}
		}
	}
	return None
}

// num is an argument that is a whole number, or None.
func (p *parser) num(a argument) int64 {
	v, ok := p.f.args.get(a)
	if !ok || v.kind == nested {
		return None
	}
	if n, ok := integer(v.of(p.b)); ok {
		return n
	}
	return None
}

// small is num within 32 bits, or -1.
func (p *parser) small(a argument) int32 {
	if n := p.num(a); n == int64(int32(n)) {
		return int32(n)
	}
	return -1
}

func (p *parser) triple(a argument) [3]int32 {
	if v, ok := p.f.args.get(a); ok {
		return three(v.of(p.b))
	}
	return [3]int32{}
}

func (p *parser) ratio(a argument) float32 {
	if v, ok := p.f.args.get(a); ok {
		return real(v.of(p.b))
	}
	return 0
}

// text keeps an argument as text: a string, or JSON without white space. The
// empty string and the empty list are none.
func (p *parser) text(a argument) Text {
	v, ok := p.f.args.get(a)
	if !ok || v.start == v.end {
		return 0
	}
	s := v.of(p.b)
	if v.kind == quoted {
		return p.t.Texts.escaped(s)
	}
	if v.kind == nested {
		if s = p.compact(s); len(s) == 2 {
			return 0
		}
	}
	return p.t.Texts.keep(s)
}

// compact takes the white space out of JSON, but leaves one blank behind a comma.
func (p *parser) compact(s []byte) []byte {
	if bytes.IndexByte(s, '\n') < 0 && !bytes.Contains(s, []byte("  ")) {
		return s
	}
	out := p.scratch[:0]
	inside := false
	for i, c := range s {
		switch {
		case c == '"' && (i == 0 || s[i-1] != '\\'):
			inside = !inside
		case !inside && c <= ' ':
			continue
		}
		if out = append(out, c); c == ',' && !inside {
			out = append(out, ' ')
		}
	}
	p.scratch = out
	return out
}

// An argSet is a set of arguments.
type argSet [len(args{}.has)]uint64

func setOf(list ...argument) (s argSet) {
	for _, a := range list {
		s[a>>6] |= 1 << (a & 63)
	}
	return s
}

// The arguments that have columns, by table. What a table has no column for is
// kept as text.
var (
	noArgs         argSet
	collectiveArgs = []argument{argCollective, argDType, argInElements, argOutElements, argGroupSize, argInSplit, argOutSplit, argGroup, argGroupDescription,
		argGroupRanks, argRank, argSrcRank, argDstRank, argSequenceOfComm, argCommsID}
	opArgs = setOf(append([]argument{argExternalID, argIndex, argSequence, argForwardThread, argRecordID, argDims, argTypes, argStrides, argInputs,
		argCallStack, argModules}, collectiveArgs...)...)
	callArgs = setOf(argExternalID, argCorrelation, argCbid)
	workArgs = setOf(append([]argument{argExternalID, argCorrelation, argDevice, argStream, argContext, argQueued, argRegisters, argShared, argGrid, argBlock,
		argBlocksPerSM, argWarpsPerSM, argOccupancy, argGraphID, argGraphNode, argPriority, argBytes, argCopyKind, argFromDevice, argToDevice,
		argSyncKind, argWaitStream, argWaitEvent, argWaitRecord, argEventID}, collectiveArgs...)...)
)

// extra keeps the args that have no column, as JSON without its braces. Past a
// limit they are left out.
func (p *parser) extra(columns *argSet) Text {
	a := &p.f.args
	var rest argSet
	left := len(a.extra) > 0 || p.f.other.kind != absent
	for i := range rest {
		rest[i] = a.has[i] &^ columns[i]
		left = left || rest[i] != 0
	}
	if !left {
		return 0
	}
	out := p.join[:0]
	for _, m := range a.extra {
		out = p.member(out, m.key.of(p.b), m.value)
	}
	for i, set := range rest {
		for ; set != 0; set &= set - 1 {
			k := i<<6 + bits.TrailingZeros64(set)
			out = p.member(out, []byte(argumentNames[k]), a.at[k])
		}
	}
	if p.f.other.kind != absent {
		out = p.member(out, []byte("args"), p.f.other)
	}
	p.join = out
	if p.t.Texts.bytes > mostExtraBytes && len(out) > 64 {
		p.dropped++
		return 0
	}
	return p.t.Texts.keep(out)
}

func (p *parser) member(out, key []byte, v span) []byte {
	if len(out) > 0 {
		out = append(out, ", "...)
	}
	out = append(append(append(out, '"'), key...), `": `...)
	switch v.kind {
	case quoted:
		return append(append(append(out, '"'), v.of(p.b)...), '"')
	case nested:
		return append(out, p.compact(v.of(p.b))...)
	}
	return append(out, v.of(p.b)...)
}

// collective keeps what a collective operation says of itself; 0 if the event is
// none.
func (p *parser) collective() uint32 {
	_, named := p.f.args.get(argCollective)
	if _, comms := p.f.args.get(argCommsID); !named && !comms {
		return 0
	}
	str := func(a argument) string { return p.t.Texts.Of(p.text(a)) }
	num := func(a argument) int64 { return max(p.num(a), -1) }
	c := Collective{Name: str(argCollective), DType: str(argDType), In: num(argInElements), Out: num(argOutElements), GroupSize: num(argGroupSize),
		Group: str(argGroup), Description: str(argGroupDescription), Ranks: str(argGroupRanks), InSplit: str(argInSplit), OutSplit: str(argOutSplit),
		Rank: num(argRank), Source: num(argSrcRank), Target: num(argDstRank), Sequence: num(argSequenceOfComm), Comms: str(argCommsID)}
	n, ok := p.collectives[c]
	if !ok {
		p.t.Collectives = append(p.t.Collectives, c)
		n = uint32(len(p.t.Collectives))
		p.collectives[c] = n
	}
	return n
}
