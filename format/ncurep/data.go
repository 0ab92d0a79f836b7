package ncurep

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/gpuprof/gpuprof/format/internal/cursor"
)

// ResultData is a result with everything in it, as the writer takes it.
type ResultData struct {
	ResultHeader
	Metrics         []MetricData
	Sections        []*Section
	SectionComments []*Comment
	Rules           []*RuleResult
	Nvtx            *NvtxState
	CallStack       *CallStack
}

// MetricData is a metric as the writer takes it.
type MetricData struct {
	Name      string
	Value     Value
	Series    Opt[uint32]
	Instances *Instances // nil if there are none
}

// SourceData is a source entry as the writer takes it.
type SourceData struct {
	SourceHead
	Code         string
	Intermediate []byte
	Binary       []byte       // a cubin
	Files        *SourceFiles // since 2023.2 tools write an empty message if there are none
}

// data decodes everything in the result. Fields that this package does not know
// are kept where a struct has room for them; an [Edit] keeps all.
func (r *Result) data() (*ResultData, error) {
	d := &ResultData{ResultHeader: r.ResultHeader}
	var problems Problems
	ms, err := r.Metrics()
	problems.join(err)
	d.Metrics = make([]MetricData, len(ms.All))
	for i := range ms.All {
		d.Metrics[i], err = ms.All[i].data()
		problems.join(err)
	}
	d.Sections, err = r.Sections()
	problems.join(err)
	d.SectionComments, err = r.sectionComments()
	problems.join(err)
	d.Rules, err = r.Rules()
	problems.join(err)
	d.Nvtx, err = r.Nvtx()
	problems.join(err)
	d.CallStack, err = r.CallStack()
	problems.join(err)
	return d, problems.err()
}

// data decodes everything in the metric.
func (m *Metric) data() (MetricData, error) {
	d := MetricData{Name: m.Name, Value: m.Value, Series: m.Series}
	if m.n == 0 {
		return d, nil
	}
	d.Instances = new(Instances)
	return d, m.decodeInstances(d.Instances)
}

// data reads everything in the entry.
func (e *SourceEntry) data() (*SourceData, error) {
	d := &SourceData{SourceHead: e.SourceHead}
	var problems Problems
	read := func(s span) []byte {
		if s.n == 0 {
			return nil
		}
		b, err := e.file.in.bytes(s)
		problems.join(err)
		return b
	}
	d.Code = string(read(e.code))
	d.Intermediate = read(e.intermediate)
	d.Binary = read(e.binary)
	if len(e.files) > 0 {
		list, err := e.Files()
		problems.join(err)
		d.Files = &SourceFiles{Files: list}
	}
	return d, problems.err()
}

// append adds a value to the column.
func (c *Column) append(v Value) { c.add(v.kind, v.bits, []byte(v.str)) }

// Append adds an instance.
func (in *Instances) Append(id, v Value) {
	in.IDs.append(id)
	in.Values.append(v)
}

// fieldSet is an entry under construction: encoded fields with their numbers.
type fieldSet []rawField

type rawField struct {
	num int
	raw []byte
	end int // in the bytes that it was cut from
}

// add splits encoded fields and adds them.
func (s *fieldSet) add(b []byte) {
	c := cursor.New("", 0, b)
	for {
		start := c.Pos()
		num, wire, ok := c.Field()
		if !ok {
			return
		}
		c.SkipField(wire)
		if c.Err() == nil {
			*s = append(*s, rawField{num, b[start:c.Pos()], c.Pos()})
		}
	}
}

// join returns the fields in the order of their numbers, as the profiler
// writes them.
func (s fieldSet) join() []byte {
	slices.SortStableFunc(s, func(a, b rawField) int { return cmp.Compare(a.num, b.num) })
	n := 0
	for _, f := range s {
		n += len(f.raw)
	}
	b := make([]byte, 0, n)
	for _, f := range s {
		b = append(b, f.raw...)
	}
	return b
}

// encode returns the entry's bytes. id turns metric names into string ids.
func (d *ResultData) encode(id func(name string) uint32) []byte {
	var s fieldSet
	s.add(appendMessage(nil, &d.ResultHeader))
	s.add(appendMetrics(nil, d.Metrics, id))
	s.add(appendFields(nil, resultSections, d.Sections))
	s.add(appendFields(nil, resultComments, d.SectionComments))
	s.add(appendFields(nil, resultRules, d.Rules))
	s.add(appendFields(nil, resultNvtx, one(d.Nvtx)))
	s.add(appendFields(nil, resultCallStack, one(d.CallStack)))
	return s.join()
}

// one makes a list of an optional message.
func one[M any](m *M) []*M {
	if m == nil {
		return nil
	}
	return []*M{m}
}

func (d *SourceData) encode() []byte {
	var s fieldSet
	s.add(appendMessage(nil, &d.SourceHead))
	if d.Code != "" {
		s.add(appendString(nil, sourceCode, d.Code))
	}
	for num, blob := range map[int][]byte{sourceIntermediate: d.Intermediate, sourceBinary: d.Binary} {
		if len(blob) > 0 {
			s.add(appendLen(nil, num, func(b []byte) []byte { return append(b, blob...) }))
		}
	}
	s.add(appendFields(nil, sourceFiles, one(d.Files)))
	return s.join()
}

// appendFields appends each message as a field of the given number.
func appendFields[M any](b []byte, num int, list []*M) []byte {
	for _, m := range list {
		b = appendLen(b, num, func(b []byte) []byte { return appendMessage[M](b, m) })
	}
	return b
}

// appendMetrics appends metrics as fields of a result.
func appendMetrics(b []byte, list []MetricData, id func(name string) uint32) []byte {
	for i := range list {
		m := &list[i]
		b = appendLen(b, resultMetrics, func(b []byte) []byte { return m.append(b, id(m.Name)) })
	}
	return b
}

func (m *MetricData) append(b []byte, id uint32) []byte {
	b = appendUint(b, 1, uint64(id))
	if m.Value.kind != KindNone {
		b = appendLen(b, 2, m.Value.appendTo)
	}
	for i := range m.Instances.Len() {
		b = appendLen(b, 3, func(b []byte) []byte {
			id, v := m.Instances.At(i)
			if id.kind != KindNone {
				b = appendLen(b, 1, id.appendTo)
			}
			return appendLen(b, 2, v.appendTo)
		})
	}
	if m.Series.Set {
		b = appendUint(b, 4, uint64(m.Series.Value))
	}
	return b
}

// appendEntry appends an entry with its size.
func appendEntry(b, entry []byte) []byte {
	b = binary.LittleEndian.AppendUint32(b, uint32(len(entry)))
	return append(b, entry...)
}

// equalMessages reports whether two messages encode to the same bytes.
func equalMessages[M any](a, b *M) bool {
	return bytes.Equal(appendMessage[M](nil, a), appendMessage[M](nil, b))
}
