package nsysrep

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"iter"
	"slices"

	"github.com/gpuprof/gpuprof/format/internal/cursor"
)

// ErrApart is wrapped by the error about reports that are not parts of one recording.
var ErrApart = errors.New("not parts of one recording")

// Merge writes reports that are parts of one recording as one: each event as often as
// the part that has it most often, and the texts of all. Events refer to texts, threads
// and contexts by numbers, some of them in fields that are not known, so that reports
// of different recordings are refused: they would have to be numbered anew.
func Merge(to io.Writer, parts ...*File) error {
	first := parts[0]
	m := &merger{seed: maphash.MakeSeed(), most: map[uint64]int32{}}
	for _, f := range parts {
		if len(f.problems) > 0 {
			return fmt.Errorf("a damaged report is not written: %w", f.problems[0])
		}
		if err := first.apart(f); err != nil {
			return err
		}
		if err := m.texts(f); err != nil {
			return err
		}
	}
	added := 0
	count := func(f *File) error {
		_, err := m.frames(f, func([]byte) { added++ })
		return err
	}
	if _, err := m.frames(first, nil); err != nil {
		return err
	}
	for _, f := range parts[1:] {
		if err := count(f); err != nil {
			return err
		}
	}
	again := &merger{seed: m.seed, most: map[uint64]int32{}}
	if _, err := again.frames(first, nil); err != nil {
		return err
	}
	return first.Write(to, Edit{
		Summary: func(b []byte) ([]byte, error) { return mend(b, map[int]int64{countField: int64(added)}), nil },
		Texts:   func(b []byte) ([]byte, error) { return m.fill(b), nil },
		More:    again.rest(parts[1:]),
	})
}

// apart is an error where two reports are not of one recording: all but the events,
// the count of them and the texts is the same then.
func (f *File) apart(g *File) error {
	fail := func(what string) error {
		return fmt.Errorf("%s and %s differ in %s: %w", f.Name, g.Name, what, ErrApart)
	}
	if f.Version != g.Version || len(f.Parts) != len(g.Parts) {
		return fail("version or parts")
	}
	for i := range f.Parts {
		p, q := &f.Parts[i], g.part(f.Parts[i].Name)
		if q == nil {
			return fail(p.Name)
		}
		if p.Name == rawPart || p.Name == offsetsPart {
			continue
		}
		a, err := f.bytes(p.Offset, p.Size)
		if err != nil {
			return err
		}
		b, err := g.bytes(q.Offset, q.Size)
		if err != nil {
			return err
		}
		if !bytes.Equal(a, b) {
			return fail(p.Name)
		}
	}
	for what, pair := range map[string][2]Message{"the header": {f.Header, g.Header}, "names of threads": {f.Threads, g.Threads}, "the target": {f.Target, g.Target}} {
		if !slices.EqualFunc(pair[0], pair[1], func(a, b Field) bool { return a.Num == b.Num && a.Int == b.Int && bytes.Equal(a.Bytes, b.Bytes) }) {
			return fail(what)
		}
	}
	return nil
}

// A merger knows the events that were seen so far, and all texts.
type merger struct {
	seed maphash.Seed
	most map[uint64]int32 // by the hash of an event, how often a part had it at most
	all  []string
}

// texts takes over the texts of a part, of which some may be empty.
func (m *merger) texts(f *File) error {
	list, _, err := f.Strings()
	if err != nil {
		return err
	}
	if m.all == nil {
		m.all = list
		return nil
	}
	if len(list) != len(m.all) {
		return fmt.Errorf("%s: %d texts where the others have %d: %w", f.Name, len(list), len(m.all), ErrApart)
	}
	for i, s := range list {
		switch {
		case m.all[i] == "":
			m.all[i] = s
		case s != "" && s != m.all[i]:
			return fmt.Errorf("%s: text %d is another than in the others: %w", f.Name, i, ErrApart)
		}
	}
	return nil
}

// frames goes over the events of a part and tells of those that are there more often
// than in the parts before. It returns them as messages of frames.
func (m *merger) frames(f *File, found func(event []byte)) (events int, err error) {
	here := map[uint64]int32{}
	var packed, buf []byte
	for _, fr := range f.Frames {
		b, err := f.unpack(fr, &packed, &buf)
		if err != nil {
			return events, err
		}
		for at := 0; at < len(b); {
			n := fieldSize(b[at:])
			if n == 0 {
				return events, f.fail(fr.Offset, "events that fill the frame", fmt.Sprintf("%x at byte %d of it", b[at:min(len(b), at+8)], at))
			}
			event := b[at : at+n]
			at += n
			events++
			h := maphash.Bytes(m.seed, event)
			if here[h]++; here[h] > m.most[h] {
				m.most[h] = here[h]
				if found != nil {
					found(event)
				}
			}
		}
	}
	return events, nil
}

// frameEvents is how many events are put into a frame, as the tool does.
const frameEvents = 7000

// rest are frames of the events that the parts add to what was seen.
func (m *merger) rest(parts []*File) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		var frame []byte
		n, more := 0, true
		for _, f := range parts {
			_, err := m.frames(f, func(event []byte) {
				if frame, n = append(frame, event...), n+1; n == frameEvents && more {
					more = yield(frame, nil)
					frame, n = frame[:0], 0
				}
			})
			if err != nil {
				yield(nil, err)
				return
			}
		}
		if n > 0 && more {
			yield(frame, nil)
		}
	}
}

// fill puts texts that are empty into the message of texts.
func (m *merger) fill(b []byte) []byte {
	out, place := make([]byte, 0, len(b)), 0
	for at := 0; at < len(b); {
		num, _, sub, n := field(b[at:])
		if n == 0 {
			return append(out, b[at:]...)
		}
		if num == 1 && sub != nil {
			out = binary.AppendUvarint(append(out, 1<<3|byte(cursor.Len)), uint64(len(m.all[place])))
			out = append(out, m.all[place]...)
			place++
		} else {
			out = append(out, b[at:at+n]...)
		}
		at += n
	}
	return out
}
