package load

import (
	"fmt"
	"slices"
	"strings"
)

// Counted reports whether the tables of the timeline are known. Those of a large
// native report are not before a page asks for one: all its events have to be read.
func (f *File) Counted() bool {
	return f.rep == nil || f.rep.index != nil
}

// contents are the parts of the report and, if its events have been counted, what
// of them was not understood.
func (s *nsysRepSource) contents() []Content {
	var out []Content
	for _, p := range s.file.Parts {
		out = append(out, Content{What: "part", Count: 1, Bytes: p.Size, Note: p.Name})
	}
	var packed, size int64
	for _, fr := range s.file.Frames {
		packed, size = packed+int64(fr.Packed), size+int64(fr.Size)
	}
	sum := s.file.Summary
	events := Content{What: "events", Count: int(sum.Int(1)), Bytes: -1, Note: "as the summary says"}
	if s.index == nil {
		events.Note += "; the pages that show events count them, and tell what is not understood"
	}
	out = append(out, Content{What: "frames", Count: len(s.file.Frames), Bytes: size, Note: fmt.Sprintf("%d bytes packed", packed)}, events,
		Content{What: "texts", Count: int(sum.Int(3)), Bytes: -1}, Content{What: "threads", Count: int(sum.Int(5)), Bytes: -1})
	if s.index == nil {
		return out
	}
	at := len(out)
	for u, n := range s.index.Unknown {
		out = append(out, Content{What: "not understood", Count: n, Bytes: -1, Note: u.String()})
	}
	slices.SortFunc(out[at:], func(a, b Content) int { return strings.Compare(a.Note, b.Note) })
	return out
}
