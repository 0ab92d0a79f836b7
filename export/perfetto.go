package export

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"

	"github.com/gpuprof/gpuprof/trace"
)

// Numbers of the fields of perfetto's public protos: protos/perfetto/trace/
// trace.proto, trace_packet.proto and track_event/*.proto.
const (
	tracePacket = 1 // Trace

	packetTimestamp     = 8 // TracePacket
	packetSequence      = 10
	packetTrackEvent    = 11
	packetInterned      = 12
	packetSequenceFlags = 13
	packetTrack         = 60

	trackUUID    = 1 // TrackDescriptor
	trackName    = 2
	trackProcess = 3
	trackThread  = 4
	trackParent  = 5
	trackCounter = 8

	processPID  = 1 // ProcessDescriptor
	processName = 6
	threadPID   = 1 // ThreadDescriptor
	threadTID   = 2
	threadName  = 5

	eventCategory    = 3 // TrackEvent: category_iids
	eventAnnotation  = 4 // debug_annotations
	eventType        = 9
	eventNameIID     = 10
	eventTrack       = 11
	eventCounter     = 30 // counter_value
	eventFlows       = 47
	eventFlowsEnding = 48

	annotationInt  = 4 // DebugAnnotation: int_value
	annotationText = 6 // string_value
	annotationName = 10

	internedCategories = 1 // InternedData
	internedNames      = 2
	internedIID        = 1 // EventName, EventCategory
	internedName       = 2

	sliceBegin = 1 // TrackEvent.Type
	sliceEnd   = 2
	instant    = 3
	sample     = 4

	sequenceCleared = 1 // SequenceFlags
	sequenceNeeds   = 2
)

// Perfetto writes a trace for https://ui.perfetto.dev: a track for each thread
// and kind of event, for each stream of a GPU, and for each counter; flows lead
// from calls to the work that they caused.
func Perfetto(ctx context.Context, tr *trace.Trace, path string) error {
	places, err := readPlaces(ctx, tr)
	if err != nil {
		return err
	}
	first, err := earliest(ctx, tr)
	if err != nil {
		return err
	}
	return writeFile(path, func(w *bufio.Writer) error {
		return walk(ctx, tr, newPerfetto(w, tr, min(0, first), places))
	})
}

func newPerfetto(w *bufio.Writer, tr *trace.Trace, zero int64, places *places) *perfetto {
	return &perfetto{w: w, tr: tr, zero: zero, sequence: 1, places: places, gpus: map[gpuPlace]uint64{}, counted: map[string]uint64{}, categories: map[string]uint64{},
		processes: map[trace.GlobalID]uint64{}, groups: map[trace.GlobalID]uint64{}}
}

// parentBase keeps the numbers of processes and threads apart from those of
// tracks.
const (
	parentBase = 1 << 48
	gpuBase    = 5 * parentBase
)

type perfetto struct {
	w          *bufio.Writer
	tr         *trace.Trace
	places     *places
	gpus       map[gpuPlace]uint64 // numbers of the tracks of GPUs, which are processes
	counted    map[string]uint64   // groups of counters
	zero       int64               // times are unsigned; a trace that begins before its zero is shifted
	names      []bool              // of a Sym: it was announced
	categories map[string]uint64
	processes  map[trace.GlobalID]uint64 // numbers of their tracks
	groups     map[trace.GlobalID]uint64 // of threads
	packet     []byte
	event      []byte
	begun      bool

	// Of a timeline of several traces: each has a sequence of its own, tracks with
	// numbers from base on, and processes that are ranks.
	sequence, base uint64
	ranks          map[int64]*JointRank // by number of the process
	first          *JointRank

	category     uint64 // of the last slice
	lastCategory string
}

func tag(b []byte, field, wire int) []byte { return binary.AppendUvarint(b, uint64(field<<3|wire)) }

func varint(b []byte, field int, v uint64) []byte {
	return binary.AppendUvarint(tag(b, field, 0), v)
}

func fixed64(b []byte, field int, v uint64) []byte {
	return binary.LittleEndian.AppendUint64(tag(b, field, 1), v)
}

func text(b []byte, field int, s string) []byte {
	return append(binary.AppendUvarint(tag(b, field, 2), uint64(len(s))), s...)
}

func message(b []byte, field int, m []byte) []byte {
	return append(binary.AppendUvarint(tag(b, field, 2), uint64(len(m))), m...)
}

// emit writes p.packet as a packet of the one sequence that the file has.
func (p *perfetto) emit() error {
	p.packet = varint(p.packet, packetSequence, p.sequence)
	if p.begun {
		p.packet = varint(p.packet, packetSequenceFlags, sequenceNeeds)
	} else {
		p.packet = varint(p.packet, packetSequenceFlags, sequenceCleared|sequenceNeeds)
		p.begun = true
	}
	var head [12]byte
	b := binary.AppendUvarint(tag(head[:0], tracePacket, 2), uint64(len(p.packet)))
	if _, err := p.w.Write(b); err != nil {
		return err
	}
	_, err := p.w.Write(p.packet)
	p.packet = p.packet[:0]
	return err
}

// describe writes a track descriptor.
func (p *perfetto) describe(d []byte) error {
	p.packet = message(p.packet, packetTrack, d)
	return p.emit()
}

func (p *perfetto) track(t *track) error {
	d := text(varint(nil, trackUUID, p.base+t.id), trackName, t.name)
	if t.alone {
		return p.describe(d)
	}
	parent, err := p.parent(t)
	if err != nil {
		return err
	}
	return p.describe(varint(d, trackParent, parent))
}

// gpu announces a GPU as a process sees it: a process of its own.
func (p *perfetto) gpu(g gpuPlace) (uint64, error) {
	id, ok := p.gpus[g]
	if ok {
		return id, nil
	}
	n := uint64(len(p.gpus))
	id = p.base + gpuBase + n
	p.gpus[g] = id
	program := ""
	if r := p.ranks[g.process.PID()]; r != nil {
		program = r.Name
	}
	if p.ranks != nil { // whose collectives are tracks of the process itself
		if _, err := p.parent(&track{process: g.process}); err != nil {
			return 0, err
		}
	}
	m := varint(nil, processPID, gpuPIDs+(p.sequence-1)<<16+n&(1<<16-1))
	m = text(m, processName, p.places.gpu(g, program))
	return id, p.describe(message(varint(nil, trackUUID, id), trackProcess, m))
}

// parent announces the process of a track, and its thread.
func (p *perfetto) parent(t *track) (uint64, error) {
	if t.gpu {
		return p.gpu(gpuPlace{t.process, t.device})
	}
	id, ok := p.processes[t.process]
	if !ok {
		id = p.base + parentBase + uint64(len(p.processes))
		p.processes[t.process] = id
		d := varint(nil, trackUUID, id)
		m := varint(nil, processPID, p.pid(t.process))
		if r := p.ranks[t.process.PID()]; r != nil {
			m = text(m, processName, r.Name)
		} else if n := p.places.programs[t.process]; n != "" {
			m = text(m, processName, n)
		}
		d = message(d, trackProcess, m)
		if err := p.describe(d); err != nil {
			return 0, err
		}
	}
	if t.thread == 0 {
		return id, nil
	}
	th, ok := p.groups[t.thread]
	if !ok {
		th = p.base + 2*parentBase + uint64(len(p.groups))
		p.groups[t.thread] = th
		m := varint(varint(nil, threadPID, p.pid(t.thread)), threadTID, p.tid(t.thread))
		if n := p.places.threads[t.thread].Name; n != "" {
			m = text(m, threadName, n)
		}
		d := message(varint(nil, trackUUID, th), trackThread, m)
		if err := p.describe(d); err != nil {
			return 0, err
		}
	}
	return th, nil
}

func (p *perfetto) slice(t *track, s *slice) error {
	if err := p.close(t, s.start); err != nil {
		return err
	}
	p.packet = varint(p.packet, packetTimestamp, p.at(t, s.start))
	category, known := p.category, s.category == p.lastCategory
	if !known {
		category, known = p.categories[s.category]
	}
	if !known {
		category = uint64(len(p.categories) + 1)
		p.categories[s.category] = category
		p.intern(internedCategories, category, s.category)
	}
	p.category, p.lastCategory = category, s.category
	if int(s.name) >= len(p.names) {
		p.names = append(p.names, make([]bool, int(s.name)+1)...)
	}
	if !p.names[s.name] {
		p.names[s.name] = true
		p.intern(internedNames, uint64(s.name)+1, p.tr.Strings.Text(s.name))
	}
	e := varint(p.event[:0], eventCategory, category)
	for _, f := range s.facts() {
		var a []byte
		if f.IsText {
			a = text(nil, annotationText, f.Text)
		} else {
			a = varint(nil, annotationInt, uint64(f.Number))
		}
		e = message(e, eventAnnotation, text(a, annotationName, f.Name))
	}
	if s.instant {
		e = varint(e, eventType, instant)
	} else {
		e = varint(e, eventType, sliceBegin)
		t.open = append(t.open, s.end)
	}
	e = varint(e, eventNameIID, uint64(s.name)+1)
	e = varint(e, eventTrack, p.base+t.id)
	switch {
	case s.flow == 0:
	case s.work:
		e = fixed64(e, eventFlowsEnding, s.flow^p.base)
	default:
		e = fixed64(e, eventFlows, s.flow^p.base)
	}
	p.event = e
	p.packet = message(p.packet, packetTrackEvent, e)
	return p.emit()
}

// intern announces a text under a number, in the packet that first uses it.
func (p *perfetto) intern(field int, id uint64, s string) {
	m := text(varint(nil, internedIID, id), internedName, s)
	p.packet = message(p.packet, packetInterned, message(nil, field, m))
}

// close ends the slices that are over at a time.
func (p *perfetto) close(t *track, at int64) error {
	for n := len(t.open); n > 0 && t.open[n-1] <= at; n-- {
		p.packet = varint(p.packet, packetTimestamp, p.at(t, t.open[n-1]))
		p.event = varint(varint(p.event[:0], eventType, sliceEnd), eventTrack, p.base+t.id)
		p.packet = message(p.packet, packetTrackEvent, p.event)
		t.open = t.open[:n-1]
		if err := p.emit(); err != nil {
			return err
		}
	}
	return nil
}

func (p *perfetto) end(t *track) error { return p.close(t, 1<<63-1) }

// counter announces a counter: a track below that of its group.
func (p *perfetto) counter(c *counter) error {
	name := fmt.Sprintf("%s %d", c.group, c.device)
	group, ok := p.counted[name]
	if !ok {
		group = p.base + 3*parentBase + uint64(len(p.counted))
		p.counted[name] = group
		if err := p.describe(text(varint(nil, trackUUID, group), trackName, name)); err != nil {
			return err
		}
	}
	d := text(varint(nil, trackUUID, p.base+c.id), trackName, c.name)
	d = message(varint(d, trackParent, group), trackCounter, nil) // no unit is known
	return p.describe(d)
}

func (p *perfetto) sample(c *counter, at, v int64) error {
	p.packet = varint(p.packet, packetTimestamp, p.at(nil, at))
	e := varint(varint(p.event[:0], eventType, sample), eventTrack, p.base+c.id)
	p.event = varint(e, eventCounter, uint64(v))
	p.packet = message(p.packet, packetTrackEvent, p.event)
	return p.emit()
}
