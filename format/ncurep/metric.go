package ncurep

import (
	"sync"

	"github.com/gpuprof/gpuprof/format/internal/cursor"
)

// Metric is one metric of a result. Its instances stay encoded until asked for.
type Metric struct {
	Name   string // "" if the string tables do not reach NameID
	NameID uint32
	// Series is 1 for series over time (PM sampling), 0 or absent otherwise. The
	// field's name is ours.
	Series Opt[uint32]
	Value  Value // KindNone if there is none

	buf  *metricBuffer
	off  uint32 // of the encoded metric in buf
	size uint32
	n    uint32 // instances
}

// end is the offset in the entry behind the metric.
func (m *Metric) end() int { return int(m.off) + int(m.size) }

// metricBuffer is the entry that metrics were decoded from.
type metricBuffer struct {
	file string
	base int64 // file offset of b
	b    []byte
}

// Metrics are the metrics of a result.
type Metrics struct {
	// All holds every entry in file order. A name may occur more than once: some
	// are written twice, and application replay repeats some per pass.
	All []Metric

	once  sync.Once
	canon map[string]uint32
	pref  map[uint32]int32 // canonical name id to index of the entry to use
}

// Metrics decodes the metrics of the result, but not their instances.
func (r *Result) Metrics() (*Metrics, error) {
	raw, err := r.file.in.bytes(r.entry)
	if err != nil {
		return &Metrics{}, err
	}
	var problems Problems
	f := r.file
	ms := &Metrics{All: make([]Metric, 0, min(int64(r.NumMetrics), r.entry.n/4)), canon: f.canon}
	buf := &metricBuffer{file: f.in.name, base: r.entry.off, b: raw}
	c := cursor.New(buf.file, buf.base, raw)
	for {
		num, wire, ok := c.Field()
		if !ok {
			break
		}
		if num != resultMetrics || wire != cursor.Len {
			c.SkipField(wire)
			continue
		}
		b := c.LenBytes()
		if c.Err() != nil {
			break
		}
		if len(b) < 2 {
			problems.addf(buf.file, c.Offset(), "a metric with a name id", "%d bytes", len(b))
			continue
		}
		ms.All = append(ms.All, Metric{buf: buf, off: uint32(c.Pos() - len(b)), size: uint32(len(b))})
		m := &ms.All[len(ms.All)-1]
		if err := m.decode(b); err != nil {
			problems.add(err)
		}
		if m.Name, ok = f.String(m.NameID); !ok {
			problems.addf(buf.file, buf.base+int64(m.off), "a metric name id below the number of strings", "%d of %d", m.NameID, len(f.Strings))
		}
	}
	if err := c.Err(); err != nil {
		problems.add(err)
	}
	return ms, problems.err()
}

// ScanMetrics calls take with the metrics of the result whose names are wanted, in
// file order, those of one name as often as they are there. It keeps nothing: that
// is cheaper than [Result.Metrics] where few of many launches' metrics are asked for.
// take gets the number of instances in place of them.
func (r *Result) ScanMetrics(want func(name string) bool, take func(name string, v Value, instances int)) error {
	raw, give, err := r.file.in.borrow(r.entry)
	if err != nil {
		return err
	}
	defer give()
	var problems Problems
	buf := &metricBuffer{file: r.file.in.name, base: r.entry.off, b: raw}
	c := cursor.New(buf.file, buf.base, raw)
	for {
		num, wire, ok := c.Field()
		if !ok {
			break
		}
		if num != resultMetrics || wire != cursor.Len {
			c.SkipField(wire)
			continue
		}
		b := c.LenBytes()
		if c.Err() != nil {
			break
		}
		m := Metric{buf: buf, off: uint32(c.Pos() - len(b)), size: uint32(len(b))}
		name, ok := r.file.String(m.nameID(b))
		if !ok || !want(name) {
			continue
		}
		if err := m.decode(b); err != nil {
			problems.add(err)
		}
		if name, ok = r.file.String(m.NameID); ok && want(name) {
			take(name, m.Value, m.NumInstances())
		}
	}
	if err := c.Err(); err != nil {
		problems.add(err)
	}
	return problems.err()
}

// nameID is the number of the metric's name if it comes first, as it does in the
// files of ncu; else it is looked for.
func (m *Metric) nameID(b []byte) (id uint32) {
	c := cursor.New(m.buf.file, m.buf.base+int64(m.off), b)
	for {
		num, wire, ok := c.Field()
		switch {
		case !ok:
			return id
		case num == 1 && wire == cursor.Varint:
			return uint32(c.Uvarint())
		}
		c.SkipField(wire)
	}
}

// decode reads everything but the instances, which it counts.
func (m *Metric) decode(b []byte) error {
	c := cursor.New(m.buf.file, m.buf.base+int64(m.off), b)
	for {
		num, wire, ok := c.Field()
		if !ok {
			break
		}
		switch {
		case num == 3 && wire == cursor.Len:
			c.LenBytes()
			if c.Err() == nil {
				m.n++
			}
		case num == 1 && wire == cursor.Varint:
			m.NameID = uint32(c.Uvarint())
		case num == 2 && wire == cursor.Len:
			n := int(c.Uvarint())
			if n < 0 || n > c.Len() {
				c.Failf("a value of so many bytes", "%d with %d left", n, c.Len())
				break
			}
			kind, bits, str := readKind(&c, c.Pos()+n)
			m.Value = Value{kind: kind, bits: bits, str: string(str)}
		case num == 4 && wire == cursor.Varint:
			m.Series = Some(uint32(c.Uvarint()))
		default:
			c.SkipField(wire)
		}
	}
	return c.Err()
}

// Lookup returns the entry to use for a name: the first that has instances,
// else the first. It returns nil if there is none.
func (ms *Metrics) Lookup(name string) *Metric {
	ms.once.Do(ms.index)
	id, ok := ms.canon[name]
	if !ok {
		return nil
	}
	if i, ok := ms.pref[id]; ok {
		return &ms.All[i]
	}
	return nil
}

// Unique returns the entry to use for each name, in the order in which the
// names first occur.
func (ms *Metrics) Unique() []*Metric {
	ms.once.Do(ms.index)
	list := make([]*Metric, 0, len(ms.pref))
	seen := make(map[uint32]bool, len(ms.pref))
	for i := range ms.All {
		m := &ms.All[i]
		id, ok := ms.canon[m.Name]
		if !ok || seen[id] {
			continue
		}
		seen[id] = true
		list = append(list, &ms.All[ms.pref[id]])
	}
	return list
}

func (ms *Metrics) index() {
	ms.pref = make(map[uint32]int32, len(ms.All))
	for i := range ms.All {
		m := &ms.All[i]
		id, ok := ms.canon[m.Name]
		if !ok {
			continue
		}
		if j, dup := ms.pref[id]; !dup || ms.All[j].n == 0 && m.n > 0 {
			ms.pref[id] = int32(i)
		}
	}
}
