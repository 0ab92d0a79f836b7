package rocm

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/gpuprof/gpuprof/format/internal/cursor"
	"github.com/gpuprof/gpuprof/format/internal/wiretext"
)

// errPacked is what a packet is that holds packets which are compressed.
var errPacked = errors.New("compressed packets are not rewritten")

// compressedPackets is the field of a packet that holds others, compressed.
const compressedPackets = 50

// perfettoPlaces names the fields that hold texts about processes and machines; the
// numbers are those of Perfetto's published schema.
var perfettoPlaces = map[string]map[int]wiretext.Field{
	"packet":                      {2: {Name: "process_tree"}, 11: {Name: "event"}, 45: {Name: "system_info"}, 60: {Name: "track"}},
	"packet.track":                {2: {Name: "name", Form: wiretext.Text}, 3: {Name: "process"}, 4: {Name: "thread"}},
	"packet.track.process":        {2: {Name: "cmdline", Form: wiretext.Text}, 6: {Name: "process_name", Form: wiretext.Text}},
	"packet.process_tree":         {1: {Name: "process"}},
	"packet.process_tree.process": {3: {Name: "cmdline", Form: wiretext.Text}},
	"packet.event":                {4: {Name: "annotation", Form: wiretext.Message, Key: 10}},
}

// RewritePerfetto copies a Perfetto trace packet by packet with its texts edited, those
// in fields that are not known included. Place is the fields that lead to a text; blob
// bytes are more than a text, and of fixed length. Edit must not change the bytes it
// gets, and returns them for what stays.
func RewritePerfetto(w io.Writer, r io.Reader, edit func(place string, b []byte, fixed, blob bool) []byte) error {
	walker := &wiretext.Walker{Edit: edit, Describe: func(at *wiretext.Place, num int) (wiretext.Field, any) { return perfettoPlaces[at.Name][num], nil }}
	root := wiretext.Root("packet", nil)
	in, out := bufio.NewReaderSize(r, 1<<18), bufio.NewWriterSize(w, 1<<18)
	var buf []byte
	for at := int64(0); ; {
		tag, err := binary.ReadUvarint(in)
		if err == io.EOF {
			return out.Flush()
		}
		size := uint64(0)
		if err == nil && tag != 1<<3|uint64(cursor.Len) {
			err = fmt.Errorf("offset %d: expected a packet, found a field %d: %w", at, tag>>3, cursor.ErrCorrupt)
		}
		if err == nil {
			size, err = binary.ReadUvarint(in)
		}
		if err == nil && size > maxPacket {
			err = fmt.Errorf("offset %d: expected a packet of at most %d bytes, found %d: %w", at, maxPacket, size, cursor.ErrCorrupt)
		}
		if err != nil {
			return err
		}
		if uint64(cap(buf)) < size {
			buf = make([]byte, size)
		}
		buf = buf[:size]
		if _, err := io.ReadFull(in, buf); err != nil {
			return fmt.Errorf("offset %d: expected a packet of %d bytes: %w", at, size, io.ErrUnexpectedEOF)
		}
		if compressed(buf) {
			return fmt.Errorf("offset %d: %w", at, errPacked)
		}
		now := walker.Walk(root, buf)
		out.Write(binary.AppendUvarint([]byte{byte(tag)}, uint64(len(now))))
		out.Write(now)
		at += int64(size) + 2
	}
}

// compressed reports whether a packet holds others that are compressed.
func compressed(b []byte) bool {
	c := cursor.New("", 0, b)
	for {
		num, wire, ok := c.Field()
		if !ok {
			return false
		}
		if num == compressedPackets {
			return true
		}
		c.SkipField(wire)
	}
}
