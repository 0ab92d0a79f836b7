package nsysrep

import (
	"encoding/binary"
	"io"
	"iter"
	"math"

	"github.com/gpuprof/gpuprof/format/internal/cursor"
)

// An NVTXEvent is an event of NVTX that is written into a report: a mark, a range, or
// the name of a thread or domain. What has no value is nil.
type NVTXEvent struct {
	Type      int64 // 34 mark, 39 name of a thread, 59 range of a thread, 60 range with an id, 75 domain
	Start     int64 // ns, as the report counts
	End       *int64
	Range     *int64 // id of a range of type 60
	Color     *uint32
	Text      string
	Int       *int64   // payload
	Float     *float64 // payload
	Thread    uint64   // global id of the thread
	EndThread *uint64  // of the thread that ended it, where that is told
	Domain    int64    // 0: the default one
}

// nvtxFamily is the field of an event that holds one of NVTX.
const nvtxFamily = 102

// Append encodes an event as a field of the message of a frame. The layout is that of
// reports of 2019 to 2025, but for payloads: in none of them there was one, and their
// fields are those that docs/formats/nsys-rep.md calls unproved.
func (e *NVTXEvent) Append(b []byte) []byte {
	var m []byte
	number := func(num int, v uint64) {
		m = binary.AppendUvarint(binary.AppendUvarint(m, uint64(num)<<3|uint64(cursor.Varint)), v)
	}
	number(1, uint64(e.Type))
	number(2, uint64(e.Start))
	if e.Range != nil {
		number(4, uint64(*e.Range))
	}
	if e.Color != nil {
		number(6, uint64(*e.Color))
	}
	if e.Text != "" {
		m = lengthed(m, 7, []byte(e.Text))
	}
	switch {
	case e.Int != nil:
		m = lengthed(m, 8, binary.AppendUvarint([]byte{2<<3 | byte(cursor.Varint)}, uint64(*e.Int)))
	case e.Float != nil:
		m = lengthed(m, 8, binary.LittleEndian.AppendUint64([]byte{3<<3 | byte(cursor.Fixed64)}, math.Float64bits(*e.Float)))
	}
	number(9, e.Thread)
	if e.End != nil {
		number(10, uint64(*e.End))
	}
	if e.EndThread != nil {
		number(11, *e.EndThread)
	}
	number(13, uint64(e.Domain))
	number(14, 1)
	event := binary.AppendUvarint([]byte{1<<3 | byte(cursor.Varint)}, uint64(e.Type))
	return lengthed(b, 1, lengthed(event, nvtxFamily, m))
}

// lengthed appends a field that is a text or message.
func lengthed(b []byte, num int, v []byte) []byte {
	b = binary.AppendUvarint(b, uint64(num)<<3|uint64(cursor.Len))
	return append(binary.AppendUvarint(b, uint64(len(v))), v...)
}

// AddNVTX writes the report with n events more, in frames behind those that it has.
// All else stays byte for byte, but for the count of events and where parts begin. A
// report with Problems is refused.
func (f *File) AddNVTX(to io.Writer, n int, events iter.Seq2[*NVTXEvent, error]) error {
	return f.Write(to, Edit{
		Summary: func(b []byte) ([]byte, error) {
			if f.Summary.Find(countField) == nil {
				return append(binary.AppendUvarint([]byte{countField<<3 | byte(cursor.Varint)}, uint64(n)), b...), nil
			}
			return mend(b, map[int]int64{countField: int64(n)}), nil
		},
		More: func(yield func([]byte, error) bool) {
			var frame []byte
			k := 0
			for e, err := range events {
				if err != nil {
					yield(nil, err)
					return
				}
				frame = e.Append(frame)
				if k++; k%frameEvents == 0 {
					if !yield(frame, nil) {
						return
					}
					frame = frame[:0]
				}
			}
			if len(frame) > 0 {
				yield(frame, nil)
			}
		},
	})
}
