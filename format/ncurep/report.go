package ncurep

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
)

// Report is a report to be written from nothing.
type Report struct {
	Session *Session
	Process *Process // that all results come from
	Sources []*SourceData
	Results []*ResultData
}

// WriteFile writes the report to the named file, which is replaced at once when
// all is written.
func (r *Report) WriteFile(path string) error { return writeFile(path, r) }

// WriteTo writes the report: a block with the session, then a block for every
// source and every result, the first result's block having the strings, as in
// the profiler's own reports.
func (r *Report) WriteTo(w io.Writer) (int64, error) {
	out := &countWriter{w: w}
	head := appendMessage(nil, &FileHeader{Version: 7})
	out.Write(magicNVR)
	out.Write(appendEntry(nil, head))
	if err := r.writeBlock(out, blockHeader{Session: r.Session}, nil); err != nil {
		return out.n, err
	}
	for _, s := range r.Sources {
		if err := r.writeBlock(out, blockHeader{NumSources: Some(uint32(1))}, s.encode()); err != nil {
			return out.n, err
		}
	}
	names, id := r.strings()
	for i, d := range r.Results {
		h := blockHeader{NumResults: Some(uint32(1))}
		if i == 0 {
			h.Strings = &stringTable{Strings: names}
		}
		if err := r.writeBlock(out, h, d.encode(id)); err != nil {
			return out.n, err
		}
	}
	return out.n, out.err
}

// strings lists the metric names of all results in order of first use.
func (r *Report) strings() (names []string, id func(name string) uint32) {
	ids := make(map[string]uint32)
	for _, d := range r.Results {
		for i := range d.Metrics {
			name := d.Metrics[i].Name
			if _, ok := ids[name]; !ok {
				ids[name] = uint32(len(names))
				names = append(names, name)
			}
		}
	}
	return names, func(name string) uint32 { return ids[name] }
}

// writeBlock writes a block with at most one entry.
func (r *Report) writeBlock(out *countWriter, h blockHeader, entry []byte) error {
	var payload []byte
	if entry != nil {
		if len(entry) > math.MaxUint32-4 {
			return fmt.Errorf("entry of %d bytes: the format ends at 4 GiB", len(entry))
		}
		payload = appendEntry(nil, entry)
	}
	h.NumSources = Some(h.NumSources.Value)
	h.NumResults = Some(h.NumResults.Value)
	h.PayloadSize = Some(uint32(len(payload)))
	h.Process = r.Process
	if h.Strings == nil {
		h.Strings = new(stringTable)
	}
	raw := appendMessage(nil, &h)
	out.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(raw))))
	out.Write(raw)
	out.Write(payload)
	return out.err
}
