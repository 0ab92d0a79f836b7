// Package nsysrepgen makes reports of Nsight Systems from nothing, for tests:
// what a test puts into events, texts and descriptions is what reading has to
// find. docs/formats/nsys-rep.md has the layout; the numbers of fields stand in
// the tests, which so check those of the reader.
package nsysrepgen

import (
	"encoding/binary"
	"maps"
	"math"
	"slices"
)

// A Report is what a report holds. Messages are made with [Message].
type Report struct {
	Version  string   // of the tool: "2024.5.1@113-1"
	Header   []byte   // when, where and how it was captured
	Frames   [][]byte // events, made with [Frame]
	Texts    []string // events refer to them by place
	Streams  [][]byte // output streams of processes
	Threads  []byte
	Target   []byte            // devices, contexts, streams
	Schemas  []byte            // layouts of binary NVTX payloads
	Parts    map[string][]byte // further parts, by name
	NoEnding bool              // leave out the directory, as in a file that is cut short
}

// Message encodes fields: numbers, and after each what it holds: an int, int64
// or bool (a varint), a float64 or float32 (fixed), a string or bytes.
func Message(fields ...any) (b []byte) {
	for i := 0; i < len(fields); i += 2 {
		num := uint64(fields[i].(int)) << 3
		switch v := fields[i+1].(type) {
		case int:
			b = binary.AppendUvarint(binary.AppendUvarint(b, num), uint64(v))
		case int64:
			b = binary.AppendUvarint(binary.AppendUvarint(b, num), uint64(v))
		case float64:
			b = binary.LittleEndian.AppendUint64(binary.AppendUvarint(b, num|1), math.Float64bits(v))
		case float32:
			b = binary.LittleEndian.AppendUint32(binary.AppendUvarint(b, num|5), math.Float32bits(v))
		case string:
			b = append(binary.AppendUvarint(binary.AppendUvarint(b, num|2), uint64(len(v))), v...)
		case []byte:
			b = append(binary.AppendUvarint(binary.AppendUvarint(b, num|2), uint64(len(v))), v...)
		default:
			panic("no encoding of this type")
		}
	}
	return b
}

// Repeated is a list of fields of one number, to be put into [Message].
func Repeated[T any](num int, values ...T) (fields []any) {
	for _, v := range values {
		fields = append(fields, num, v)
	}
	return fields
}

// Frame makes the message of a frame of events.
func Frame(events ...[]byte) []byte { return Message(Repeated(1, events...)...) }

// Event makes an event of a family (102 NVTX, 104 samples, 106 scheduling, 107
// GPU, 108 calls, 110 diagnostics, 113 processes) from the fields of its message.
func Event(typ, family int, fields ...any) []byte { return Message(1, typ, family, Message(fields...)) }

// Bytes is the report as a file has it.
func (r *Report) Bytes() []byte {
	b := []byte("NVIDIA Tegra Profiler Report " + r.Version + ".")
	var directory []byte
	part := func(name string, at int) {
		directory = append(directory, Message(1, Message(1, name, 2, at, 3, len(b)-at))...)
	}
	for _, name := range slices.Sorted(maps.Keys(r.Parts)) {
		at := len(b)
		b = append(b, r.Parts[name]...)
		part(name, at)
	}
	at := len(b)
	b = append(b, "QDTEXT00"...)
	begin := len(b)
	events := 0
	for _, f := range r.Frames {
		events += count(f)
	}
	b = sized(b, r.Header)
	b = sized(b, Message(1, events, 3, len(r.Texts)))
	for _, f := range r.Frames {
		b = frame(b, f)
	}
	texts := len(b) - begin
	b = frame(b, Message(append(Repeated(1, r.Texts...), Repeated(2, r.Streams...)...)...))
	b = sized(sized(b, r.Threads), r.Target)
	offsets := Message(1, "lz4", 2, texts)
	if r.Schemas != nil {
		offsets = append(offsets, Message(3, len(b)-begin)...)
		b = frame(b, r.Schemas)
	}
	part("Raw Sampling Data", at)
	at = len(b)
	b = append(b, offsets...)
	part("Sampling Data Offsets", at)
	if r.NoEnding {
		return b
	}
	at = len(b)
	b = append(b, directory...)
	b = binary.LittleEndian.AppendUint64(b, uint64(at))
	return append(b, "\x55\x33\x77[END]"...)
}

// count counts the events of a frame, its fields.
func count(frame []byte) (n int) {
	for len(frame) > 0 {
		_, k := binary.Uvarint(frame)
		size, m := binary.Uvarint(frame[k:])
		frame = frame[k+m+int(size):]
		n++
	}
	return n
}

// sized appends a message with its length in front.
func sized(b, message []byte) []byte {
	return append(binary.AppendUvarint(b, uint64(len(message))), message...)
}

// frame appends a message as a frame: an LZ4 block of literals.
func frame(b, message []byte) []byte {
	plain := sized(nil, message)
	block := []byte{0xf0}
	rest := len(plain) - 15
	if rest < 0 {
		block[0] = byte(len(plain) << 4)
	}
	for ; rest >= 255; rest -= 255 {
		block = append(block, 255)
	}
	if rest >= 0 {
		block = append(block, byte(rest))
	}
	block = append(block, plain...)
	b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(len(block))), uint64(len(plain)))
	return append(b, block...)
}
