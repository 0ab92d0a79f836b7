package amd

import "math"

// A Thread joins the calls of a thread with their times.
type Thread struct {
	ID     uint64
	Module string

	trace  *Trace
	calls  *CallBlock  // nil where the API section is lost
	stamps *StampBlock // nil where the timestamp section is lost
	pair   []int32     // stamp of each call, -1 for none; nil: the same position
	polls  uint32      // the name of calls that poll, as index of Trace.APIs
	n      int
}

// A Call is one call of an API with all that a trace knows about it.
type Call struct {
	CallText
	API     uint32 // name, as index of Trace.APIs
	Whole   bool   // the line of the API section is there and complete
	Timed   bool
	ID      int32 // number of the API in the profiler's table, -1 for none
	Start   uint64
	End     uint64
	Enqueue *Enqueue // command that the call put into a queue, or nil
	Copy    *Copy    // times of the copy that an HSA call began, or nil
	Line    int      // in the API section, 0 where lost
	Stamp   int      // line in the timestamp section, 0 where there is none
}

// Len is the number of calls.
func (t *Thread) Len() int { return t.n }

// stamp returns the position of the times of call i, or -1.
func (t *Thread) stamp(i int) int {
	switch {
	case t.stamps == nil:
		return -1
	case t.pair != nil:
		return int(t.pair[i])
	case i < t.stamps.len():
		return i
	}
	return -1
}

// apis are the names of all calls.
func (t *Thread) apis() []uint32 {
	if t.calls != nil {
		return t.calls.API
	}
	return t.stamps.API
}

// API returns the name of call i as index of Trace.APIs.
func (t *Thread) API(i int) uint32 {
	if t.calls != nil {
		return t.calls.API[i]
	}
	return t.stamps.API[i]
}

// Times returns start and end of call i in ns without reading its text; api is
// its name as index of Trace.APIs.
func (t *Thread) Times(i int) (api uint32, start, end uint64, timed bool) {
	k := t.stamp(i)
	api = t.API(i)
	if k < 0 || !t.stamps.timed(k) {
		return api, 0, 0, false
	}
	return api, t.stamps.Start[k], t.stamps.End[k], true
}

// Timed reports whether call i has times.
func (t *Thread) Timed(i int) bool {
	k := t.stamp(i)
	return k >= 0 && t.stamps.timed(k)
}

// APIID returns the number that the profiler gave the API of call i, or -1.
func (t *Thread) APIID(i int) int32 {
	if k := t.stamp(i); k >= 0 {
		return max(t.stamps.ID[k], noID)
	}
	return noID
}

// Enqueue returns the command that call i put into a queue, or nil.
func (t *Thread) Enqueue(i int) *Enqueue {
	if k := t.stamp(i); k >= 0 {
		return t.stamps.enqueue(k)
	}
	return nil
}

// Copy returns the copy that call i of HSA began, or nil.
func (t *Thread) Copy(i int) *Copy {
	if k := t.stamp(i); k >= 0 {
		return t.stamps.copy(k)
	}
	return nil
}

// Text returns the line of call i in the API section, "" where lost.
func (t *Thread) Text(i int) string {
	if t.calls == nil {
		return ""
	}
	return t.calls.Lines[i]
}

// Call returns call i.
func (t *Thread) Call(i int) Call {
	c := Call{ID: noID}
	if t.calls != nil {
		c.CallText, c.Whole = ParseCall(t.calls.Lines[i])
		c.API, c.Line = t.calls.API[i], t.calls.Line+i
	}
	k := t.stamp(i)
	if k < 0 {
		return c
	}
	s := t.stamps
	c.Stamp = s.Line + k
	c.ID, c.Enqueue, c.Copy = max(s.ID[k], noID), s.enqueue(k), s.copy(k)
	if c.Timed = s.timed(k); c.Timed {
		c.Start, c.End = s.Start[k], s.End[k]
	}
	if t.calls == nil {
		c.API, c.Name, c.Repeat = s.API[k], t.trace.APIs[s.API[k]], 1
	}
	return c
}

// Threads returns the threads of a module in the order of the API section, then
// those that only the timestamp section has.
func (t *Trace) Threads(module string) []*Thread {
	var out []*Thread
	polls, ok := t.api[polling]
	if !ok {
		polls = math.MaxUint32
	}
	free := t.stampBlocks(module)
	for _, s := range t.Sections {
		if s.Kind != APITrace || s.Module != module {
			continue
		}
		for _, c := range s.Calls {
			th := &Thread{ID: c.Thread, Module: module, trace: t, calls: c, polls: polls, n: len(c.Lines)}
			for i, b := range free {
				if b != nil && b.Thread == c.Thread {
					th.stamps, free[i] = b, nil
					th.pair = pair(c.API, b.API)
					break
				}
			}
			out = append(out, th)
		}
	}
	for _, b := range free {
		if b != nil {
			out = append(out, &Thread{ID: b.Thread, Module: module, trace: t, stamps: b, polls: polls, n: b.len()})
		}
	}
	return out
}

func (t *Trace) stampBlocks(module string) []*StampBlock {
	var out []*StampBlock
	for _, s := range t.Sections {
		if s.Kind == Timestamps && s.Module == module {
			out = append(out, s.Stamps...)
		}
	}
	return out
}

// pairWindow is how many calls may be missing on one side before names are given
// up as a guide.
const pairWindow = 64

// pair joins calls and times by position. Where the names differ, one side may
// have lost lines: then the joint moves to where three names in a row agree
// again. It returns nil where position alone is right throughout.
func pair(calls, stamps []uint32) []int32 {
	n := min(len(calls), len(stamps))
	i := 0
	for i < n && calls[i] == stamps[i] {
		i++
	}
	if i == n {
		return nil
	}
	out := make([]int32, len(calls))
	for k := range i {
		out[k] = int32(k)
	}
	for k := i; i < len(calls); {
		if k >= len(stamps) {
			out[i] = -1
			i++
			continue
		}
		if calls[i] != stamps[k] {
			skipCalls, skipStamps := resync(calls[i:], stamps[k:])
			for ; skipCalls > 0; skipCalls-- {
				out[i] = -1
				i++
			}
			k += skipStamps
			if i == len(calls) || k >= len(stamps) {
				continue
			}
		}
		out[i] = int32(k)
		i++
		k++
	}
	return out
}

// resync tells how many calls or times to leave out so that names agree. Both
// are 0 where a name merely differs, or nothing agrees.
func resync(calls, stamps []uint32) (skipCalls, skipStamps int) {
	if agree(calls[1:], stamps[1:]) {
		return 0, 0
	}
	for d := 1; d <= pairWindow; d++ {
		if d < len(stamps) && agree(calls, stamps[d:]) {
			return 0, d
		}
		if d < len(calls) && agree(calls[d:], stamps) {
			return d, 0
		}
	}
	return 0, 0
}

// agree reports whether the next three names are the same, or as many as there
// are; at least one.
func agree(a, b []uint32) bool {
	n := min(3, len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return false
		}
	}
	return n > 0
}
