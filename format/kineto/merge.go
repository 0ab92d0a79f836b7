package kineto

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"hash/maphash"
	"io"
	"slices"
	"strconv"
)

// A Part is a trace that is merged with others.
type Part struct {
	In     io.ReaderAt
	Size   int64
	Trace  *Trace
	Places []Place
	Time   int64 // ns, added to its times
	Origin int64 // ns: the first time of the recording, of which the trace may be a part

	again   *Part           // the one before that is of the same recording
	process map[int64]int64 // numbers of processes and devices that become others
	device  map[int64]int64
	ids     int64 // added to numbers that tie events
	devices map[int64]bool
}

// Merge writes traces as one: all of the first, and behind its events those of the
// others, each as often as the part that has it most often, so that parts of one
// recording are that recording again. The text around the events is that of the first.
// Parts of other recordings are renumbered where their numbers would mean something
// else: those that tie events always, those of processes and devices where the traces
// are of different ranks.
func Merge(to io.Writer, parts []*Part) error {
	seen := &repeats{seed: maphash.MakeSeed(), most: map[uint64]int32{}}
	first := parts[0]
	if len(first.Places) == 0 {
		return fmt.Errorf("%s: expected an event, found none", first.Trace.File)
	}
	renumber(parts)
	if err := first.each(func(_ *Place, event []byte) error { seen.new(event); return nil }); err != nil {
		return err
	}
	c := &cutting{last: func(w *bufio.Writer) error {
		for _, p := range parts[1:] {
			seen.next()
			err := p.each(func(at *Place, event []byte) error {
				event = p.edit(at, event)
				if event == nil || !seen.new(event) {
					return nil
				}
				w.WriteString(",\n")
				_, err := w.Write(event)
				return err
			})
			if err != nil {
				return err
			}
		}
		return nil
	}}
	return rewrite(c, to, first.In, first.Size, first.Places, func(int) bool { return true }, nil)
}

// repeats knows how often events were there.
type repeats struct {
	seed maphash.Seed
	most map[uint64]int32
	here map[uint64]int32
}

func (r *repeats) next() { r.here = map[uint64]int32{} }

// new reports whether an event is there more often than in the parts before.
func (r *repeats) new(event []byte) bool {
	if r.here == nil {
		r.next()
	}
	h := maphash.Bytes(r.seed, event)
	r.here[h]++
	if r.here[h] <= r.most[h] {
		return false
	}
	r.most[h] = r.here[h]
	return true
}

// each goes over the text of the events. A text is valid until do returns.
func (p *Part) each(do func(at *Place, event []byte) error) error {
	var src io.Reader = io.NewSectionReader(p.In, 0, p.Size)
	if p.Trace.Packed {
		u, err := unpack(src, max(freeUnpacked, mostRatio*p.Size))
		if err != nil {
			return err
		}
		defer u.stop()
		src = u
	}
	r, at := bufio.NewReaderSize(src, 1<<18), int64(0)
	var event []byte
	for i := range p.Places {
		x := &p.Places[i]
		if _, err := io.CopyN(io.Discard, r, x.Start-at); err != nil {
			return err
		}
		event = slices.Grow(event[:0], int(x.End-x.Start)+1)[:x.End-x.Start]
		if _, err := io.ReadFull(r, event); err != nil {
			return err
		}
		at = x.End
		if err := do(x, event); err != nil {
			return err
		}
	}
	return nil
}

// renumber finds out what has to have another number.
func renumber(parts []*Part) {
	processes, devices := map[int64]bool{}, map[int64]bool{}
	next := int64(1)
	for i, p := range parts {
		own := p.numbers()
		for _, q := range parts[:i] {
			if p.again == nil && p.sameRecording(q) {
				p.again = q
				p.process, p.device, p.ids, p.Time = q.process, q.device, q.ids, q.Time
			}
		}
		if p.again == nil && i > 0 {
			p.ids = next
			if p.Trace.Rank != parts[0].Trace.Rank || slices.ContainsFunc(parts[:i], func(q *Part) bool { return q.Trace.Rank != p.Trace.Rank }) {
				p.process, p.device = free(own.processes, processes), free(own.devices, devices)
			}
		}
		for id := range own.processes {
			processes[moved(p.process, id)] = true
		}
		for id := range own.devices {
			devices[moved(p.device, id)] = true
		}
		p.devices = own.devices
		next = max(next, own.most+p.ids+1)
	}
}

func moved(to map[int64]int64, id int64) int64 {
	if n, ok := to[id]; ok {
		return n
	}
	return id
}

// free gives numbers that are taken another.
func free(own, taken map[int64]bool) map[int64]int64 {
	list := make([]int64, 0, len(own))
	most := int64(0)
	for id := range own {
		list, most = append(list, id), max(most, id)
	}
	for id := range taken {
		most = max(most, id)
	}
	slices.Sort(list)
	out := map[int64]int64{}
	for _, id := range list {
		if taken[id] {
			most++
			out[id] = most
		}
	}
	return out
}

// sameRecording reports whether two traces are parts of one: it began at the same ns,
// and what stands around the events is the same.
func (p *Part) sameRecording(q *Part) bool {
	t, o := p.Trace, q.Trace
	return p.Origin == q.Origin && t.Base == o.Base && t.Rank == o.Rank && slices.Equal(t.Meta, o.Meta) && slices.Equal(t.Devices, o.Devices)
}

// numbers are those of a trace that others may have.
type numbers struct {
	processes, devices map[int64]bool
	most               int64 // of those that tie events
}

func (p *Part) numbers() numbers {
	t := p.Trace
	n := numbers{map[int64]bool{}, map[int64]bool{}, 0}
	host := map[int64]bool{}
	for i := range p.Places {
		x := &p.Places[i]
		s := t.Slices(x.Table)
		if s == nil {
			continue
		}
		n.most = max(n.most, s.Linked.At(int(x.Row)))
		pid := t.Tracks[s.Track.At(int(x.Row))].PID
		if onDevice(x.Table) {
			n.devices[pid] = true
		} else {
			host[pid] = true
		}
	}
	for _, w := range []*Work{&t.Kernels.Work, &t.Copies.Work, &t.Sets.Work, &t.Syncs.Work} {
		for i := range w.Rows() {
			n.most = max(n.most, w.Correlation.At(i))
		}
	}
	for i := range t.Calls.Rows() {
		n.most = max(n.most, t.Calls.Correlation.At(i))
	}
	for i := range t.Python.Rows() {
		n.most = max(n.most, t.Python.ID.At(i))
	}
	for i := range t.Ops.Rows() {
		n.most = max(n.most, t.Ops.Sequence.At(i), t.Ops.Record.At(i))
	}
	for i := range t.Flows.ID.Len() {
		n.most = max(n.most, t.Flows.ID.At(i))
	}
	if n.most > 1<<52 {
		n.most = 1 << 52 // numbers so large are addresses; JSON has no exact ones beyond
	}
	n.processes = host
	return n
}

func onDevice(t Table) bool {
	return t == InKernels || t == InCopies || t == InSets || t == InSyncs || t == InGPUSpans
}

// tying are the arguments that tie events by a number.
var tying = []argument{argCorrelation, argExternalID, argPythonID, argPythonParent, argWaitRecord, argSequence, argRecordID}

// A change puts a text in the place of a span.
type change struct {
	at   span
	text string
}

// edit is the text of an event with times and numbers changed; nil where the event
// has no place among those of others.
func (p *Part) edit(at *Place, event []byte) []byte {
	if p.Time == 0 && p.ids == 0 && len(p.process)+len(p.device) == 0 {
		return event
	}
	b := append(bytes.Clone(event), 0)
	var f fields
	if _, out := f.event(b, len(event), 0); out != done {
		return event
	}
	ph, _ := f.ph.text(b)
	name, _ := f.name.text(b)
	if string(ph) == "M" && string(name) == OriginLabel && p.again == nil {
		return nil
	}
	list := p.changes(at, &f, b, string(ph))
	slices.SortFunc(list, func(a, b change) int { return cmp.Compare(a.at.start, b.at.start) })
	out, from := make([]byte, 0, len(b)+16), int32(0)
	for _, c := range list {
		out = append(append(out, b[from:c.at.start]...), c.text...)
		from = c.at.end
	}
	return append(out, b[from:len(event)]...)
}

func (p *Part) changes(at *Place, f *fields, b []byte, ph string) (list []change) {
	put := func(v span, to func(int64) int64) {
		if v.kind != quoted && v.kind != plain {
			return
		}
		if n, ok := integer(v.of(b)); ok {
			if now := to(n); now != n {
				list = append(list, change{v, strconv.FormatInt(now, 10)})
			}
		}
	}
	tie := func(n int64) int64 {
		if n <= 0 || n > 1<<52 {
			return n
		}
		return n + p.ids
	}
	device := func(n int64) int64 { return moved(p.device, n) }
	if v := f.ts; p.Time != 0 && ph != "M" && v.kind != absent && v.kind != nested {
		if ns, ok := nanoseconds(v.of(b)); ok {
			list = append(list, change{v, microseconds(ns + p.Time)})
		}
	}
	put(f.pid, func(n int64) int64 {
		if onDevice(at.Table) || p.Trace.Slices(at.Table) == nil && p.devices[n] {
			return device(n)
		}
		return moved(p.process, n)
	})
	if ph == "s" || ph == "t" || ph == "f" {
		put(f.id, tie)
	}
	for _, a := range tying {
		if v, ok := f.args.get(a); ok {
			put(v, tie)
		}
	}
	for _, a := range []argument{argDevice, argFromDevice, argToDevice, argDeviceID} {
		if v, ok := f.args.get(a); ok {
			put(v, device)
		}
	}
	return list
}

// microseconds writes a time as traces have it.
func microseconds(ns int64) string {
	sign := ""
	if ns < 0 {
		sign, ns = "-", -ns
	}
	return fmt.Sprintf("%s%d.%03d", sign, ns/1000, ns%1000)
}
