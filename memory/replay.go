package memory

import (
	"cmp"
	"maps"
	"slices"

	"github.com/gpuprof/gpuprof/format/torchmem"
)

// Before is the stack of what was allocated before the trace began and is known
// by its free alone.
const Before = -1

// A Curve is an amount over the events of a device.
type Curve struct {
	Start, Peak, End int64 // bytes
	PeakEvent        int   // the first event at the peak; -1: the start
	PeakTime         int64 // µs since 1970; -1: not told
}

// A Use is what a stack holds or asked for.
type Use struct {
	Stack       int // of Snapshot.Stack, or Before
	Bytes       int64
	Allocations int
	Since       int // event of the oldest of them; below 0: before the trace
}

// An OOM is an allocation that failed.
type OOM struct {
	Event      int
	Size       int64 // bytes asked for
	DeviceFree int64 // bytes that the driver said were free; -1: not told
	Time       int64 // µs since 1970; -1
}

// A Tally is how often something was met.
type Tally struct {
	What  string
	Count int
	Bytes int64
}

// A Device is what a snapshot tells of a device.
type Device struct {
	Device       int
	Events       int
	Actions      []Tally // by the word of the file, in alphabetical order
	End          End
	Allocated    Curve // bytes asked for
	Reserved     Curve // bytes that segments take
	Elements     int   // allocations that the replay knows
	BeforeFreed  int64 // bytes at the start that the trace frees
	BeforeLive   int64 // bytes at the start that are live at the end
	AtPeak       []Use // by bytes, the largest first
	Churn        []Use // bytes asked for in the trace
	OOMs         []OOM
	Odd          []Tally // what does not fit together, in alphabetical order
	Inconsistent []Tally // what segments say against their blocks
}

// Devices replays a snapshot for each of its devices that has events or segments.
func Devices(s *torchmem.Snapshot) []*Device {
	var out []*Device
	for _, r := range replays(s) {
		r.run()
		out = append(out, r.dev)
	}
	return out
}

// replays are those of the devices that have events or segments.
func replays(s *torchmem.Snapshot) []*replay {
	var out []*replay
	of := map[int64][]*torchmem.Segment{}
	for i := range s.Segments {
		of[s.Segments[i].Device] = append(of[s.Segments[i].Device], &s.Segments[i])
	}
	for n := range s.Devices() {
		r := &replay{s: s, dev: &Device{Device: n}, odd: map[string]int{}, trace: &torchmem.Trace{}, segments: of[int64(n)]}
		if n < len(s.Traces) {
			r.trace = &s.Traces[n]
		}
		if r.trace.Len() > 0 || len(r.segments) > 0 {
			out = append(out, r)
		}
	}
	return out
}

type replay struct {
	s        *torchmem.Snapshot
	trace    *torchmem.Trace
	segments []*torchmem.Segment
	dev      *Device
	odd      map[string]int
	live     map[uint64]element
	initial  map[int]*Use // what was there before, by stack
	now      int64        // bytes, from the start
	top      int64
	at       int
}

// An element is an allocation that lives.
type element struct {
	size  int64
	group uint32
	event int32
}

func (r *replay) run() {
	d := r.dev
	d.Events = r.trace.Len()
	r.end()
	r.count()
	r.allocated()
	r.reserved()
	d.AtPeak = r.liveAt(d.Allocated.PeakEvent, &r.s.Events.Stack)
	for _, what := range slices.Sorted(maps.Keys(r.odd)) {
		d.Odd = append(d.Odd, Tally{What: what, Count: r.odd[what]})
	}
}

// count adds up events by action, and allocations by stack.
func (r *replay) count() {
	e := &r.s.Events
	actions, churn := map[string]*Tally{}, map[int]*Use{}
	for i, row := range r.trace.Rows {
		a := e.Action.At(row)
		word := a.String()
		if a == torchmem.Other {
			word = r.s.Texts[e.Word.At(row)]
		}
		t := actions[word]
		if t == nil {
			t = &Tally{What: word}
			actions[word] = t
		}
		t.Count++
		t.Bytes += e.Size.At(row)
		switch a {
		case torchmem.Alloc:
			use(churn, int(e.Stack.At(row)), e.Size.At(row), 1, i)
		case torchmem.OOM:
			r.dev.OOMs = append(r.dev.OOMs, OOM{i, e.Size.At(row), e.Free.At(row), e.Time.At(row)})
		}
	}
	for _, w := range slices.Sorted(maps.Keys(actions)) {
		r.dev.Actions = append(r.dev.Actions, *actions[w])
	}
	r.dev.Churn = largest(churn)
}

func use(m map[int]*Use, stack int, bytes int64, n, event int) {
	u := m[stack]
	if u == nil {
		u = &Use{Stack: stack, Since: event}
		m[stack] = u
	}
	u.Bytes += bytes
	u.Allocations += n
}

func largest(m map[int]*Use) []Use {
	out := make([]Use, 0, len(m))
	for _, u := range m {
		if u.Allocations > 0 {
			out = append(out, *u)
		}
	}
	slices.SortFunc(out, func(a, b Use) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(b.Allocations, a.Allocations), cmp.Compare(a.Since, b.Since), cmp.Compare(a.Stack, b.Stack))
	})
	return out
}

// allocated replays allocations and frees.
func (r *replay) allocated() {
	e, d := &r.s.Events, r.dev
	r.live, r.initial, r.at = map[uint64]element{}, map[int]*Use{}, -1
	for i, row := range r.trace.Rows {
		size, address := e.Size.At(row), e.Address.At(row)
		switch e.Action.At(row) {
		case torchmem.Alloc:
			if _, ok := r.live[address]; ok {
				r.odd["alloc at a live address"]++
			}
			r.live[address] = element{size, e.Stack.At(row), int32(i)}
			d.Elements++
			r.now += size
		case torchmem.FreeCompleted, torchmem.Free:
			old, ok := r.live[address]
			delete(r.live, address)
			if !ok {
				r.odd["free with no alloc in the trace"]++
				use(r.initial, Before, size, 1, r.early())
				d.Elements, d.BeforeFreed, old.size = d.Elements+1, d.BeforeFreed+size, size
			} else if old.size != size {
				r.odd["free size differs from alloc size"]++
			}
			r.now -= old.size
		}
		if r.now > r.top {
			r.top, r.at = r.now, i
		}
	}
	r.ghosts()
	start := d.BeforeFreed + d.BeforeLive
	d.Allocated = Curve{Start: start, Peak: start + r.top, PeakEvent: r.at, End: start + r.now, PeakTime: r.time(r.at)}
}

// early numbers what was there before the trace, in the order it is met.
func (r *replay) early() int { return r.dev.Elements - 1<<40 }

// ghosts are blocks of the end that the trace does not know.
func (r *replay) ghosts() {
	active := map[uint64]bool{}
	for _, s := range r.segments {
		for i := range s.Blocks {
			b := &s.Blocks[i]
			if b.State == "inactive" {
				continue
			}
			active[b.Address] = true
			if have, ok := r.live[b.Address]; ok {
				if have.size != b.Requested {
					r.odd["live alloc event size differs from block requested_size"]++
				}
				continue
			}
			if b.State != "active_allocated" {
				r.odd["pending free block not in the trace (the viewer drops it)"]++
				continue
			}
			use(r.initial, int(b.Stack), b.Requested, 1, r.early())
			r.dev.Elements++
			r.dev.BeforeLive += b.Requested
		}
	}
	for address := range r.live {
		if !active[address] {
			r.odd["live in the trace, no such active block"]++
		}
	}
}

func (r *replay) time(at int) int64 {
	if at >= 0 {
		for i, row := range r.trace.Rows {
			if i == at {
				return r.s.Events.Time.At(row)
			}
		}
	}
	return -1
}

// sign is what an event does to the reserved memory.
func sign(a torchmem.Action) int64 {
	switch a {
	case torchmem.SegmentAlloc, torchmem.SegmentMap:
		return 1
	case torchmem.SegmentFree, torchmem.SegmentUnmap:
		return -1
	}
	return 0
}

// reserved walks back from the end to the start, and forward again: exact even
// where the trace lost events. Where the segments of the end are not told, no level is
// below none at all.
func (r *replay) reserved() {
	e := &r.s.Events
	net, least := int64(0), int64(0)
	for _, row := range r.trace.Rows {
		net += sign(e.Action.At(row)) * e.Size.At(row)
		least = min(least, net)
	}
	start := max(r.dev.End.Reserved-net, -least)
	c := Curve{Start: start, Peak: start, PeakEvent: -1, End: start + net}
	now := start
	for i, row := range r.trace.Rows {
		if now += sign(e.Action.At(row)) * e.Size.At(row); now > c.Peak {
			c.Peak, c.PeakEvent = now, i
		}
	}
	c.PeakTime = r.time(c.PeakEvent)
	r.dev.Reserved = c
}

// liveAt is what lived when an event was over, -1 being the start, by a column of
// the events: stacks, or what else they say.
func (r *replay) liveAt(event int, group *torchmem.Column[uint32]) []Use {
	e := &r.s.Events
	by := map[int]*Use{}
	for stack, u := range r.initial {
		if group != &e.Stack {
			stack = Before
		}
		use(by, stack, u.Bytes, u.Allocations, u.Since)
	}
	live := map[uint64]element{}
	for i, row := range r.trace.Rows {
		if i > event {
			break
		}
		size, address := e.Size.At(row), e.Address.At(row)
		switch e.Action.At(row) {
		case torchmem.Alloc:
			live[address] = element{size, group.At(row), int32(i)}
			use(by, int(group.At(row)), size, 1, 1<<40)
		case torchmem.FreeCompleted, torchmem.Free:
			if old, ok := live[address]; ok {
				delete(live, address)
				use(by, int(old.group), -old.size, -1, 0)
			} else {
				use(by, Before, -size, -1, 0)
			}
		}
	}
	for _, x := range live {
		by[int(x.group)].Since = min(by[int(x.group)].Since, int(x.event))
	}
	return largest(by)
}
