package kineto

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
)

func (m *Marks) add(r *row) {
	m.Time.Add(r.start)
	m.Name.Add(r.name)
	m.Cat.Add(r.cat)
	m.Track.Add(r.track)
	m.Extra.Add(r.extra)
}

// instant adds an event without duration: to the table of memory events where it
// tells of an allocation.
func (p *parser) instant(r *row) {
	t := p.t
	if p.table = InMemory; t.Texts.Of(r.name) != "[memory]" {
		p.table = InInstants
		r.extra = p.extra(&noArgs)
		t.Instants.add(r)
		return
	}
	m := &t.Memory
	m.Time.Add(r.start)
	m.Track.Add(r.track)
	m.Address.Add(p.num(argAddress))
	m.Bytes.Add(p.num(argSize))
	m.DeviceType.Add(p.num(argDeviceType))
	m.Device.Add(p.num(argDeviceID))
	m.Allocated.Add(p.num(argAllocated))
	m.Reserved.Add(p.num(argReserved))
	m.Index.Add(p.num(argIndex))
}

// flow adds an end of an arrow.
func (p *parser) flow(r *row, ph byte) {
	id := int64(None)
	if v := p.f.id; v.kind == plain || v.kind == quoted {
		s := v.of(p.b)
		if n, ok := integer(s); ok {
			id = n
		} else if u, err := strconv.ParseUint(string(s), 0, 64); err == nil {
			id = int64(u)
		}
	}
	f := &p.t.Flows
	f.Cat.Add(r.cat)
	f.ID.Add(id)
	f.Phase.Add(ph)
	f.Time.Add(r.start)
	f.Track.Add(r.track)
}

// OriginLabel is the kind of a label of this project's: the first time of the trace
// that this one is a part of, in ns as the file has them.
const OriginLabel = "gpuprof_origin"

// label keeps a name of a process or thread. Kineto repeats them.
func (p *parser) label() {
	name, _ := p.f.name.text(p.b)
	kind := slices.IndexFunc(labelKinds[:], func(k string) bool { return k == string(name) })
	if kind < 0 {
		return
	}
	arg := argLabel
	if labelKinds[kind] == "process_labels" {
		arg = argLabels
	}
	l := labelKey{kind, p.track(p.f.pid, p.f.tid), p.text(arg)}
	if p.t.Texts.Of(l.text) != "" && !p.labels[l] {
		p.labels[l] = true
		p.t.Labels = append(p.t.Labels, Label{Kind: labelKinds[kind], Track: p.t.Tracks[l.track], Text: p.t.Texts.Of(l.text)})
	}
}

// labelKinds are the kinds of labels. The others, such as thread_sort_index, are for
// viewers; the data does not need them.
var labelKinds = [...]string{"thread_name", "process_name", "process_labels", OriginLabel}

// labelKey is a label by its numbers.
type labelKey struct {
	kind  int
	track uint32
	text  Text
}

// track numbers a pair of pid and tid; the next event most often has the same.
func (p *parser) track(pid, tid span) uint32 {
	b := p.b
	if bytes.Equal(pid.of(b), p.lastTrack.pid) && bytes.Equal(tid.of(b), p.lastTrack.tid) && p.lastTrack.kinds == [2]uint8{pid.kind, tid.kind} {
		return p.lastTrack.at
	}
	key := append(p.scratch[:0], pid.kind, tid.kind)
	key = append(append(append(key, pid.of(b)...), 0), tid.of(b)...)
	p.scratch = key
	at, ok := p.tracks[string(key)]
	if !ok {
		at = uint32(len(p.t.Tracks))
		var t Track
		t.PID, t.PIDText = identity(b, pid)
		t.TID, t.TIDText = identity(b, tid)
		p.t.Tracks = append(p.t.Tracks, t)
		p.tracks[string(key)] = at
	}
	l := &p.lastTrack
	l.pid, l.tid, l.kinds, l.at = append(l.pid[:0], pid.of(b)...), append(l.tid[:0], tid.of(b)...), [2]uint8{pid.kind, tid.kind}, at
	return at
}

// lastNumber is the number that a name ends with, as in "GPU 3" and "rank0"; -1 if there
// is none.
func lastNumber(s string) int64 {
	if n, err := strconv.ParseInt(s[len(strings.TrimRight(s, "0123456789")):], 10, 64); err == nil {
		return n
	}
	return -1
}

// identity reads a pid or tid: 7, "7", "stream 7" or a name.
func identity(b []byte, v span) (int64, string) {
	s := v.of(b)
	if n, ok := integer(s); ok {
		return n, ""
	}
	if v.kind != quoted {
		return -1, ""
	}
	text := string(unescape(s))
	if rest, ok := bytes.CutPrefix(s, []byte("stream ")); ok {
		if n, ok := integer(rest); ok {
			return n, text
		}
	}
	return -1, text
}
